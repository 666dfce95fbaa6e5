"""Plays judged by sampling: worlds drawn by beliefs, and every play of them played on.

In two stages, so that the intervals mean what they say. The first looks at all plays, gives up
those that are clearly worse, and picks the best. The second draws fresh worlds for the few that
are left, as many as the asked interval needs: it only estimates, and chooses nothing, so its means
have no winner's curse. Every play meets the same worlds and the same random numbers (common
random numbers), so what is reported of two plays is the mean of their differences.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.game import View
from kibitz.review.continuation import Continuation, ends_of_plays
from kibitz.review.judgement import SURE, ZERO, Estimate, Judgement, PlayValue, ValueKind
from kibitz.review.unit_value import COLUMNS, UnitValue

FIRST = 128
"""Worlds of the first look; each further one doubles what there is."""
GIVEN_UP = 3.5
"""Standard errors behind the best at which a play is given up."""
LEAST, MOST = 256, 1 << 16
"""Worlds of the second stage."""
BY_LOT = 0.2
"""Where nobody knows better than to play on at random, no finer interval is worth its time."""
CANDIDATES = 4
"""Plays that it compares at most, beside the play that was made."""
SPARE = 1.1
"""So much more than the first stage says are drawn: its spread is an estimate too."""


class WorldsOfView:
    """The plays of a view, tried in worlds."""

    def __init__(
        self, view: View[Any], continuation: Continuation, unit_value: UnitValue, rng: Any
    ) -> None:
        self.view, self.continuation, self.unit_value = view, continuation, unit_value
        self.rng = rng.copy()
        self.codes = continuation.game.kernels.legal(view.state)
        self._past, self._plays, self._belief = continuation.belief(view)
        self._memory = continuation.recall(view.state, self._past, self._plays)
        self._search = ends_of_plays(continuation)

    def values(self, ends: Any) -> Any:
        """What ends are worth to the seat that decides."""
        return self.unit_value.values(ends)[..., self.view.seat]

    def look(self, which: Any, worlds: int) -> Any:
        """The ends of these plays in so many more worlds: a row for each world."""
        return self.tried(self.codes[which], worlds)

    def tried(self, codes: Any, worlds: int) -> Any:
        """The same of plays by their codes, or of what the policy would play (BY_POLICY)."""
        ends = np.zeros((worlds, len(codes), COLUMNS))
        self._search(
            self.view.state, self.view.seat, self._past, self._plays, self.continuation.numbers,
            (self._belief, self._memory), codes, self.rng, ends,
        )  # fmt: skip
        return ends


@dataclass(frozen=True)
class FirstStage:
    """What the first stage found: the plays that are left, and their values by worlds."""

    best: int
    alive: list[int]
    values: list[Any]
    """By play, in as many worlds as it was tried in."""
    ends: list[Any]

    def behind(self, i: int) -> Any:
        """By how much a play is behind the best, world by world."""
        n = min(len(self.values[i]), len(self.values[self.best]))
        return self.values[self.best][:n] - self.values[i][:n]


def screen(worlds: WorldsOfView, precision: float) -> FirstStage:
    """Give up what is clearly worse, and pick the best: until one play is left, or those that
    are left are known as well as is asked for."""
    number = len(worlds.codes)
    alive = np.arange(number)
    ends: list[Any] = [np.zeros((0, COLUMNS)) for _ in range(number)]
    values: list[Any] = [np.zeros(0) for _ in range(number)]
    size = FIRST
    while len(alive) > 1:
        for i, column in zip(alive, np.moveaxis(worlds.look(alive, size), 1, 0), strict=True):
            ends[i] = np.concatenate([ends[i], column])
            values[i] = worlds.values(ends[i])
        rows = np.stack([values[i] for i in alive], axis=1)
        size = len(rows)
        behind = rows[:, [rows.mean(axis=0).argmax()]] - rows
        spread = behind.std(axis=0, ddof=1)
        alive = alive[behind.mean(axis=0) <= GIVEN_UP * spread / math.sqrt(size)]
        if size >= worlds_for(float(spread.max()), precision):
            break
    order = alive.tolist()
    if len(order) > 1:
        order.sort(key=lambda i: -float(values[i].mean()))
    return FirstStage(order[0], order, values, ends)


def worlds_for(spread: float, precision: float) -> int:
    """Worlds in which a mean with this spread has the interval that is asked for."""
    return int(min(max(SPARE * (SURE * spread / precision) ** 2, LEAST), MOST))


def judge_by_worlds(worlds: WorldsOfView, precision: float, played: int | None = None) -> Judgement:
    """Every legal play of a view. `played`: the number of the play that was made, which is
    compared as sharply as the best ones."""
    if worlds.continuation.decides_by_lot:
        precision = max(precision, BY_LOT * worlds.unit_value.spread)
    first = screen(worlds, precision)
    focus = first.alive[:CANDIDATES]
    focus += [played] if played is not None and played not in focus else []
    size = _worlds_needed(first, focus[1:CANDIDATES] if played is None else [played], precision)
    ends = dict(zip(focus, np.moveaxis(worlds.look(np.array(focus), size), 1, 0), strict=True))
    base = worlds.values(ends[first.best])
    found = [
        _play_value(worlds, i, ends[i], base if i != first.best else None)
        if i in ends
        else _play_value(worlds, i, first.ends[i], first.values[first.best])
        for i in range(len(worlds.codes))
    ]
    best = found[first.best]
    others = sorted((one for one in found if one is not best), key=lambda one: one.behind.value)
    unit_value, continuation = worlds.unit_value, worlds.continuation
    return Judgement(
        worlds.view.seat, ValueKind.SAMPLED, f"worlds by beliefs, played on by {continuation.name}",
        unit_value.name, unit_value.is_chance, unit_value.margin, (best, *others),
    )  # fmt: skip


def _worlds_needed(first: FirstStage, rivals: list[int], precision: float) -> int:
    """Worlds in which the differences to these plays, and twice as wide the value of the best,
    have the interval that is asked for."""
    if not len(first.values[first.best]):
        return LEAST  # there is one play only
    spreads = [float(first.behind(i).std(ddof=1)) for i in rivals if i != first.best]
    spreads.append(float(first.values[first.best].std(ddof=1)) / 2)
    return worlds_for(max(spreads), precision)


def _play_value(worlds: WorldsOfView, i: int, ends: Any, base: Any) -> PlayValue:
    """A play by its ends; `base`: the values of the best play in the same worlds, None if this
    is the best."""
    game, values = worlds.continuation.game, worlds.values(ends)
    chances = worlds.unit_value.chances(ends)[:, worlds.view.seat]
    behind = ZERO if base is None else mean(base[: len(values)] - values)
    play = game.name_play(worlds.view.state, int(worlds.codes[i]))
    return PlayValue(play, mean(values), mean(chances), behind, len(values))


def mean(values: Any) -> Estimate:
    """A mean with its standard error."""
    return Estimate(float(values.mean()), float(values.std(ddof=1)) / math.sqrt(len(values)))
