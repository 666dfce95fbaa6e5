"""Genetic Tablić (thesis TB): s_a·g0 + k_a·g1 − s_b·g2 − k_b·g3, the play's own points and
cards, and those of the greedy reply to it. The thesis looks for the reply on the table before
the play, which makes it a constant; here it is the table after."""

from typing import Any

import numpy as np

from kibitz.core.explanation import Belief, Reason
from kibitz.core.game import View
from kibitz.games.tablic.capture_values import (
    LEXICAL,
    best_capture,
    cards_of_play,
    packed,
    points_of,
    special_in,
    table_after,
    with_specials,
)
from kibitz.games.tablic.capture_values import tie as tie
from kibitz.games.tablic.captures import COUNTS, captures, groups_on
from kibitz.games.tablic.cards import PLAYED_SPECIAL, RANK_AT
from kibitz.games.tablic.kernels import legal
from kibitz.jit.kernels import kernel
from kibitz.strategies.common.base import said

SCORE = "own points and cards less those of the reply, weighted"
PARTS = ("own points × g0", "own cards × g1", "reply's points × g2", "reply's cards × g3")
OWN_POINTS, OWN_CARDS, REPLY_POINTS, REPLY_CARDS = range(4)
"""The genes, the policy's numbers, and the parts of a score that they weigh."""


@kernel
def fit(table: int, other: int, play: int, genome: Any, parts: Any) -> float:
    """The weighted sum for a play on a packed table, with the other's packed hand."""
    counts = table & COUNTS
    after = table_after(table, play)
    taken, reply = best_capture(after, other, LEXICAL)
    parts[OWN_POINTS] = points_of(counts, play) * genome[OWN_POINTS]
    parts[OWN_CARDS] = cards_of_play(play) * genome[OWN_CARDS]
    parts[REPLY_POINTS] = parts[REPLY_CARDS] = 0.0
    if taken > 0:
        parts[REPLY_POINTS] = -points_of(after & COUNTS, reply) * genome[REPLY_POINTS]
        parts[REPLY_CARDS] = -cards_of_play(reply) * genome[REPLY_CARDS]
    return parts[OWN_POINTS] + parts[OWN_CARDS] + parts[REPLY_POINTS] + parts[REPLY_CARDS]


@kernel
def score(view: Any, seat: int, numbers: Any, play: int, parts: Any) -> float:
    v = view[0]
    return fit(packed(v.table), packed(v.hand[1 - seat]), play, numbers, parts)


@kernel
def choose(view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any) -> int:
    parts = np.empty(4)
    v = view[0]
    table, other = packed(v.table), packed(v.hand[1 - seat])
    best, most = -1, 0.0
    for play in legal(view):
        value = fit(table, other, play, numbers, parts)
        if best < 0 or value > most or (value == most and tie(play) < tie(best)):
            best, most = play, value
    return best


@kernel
def genetic_play(table: int, hands: Any, genome: Any, forced: int, buffer: Any) -> int:
    """What it plays with hands[0] against hands[1], all packed. Captures that leave 10♦ or 2♣ and
    take its twin are left out: they bring less. -1 if the buffer is too short for all plays."""
    parts = np.empty(4)
    hand, counts = hands[0], table & COUNTS
    groups = groups_on(counts, hand, buffer)
    best, most = -1, 0.0
    for kind in range(26 if groups > 0 else 0):
        rank, own = kind >> 1, special_in(hand, kind >> 1)
        if not (own if kind & 1 else (hand >> (4 * rank)) & 15 > (own != 0)):
            continue
        end = captures(counts, rank, buffer, groups, groups)
        if end < 0:
            return -1
        first = groups + 1 if forced and end > groups + 1 else groups
        for i in range(first, end):
            play = with_specials(buffer[i], table) | rank << RANK_AT
            play |= PLAYED_SPECIAL if kind & 1 else 0
            value = fit(table, hands[1], play, genome, parts)
            if best < 0 or value > most or (value == most and tie(play) < tie(best)):
                best, most = play, value
    return best


# -- in words -----------------------------------------------------------------------------


def beliefs(view: View[Any], numbers: Any) -> tuple[Belief, ...]:
    """It sees the other's hand."""
    return ()


def sentence(view: View[Any], reasons: list[Reason]) -> str:
    """Why, in a sentence."""
    best = reasons[0]
    part = [best.parts.get(name, 0.0) for name in PARTS]
    own, reply = part[OWN_POINTS] + part[OWN_CARDS], -part[REPLY_POINTS] - part[REPLY_CARDS]
    first = f"{said(view, best.play)}: "
    if own and reply:
        return first + f"scores {own:.2f} at once, and the other's best reply takes {reply:.2f}."
    if own:
        return first + f"scores {own:.2f} at once, and leaves the other nothing to take."
    if reply:
        return first + f"takes nothing, but leaves the other only {reply:.2f} to take."
    return first + "takes nothing and leaves the other nothing to take."
