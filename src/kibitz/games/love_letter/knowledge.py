"""What each seat can deduce about the others' hands, exactly. Rules 9.2 to 9.9.

`worlds` has for every seat a bit for every combination of cards that the others may hold. A
combination is a number of three digits in base 8, card - 1 of the next seat to the left in
the lowest; so with two players one byte is used, with three one word, with four eight.
Which cards are still unseen is not counted in here: that is up to `redeal`.

The last part is what rules.py calls.
"""

from typing import Any

import numpy as np

from kibitz.games.love_letter.cards import ANY, COUNTESS, KING, PRINCE
from kibitz.games.love_letter.state import EVERY_BYTE
from kibitz.jit.kernels import kernel


@kernel
def words(x: Any) -> int:
    return 8 if x.players == 4 else 1


@kernel
def allow_all(x: Any, seat: int) -> None:
    """To this seat every combination of cards is possible."""
    if x.players == 2:
        x.worlds[seat, 0] = ANY
        return
    for i in range(words(x)):
        x.worlds[seat, i] = -1


@kernel
def place_of(x: Any, viewer: int, seat: int) -> int:
    """Where in the viewer's worlds a seat stands: 0 for the next to the left."""
    place = seat - viewer - 1
    return place if place >= 0 else place + x.players  # a division would cost more


@kernel
def restrict_cards(x: Any, viewer: int, seat: int, cards: int) -> None:
    """The viewer learns that the seat's card is among these (bit card − 1)."""
    if x.players == 2:  # the common case, without the detours
        x.worlds[viewer, 0] &= cards
        return
    place = place_of(x, viewer, seat)
    if place == 2:
        for i in range(8):
            if not (cards >> i) & 1:
                x.worlds[viewer, i] = 0
        return
    keep = np.int64(0)
    if place == 0:
        keep = np.int64(cards) * EVERY_BYTE
    else:
        for i in range(8):
            if (cards >> i) & 1:
                keep |= np.int64(ANY) << (8 * i)
    for i in range(words(x)):
        x.worlds[viewer, i] &= keep


@kernel
def allow_any_after(x: Any, viewer: int, seat: int, card: int) -> None:
    """The seat parted with a card of this name: where it held that, it may hold any card now."""
    if x.players == 2:
        x.worlds[viewer, 0] |= ((x.worlds[viewer, 0] >> (card - 1)) & 1) * ANY
        return
    place = place_of(x, viewer, seat)
    if place == 2:
        word = x.worlds[viewer, card - 1]
        for i in range(8):
            x.worlds[viewer, i] |= word
        return
    for i in range(words(x)):
        word = x.worlds[viewer, i]
        if place == 0:
            part = (word >> (card - 1)) & EVERY_BYTE
            word |= part * ANY
        else:
            part = (word >> (8 * (card - 1))) & ANY
            word |= part * EVERY_BYTE
        x.worlds[viewer, i] = word


@kernel
def digit(combination: int, place: int) -> int:
    """The card - 1 that the seat at a place holds."""
    return (combination >> (3 * place)) & 7


@kernel
def is_possible(x: Any, viewer: int, combination: int) -> int:
    return (x.worlds[viewer, combination >> 6] >> (combination & 63)) & 1


@kernel
def learn_equal(x: Any, viewer: int, one: int, other: int) -> None:
    """The viewer learns that two other seats hold the same card. Rule 9.8."""
    i, j = place_of(x, viewer, one), place_of(x, viewer, other)
    for combination in range(64 * words(x)):
        if digit(combination, i) != digit(combination, j):
            x.worlds[viewer, combination >> 6] &= ~(np.int64(1) << (combination & 63))


@kernel
def learn_trade(x: Any, viewer: int, one: int, other: int) -> None:
    """Two other seats have traded hands: their places change. Rule 9.3."""
    i, j = place_of(x, viewer, one), place_of(x, viewer, other)
    for combination in range(64 * words(x)):
        first, second = digit(combination, i), digit(combination, j)
        if first < second:  # each pair of combinations once
            changed = (first ^ second) << (3 * i) | (first ^ second) << (3 * j)
            swap_bits(x, viewer, combination, combination ^ changed)


@kernel
def swap_bits(x: Any, viewer: int, one: int, other: int) -> None:
    if is_possible(x, viewer, one) != is_possible(x, viewer, other):
        x.worlds[viewer, one >> 6] ^= np.int64(1) << (one & 63)
        x.worlds[viewer, other >> 6] ^= np.int64(1) << (other & 63)


@kernel
def lay_open(x: Any, seat: int, card: int) -> None:
    """The seat lays its card open and holds it no more."""
    for viewer in range(x.players):
        if viewer != seat:
            restrict_cards(x, viewer, seat, 1 << (card - 1))
            allow_any_after(x, viewer, seat, card)
            x.known[viewer] &= ~(1 << seat)


@kernel
def everybody_learns(x: Any, seat: int, cards: int) -> None:
    for viewer in range(x.players):
        if viewer != seat:
            restrict_cards(x, viewer, seat, cards)


@kernel
def learn_card(x: Any, viewer: int, seat: int, card: int) -> None:
    """The viewer is shown the seat's card. Rule 9.2."""
    x.known[viewer] |= 1 << seat
    restrict_cards(x, viewer, seat, 1 << (card - 1))


# -- what the rules tell ------------------------------------------------------------------


@kernel
def learn_nothing_yet(x: Any) -> None:
    """A new round: to every seat all is possible."""
    for seat in range(4):
        x.known[seat] = 0
    for seat in range(x.players):
        allow_all(x, seat)


@kernel
def learn_play(x: Any, me: int, card: int, held: int) -> None:
    """A seat that held a card lays one down, that or the drawn one. Rules 9.4 to 9.6."""
    for viewer in range(x.players):
        if viewer == me:
            continue
        if card == held:
            x.known[viewer] &= ~(1 << me)
        allow_any_after(x, viewer, me, card)
        if card in (PRINCE, KING):
            restrict_cards(x, viewer, me, ANY & ~(1 << (COUNTESS - 1)))


@kernel
def learn_exit(x: Any, seat: int, card: int) -> None:
    """The seat goes out with this card."""
    lay_open(x, seat, card)
    x.known[seat] = 0


@kernel
def learn_wrong_guess(x: Any, target: int, guess: int) -> None:
    everybody_learns(x, target, ANY & ~(1 << (guess - 1)))


@kernel
def learn_draw(x: Any, me: int, target: int, card: int) -> None:
    """Two seats have compared equal cards."""
    learn_card(x, me, target, card)
    learn_card(x, target, me, card)
    for viewer in range(x.players):
        if viewer != me and viewer != target:
            learn_equal(x, viewer, me, target)


@kernel
def learn_winner(x: Any, winner: int, lower: int) -> None:
    """The winner of a comparison holds a higher card than this. Rule 9.7."""
    everybody_learns(x, winner, ANY & ~((1 << lower) - 1))


@kernel
def learn_swap(x: Any, me: int, target: int, mine: int, his: int) -> None:
    """Two seats have traded the cards that they held."""
    for viewer in range(x.players):
        if viewer != me and viewer != target:
            learn_trade(x, viewer, me, target)
            seen = x.known[viewer]
            moved = (((seen >> me) & 1) << target) | (((seen >> target) & 1) << me)
            x.known[viewer] = (seen & ~((1 << me) | (1 << target))) | moved
    hands_over(x, me, target, his, mine)
    hands_over(x, target, me, mine, his)


@kernel
def hands_over(x: Any, viewer: int, seat: int, old: int, new: int) -> None:
    """The viewer gets a seat's old card and gives it a new one."""
    restrict_cards(x, viewer, seat, 1 << (old - 1))
    allow_any_after(x, viewer, seat, old)
    learn_card(x, viewer, seat, new)
