"""Why a play: what a player's decision was made of, in numbers and in words."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Reason:
    """One legal play: its score, and the numbers that the score is made of."""

    play: Any
    score: float
    parts: Mapping[str, float] = field(default_factory=dict)
    interval: tuple[float, float] | None = None
    """With 95 % confidence the score lies in it; None where the score is no estimate."""


@dataclass(frozen=True)
class Belief:
    """What may be in a hidden place: the probability of each card there."""

    place: str
    """Such as `seat 2's hand`."""
    cards: Mapping[str, float]
    exact: bool = False
    """Whether all worlds were counted, and not a sample of them."""
    basis: str = ""
    """What it goes by besides the rules, such as `by how seat 2 has played`."""
    earlier: tuple[Mapping[str, float], ...] = field(default=(), compare=False, repr=False)
    """The same before each earlier turn, where that was followed."""
    worlds: tuple[tuple[str, ...], ...] = field(default=(), compare=False, repr=False)
    """The cards of the place in each world of a sample."""

    def any_of(self, cards: Collection[str]) -> float:
        """The probability that at least one of these is there. Of a place with several cards
        only a sample tells it."""
        if not self.worlds:
            return min(sum(self.cards.get(card, 0.0) for card in cards), 1.0)
        return sum(not set(cards).isdisjoint(world) for world in self.worlds) / len(self.worlds)


@dataclass(frozen=True)
class Explanation:
    """A decision with its reasons, the best first.

    `best` is what `choose` would play. Only where `choose` goes by a sample it is what `choose`
    would play with a sample that is large enough.
    """

    best: Any
    score: str
    """What the score is, in a few words: `chance to win`, `F of the thesis`."""
    reasons: tuple[Reason, ...]
    beliefs: tuple[Belief, ...] = ()
    sentence: str = ""
    """For a card player."""
    equal: tuple[Any, ...] = ()
    """Plays that are as good as the best, or could not be told from it."""
    margin: float = 0.0
    """By how much less a play may bring and still be called as good; 0: by nothing."""
    why: tuple[str, ...] = ()
    """More sentences: what was counted, what earlier plays showed, which rule forces a play."""
    chance: bool = False
    """Whether the scores are probabilities."""
