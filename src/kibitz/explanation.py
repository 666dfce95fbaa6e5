"""Why a play: what a player's decision was made of, in numbers and in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Reason:
    """One legal play: its score, and the numbers that the score is made of."""

    play: Any
    score: float
    parts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Belief:
    """What may be in a hidden place: the probability of each card there."""

    place: str
    """Such as `seat 2's hand`."""
    cards: Mapping[str, float]


@dataclass(frozen=True)
class Explanation:
    """A decision with its reasons, the best first. `best` is what `choose` would play."""

    best: Any
    score: str
    """What the score is, in a few words: `F of the thesis`, `mean result`."""
    reasons: tuple[Reason, ...]
    beliefs: tuple[Belief, ...] = ()
    sentence: str = ""
    """For a card player."""
