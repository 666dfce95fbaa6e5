"""Intrinsics: what kernels can do and Python can't say. Interpreted they change nothing."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any


class Intrinsic:
    """Given to Numba when the first kernel that uses it is compiled. Its machine code depends on
    the code of `make`, and on what is given besides."""

    def __init__(
        self, interpreted: Callable[..., Any], make: Callable[[], Any], depends_on: bytes = b""
    ) -> None:
        self.interpreted, self.make = interpreted, cache(make)
        self.code: CodeType = make.__code__
        self.depends_on = depends_on


def _borrowed() -> Any:
    types: Any = importlib.import_module("numba.core.types")  # it has no types
    from numba.extending import intrinsic

    def uncounted(context: Any, builder: Any, kind: Any, value: Any) -> Any:
        if isinstance(kind, types.BaseTuple):
            for i, inner in enumerate(kind):
                part = uncounted(context, builder, inner, builder.extract_value(value, i))
                value = builder.insert_value(value, part, i)
            return value
        if not isinstance(kind, types.Array):
            return value
        made = context.make_array(kind)(context, builder, value)
        made.meminfo = made.meminfo.type(None)
        made.parent = made.parent.type(None)
        return made._getvalue()

    @intrinsic
    def borrowed(typing: Any, arrays: Any) -> Any:
        def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return uncounted(context, builder, arrays, args[0])

        return arrays(arrays), write

    return borrowed


borrowed: Any = Intrinsic(lambda arrays: arrays, _borrowed)
"""The same array, or tuple of arrays, whose users are not counted: Numba counts every slice, and
that costs more than what is done with it. The caller must hold on to the arrays."""


def _of_pointer_type(name: str) -> Any:
    """The intrinsic of this name in `pointer_type.py`, which is imported when Numba is."""

    def make() -> Any:
        numba: Any = importlib.import_module("numba")
        if numba.config.BOUNDSCHECK:  # a pointer does not know where it ends
            return borrowed.make()
        return getattr(importlib.import_module("kibitz.jit.pointer_type"), name)

    source = Path(__file__).with_name("pointer_type.py").read_bytes()
    return Intrinsic(lambda arrays: arrays, make, depends_on=name.encode() + source)


pointers = _of_pointer_type("pointers")
"""For a hot loop: an array, or a tuple of arrays, as bare pointers. They are borrowed, have one
dimension, stand in one piece, and no index counts from the end. Arrays where Numba's bounds checks
are on."""
constants = _of_pointer_type("constants")
"""The same of arrays that nobody writes to meanwhile: compiled code need not read them again after
every write elsewhere."""


def _on_stack() -> Any:
    utils: Any = importlib.import_module("numba.core.cgutils")
    from numba.extending import intrinsic

    @intrinsic
    def on_stack(typing: Any, array: Any) -> Any:
        def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            given = context.make_array(array)(context, builder, args[0])
            size = context.get_constant(int64, context.get_abi_sizeof(given.data.type.pointee))
            one = context.get_constant(int64, 1)
            copy = context.make_array(array)(context, builder)
            copy.data = utils.alloca_once(builder, given.data.type.pointee)
            utils.raw_memcpy(builder, copy.data, given.data, one, size)
            copy.shape, copy.strides = (utils.pack_array(builder, [word]) for word in (one, size))
            copy.nitems, copy.itemsize = one, size
            copy.meminfo = copy.meminfo.type(None)
            copy.parent = copy.parent.type(None)
            return copy._getvalue()

        return array(array), write

    from numba import int64

    return on_stack


on_stack: Any = Intrinsic(lambda array: array.copy(), _on_stack)
"""A copy of an array of one item, in the frame of the function that asks for it: it must not leave
that function. Where everything that uses it is `inlined`, and its fields are numbers, a compiler
can hold it in registers."""


def _prefetch() -> Any:
    from numba import types
    from numba.extending import intrinsic

    ir: Any = importlib.import_module("llvmlite.ir")
    insert: Any = importlib.import_module("numba.core.cgutils").get_or_insert_function

    @intrinsic
    def prefetch(typing: Any, array: Any, row: Any) -> Any:
        def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            byte, word = ir.IntType(8), ir.IntType(32)
            if isinstance(array, types.Array):
                made = context.make_array(array)(context, builder, args[0])
                step = builder.extract_value(made.strides, 0)
                start = builder.bitcast(made.data, byte.as_pointer())
                place = builder.gep(start, [builder.mul(args[1], step)])
            else:  # a pointer
                item = builder.gep(args[0], [args[1]])
                place = builder.bitcast(item, byte.as_pointer())
            kind = ir.FunctionType(ir.VoidType(), [byte.as_pointer(), word, word, word])
            fetch = insert(builder.module, kind, "llvm.prefetch.p0i8")
            builder.call(fetch, [place, word(0), word(3), word(1)])
            return context.get_dummy_value()

        return types.none(array, types.int64), write

    return prefetch


prefetch: Any = Intrinsic(lambda array, row: None, _prefetch)
"""Ask for a row of an array that will be read soon: memory is slow, but can do two things."""


# -- kernels as values ------------------------------------------------------------------


def whole_number(types: tuple[Any, ...]) -> Any:
    """The signature of a function of these that answers with a whole number."""
    from numba import int64

    return int64(*types)


def address_of(compiled: Any) -> Any:
    """Compiled code as a value that compiled code can call."""
    from numba.core.types import WrapperAddressProtocol

    class Address(WrapperAddressProtocol):
        def __wrapper_address__(self) -> int:
            name = compiled.fndesc.llvm_cfunc_wrapper_name
            return int(compiled.library.get_pointer_to_function(name))

        def signature(self) -> Any:
            return compiled.signature

    return Address()
