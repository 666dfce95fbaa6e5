"""What a search finds: the value, the best play, the line of best play, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic

from kibitz.core.errors import BadValue, KibitzError
from kibitz.core.game import P

Line = tuple[Any, Any] | None
"""A line of play as a linked list, (play, rest): a longer one costs no copy."""


Scored = tuple[float, Line]
"""What one node of a search gives back: its value and the best line from there."""


@dataclass(frozen=True)
class Known:
    """What a search knows of one play's value: the value, or just a bound on it."""

    value: float
    relation: str = "="
    """`=`, or `≤` and `≥` where a cut-off made more unnecessary, or `≈` for a mean of samples."""
    visits: int = 0
    """How often it was tried, in a search that samples."""

    def __str__(self) -> str:
        sign = "" if self.relation == "=" else self.relation + " "
        return f"{sign}{self.value:g}"


@dataclass
class Counts:
    """What a search has done. A node is counted each time it is entered."""

    nodes: int = 0
    leaves: int = 0
    cutoffs: int = 0
    """Nodes where some plays were left out because they could not matter."""
    hits: int = 0
    """Nodes that a transposition table answered; they are not in `nodes`."""

    def add(self, more: Counts) -> None:
        """Add the counts of another search."""
        self.nodes += more.nodes
        self.leaves += more.leaves
        self.cutoffs += more.cutoffs
        self.hits += more.hits


@dataclass(frozen=True)
class Result(Generic[P]):
    """The values are the protagonist's (seat 0's), unless `seat` says whose they are."""

    value: float
    best: P | None
    """The first of the best plays; None at an end or where chance moves."""
    values: dict[P, Known]
    line: tuple[P, ...]
    """The line of best play, until an end, the horizon or a chance node."""
    counts: Counts
    seat: int = 0
    exact: bool = True
    """Whether only ends were valued, none by an evaluation and none by samples."""
    depth: int | None = None
    """How deep it looked, if it had a limit."""

    @property
    def for_protagonist(self) -> float:
        """The value as the protagonist's: what one of two seats gains the other loses."""
        return -self.value if self.seat == 1 else self.value


class BudgetSpent(KibitzError):
    """A search that would grow over its limit."""


class TooDeep(BudgetSpent):
    """A game that goes on for longer than any search can follow."""


def at_least_one(what: str, number: int) -> None:
    """Refuse a number below 1."""
    if number < 1:
        raise BadValue(f"{what}={number} is not possible; it is at least 1")


def unroll(line: Line) -> tuple[Any, ...]:
    """A linked line as a tuple of plays."""
    plays = []
    while line is not None:
        play, line = line
        plays.append(play)
    return tuple(plays)
