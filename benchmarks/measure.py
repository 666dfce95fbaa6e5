"""How the benchmarks measure."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

TURNS = 5


@dataclass
class Line:
    what: str
    figure: str
    required: str
    holds: bool


def rate(run: Callable[[], int]) -> float:
    """Things done a second, once."""
    started = time.perf_counter()
    done = run()
    return done / (time.perf_counter() - started)


def best(*runs: Callable[[], int]) -> list[float]:
    """The best rate of each, taken in turns."""
    for run in runs:
        run()  # compiles, or warms up
    return [max(rates) for rates in zip(*([rate(run) for run in runs] for _ in range(TURNS)))]  # noqa: B905
