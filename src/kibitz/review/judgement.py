"""What a judge says of a decision: the value of every legal play, and how sure that is.

Values are the expected final result of the unit for the seat that decides: a chance to win, points
ahead. Those of one decision are estimated in the same worlds, so the *difference* of two plays
is far sharper than either value.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from kibitz.core import checks
from kibitz.core.errors import BadValue
from kibitz.core.figures import percent, rounded
from kibitz.core.shown import Sheet, Shown

Interval = tuple[float, float]
SURE = 1.959964
"""Standard errors on both sides of a mean that make an interval of 95 %."""


class ValueKind(StrEnum):
    """Where a value comes from."""

    EXACT = "exact"
    """By a solver or a search to the end."""
    SAMPLED = "sampled"
    """By worlds that were drawn and played on."""


@dataclass(frozen=True)
class Estimate:
    """A number with its interval of 95 %. An exact one is its own interval."""

    value: float
    error: float = 0.0
    """The standard error."""

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return SURE * self.error

    @property
    def ci95(self) -> Interval:
        """From where to where."""
        return self.value - self.half, self.value + self.half

    def __add__(self, other: Estimate) -> Estimate:
        """The sum of two independent ones."""
        return Estimate(self.value + other.value, math.hypot(self.error, other.error))

    def __neg__(self) -> Estimate:
        return Estimate(-self.value, self.error)


ZERO = Estimate(0.0)


@dataclass(frozen=True)
class PlayValue:
    """One legal play."""

    play: Any
    value: Estimate
    """The expected result, in the measure of the judgement."""
    chance: Estimate
    """The chance to win; half of it where two share the win."""
    behind: Estimate
    """How far it is behind the best: the difference in the same worlds. Chance may put it a
    little below zero."""
    worlds: int
    """In how many it was tried; 0 if it is exact."""


@dataclass(frozen=True, repr=False)
class Judgement(Shown):
    """A decision, judged by what the seat could know.

    Examples
    --------
    >>> import kibitz
    >>> judged = kibitz.judge(kibitz.make_game("twenty-one").start().view())
    >>> judged.best, judged.kind.value
    (Play('4'), 'exact')
    """

    seat: int
    kind: ValueKind
    judge: str
    """Who judged: the solver, or by whom the worlds were played on."""
    measure: str
    """What the values are, in words."""
    is_chance: bool
    """Whether the values are chances to win."""
    margin: float
    """Plays that differ by less are as good as each other."""
    values: tuple[PlayValue, ...]
    """The best first, then by value."""

    @property
    def best(self) -> Any:
        """The play that the judge would make."""
        return self.values[0].play

    def of(self, play: Any) -> PlayValue:
        """The value of a play, given as one or as its text."""
        for one in self.values:
            if one.play == play or str(one.play) == play:
                return one
        raise BadValue(f"{checks.brief(play)} is not among the plays that were judged")

    @property
    def alike(self) -> bool:
        """Whether all plays are as good as each other, as far as that is sure."""
        return all(one.behind.ci95[1] <= self.margin for one in self.values)

    @property
    def is_obvious(self) -> bool:
        """Nothing to decide: one play only, or all alike."""
        return len(self.values) == 1 or self.alike

    @property
    def clear_by(self) -> float:
        """By how much at least the best is better than any other play, with 95 % confidence for
        each; negative if that is not sure, nothing to compare with: infinite."""
        return min((one.behind.ci95[0] for one in self.values[1:]), default=math.inf)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each play."""
        return [
            {
                "play": str(one.play), "value": one.value.value, "low": one.value.ci95[0],
                "high": one.value.ci95[1], "chance": one.chance.value,
                "behind": one.behind.value, "behind_low": one.behind.ci95[0],
                "behind_high": one.behind.ci95[1], "worlds": one.worlds, "kind": str(self.kind),
            }
            for one in self.values
        ]  # fmt: skip

    def sheet(self) -> Sheet:
        """The plays with their values, for a person."""
        rows = [
            [str(one.play), amount(one.value, self.is_chance), amount(one.behind, self.is_chance)]
            for one in self.values[:MOST_SHOWN]
        ]
        left = len(self.values) - len(rows)
        notes = [f"… and {left} more" if left else "", f"{self.kind}: {self.judge}"]
        return Sheet(self.measure, ("play", "value", "behind the best"), rows, notes, bold=0)


MOST_SHOWN = 12
"""Plays that a table on the screen has."""


def figure(value: float, is_chance: bool, signed: bool = False) -> str:
    """A value as a person reads it: `53.2%` of a win, or `−1.4` points."""
    text = percent(value, 1) if is_chance else rounded(value, 2)
    sign = "+" if signed and float(text.rstrip("%")) > 0 else ""
    return sign + text.replace("-", "−")


def amount(estimate: Estimate, is_chance: bool, signed: bool = False) -> str:
    """A value with its interval; an exact one alone."""
    text = figure(estimate.value, is_chance, signed)
    if not estimate.error:
        return text
    low, high = (figure(end, is_chance) for end in estimate.ci95)
    return f"{text} ({low} … {high})"
