"""What operators give for numbers and arrays, looked up once.

For every `a + b` Numba goes through all that `+` may mean, texts, lists and dates among them,
before it comes to numbers: a tenth of the time it takes to compile. The types of the operands
decide, so the answer is remembered.
"""

from __future__ import annotations

import operator as op
from functools import cache
from importlib import import_module
from typing import Any

OPERATORS: tuple[Any, ...] = (
    *(bool, op.getitem, op.setitem, op.not_, op.invert, op.neg),
    *(op.add, op.sub, op.mul, op.truediv, op.floordiv, op.mod),
    *(op.iadd, op.isub, op.imul, op.itruediv, op.ifloordiv, op.imod),
    *(op.and_, op.or_, op.xor, op.lshift, op.rshift),
    *(op.iand, op.ior, op.ixor, op.ilshift, op.irshift),
    *(op.eq, op.ne, op.lt, op.le, op.gt, op.ge),
)


@cache
def remember_operators() -> None:
    """From now on, in this process. Operands of other kinds are looked up each time: the
    answer for these may depend on how the caller is compiled."""
    types: Any = import_module("numba.core.types")  # it has no types
    context: Any = import_module("numba.core.registry").cpu_target.typing_context
    plain = (types.Number, types.Boolean, types.Buffer, types.Record, types.BaseTuple)
    operators = frozenset(OPERATORS)
    look_up = context.resolve_function_type
    known: dict[Any, Any] = {}

    def resolve(function: Any, operands: Any, named: Any) -> Any:
        meant = getattr(function, "typing_key", function)
        if meant not in operators or not all(isinstance(one, plain) for one in operands):
            return look_up(function, operands, named)
        key = (function, *operands)
        if known.get(key) is None:
            known[key] = look_up(function, operands, named)
        return known[key]

    context.resolve_function_type = resolve
