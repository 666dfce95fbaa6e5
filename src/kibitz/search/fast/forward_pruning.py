"""Few of many plays: for the rare tables with more captures than any search can look at."""

from typing import Any

import numpy as np

from kibitz.jit.kernels import Slot, template

game: Any = Slot("game")
rollout: Any = Slot("rollout")

MOST = 512


@template
def most_promising(plays: Any, promises: Any) -> Any:
    """Up to MOST of the plays, those that promise most, in their order."""
    if len(plays) <= MOST:
        return plays
    least = np.sort(promises)[len(plays) - MOST]
    over = 0
    for promise in promises:
        over += promise > least
    kept = np.empty(MOST, np.int64)
    n, even = 0, MOST - over
    for i in range(len(plays)):
        if promises[i] == least:
            even -= 1
        if promises[i] > least or (promises[i] == least and even >= 0):
            kept[n] = plays[i]
            n += 1
    return kept[:n]


@template
def few_by_prior(view: Any, seat: int, plays: Any, numbers: Any) -> Any:
    """By how good they look at once to the rollout policy."""
    if len(plays) <= MOST:
        return plays
    promises = np.empty(len(plays))
    for i in range(len(plays)):
        promises[i] = rollout.prior(view, seat, plays[i], numbers)
    return most_promising(plays, promises)


@template
def few_by_game(s: Any, plays: Any) -> Any:
    """By the order in which an open-card search would try them."""
    if len(plays) <= MOST:
        return plays
    promises = np.empty(len(plays))
    for i in range(len(plays)):
        promises[i] = game.move_order(s, 0, plays[i])
    return most_promising(plays, promises)
