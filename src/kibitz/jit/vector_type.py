"""The type behind `vectors.py`. Importing it imports Numba and registers the type there."""

# mypy: allow-untyped-decorators

from __future__ import annotations

import importlib
import operator
from typing import Any

# None of these has types, or not the right ones.
numba: Any = importlib.import_module("numba")
extending: Any = importlib.import_module("numba.extending")
types, numba_config = numba.types, numba.config
intrinsic, models, overload = extending.intrinsic, extending.models, extending.overload
ir: Any = importlib.import_module("llvmlite.ir")

LANES = 8
FLOAT = ir.FloatType()
WORD = ir.IntType(32)
VECTOR = ir.VectorType(FLOAT, LANES)
ALIGNMENT = 4
"""Of what is loaded and stored: arrays of float32 may begin anywhere."""


class VectorType(types.Type):  # type: ignore[misc, name-defined]
    def __init__(self) -> None:
        super().__init__(name="kibitz_vector8")


vector = VectorType()


@extending.register_model(VectorType)
class VectorModel(models.PrimitiveModel):  # type: ignore[misc, name-defined]
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, VECTOR)


def _words(numbers: Any) -> Any:
    return ir.Constant(ir.VectorType(WORD, LANES), list(numbers))


ZERO = ir.Constant(VECTOR, [0.0] * LANES)
LANE = _words(range(LANES))


def _splat(builder: Any, x: Any, kind: Any) -> Any:
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), x, WORD(0))
    return builder.shuffle_vector(one, ir.Constant(kind, ir.Undefined), _words([0] * LANES))


def _address(context: Any, builder: Any, array_type: Any, array: Any, i: Any) -> Any:
    data = array
    if isinstance(array_type, types.Array):
        data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [i]), VECTOR.as_pointer())


def _check_index(context: Any, builder: Any, array_type: Any, array: Any, i: Any) -> None:
    if not numba_config.BOUNDSCHECK:
        return
    made = context.make_array(array_type)(context, builder, array)
    last = builder.sub(made.nitems, made.nitems.type(LANES))
    outside = builder.or_(builder.icmp_signed("<", i, i.type(0)), builder.icmp_signed(">", i, last))
    with builder.if_then(outside, likely=False):
        context.call_conv.return_user_exc(builder, IndexError, ("no eight numbers there",))


@intrinsic
def load(typing: Any, array: Any, i: Any) -> Any:
    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        _check_index(context, builder, array, *args)
        loaded = builder.load(_address(context, builder, array, *args))
        loaded.align = ALIGNMENT
        if getattr(array, "is_constant", False):
            loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded

    return vector(array, types.int64), write


@intrinsic
def store(typing: Any, array: Any, i: Any, value: Any) -> Any:
    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        _check_index(context, builder, array, *args[:2])
        stored = builder.store(args[2], _address(context, builder, array, *args[:2]))
        stored.align = ALIGNMENT
        return context.get_dummy_value()

    return types.none(array, types.int64, vector), write


@intrinsic
def splat(typing: Any, x: Any) -> Any:
    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _splat(builder, args[0], VECTOR)

    return vector(types.float32), write


@intrinsic
def one_hot(typing: Any, k: Any) -> Any:
    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        k = _splat(builder, builder.trunc(args[0], WORD), LANE.type)
        here = builder.icmp_signed("==", LANE, k)
        return builder.select(here, ir.Constant(VECTOR, [1.0] * LANES), ZERO)

    return vector(types.int64), write


@intrinsic
def total(typing: Any, value: Any) -> Any:
    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        (x,) = args
        for width in (4, 2, 1):
            lanes = [k + width if k < width else k for k in range(LANES)]
            x = builder.fadd(x, builder.shuffle_vector(x, ZERO, _words(lanes)))
        return builder.extract_element(x, WORD(0))

    return types.float32(vector), write


@intrinsic
def lower_minus_higher(typing: Any, value: Any) -> Any:
    """2 · (what stands before) + here − all; sums in logarithmically many steps."""

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        (x,) = args
        sums = x
        for by in (1, 2, 4):
            lanes = [LANES + k if k < by else k - by for k in range(LANES)]
            sums = builder.fadd(sums, builder.shuffle_vector(sums, ZERO, _words(lanes)))
        everything = builder.shuffle_vector(sums, ZERO, _words([LANES - 1] * LANES))
        return builder.fsub(builder.fsub(builder.fadd(sums, sums), x), everything)

    return vector(vector), write


@intrinsic
def any_positive(typing: Any, value: Any) -> Any:
    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        bits = builder.bitcast(builder.fcmp_ordered(">", args[0], ZERO), ir.IntType(LANES))
        return builder.icmp_signed("!=", bits, bits.type(0))

    return types.boolean(vector), write


def _register(operation: Any, instruction: str) -> None:
    @intrinsic
    def lane_by_lane(typing: Any, left: Any, right: Any) -> Any:
        def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return getattr(builder, instruction)(*args)

        return vector(vector, vector), write

    @overload(operation, strict=False)  # the types of arguments are for us alone
    def of_vectors(left: Any, right: Any) -> Any:
        if isinstance(left, VectorType) and isinstance(right, VectorType):
            return lambda left, right: lane_by_lane(left, right)
        return None


for _operation, _instruction in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
):
    _register(_operation, _instruction)
