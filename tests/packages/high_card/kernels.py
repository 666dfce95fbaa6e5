"""High card compiled. A hand is a set of cards as bits: bit n is the card n, 1 to 9.

Each of two seats gets three of the nine cards. One leads a card, the other answers with any
card; the higher card takes the trick and leads the next one. Two tricks of three win.
"""

from typing import Any

import numpy as np

from kibitz.jit.kernels import kernel
from kibitz.jit.rng import below

CARDS, TRICKS = 9, 3
DECK = (1 << CARDS + 1) - 2
STATE = np.dtype(
    (
        np.record,
        [
            ("turn", np.int64),
            ("led", np.int64),  # the card that waits for an answer, or 0
            ("hand", np.int64, (2,)),  # 0 in a view: not seen, or empty
            ("taken", np.int64, (2,)),  # tricks of each seat
            ("played", np.int64),  # all cards so far
        ],
    )
)


@kernel
def size(cards: int) -> int:
    n = 0
    while cards:
        cards &= cards - 1
        n += 1
    return n


@kernel
def held(s: Any, seat: int) -> int:
    """How many cards a seat holds: it follows from the tricks."""
    x = s[0]
    answered = x.led == 0 or x.turn == seat
    return TRICKS - x.taken[0] - x.taken[1] - (0 if answered else 1)


@kernel
def draw(rng: Any, cards: int, n: int) -> int:
    """So many of the cards, each set of them as likely."""
    left = cards
    for _ in range(size(cards) - n):
        left &= ~(1 << card_at(left, below(rng, size(left))))
    return left


@kernel
def card_at(cards: int, i: int) -> int:
    """Card number i of a set, the lowest first."""
    for card in range(1, CARDS + 1):
        if cards >> card & 1:
            if i == 0:
                return card
            i -= 1
    return 0


@kernel
def deal(s: Any, rng: Any, first: int) -> None:
    x = s[0]
    x.turn, x.led, x.played = first, 0, 0
    x.taken[0], x.taken[1] = 0, 0
    x.hand[0] = draw(rng, DECK, TRICKS)
    x.hand[1] = draw(rng, DECK & ~x.hand[0], TRICKS)


@kernel
def is_valid(s: Any) -> bool:
    x = s[0]
    if not 0 <= x.turn <= 1 or not 0 <= x.led <= CARDS:
        return False
    if x.taken[0] < 0 or x.taken[1] < 0 or x.taken[0] + x.taken[1] > TRICKS:
        return False
    if (x.hand[0] | x.hand[1] | x.played) & ~DECK or x.hand[0] & x.hand[1]:
        return False
    if (x.hand[0] | x.hand[1]) & x.played or (x.led and not x.played >> x.led & 1):
        return False
    if size(x.played) != 2 * (x.taken[0] + x.taken[1]) + (1 if x.led else 0):
        return False
    for seat in range(2):
        if x.hand[seat] and size(x.hand[seat]) != held(s, seat):
            return False
    return bool(over(s) or x.hand[x.turn] != 0 or x.hand[1 - x.turn] != 0)


@kernel
def is_complete(s: Any) -> bool:
    return bool(size(s[0].hand[0]) == held(s, 0) and size(s[0].hand[1]) == held(s, 1))


@kernel
def mover(s: Any) -> int:
    return s[0].turn


@kernel
def over(s: Any) -> bool:
    return bool(s[0].taken[0] + s[0].taken[1] == TRICKS)


@kernel
def count(s: Any) -> int:
    return size(s[0].hand[s[0].turn])


@kernel
def nth(s: Any, i: int) -> int:
    return card_at(s[0].hand[s[0].turn], i)


@kernel
def apply(s: Any, play: int) -> None:
    x = s[0]
    x.hand[x.turn] &= ~(1 << play)
    x.played |= 1 << play
    if x.led == 0:
        x.led = play
        x.turn = 1 - x.turn
        return
    if x.led > play:
        x.turn = 1 - x.turn
    x.taken[x.turn] += 1
    x.led = 0


@kernel
def returns(s: Any, out: Any) -> None:
    winner = 0 if s[0].taken[0] > s[0].taken[1] else 1
    out[winner] = 1.0
    out[1 - winner] = -1.0


@kernel
def observe(s: Any, seat: int, view: Any) -> None:
    view[0] = s[0]
    view[0].hand[1 - seat] = 0


@kernel
def redeal(view: Any, seat: int, rng: Any, s: Any) -> bool:
    s[0] = view[0]
    x = s[0]
    for other in range(2):
        if x.hand[other] == 0 and held(s, other) > 0:
            unseen = DECK & ~(x.played | x.hand[1 - other])
            x.hand[other] = draw(rng, unseen, held(s, other))
    return True
