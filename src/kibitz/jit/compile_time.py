"""How long it may take to compile a kernel: a guess for whoever has to wait.

It goes by the number of instructions in the kernel and in all that it calls. Those of kernels
that are compiled for the first time count most; the others are only read and put together.
Measured on the kernels of Love Letter, Tablić and connect four, the guess is mostly within a
factor of two; how fast this machine is shows in what was compiled before, and counts too.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.jit.kernels import Kernel

FRESH, KNOWN = 1.1e-3, 0.25e-3
"""Seconds for an instruction of a kernel that is compiled now, and of one that was before."""
ENOUGH = 1.0
"""Seconds of compiling after which the speed of the machine is known."""

_known: set[Kernel] = set()
_estimated, _taken = 0.0, 0.0


def expected_seconds(what: Kernel, folder: Path | None = None) -> float:
    """An estimate. What is in the folder of machine code need not be compiled."""
    files = {file.name for file in folder.rglob("*.nbi")} if folder else set()
    stored = {name.partition("-inner")[0].rpartition("-")[2] for name in files if "-inner" in name}
    seconds = 0.0
    for one in _all_in(what):
        fresh = one not in _known and one.digest() not in stored
        seconds += _size(one.function.__code__) * (KNOWN + (FRESH if fresh else 0.0))
    return seconds * (_taken / _estimated if _estimated > ENOUGH else 1.0)


@contextmanager
def timed(what: Kernel, estimate: float) -> Iterator[None]:
    """Meanwhile it compiles: remember how long that takes."""
    global _estimated, _taken
    scale = _taken / _estimated if _estimated > ENOUGH else 1.0
    started = time.perf_counter()
    try:
        yield
    finally:
        _estimated += estimate / scale
        _taken += time.perf_counter() - started
        _known.update(_all_in(what))


def in_words(seconds: float) -> str:
    """`about 15 s`: it is an estimate."""
    if seconds < 3:
        return "a few seconds"
    return f"about {round(seconds) if seconds < 10 else 5 * round(seconds / 5)} s"


def _all_in(what: Kernel) -> set[Kernel]:
    """A kernel and all that it calls."""
    from kibitz.jit.kernels import Kernel

    kernels: set[Kernel] = set()
    waiting = [what]
    while waiting:
        one = waiting.pop()
        if one in kernels:
            continue
        kernels.add(one)
        for _, value in one.globals():
            if isinstance(value, Kernel):
                waiting.append(value)
            else:
                attributes = one.used_attributes(value)
                waiting += [inner for _, inner in attributes if isinstance(inner, Kernel)]
    return kernels


def _size(code: CodeType) -> int:
    """Instructions, roughly."""
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    return len(code.co_code) // 2 + sum(map(_size, inner))
