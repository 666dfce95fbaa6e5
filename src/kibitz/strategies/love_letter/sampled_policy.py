"""How likely each play is by what a strategy was seen to play: a model of any strategy.

A strategy that searches or remembers is no table by public states, but it can be taken for one:
of all its decisions in a public state with two cards, so many were this play. Few states are met
often. So decisions are counted by several keys, from the public state itself to little more than
the two cards, and the counts of each are a prior for those of the finer one before it:

    p_k(play) = (count_k(play) + PRIOR · p_{k+1}(play)) / (count_k + PRIOR)

The last prior is even over all plays that are considered. An example: with a Guard and a King the
strategy was met 3 times in this state and named the Prince in all of them; by the coarser keys
it names the Prince in one half. Then the model says (3 + 1/2) / (3 + 1) = 7/8.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from kibitz.solvers.love_letter.best_response import ResponseStates, StrategyInput, input_in
from kibitz.solvers.love_letter.public_states import Hand, PublicState

PRIOR = 1.0
"""How many decisions the prior counts for."""

Option = tuple[int, int]
"""A play as the table sees it, and the card that is retained."""


class SampledDecision(NamedTuple):
    """One decision that was seen: the state, the two cards, what was chosen."""

    public: PublicState | None
    """None where the round has left what the model expects."""
    seen: StrategyInput
    low: int
    high: int
    option: Option


class SampledStates(ResponseStates):
    """Public states with the policy that was seen."""

    def __init__(self, counts: SampledCounts) -> None:
        super().__init__(lambda seen, low, high: {})
        self._counts = counts
        self._played: dict[tuple[PublicState, int, int], dict[Option, float]] = {}

    def played(self, public: PublicState, hand: Hand) -> dict[Option, float]:
        key = public, hand.low, hand.high
        if key not in self._played:
            self._played[key] = self._counts.probabilities(public, hand)
        return self._played[key]


class SampledCounts:
    """Decisions of a strategy, counted."""

    def __init__(self) -> None:
        self._by_key: dict[Any, Counter[Option]] = defaultdict(Counter)

    def add(self, decisions: Iterable[SampledDecision]) -> None:
        """Count more decisions."""
        for public, seen, low, high, option in decisions:
            for key in _keys(public, seen, low, high):
                self._by_key[key][option] += 1

    def probabilities(self, public: PublicState, hand: Hand) -> dict[Option, float]:
        """Of all that is considered, and of what else the strategy was seen to play where
        it saw the same."""
        *fine, coarse = (
            self._by_key.get(key, Counter())
            for key in _keys(public, input_in(public), hand.low, hand.high)
        )
        options = list(dict.fromkeys([*hand.options, *(o for counts in fine for o in counts)]))
        chances = dict.fromkeys(options, 1 / len(options))
        for counts in (coarse, *reversed(fine)):
            total = sum(counts[option] for option in options) + PRIOR
            chances = {o: (counts[o] + PRIOR * chances[o]) / total for o in options}
        return chances


def _keys(public: PublicState | None, seen: StrategyInput, low: int, high: int) -> Iterator[Any]:
    """The finest first."""
    if public is not None:
        yield public, low, high
        yield public.unseen, public.protected, public.theirs, low, high
    yield seen, low, high
    yield seen.protected, seen.shown, low, high
