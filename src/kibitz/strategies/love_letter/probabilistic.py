"""Probabilistic Love Letter: thesis LL, 1.1. A play drawn by lot, weighted by greedy's F
without the cards' constants; a Guard's guess in proportion to P."""

from typing import Any

import numpy as np

from kibitz.core.explanation import Reason
from kibitz.core.figures import percent
from kibitz.core.game import View
from kibitz.games.love_letter.cards import GUARD
from kibitz.games.love_letter.kernels import PLAYS, WAYS, choice, nameable
from kibitz.jit.kernels import kernel
from kibitz.jit.rng import unit
from kibitz.strategies.common.base import said
from kibitz.strategies.love_letter.greedy import CARD, ELSEWHERE, HIT, counted, total_of, value
from kibitz.strategies.love_letter.greedy import PARTS as GREEDY_PARTS
from kibitz.strategies.love_letter.greedy import beliefs as beliefs
from kibitz.strategies.love_letter.greedy import tie as tie

SCORE = "probability"
PARTS = ("weight",)
MOST = 42
"""Plays that two cards can have between them."""


@kernel
def weigh(v: Any, seat: int, legal: Any, weights: Any) -> int:
    """The legal plays and the weight of each; how many there are."""
    counts = counted(v, seat, False)
    total = max(total_of(counts), 1)
    parts = np.empty(len(GREEDY_PARTS))
    n = 0
    low, high = choice(v)
    for card in (low, high):
        seats = nameable(v, card)
        start = n
        hits = 0.0
        most = 0.0
        for i in range(WAYS[card, seats]):
            legal[n] = PLAYS[card, seats, i]
            score_here = value(v, seat, legal[n], counts, total, parts)
            chosen = parts[ELSEWHERE] == 0
            weights[n] = max(score_here - parts[CARD], 0.0) if chosen else 0.0
            if card == GUARD and n - start < WAYS[card, seats]:
                weights[n] = parts[HIT]
                hits += parts[HIT]
                most = max(most, parts[HIT])
            n += 1
        if card == GUARD:
            for i in range(start, n):
                share = weights[i] / hits if hits > 0 else 1.0 / (n - start)
                weights[i] = (1 + most) * share
    all_of_them = 0.0
    for i in range(n):
        all_of_them += weights[i]
    for i in range(n):
        weights[i] = 1.0 if all_of_them == 0 else weights[i]
    return n


@kernel
def choose(view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any) -> int:
    legal = np.empty(MOST, np.int64)
    weights = np.empty(MOST)
    n = weigh(view[0], seat, legal, weights)
    left = unit(rng) * total_weight(weights, n)
    chosen = -1
    for i in range(n):
        if weights[i] > 0:
            chosen = legal[i]
            left -= weights[i]
            if left < 0:
                break
    return chosen


@kernel
def total_weight(weights: Any, n: int) -> float:
    total = 0.0
    for i in range(n):
        total += weights[i]
    return total


@kernel
def score(view: Any, seat: int, numbers: Any, play: int, parts: Any) -> float:
    """The probability that a play is drawn."""
    legal = np.empty(MOST, np.int64)
    weights = np.empty(MOST)
    n = weigh(view[0], seat, legal, weights)
    for i in range(n):
        if legal[i] == play:
            parts[0] = weights[i]
    return parts[0] / total_weight(weights, n)


def sentence(view: View[Any], reasons: list[Reason]) -> str:
    """Why, in a sentence."""
    best = reasons[0]
    return f"{said(view, best.play)}: by lot, drawn with probability {percent(best.score, 1)}."
