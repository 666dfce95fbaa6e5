"""The type behind `pointers` and `constants` in `intrinsics.py`. Importing it imports Numba and
registers the type there.

An array is seven words to Numba, and every index may count from the end. That fills the registers
and doubles the instructions of a loop that looks up single numbers in many arrays. A pointer is one
word. What is constant is marked so for LLVM: Numba does not tell it which arrays may overlap, so
after every write it would read all again.
"""

from __future__ import annotations

import importlib
import operator
from typing import Any

from numba.extending import intrinsic, register_model

# None of these has types.
types: Any = importlib.import_module("numba.core.types")
models: Any = importlib.import_module("numba.extending").models
cgutils: Any = importlib.import_module("numba.core.cgutils")
lowering: Any = importlib.import_module("numba.core.imputils")
templates: Any = importlib.import_module("numba.core.typing.templates")


class PointerType(types.Type):  # type: ignore[misc]
    def __init__(self, dtype: Any, is_constant: bool) -> None:
        self.dtype, self.is_constant = dtype, is_constant
        super().__init__(name=f"kibitz_pointer({dtype}, {is_constant})")


class ConstantRecordType(types.Type):  # type: ignore[misc]
    """An item of a pointer to records that are only read."""

    def __init__(self, record: Any) -> None:
        self.record = record
        super().__init__(name=f"kibitz_constant_record({record})")


@register_model(PointerType)
class PointerModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, dmm.lookup(fe_type.dtype).get_data_type().as_pointer())


@register_model(ConstantRecordType)
class ConstantRecordModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, dmm.lookup(fe_type.record).get_value_type())


def _pointer_types(kind: Any, is_constant: bool) -> Any:
    if isinstance(kind, types.BaseTuple):
        inner = [_pointer_types(each, is_constant) for each in kind]
        return types.BaseTuple.from_types(inner, getattr(kind, "instance_class", None))
    assert kind.ndim == 1, f"{kind} has no single dimension"
    assert kind.layout == "C", f"{kind} does not stand in one piece"
    return PointerType(kind.dtype, is_constant)


def _pointers(context: Any, builder: Any, kind: Any, value: Any, result: Any) -> Any:
    if isinstance(kind, types.BaseTuple):
        parts = [
            _pointers(context, builder, inner, builder.extract_value(value, n), result[n])
            for n, inner in enumerate(kind)
        ]
        return context.make_tuple(builder, result, parts)
    return context.make_array(kind)(context, builder, value).data


def _make(is_constant: bool) -> Any:
    @intrinsic
    def pointers(typing: Any, arrays: Any) -> Any:
        result = _pointer_types(arrays, is_constant)

        def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _pointers(context, builder, arrays, args[0], result)

        return result(arrays), write

    return pointers


pointers = _make(False)
constants = _make(True)


@templates.infer_global(operator.getitem)
class GetItem(templates.AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        pointer, index = args
        if isinstance(pointer, PointerType) and isinstance(index, types.Integer):
            item = pointer.dtype
            if pointer.is_constant and isinstance(item, types.Record):
                item = ConstantRecordType(item)
            return templates.signature(
                item, pointer, types.uintp if not index.signed else types.intp
            )
        return None


@templates.infer_global(operator.setitem)
class SetItem(templates.AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        pointer, index, _ = args
        if isinstance(pointer, PointerType) and isinstance(index, types.Integer):
            place = types.uintp if not index.signed else types.intp
            return templates.signature(types.none, pointer, place, pointer.dtype)
        return None


def get_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    place = builder.gep(args[0], [args[1]])
    if isinstance(kind.dtype, types.Record):
        return place
    return _read(context, builder, kind.dtype, place, kind.is_constant)


def set_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    context.pack_value(builder, sig.args[2], args[2], builder.gep(args[0], [args[1]]))
    return context.get_dummy_value()


def _read(context: Any, builder: Any, kind: Any, place: Any, is_constant: bool) -> Any:
    loaded = builder.load(place)
    loaded.align = 1  # a record's fields may begin anywhere; that costs nothing where it is not so
    if is_constant:
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
    return context.data_model_manager[kind].from_data(builder, loaded)


@templates.infer_getattr
class ConstantRecordAttribute(templates.AttributeTemplate):  # type: ignore[misc]
    key = ConstantRecordType

    def generic_resolve(self, record: Any, attr: str) -> Any:
        return record.record.typeof(attr)


def get_field(context: Any, builder: Any, kind: Any, value: Any, attr: str) -> Any:
    field = kind.record.typeof(attr)
    place = cgutils.get_record_member(
        builder, value, kind.record.offset(attr), context.get_data_type(field)
    )
    return _read(context, builder, field, place, True)


lowering.lower_builtin(operator.getitem, PointerType, types.Integer)(get_item)
lowering.lower_builtin(operator.setitem, PointerType, types.Integer, types.Any)(set_item)
lowering.lower_getattr_generic(ConstantRecordType)(get_field)
