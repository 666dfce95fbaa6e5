"""Setting up a round of Love Letter, compiled. Rules 2.1 to 2.5."""

from typing import Any

import numpy as np

from kibitz.games.love_letter.cards import FACE_UP
from kibitz.games.love_letter.views import take
from kibitz.jit.kernels import Slot, inlined, kernel
from kibitz.jit.rng import below

record: Any = Slot("record")
learning: Any = Slot("learning")
"""As in rules.py."""

SORTED = 0x1111122334455678
"""All cards, the Guards in the highest places: the thesis has one less."""


@inlined
def deal(s: Any, rng: Any, first: int) -> None:
    """Shuffle and set up a round. Rules 2.1 to 2.5."""
    order, last = shuffled_deck(s[0].copies, s[0].fixed, rng)
    lay_out(s, order, last, first, below(rng, 12))


@inlined
def shuffled_deck(copies: int, fixed: int, rng: Any) -> tuple[int, int]:
    """A deck in dealing order, the last card apart; with the cards that lie face up whatever the
    lot is, if there are any. Rule 2.5."""
    if fixed == 0:
        return shuffled(np.int64(SORTED), 11 + copies, rng)
    order, last = shuffled(without(np.int64(SORTED), fixed), 11 + copies - FACE_UP, rng)
    return (order & 15) | (fixed << 4) | ((order >> 4) << (4 * FACE_UP + 4)), last


@kernel
def shuffled(bag: int, size: int, rng: Any) -> tuple[int, int]:
    """The first cards of a bag in any order, each as likely; the last one apart."""
    order = np.int64(0)
    for i in range(size - 1):
        place = below(rng, size - i)
        order |= ((bag >> (4 * place)) & 15) << (4 * i)
        bag = take(bag, place)
    return int(order), bag & 15


@kernel
def without(bag: int, cards: int) -> int:
    """The bag without the cards of another word."""
    while cards:
        place = 0
        while (bag >> (4 * place)) & 15 != cards & 15:
            place += 1
        bag = take(bag, place)
        cards >>= 4
    return bag


@inlined
def lay_out(s: Any, order: int, last: int, first: int, lot: int) -> None:
    """Set up a round from a deck in dealing order, its last card apart. Rule 2.4."""
    x = s[0]
    n = x.players
    record.clear(x, first)
    learning.learn_nothing_yet(x)
    x.turn = first
    x.over = 0
    x.inside = (1 << n) - 1
    x.protected = 0
    x.lot = lot
    x.best = 0
    x.won = 0
    x.aside = order & 15
    order >>= 4
    used = 1
    if n == 2:
        for _ in range(FACE_UP):
            record.turn_up(x, order & 15)
            order >>= 4
        used += FACE_UP
    seat = first
    for _ in range(n):
        record.give(x, seat, order & 15)
        order >>= 4
        seat = seat + 1 if seat + 1 < n else 0
    used += n
    x.left = 11 + x.copies - used
    x.deck = order | (last << (4 * (x.left - 1)))
    draw(x)


@inlined
def draw(x: Any) -> None:
    """The seat to move draws. Rules 3.1 and 4.4: its protection ends."""
    x.protected &= ~(1 << x.turn)
    x.drawn = x.deck & 15
    x.deck >>= 4
    x.left -= 1
