"""Leduc poker compiled. Cards are 1 to 3 (J, Q, K), two of each; an unknown one is 0.

Suits never matter, so the record leaves them out. The history of a round is a number to
the base 4: a leading 1, then a digit for each play, fold (0), call (1) or raise (2).
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
            ("turn", np.int64),
            (
                "stage",
                np.int64,
            ),  # the round, 0 or 1, and 2 at a showdown (records have their own round)
            ("raises", np.int64),  # in this round
            ("folded", np.int64),  # the seat that gave up, or -1
            ("chips", np.int64, (2,)),  # in the pot
            ("history", np.int64, (2,)),  # of each round
            ("cards", np.int64, (6,)),  # the two hands, the board, the rest of the deck
        ],
    )
)

FOLD, CALL, RAISE = 0, 1, 2
BOARD = 2
MOST_RAISES = 2
START = 1
LONGEST = 1 << 10
"""A round has four plays at most, so its history is less than this."""


@kernel
def begin(s: Any, first: int) -> None:
    """All but the cards."""
    x = s[0]
    x.first = first
    x.turn = first
    x.stage = 0
    x.raises = 0
    x.folded = -1
    for i in range(2):
        x.chips[i] = 1
        x.history[i] = START


@kernel
def deal(s: Any, rng: Any, first: int) -> None:
    begin(s, first)
    for i in range(6):
        s[0].cards[i] = i // 2 + 1
    shuffle(rng, s[0].cards, 6)


@kernel
def is_valid(s: Any) -> bool:
    """Its history is played again, and must lead to the rest."""
    x = s[0]
    if not 0 <= x.first <= 1:
        return False
    again = np.zeros(1, s.dtype)
    begin(again, x.first)
    for i in range(2):
        if not START <= x.history[i] < LONGEST:
            return False
        digits = 0
        while x.history[i] >> (2 * digits) > START:
            digits += 1
        if x.history[i] >> (2 * digits) != START:
            return False
        for digit in range(digits - 1, -1, -1):
            play = (x.history[i] >> (2 * digit)) & 3
            if over(again) or again[0].stage != i or not is_bet(again, play):
                return False
            apply(again, play)
    y = again[0]
    if x.turn != y.turn or x.stage != y.stage or x.raises != y.raises or x.folded != y.folded:
        return False
    if x.chips[0] != y.chips[0] or x.chips[1] != y.chips[1]:
        return False
    return cards_are_valid(x) and (x.stage < 2 or is_complete(s))


@kernel
def is_bet(s: Any, play: int) -> bool:
    """Whether a play is among the legal ones."""
    for i in range(count(s)):  # noqa: SIM110  # any() is slower compiled
        if nth(s, i) == play:
            return True
    return False


@kernel
def cards_are_valid(x: Any) -> bool:
    """No card too often; of those that nobody gets to see, all are known or none."""
    seen = 0
    for i in range(6):
        if not 0 <= x.cards[i] <= 3:
            return False
        seen += 1 << (4 * x.cards[i])
    if (x.cards[4] != 0) != (x.cards[3] != 0) or (x.cards[5] != 0) != (x.cards[3] != 0):
        return False
    return copies(seen, 1) <= 2 and copies(seen, 2) <= 2 and copies(seen, 3) <= 2


@kernel
def is_complete(s: Any) -> bool:
    return bool(s[0].cards[0] != 0 and s[0].cards[1] != 0 and s[0].cards[BOARD] != 0)


@kernel
def mover(s: Any) -> int:
    return int(s[0].turn)


@kernel
def over(s: Any) -> bool:
    return bool(s[0].folded >= 0 or s[0].stage == 2)


@kernel
def faces_bet(x: Any) -> bool:
    return bool(x.chips[x.turn] < x.chips[1 - x.turn])


@kernel
def count(s: Any) -> int:
    n = 2 if faces_bet(s[0]) else 1
    return n + 1 if s[0].raises < MOST_RAISES else n


@kernel
def nth(s: Any, i: int) -> int:
    return i if faces_bet(s[0]) else i + 1


@kernel
def apply(s: Any, play: int) -> None:
    x = s[0]
    me = x.turn
    # Only a call can end a round, and it does unless it opens it: a check may be raised.
    ends = play == CALL and x.history[x.stage] != START
    x.history[x.stage] = 4 * x.history[x.stage] + play
    x.turn = 1 - me
    if play == FOLD:
        x.folded = me
        return
    x.chips[me] = x.chips[1 - me]
    if play == RAISE:
        x.chips[me] += 2 if x.stage == 0 else 4
        x.raises += 1
    elif ends:
        x.stage += 1
        x.raises = 0
        x.turn = x.first


@kernel
def strength(card: int, board: int) -> int:
    return card + 3 if card == board else card


@kernel
def returns(s: Any, out: Any) -> None:
    x = s[0]
    loser = x.folded
    if loser < 0:
        mine = strength(x.cards[0], x.cards[BOARD])
        other = strength(x.cards[1], x.cards[BOARD])
        if mine == other:
            out[0] = 0.0
            out[1] = 0.0
            return
        loser = 0 if mine < other else 1
    out[loser] = -float(x.chips[loser])
    out[1 - loser] = float(x.chips[loser])


@kernel
def observe(s: Any, seat: int, view: Any) -> None:
    """The own card, the board once it is turned, and both hands at a showdown."""
    view[0] = s[0]
    v = view[0]
    if v.stage < 2:
        v.cards[1 - seat] = 0
    for i in range(BOARD if v.stage == 0 else BOARD + 1, 6):
        v.cards[i] = 0


@kernel
def copies(unseen: int, card: int) -> int:
    return (unseen >> (4 * card)) & 15


@kernel
def redeal(view: Any, seat: int, rng: Any, s: Any) -> bool:
    """Put the unseen cards into the unknown places, each order with the same probability."""
    s[0] = view[0]
    x = s[0]
    unseen = np.int64(0x2220)  # how many of each card, in four bits each
    left = 0
    for i in range(6):
        if x.cards[i] > 0:
            unseen -= np.int64(1) << (4 * x.cards[i])
        else:
            left += 1
    for i in range(6):
        if x.cards[i] == 0:
            skip = below(rng, left)
            card = 1
            while skip >= copies(unseen, card):
                skip -= copies(unseen, card)
                card += 1
            x.cards[i] = card
            unseen -= np.int64(1) << (4 * card)
            left -= 1
    return True
