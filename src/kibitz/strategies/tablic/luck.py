"""The luck of the deals in a game of Tablić for two, by play-outs.

A control variate in the manner of AIVAT (Burch, Schmid, Moravčík, Morrill and Bowling, AAAI 2018):
when new hands are dealt, the value with these hands, less the mean over hands that could have come.
Both are means over play-outs to the end of the deal: of the hands as they are, and of hands dealt
anew from all cards that were still to come. Hands and play-outs of both are drawn alike, so the
luck has mean zero, whoever plays and however bad a play-out is, as long as nobody knows the order
of the deck. Both games of a pair draw the same hands: what these share cancels.

A play-out is greedy but for two plays in five, which are random: the mean over many of them tells
far more of a deal than one that is greedy throughout. The first deal is left out: with seats
swapped on the same shuffle it gives each player as much as it takes.

At the end of a deal the value is the chance to win, Φ(m / σ), with m = points ahead + a card's
weight · cards ahead + what the table is worth to who begins the next deal. The weights were fitted
to 3000 games between pimc and flat-mc; other games may have others.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from kibitz.core.strategy import Knows
from kibitz.games.tablic.capture_values import greedy_play, packed
from kibitz.games.tablic.ends import bits, card_points, finish, returns
from kibitz.games.tablic.kernels import hand_card, pick, table_cards
from kibitz.jit.kernels import kernel
from kibitz.jit.rng import below, fork, unit

ALLOWED = (Knows.FAIR, Knows.OPEN_HANDS)
"""What the players may know."""
PLAYOUTS = 200
"""Of the hands as they are, and as many of others."""
RANDOM = 0.4
"""The share of plays in a play-out that are random."""
POINTS, CARDS, TABLE_POINTS, TABLE_CARDS, FIRST, DEVIATION = range(6)
WEIGHTS = (
    (0.98, 0.05, 0.20, 0.27, -2.8, 7.7),
    (1.02, 0.09, 0.29, 0.07, -2.3, 6.8),
    (1.02, 0.12, 0.31, 0.00, -2.1, 5.7),
)
"""At the end of the first, second and third deal. All but the deviation are in points; those of
the table, and the constant, are of the seat that begins the next deal."""


@cache
def numbers() -> np.ndarray:
    """The weights, float64[18]: for the kernels."""
    return np.array(WEIGHTS).reshape(-1)


@kernel
def luck_of_play(
    before: Any, earlier: int, play: int, after: Any, numbers: Any, scratch: Any, rng: Any
) -> float:
    """What chance gave the first seat, in chances to win, between a play and the next one.

    before, after: STATE[1] of the game before and after the play; earlier: the play before that,
    which makes no difference here; numbers: the weights; scratch: STATE[1] to be written to; rng:
    the stream of the pair's luck, which stays as it is: each deal forks its own.
    """
    start = before[0].dealt
    if after[0].dealt == start:
        return 0.0
    own = np.zeros(1, np.uint64)
    fork(rng, start, own)
    pool = after[0].deck[start:].copy()
    actual, mean = 0.0, 0.0
    for _ in range(PLAYOUTS):
        scratch[0] = after[0]
        deal_anew(scratch[0], pool, own)
        mean += value_of_deal(scratch, numbers, own)
    for _ in range(PLAYOUTS):
        scratch[0] = after[0]
        actual += value_of_deal(scratch, numbers, own)
    return (actual - mean) / PLAYOUTS


@kernel
def deal_anew(x: Any, pool: Any, rng: Any) -> None:
    """Both hands from the pool, int64[cards still to come before the deal], which is shuffled as
    far as that takes."""
    at = 0
    for seat in range(2):
        hand = np.int64(0)
        for _ in range(x.held[seat]):
            other = at + below(rng, len(pool) - at)
            pool[at], pool[other] = pool[other], pool[at]
            hand |= np.int64(1) << pool[at]
            at += 1
        x.hand[seat] = hand


@kernel
def value_of_deal(s: Any, numbers: Any, rng: Any) -> float:
    """The first seat's chance to win, by one play-out to the end of the deal."""
    x = s[0]
    while x.held[x.turn] > 0:
        if unit(rng) < RANDOM:
            play_on(x, pick(s, rng))
        else:
            play_on(x, greedy_play(packed(x.table), packed(x.hand[x.turn])))
    return value_at_end(s, numbers)


@kernel
def play_on(x: Any, play: int) -> None:
    """Make a play, but deal no new hands."""
    me = x.turn
    card = np.int64(1) << hand_card(x.hand[me], play)
    taken = table_cards(x.table, play)
    x.hand[me] &= ~card
    x.held[me] -= 1
    if taken == 0:
        x.table |= card
    else:
        x.table &= ~taken
        x.pile[me] |= taken | card
        x.last = me
        x.tablas[me] += x.table == 0
    x.turn = 1 - me


@kernel
def value_at_end(s: Any, numbers: Any) -> float:
    """The first seat's chance to win when all hands are empty: known if no deal is to come."""
    x = s[0]
    if x.dealt == 52:
        finish(x)
        ahead = np.zeros(2)
        returns(s, ahead)
        return 1.0 if ahead[0] > 0 else 0.5 if ahead[0] == 0 else 0.0
    weights = numbers[6 * ((x.dealt - 4) // 12 - 1) :]
    points = card_points(x.pile[0]) + x.tablas[0] - card_points(x.pile[1]) - x.tablas[1]
    to_begin = weights[TABLE_POINTS] * card_points(x.table) + weights[TABLE_CARDS] * bits(x.table)
    to_begin += weights[FIRST]
    ahead_then = weights[POINTS] * points + to_begin * (1.0 if x.dealer == 1 else -1.0)
    ahead_then += weights[CARDS] * (bits(x.pile[0]) - bits(x.pile[1]))
    return 0.5 * (1.0 + math.erf(ahead_then / (weights[DEVIATION] * math.sqrt(2.0))))
