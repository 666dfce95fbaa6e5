"""How the benchmarks measure."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

SMALL = "--small" in sys.argv
"""Little of everything, to see that it works; then no figure is required."""
TURNS = 1 if SMALL else 5
ENOUGH = 0.0 if SMALL else 2.0
"""At least so many turns, and so many seconds: on a shared machine many short turns find a
quiet moment that few long ones miss."""


@dataclass
class Line:
    what: str
    figure: str
    required: str
    holds: bool


def few(number: int, small: int) -> int:
    """So many, or the smaller number."""
    return small if SMALL else number


def rate(run: Callable[[], int], clock: Callable[[], float]) -> float:
    """Things done a second, once."""
    started = clock()
    done = run()
    return done / (clock() - started)


def best(*runs: Callable[[], int], clock: Callable[[], float] = time.perf_counter) -> list[float]:
    """The best rate of each, taken in turns."""
    for run in runs:
        run()  # compiles, or warms up
    rates: list[list[float]] = [[] for _ in runs]
    started = time.perf_counter()
    while len(rates[0]) < TURNS or time.perf_counter() - started < ENOUGH:
        for run, own in zip(runs, rates, strict=True):
            own.append(rate(run, clock))
    return [max(own) for own in rates]


@contextmanager
def one_core() -> Iterator[None]:
    """Keep to one core, the threads that begin here too, where the system can do that."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)
