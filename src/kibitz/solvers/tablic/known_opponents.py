"""Opponents whose play is known well enough to be answered."""

from kibitz.core.strategy import Strategy

BY_RANKS = ("greedy", "human", "genetic")
"""Those of our strategies that look at nothing but ranks, 10♦ and 2♣, on the table, in the
hands and among the unseen cards. Another one may look at all of the state."""


def is_by_ranks(opponent: Strategy) -> bool:
    ours = type(opponent).__module__.startswith("kibitz.strategies.")
    return ours and opponent.name in BY_RANKS
