"""Kernels: functions that Numba compiles at their first call.

`@kernel` marks a function that is to run compiled; `@template` one that is written for any
game and names it through a `Slot`; `bind` fills the slots. Numba is imported at the first call.

A kernel is compiled from a copy of its code whose globals are re-bound: kernels to their compiled
twins, slots to what fills them. The copy's name carries a digest of everything the machine code
depends on (code, constants, the digests of all callees, Numba's flags): Numba's disk cache looks
at the function's own file only, and would give old code when a callee changes elsewhere. Where that
file lies and when it was written does not matter then (see sealed_files.py).

Other parts of what is known about Numba: intrinsics.py (what Python can't say), inner_kernels.py
(kernels that only kernels call), operator_types.py (quicker compiling), cache.py and
sealed_files.py (machine code on disk), compile_progress.py (listeners to what compiles).

Set `NUMBA_DISABLE_JIT=1` to run everything interpreted; the results are the same.
"""

from __future__ import annotations

import builtins
import dis
import hashlib
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import cache
from itertools import count
from pathlib import Path
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any, cast

import numpy as np

from kibitz.jit import cache as jit_cache
from kibitz.jit.compile_progress import compiling
from kibitz.jit.inner_kernels import inner_flags
from kibitz.jit.intrinsics import Intrinsic, address_of, whole_number
from kibitz.jit.operator_types import remember_operators


class Slot:
    """A name in a template that `bind` fills with a namespace of kernels."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise TypeError(f"slot {self.name!r} is not bound: use bind({self.name}=…)")


class Kernel:
    """A function that is compiled at its first call. Interpreted if the JIT is disabled."""

    def __init__(self, function: FunctionType, slots: dict[str, Any], inline: bool) -> None:
        self.function = function
        self.slots = slots
        self.inline = inline
        self.name = f"{function.__module__.removeprefix('kibitz.')}.{function.__name__}"
        self.__doc__ = function.__doc__
        self._digest: str | None = None
        self._open: bool | None = None
        self._built: Callable[..., Any] | None = None
        self._bound: dict[tuple[tuple[str, int], ...], Kernel] = {}

    def __repr__(self) -> str:
        return f"<kernel {self.name}>"

    def __call__(self, *args: Any) -> Any:
        built = self._built
        return built(*args) if built is not None else self._first_call(*args)

    def _first_call(self, *args: Any) -> Any:
        with jit_cache.building():
            if jit_enabled():
                self._repairing_cache(lambda: _compile(_build(self), args))
            built = self._built = _build(self)
        return built(*args)

    def as_argument(self, *args: Any) -> Any:
        """This kernel as an argument of another, which calls it with arguments like these.

        The other kernel is compiled once for all kernels that it may get; a call costs about
        20 ns more than one that the compiler knows. The result must be a whole number.
        """
        if not jit_enabled():
            return _build(self)
        import numba

        warnings.simplefilter("ignore", numba.NumbaExperimentalFeatureWarning)
        typeof: Any = numba.typeof  # its stubs do not know it
        types = tuple(typeof(arg) for arg in args)

        def address() -> Any:
            return address_of(_build(self).get_compile_result(whole_number(types)))

        return self._repairing_cache(address)

    def for_arguments(self, *args: Any) -> Callable[..., Any]:
        """This kernel for arguments of the types that these have, and for no others: what it is
        called with is not looked at any more. That takes a hundred microseconds where functions or
        tuples with names are among them, which is long beside a small call."""
        if not jit_enabled():
            return cast(Callable[..., Any], _build(self))

        def entry() -> Any:
            dispatcher = _build(self)
            types = tuple(dispatcher.typeof_pyval(arg) for arg in args)
            dispatcher.compile(types)
            return dispatcher.overloads[types].entry_point

        return cast(Callable[..., Any], self._repairing_cache(entry))

    def _repairing_cache(self, build: Callable[[], Any]) -> Any:
        """The result of `build`, which compiles this kernel or loads it from disk.

        If the machine code on disk is damaged, all of it is deleted and `build` called again;
        if that fails too, it is called without a cache.
        """
        with jit_cache.building():
            return self._build_or_repair(build)

    def _build_or_repair(self, build: Callable[[], Any]) -> Any:
        try:
            with nullcontext() if _is_cached(self) else compiling(self):
                return build()
        except Exception as error:
            if not jit_cache.is_cache_error(error):
                raise
            jit_cache.clear(str(error))
        _forget_builds()
        try:
            return build()
        except Exception as again:
            if not jit_cache.is_cache_error(again):
                raise
            jit_cache.disable(str(again))
        _forget_builds()
        return build()

    def digest(self) -> str:
        if self._digest is None:
            self._digest = _digest(self)
        return self._digest

    def globals(self) -> Iterator[tuple[str, Any]]:
        """The global names its code uses, with their values; slots already filled."""
        own = self.function.__globals__
        for name in _names(self.function.__code__, "LOAD_GLOBAL"):
            if name not in own:
                continue
            value = own[name]
            if isinstance(value, Slot):
                value = self.slots.get(value.name, value)
            elif isinstance(value, Kernel) and self.slots and value.is_open():
                value = bind(value, **self.slots)
            yield name, value

    def is_open(self) -> bool:
        """Whether it, or a kernel that it calls, mentions a slot that is not filled."""
        if self._open is None:
            self._open = False  # a kernel that calls itself
            self._open = any(
                isinstance(value, Slot) or (isinstance(value, Kernel) and value.is_open())
                for _, value in self.globals()
            )
        return self._open

    def used_attributes(self, namespace: Any) -> Iterator[tuple[str, Any]]:
        """The attributes of a filled slot that the code mentions."""
        for name in _names(self.function.__code__, "LOAD_ATTR", "LOAD_METHOD"):
            value = getattr(namespace, name, None)
            if isinstance(value, (Kernel, *_CONSTANTS)):
                yield name, value


@cache
def _names(code: CodeType, *operations: str) -> list[str]:
    """The names that code looks up in these ways."""
    names = {i.argval for i in dis.get_instructions(code) if i.opname in operations}
    for const in code.co_consts:
        if isinstance(const, CodeType):
            names.update(_names(const, *operations))
    return sorted(names)


def kernel(function: Callable[..., Any]) -> Kernel:
    """Mark a function of plain numbers, arrays and records as compiled."""
    assert isinstance(function, FunctionType)
    return Kernel(function, {}, inline=False)


def inlined(function: Callable[..., Any]) -> Kernel:
    """A kernel that is compiled into those that call it: for a part of a hot loop. A call that
    hands over many arrays can cost ten times what it does."""
    assert isinstance(function, FunctionType)
    return Kernel(function, {}, inline=True)


template = kernel
"""A kernel that mentions slots. It can't be called before `bind` has filled them."""


def bind(what: Kernel, **slots: Any) -> Kernel:
    """The kernel with its slots filled. The same fillings give the same kernel."""
    key = tuple(sorted((name, id(value)) for name, value in slots.items()))
    if key not in what._bound:
        what._bound[key] = Kernel(what.function, {**what.slots, **slots}, what.inline)
    return what._bound[key]


def jit_enabled() -> bool:
    return os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")


# -- the digest: what the machine code depends on --------------------------------------

CACHE_VERSION = 5
"""Raised when machine code gets other names, is compiled otherwise or has another form on disk
(see sealed_files.py): older code is not loaded."""


def _digest(what: Kernel) -> str:
    """Of all that the machine code depends on: see the beginning of this file."""
    digest = hashlib.blake2b(digest_size=10)

    def add(*parts: Any) -> None:
        for part in parts:
            digest.update(repr(part).encode())
            digest.update(b"\0")

    add(CACHE_VERSION, sys.version_info[:2], *_flags(), what.name, *["inline"] * what.inline)
    _add_code(add, what.function.__code__)
    for name, value in what.globals():
        add(name)
        if isinstance(value, Kernel):
            add("itself" if value is what else value.digest())
        elif isinstance(value, _CONSTANTS):
            _add_constant(add, value)
        elif isinstance(value, Slot):
            raise TypeError(f"{what.name}: slot {value.name!r} is not bound")
        elif isinstance(value, Intrinsic):
            _add_code(add, value.code)
            add(*[value.depends_on] * bool(value.depends_on))
        elif _is_library(value):
            add(f"{getattr(value, '__name__', value)}{getattr(value, '_fields', '')}")
        else:  # a slot's filling
            for attribute, inner in what.used_attributes(value):
                add(attribute)
                if isinstance(inner, Kernel):
                    add(inner.digest())
                else:
                    _add_constant(add, inner)
    return digest.hexdigest()


_CONSTANTS = (int, float, str, tuple, np.generic, np.ndarray, np.dtype)


def _add_constant(add: Callable[..., None], value: Any) -> None:
    if isinstance(value, np.ndarray):
        add(value.dtype, value.shape, value.tobytes())  # the repr of a long one is cut short
    elif isinstance(value, tuple):
        add(len(value))
        for part in value:
            _add_constant(add, part)
    else:
        add(type(value), value)


def _add_code(add: Callable[..., None], code: CodeType) -> None:
    add(code.co_code, code.co_names, code.co_varnames, code.co_argcount, code.co_exceptiontable)
    for const in code.co_consts:
        if isinstance(const, CodeType):
            _add_code(add, const)
        else:
            add(const)


def _is_library(value: Any) -> bool:
    """NumPy, math, what comes out of them, tuples with names: Numba knows these itself."""
    if isinstance(value, ModuleType):
        return value.__name__ in ("numpy", "math")
    if isinstance(value, type) and issubclass(value, tuple):
        return True
    return getattr(value, "__module__", None) in ("numpy", "math", "builtins")


def _flags() -> tuple[Any, ...]:
    config = _numba_config()
    return (config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT, config.CPU_NAME)


def _numba_config() -> Any:
    from numba import config

    return config


# -- building ------------------------------------------------------------------------

_built: dict[tuple[Kernel, str], Any] = {}
_outdated: list[Any] = []
"""Builds that are not used any more. They stay alive: a kernel that got one as an argument has
nothing but its address."""
OUTER, INNER = "", "-inner"
"""Who calls a kernel: Python, or kernels that got it as an argument; or other kernels."""


def _forget_builds() -> None:
    _outdated.append(dict(_built))
    _built.clear()


def _build(what: Kernel, caller: str = OUTER) -> Any:
    """The runnable twin of a kernel: a Numba dispatcher, or a re-bound Python function. One
    that only kernels call has no wrappers: they are a quarter of the time it takes to compile;
    for the rest see inner_kernels.py.
    """
    key = (what, caller)
    if key not in _built:
        try:
            _built[key] = _build_anew(what, caller)
        except BaseException:
            _built.pop(key, None)  # nothing half-built may be used
            raise
    return _built[key]


def _build_anew(what: Kernel, caller: str) -> Any:
    key = (what, caller)
    scope: dict[str, Any] = {"__builtins__": builtins, "__name__": what.function.__module__}
    copy = FunctionType(what.function.__code__, scope, what.function.__name__)
    _built[key] = copy  # a kernel that calls itself finds itself here
    for name, value in what.globals():
        if isinstance(value, Kernel):
            # A kernel that calls itself must be its own callee, not its inner twin.
            scope[name] = copy if value is what else _build(value, INNER)
        elif isinstance(value, Slot):
            raise TypeError(f"{what.name}: slot {value.name!r} is not bound")
        elif isinstance(value, Intrinsic):
            scope[name] = value.make() if jit_enabled() else value.interpreted
        elif _is_library(value) or isinstance(value, _CONSTANTS):
            scope[name] = value
        else:
            scope[name] = _filled_slot(what, name, value)
    if not jit_enabled():
        # Unsigned arithmetic wraps on purpose; compiled code does so silently.
        np.seterr(over="ignore")
        return copy
    compiled = _jit(copy, what, caller)
    if scope.get(what.function.__name__) is copy:
        scope[what.function.__name__] = compiled
    return compiled


def _filled_slot(what: Kernel, name: str, namespace: Any) -> Any:
    """A slot's filling as a module: the one kind of namespace that Numba looks into."""
    filled: Any = ModuleType(name) if jit_enabled() else SimpleNamespace()
    for attribute, value in what.used_attributes(namespace):
        inner = _build(value, INNER) if isinstance(value, Kernel) else value
        setattr(filled, attribute, inner)
    return filled


def _jit(function: FunctionType, what: Kernel, caller: str) -> Any:
    from numba import njit as typed_njit

    _number_functions_apart()
    remember_operators()
    njit: Any = typed_njit  # its stubs do not know all of its flags
    function.__module__ = what.function.__module__
    function.__qualname__ = f"{what.function.__name__}-{what.digest()}{caller}"
    flags = {"nogil": True, "forceinline": what.inline, **(inner_flags() if caller else {})}
    folder = jit_cache.usable_folder()
    if folder is None:
        return _ignore_literals(njit(**flags)(function))
    from kibitz.jit.sealed_files import cached_in

    return _ignore_literals(cached_in(folder, lambda: njit(cache=True, **flags)(function)))


def _ignore_literals(dispatcher: Any) -> Any:
    """Let kernels that call it with a number as written, `f(0)`, have what is compiled for any.
    Numba would compile it anew for each, which made no game or search faster that we measured.
    """
    from numba.core.types import unliteral as typed_unliteral

    unliteral: Any = typed_unliteral  # it has no types
    template = dispatcher.get_call_template
    dispatcher.get_call_template = lambda args, kws: template(
        tuple(map(unliteral, args)), {name: unliteral(kind) for name, kind in kws.items()}
    )
    return dispatcher


@cache
def _number_functions_apart() -> None:
    """Let no two processes give their machine code the same names.

    Numba numbers functions and record types from 1 in every process. That is all that tells
    apart one function compiled for two records by a third that reads the code of both.
    """
    from numba.core.bytecode import FunctionIdentity

    def start() -> None:
        numbers: Any = FunctionIdentity
        numbers._unique_ids = count(int.from_bytes(os.urandom(7), "big"))

    start()
    os.register_at_fork(after_in_child=start)


def _compile(dispatcher: Any, args: tuple[Any, ...]) -> None:
    """As a call with these arguments would, without the call."""
    dispatcher.compile(tuple(dispatcher.typeof_pyval(arg) for arg in args))


def _is_cached(what: Kernel) -> bool:
    """Also where there is no cache, and nothing will be there next time."""
    path = _build(what).stats.cache_path
    return path is None or any(Path(path).glob(f"*-{what.digest()}.*.nbi"))
