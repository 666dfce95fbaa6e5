"""The luck of the draw in a round of Love Letter for two, by a table of values.

A control variate in the manner of AIVAT (Burch, Schmid, Moravčík, Morrill and Bowling, AAAI 2018):
at each chance event the value after it, less its mean over what could have come, which is summed
up exactly over the kinds of cards. So its mean is zero whoever plays, and whatever the table says;
a good table makes it follow the result closely. For two players who decide by their views alone.

Chance events, in the order in which they are taken to happen:

    the other's hand    at the first play of a round, and after a Prince on oneself: nobody has
                        decided anything by that card, so it might as well be drawn after the play.
                        So a Guard's first guess that hits is luck
    a Prince's card     what the other draws for the card that he had to lay down
    the draw            of the seat that moves next

The cards that are dealt at the start are left out: with seats swapped on the same shuffle they
give each player as much as they take.

`luck_values.npz` has the chance to win of who is to move, in 255ths, by the two cards of his hand,
the other's card, how many cards are left in the deck, whether the other is protected, and whether
each was shown the other's card. `python -m tests.strategies.write_luck_values` makes it from rounds
that flat Monte Carlo plays.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from kibitz.core.strategy import Knows
from kibitz.games.love_letter.cards import PRINCE, PRINCESS
from kibitz.games.love_letter.kernels import apply
from kibitz.games.love_letter.state import bits, copies_in, one, unpack
from kibitz.jit.kernels import kernel

SHAPE = (8, 8, 8, 10, 2, 2, 2)
"""Hand, drawn card, the other's card, cards left, the other is protected, the mover was shown the
other's card, the other was shown his."""
STEPS = 255
ALLOWED = (Knows.FAIR,)
"""What the players may know: who sees the other's card does decide by it."""


@cache
def numbers() -> np.ndarray:
    """The table, float64[cells]: for the kernels."""
    with (files("kibitz.strategies.love_letter") / "luck_values.npz").open("rb") as file:
        steps = np.load(file)["steps"]
    return np.ascontiguousarray(steps.reshape(-1) / STEPS)


@kernel
def luck_of_play(
    before: Any, earlier: int, play: int, after: Any, numbers: Any, scratch: Any, rng: Any
) -> float:
    """What chance gave the first seat, in chances to win, between a play and the next one.

    before, after: STATE[1] of the round before and after the play; earlier: the play before that,
    −1 at the first; numbers: the table; scratch: STATE[1] to be written to; rng: not used, for
    every mean is exact.
    """
    x, y = before[0], after[0]
    me = x.turn
    luck = 0.0
    pool = undealt(x)
    if is_unseen(earlier, 1 - me):
        luck += hand_luck(before, play, pool + one(x.hand[1 - me]), numbers, scratch)
    target = unpack(play).target
    draws = draws_for_prince(x, play, x.hand[1 - me])
    if draws and (target != me or y.over):
        luck += prince_luck(before, play, pool, y.hand[target], numbers, scratch)
    if not y.over:
        rest = undealt(y) + one(y.drawn)
        if draws and target == me:
            luck += draw_luck_unseen(y, rest + one(y.hand[me]), numbers, scratch)
        else:
            luck += mover_value(y, y.drawn, numbers) - value_before_draw(y, rest, numbers)
    return luck


@kernel
def is_unseen(earlier: int, holder: int) -> bool:
    """Whether nobody has decided anything by the holder's card: it was dealt, or came to him by
    his own Prince."""
    card, target, _ = unpack(earlier)
    return earlier < 0 or (card == PRINCE and target == holder)


@kernel
def undealt(x: Any) -> int:
    """The cards of the deck and the one laid aside, as counts: the next may be any of them."""
    counts = np.int64(0x11122220) + x.copies - x.face_up - x.spent[0] - x.spent[1]
    for seat in range(2):
        if x.hand[seat] > 0:
            counts -= one(x.hand[seat])
    return counts - one(x.drawn) if x.drawn > 0 else counts


@kernel
def draws_for_prince(x: Any, play: int, other: int) -> bool:
    """Whether a play of this state makes somebody draw a card from the deck, if the other holds
    this card."""
    me = x.turn
    card, target, _ = unpack(play)
    if card != PRINCE or target < 0 or x.left == 0:
        return False
    retained = x.hand[me] + x.drawn - PRINCE
    return (retained if target == me else other) != PRINCESS


# -- values, of the first seat -------------------------------------------------------------


@kernel
def cell(x: Any, drawn: int) -> int:
    """Where in the table a position stands whose mover has drawn this card."""
    me = x.turn
    other = 1 - me
    place = ((x.hand[me] - 1) * 8 + drawn - 1) * 8 + x.hand[other] - 1
    place = (place * 10 + x.left) * 2 + ((x.protected >> other) & 1)
    return (place * 2 + ((x.known[me] >> other) & 1)) * 2 + ((x.known[other] >> me) & 1)


@kernel
def mover_value(x: Any, drawn: int, numbers: Any) -> float:
    value = numbers[cell(x, drawn)]
    return value if x.turn == 0 else 1.0 - value


@kernel
def value_before_draw(x: Any, pool: int, numbers: Any) -> float:
    """The mean over what the mover may draw from the pool, which is given as counts."""
    total, n = 0.0, 0
    for drawn in range(1, 9):
        copies = copies_in(pool, drawn)
        if copies > 0:
            total += copies * mover_value(x, drawn, numbers)
            n += copies
    return total / n


@kernel
def value_after_play(s: Any, pool: int, numbers: Any) -> float:
    """The value of a state after a play: its result, or the mean over the next draw."""
    x = s[0]
    if x.over:
        return 0.5 if bits(x.best) > 1 else float(x.best & 1)
    return value_before_draw(x, pool, numbers)


@kernel
def value_of_play(
    before: Any, play: int, other: int, pool: int, numbers: Any, scratch: Any
) -> float:
    """The value of a play if the other holds this card: the mean over what a Prince brings and
    over the next draw, from the pool."""
    x = before[0]
    if draws_for_prince(x, play, other) or takes_aside(x, play, other):
        total, n = 0.0, 0
        for card in range(1, 9):
            copies = copies_in(pool, card)
            if copies > 0:
                total += copies * value_with(before, play, other, card, pool, numbers, scratch)
                n += copies
        return total / n
    return value_with(before, play, other, 0, pool, numbers, scratch)


@kernel
def takes_aside(x: Any, play: int, other: int) -> bool:
    """The same where the deck is empty, and the card laid aside is taken."""
    me = x.turn
    card, target, _ = unpack(play)
    if card != PRINCE or target < 0 or x.left > 0:
        return False
    retained = x.hand[me] + x.drawn - PRINCE
    return (retained if target == me else other) != PRINCESS


@kernel
def value_with(
    before: Any, play: int, other: int, brought: int, pool: int, numbers: Any, scratch: Any
) -> float:
    """The value of a play if the other holds a card and a Prince brings another; 0: he brings
    none. The mean over the next draw."""
    scratch[0] = before[0]
    z = scratch[0]
    z.hand[1 - z.turn] = other
    z.deck = 0x11 if brought == 0 else 0x10 | brought  # what is drawn then makes no difference
    if brought > 0:
        pool -= one(brought)
        if z.left == 0:
            z.aside = brought
    apply(scratch, play)
    return value_after_play(scratch, pool, numbers)


# -- luck ----------------------------------------------------------------------------------


@kernel
def hand_luck(before: Any, play: int, pool: int, numbers: Any, scratch: Any) -> float:
    """That the other held this card and no other of the pool, once the play was made."""
    actual = before[0].hand[1 - before[0].turn]
    total, n, value = 0.0, 0, 0.0
    for card in range(1, 9):
        copies = copies_in(pool, card)
        if copies > 0:
            here = value_of_play(before, play, card, pool - one(card), numbers, scratch)
            total += copies * here
            n += copies
            if card == actual:
                value = here
    return value - total / n


@kernel
def prince_luck(
    before: Any, play: int, pool: int, actual: int, numbers: Any, scratch: Any
) -> float:
    """That a Prince brought this card and no other of the pool."""
    other = before[0].hand[1 - before[0].turn]
    total, n, value = 0.0, 0, 0.0
    for card in range(1, 9):
        copies = copies_in(pool, card)
        if copies > 0:
            here = value_with(before, play, other, card, pool, numbers, scratch)
            total += copies * here
            n += copies
            if card == actual:
                value = here
    return value - total / n


@kernel
def draw_luck_unseen(y: Any, pool: int, numbers: Any, scratch: Any) -> float:
    """That the mover drew this card, while the other's, also of the pool, is one that nobody has
    decided by yet: the mean over it."""
    total, n, value = 0.0, 0, 0.0
    scratch[0] = y
    z = scratch[0]
    for drawn in range(1, 9):
        copies = copies_in(pool, drawn)
        if copies == 0:
            continue
        mean, others = 0.0, 0
        for card in range(1, 9):
            more = copies_in(pool - one(drawn), card)
            if more > 0:
                z.hand[1 - z.turn] = card
                mean += more * mover_value(z, drawn, numbers)
                others += more
        mean /= others
        total += copies * mean
        n += copies
        if drawn == y.drawn:
            value = mean
    return value - total / n
