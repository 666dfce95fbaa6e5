"""The end of a game of Tablić: who takes the rest, points, the bonus. Rules 5 and 6."""

from typing import Any

import numpy as np

from kibitz.games.tablic.cards import POINT_RANKS, TEN_OF_DIAMONDS, TWO_OF_CLUBS
from kibitz.jit.kernels import kernel

BONUS_ALWAYS, BONUS_TIE, BONUS_NONE = 0, 1, 2
POINT_CARDS = sum(15 << (4 * rank) for rank in POINT_RANKS)
THE_TEN, THE_TWO = 1 << TEN_OF_DIAMONDS, 1 << TWO_OF_CLUBS
SPECIALS = THE_TEN | THE_TWO


@kernel
def finish(x: Any) -> None:
    """What lies on the table goes to the last captor or the dealer. Rules 5.1 to 5.3."""
    x.over = 1
    x.pile[x.dealer if x.to_dealer or x.last < 0 else x.last] |= x.table
    x.table = 0


@kernel
def bits(mask: int) -> int:
    n = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n


@kernel
def card_points(cards: int) -> int:
    """Rules 6.1 and 6.2."""
    return bits(cards & POINT_CARDS) + bits(cards & SPECIALS)


@kernel
def side(x: Any, seat: int) -> int:
    """Partners are one side. Rule 2.4."""
    return seat % 2 if x.players == 4 else seat


@kernel
def points(s: Any, out: Any) -> None:
    """Each seat's points, those of its side. Rules 6.1 to 6.6."""
    x = s[0]
    sides = 2 if x.players == 4 else x.players
    cards = np.zeros(4, np.int64)
    score = np.zeros(4, np.int64)
    for seat in range(x.players):
        cards[side(x, seat)] += bits(x.pile[seat])
        score[side(x, seat)] += card_points(x.pile[seat]) + x.tablas[seat]
    winner = bonus_side(x.bonus, sides, cards, score)
    if winner >= 0:
        score[winner] += 3
    for seat in range(x.players):
        out[seat] = score[side(x, seat)]


@kernel
def bonus_side(bonus: int, sides: int, cards: Any, score: Any) -> int:
    """Who gets three points for cards, or −1. Rules 6.3 to 6.5."""
    if bonus == BONUS_NONE:
        return -1
    best = 0
    for i in range(sides):
        best = max(best, score[i])
    sharing = 0
    most, holder = -1, -1
    for i in range(sides):
        if bonus == BONUS_TIE and score[i] < best:
            continue
        sharing += 1
        if cards[i] == most:
            holder = -1
        elif cards[i] > most:
            most, holder = cards[i], i
    if bonus == BONUS_TIE and sharing < 2:
        return -1
    return holder


@kernel
def returns(s: Any, out: Any) -> None:
    """The points of one's side above those of the others (their mean, with three players)."""
    x = s[0]
    score = np.zeros(4, np.float64)
    points(s, score)
    for seat in range(x.players):
        others = 0.0
        for other in range(x.players):
            if side(x, other) != side(x, seat):
                others += score[other]
        out[seat] = score[seat] - others / (x.players - (2 if x.players == 4 else 1))


@kernel
def next_first(s: Any, rng: Any) -> int:
    """The deal passes to the left, so the next seat begins. Rule 7.3."""
    return (s[0].dealer + 2) % s[0].players
