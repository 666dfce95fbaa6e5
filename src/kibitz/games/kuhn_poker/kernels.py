"""Kuhn poker compiled. Cards are 1 to 3 (J, Q, K), an unknown one is 0.

The history is a binary number: a leading 1, then a digit for each play, pass (0) or bet (1).
"""

from typing import Any

import numpy as np

from kibitz.jit.kernels import kernel
from kibitz.jit.rng import below, shuffle

STATE = np.dtype(
    (
        np.record,
        [
            ("first", np.int64),
            ("history", np.int64),
            ("cards", np.int64, (3,)),  # the hands of the two seats, and the card left over
        ],
    )
)

START = 0b1
PASS_BET = 0b1_01
PASS_PASS = 0b1_00
PASS_BET_PASS = 0b1_010
PASS_BET_BET = 0b1_011
BET_PASS = 0b1_10
BET_BET = 0b1_11


@kernel
def deal(s: Any, rng: Any, first: int) -> None:
    x = s[0]
    x.first = first
    x.history = START
    for i in range(3):
        x.cards[i] = i + 1
    shuffle(rng, x.cards, 3)


@kernel
def is_valid(s: Any) -> bool:
    x = s[0]
    if not 0 <= x.first <= 1 or not START <= x.history <= PASS_BET_BET:
        return False
    if x.history in (0b1_000, 0b1_001):  # both have passed: nobody plays on
        return False
    for i in range(3):
        if not 0 <= x.cards[i] <= 3:
            return False
        for j in range(i):
            if x.cards[i] != 0 and x.cards[i] == x.cards[j]:
                return False
    return not showdown(x.history) or is_complete(s)


@kernel
def is_complete(s: Any) -> bool:
    return bool(s[0].cards[0] != 0 and s[0].cards[1] != 0)


@kernel
def mover(s: Any) -> int:
    x = s[0]
    return int(x.first if x.history in (START, PASS_BET) else 1 - x.first)


@kernel
def folded(history: int) -> bool:
    return history in (BET_PASS, PASS_BET_PASS)


@kernel
def showdown(history: int) -> bool:
    return history in (PASS_PASS, BET_BET, PASS_BET_BET)


@kernel
def over(s: Any) -> bool:
    return bool(folded(s[0].history) or showdown(s[0].history))


@kernel
def count(s: Any) -> int:
    return 2


@kernel
def nth(s: Any, i: int) -> int:
    return i


@kernel
def apply(s: Any, play: int) -> None:
    s[0].history = 2 * s[0].history + play


@kernel
def returns(s: Any, out: Any) -> None:
    x = s[0]
    if x.history == BET_PASS:
        winner = x.first
    elif x.history == PASS_BET_PASS:
        winner = 1 - x.first
    else:
        winner = 0 if x.cards[0] > x.cards[1] else 1
    stake = 2.0 if x.history in (BET_BET, PASS_BET_BET) else 1.0
    out[winner] = stake
    out[1 - winner] = -stake


@kernel
def observe(s: Any, seat: int, view: Any) -> None:
    """The own card; both at a showdown, and then the one left over is known too."""
    view[0] = s[0]
    if not showdown(s[0].history):
        view[0].cards[1 - seat] = 0
        view[0].cards[2] = 0


@kernel
def redeal(view: Any, seat: int, rng: Any, s: Any) -> bool:
    """Put the unseen cards into the unknown places, each order with the same probability."""
    s[0] = view[0]
    x = s[0]
    for i in range(3):
        if x.cards[i] == 0:
            card = 1 + below(rng, 3)
            while holds(x, card):
                card = 1 + below(rng, 3)
            x.cards[i] = card
    return True


@kernel
def holds(x: Any, card: int) -> bool:
    """Whether a card is in a known place."""
    return bool(x.cards[0] == card or x.cards[1] == card or x.cards[2] == card)
