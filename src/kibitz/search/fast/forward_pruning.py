"""Forward pruning: few of many plays, for the rare tables with more captures than any search can
look at. Up to MOST plays nothing is pruned."""

from typing import Any

import numpy as np

from kibitz.jit.kernels import Slot, kernel, template

twin: Any = Slot("twin")
"""The open-card twin of a game: see open_cards.py."""
rollout: Any = Slot("rollout")
"""The rollout policy: see rollouts.py."""

MOST = 512


@kernel
def highest(plays: Any, scores: Any) -> Any:
    """Up to MOST of the plays, those with the highest scores, in their order; of equal ones the
    first."""
    if len(plays) <= MOST:
        return plays
    least = np.sort(scores)[len(plays) - MOST]
    over = 0
    for score in scores:
        over += score > least
    chosen = np.empty(MOST, np.int64)
    n, even = 0, MOST - over
    for i in range(len(plays)):
        if scores[i] == least:
            even -= 1
        if scores[i] > least or (scores[i] == least and even >= 0):
            chosen[n] = plays[i]
            n += 1
    return chosen[:n]


@template
def few_by_prior(view: Any, seat: int, plays: Any, numbers: Any) -> Any:
    """By how good they look at once to the rollout policy."""
    if len(plays) <= MOST:
        return plays
    scores = np.empty(len(plays))
    for i in range(len(plays)):
        scores[i] = rollout.prior(view, seat, plays[i], numbers)
    return highest(plays, scores)


@template
def few_by_move_order(s: Any, plays: Any) -> Any:
    """By the order in which an open-card search would try them."""
    if len(plays) <= MOST:
        return plays
    scores = np.empty(len(plays))
    for i in range(len(plays)):
        scores[i] = twin.move_order(s, 0, plays[i])
    return highest(plays, scores)
