"""Intrinsics: what kernels can do and Python can't say. Interpreted they change nothing."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from types import CodeType
from typing import Any


class Intrinsic:
    """Given to Numba when the first kernel that uses it is compiled."""

    def __init__(self, interpreted: Callable[..., Any], make: Callable[[], Any]) -> None:
        self.interpreted, self.make = interpreted, cache(make)
        self.code: CodeType = make.__code__


def _borrowed() -> Any:
    from numba.extending import intrinsic

    @intrinsic
    def borrowed(typing: Any, array: Any) -> Any:
        def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            made = context.make_array(array)(context, builder, args[0])
            made.meminfo = made.meminfo.type(None)
            made.parent = made.parent.type(None)
            return made._getvalue()

        return array(array), write

    return borrowed


borrowed: Any = Intrinsic(lambda array: array, _borrowed)
"""The same array, whose users are not counted: Numba counts every slice, and that costs more
than what is done with it. The caller must hold on to the array."""


def _prefetch() -> Any:
    from numba import types
    from numba.extending import intrinsic

    ir: Any = importlib.import_module("llvmlite.ir")
    insert: Any = importlib.import_module("numba.core.cgutils").get_or_insert_function

    @intrinsic
    def prefetch(typing: Any, array: Any, row: Any) -> Any:
        def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            made = context.make_array(array)(context, builder, args[0])
            step = builder.extract_value(made.strides, 0)
            byte, word = ir.IntType(8), ir.IntType(32)
            start = builder.bitcast(made.data, byte.as_pointer())
            place = builder.gep(start, [builder.mul(args[1], step)])
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
