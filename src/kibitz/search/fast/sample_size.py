"""How many worlds a decision needs: until the best play is known from all others, or is known to
be no better than they are.

Every play is valued in the same worlds, so plays are compared by their differences, world for
world. After each batch, a play that is surely worse than the best one so far is eliminated; one
whose difference surely lies within the margin is called as good. The looks at the data are as
many as there are batches, and any two plays may be compared: the level is shared among all of
that (Bonferroni), so that the best play is eliminated in at most 5 % of all decisions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

LEVEL = 0.05
FIRST = 100
"""Worlds of the first look: below, a mean is not yet normal."""
LEAST = 1000
"""Worlds that it takes to call two plays equal: fewer may miss the worlds in which they differ."""

Values = Callable[[Any, int], Any]
"""The values of the plays with these indexes in so many more worlds: a row for each world."""


@dataclass(frozen=True)
class Compared:
    """What is known of every play."""

    best: int
    means: Any
    worlds: Any
    """How many each play was valued in."""
    halves: Any
    """Half the width of each mean's interval of 95 %."""
    equal: tuple[int, ...]
    """Plays as good as the best, the better first."""
    open: tuple[int, ...]
    """Plays that may be better or worse than the best: there were too few worlds to know."""


def compare_plays(plays: int, most: int, margin: float, look: Values) -> Compared:
    """Look into worlds until the best play is known. The margin is in the values' unit."""
    sizes = batches(min(FIRST, most), most)
    pairs = plays * (plays - 1) // 2  # which play is the best is not known beforehand
    sure = NormalDist().inv_cdf(1 - LEVEL / (2 * pairs * len(sizes)))
    seen: list[list[Any]] = [[] for _ in range(plays)]
    alive = np.arange(plays)
    best, equal, unclear = 0, alive[:0], alive
    for size in sizes:
        values = look(alive, size)
        for i, column in zip(alive, values.T, strict=True):
            seen[i].append(column)
        rows = np.stack([np.concatenate(seen[i]) for i in alive], axis=1)
        best = int(alive[rows.mean(axis=0).argmax()])
        behind = rows[:, [int(np.flatnonzero(alive == best)[0])]] - rows
        mean = behind.mean(axis=0)
        error = sure * behind.std(axis=0, ddof=1) / math.sqrt(len(rows))
        worse = mean - error > 0
        same = (mean + error <= margin) & (alive != best) & ~worse & (len(rows) >= LEAST)
        equal = alive[same]
        unclear = alive[~worse & ~same & (alive != best)]
        alive = alive[~worse]
        if not len(unclear):
            break
    columns = [np.concatenate(column) for column in seen]
    means = np.array([column.mean() for column in columns])
    worlds = np.array([len(column) for column in columns])
    spread = np.array([column.std(ddof=1) for column in columns])
    halves = 1.96 * spread / np.sqrt(worlds)
    in_order = sorted(equal.tolist(), key=lambda i: -means[i])
    left = sorted(unclear.tolist(), key=lambda i: -means[i])
    return Compared(best, means, worlds, halves, tuple(in_order), tuple(left))


def batches(first: int, most: int) -> list[int]:
    """Sizes that double what there is with each look, until there are that many worlds."""
    sizes, total = [first], first
    while total < most:
        sizes.append(min(total, most - total))
        total += sizes[-1]
    return sizes
