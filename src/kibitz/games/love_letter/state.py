"""The record of a round of Love Letter, and how words of it are read.

Cards are 1 to 8, seats 0 to 3. A word of four-bit places holds several cards: the deck (top
card in the lowest place) and each seat's discards (a count for each card). Sets of seats are
words with a bit for each.
"""

from typing import Any

import numpy as np

from kibitz.games.love_letter.plays import code_of, parts_of
from kibitz.jit.kernels import inlined, kernel

STATE = np.dtype(
    (
        np.record,
        [
            ("players", np.int64),
            ("copies", np.int64),  # of the Guard: 5, or 4 in the thesis
            ("tie", np.int64),  # rule 7.4: one of TIE_…
            ("fixed", np.int64),  # rule 2.5: three cards in a word; 0: by lot
            ("first", np.int64),
            ("turn", np.int64),
            ("over", np.int64),
            ("inside", np.int64),  # a bit for each seat still in the round
            ("protected", np.int64),  # a bit for each seat
            ("face_up", np.int64),  # counts, as in spent
            ("aside", np.int64),  # 0: taken by a Prince
            ("deck", np.int64),
            ("left", np.int64),  # cards in the deck
            ("drawn", np.int64),  # by the seat to move; 0 when the round is over
            ("lot", np.int64),  # decides a tie for tie=random
            ("best", np.int64),  # at the end: a bit for each seat that is not beaten
            ("won", np.int64),  # at the end: a bit for each seat that scores
            ("hand", np.int64, (4,)),  # 0: out
            ("spent", np.int64, (4,)),
            ("known", np.int64, (4,)),  # for each seat, a bit for each seat whose card it was shown
            ("worlds", np.int64, (4, 8)),
        ],
    )
)

TIE_NONE, TIE_RANDOM = 1, 2
"""Of the field `tie`; 0: all who are equal win."""
EVERY_BYTE = 0x0101010101010101
EVERY_OTHER = 0x0F0F0F0F
"""Every other of eight four-bit places."""

pack, unpack = inlined(code_of), inlined(parts_of)
"""A play of its parts, and its parts, for kernels."""


@kernel
def bits(mask: int) -> int:
    return (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1) + ((mask >> 3) & 1)


@kernel
def nth_bit(mask: int, i: int) -> int:
    seat = 0
    while True:
        if (mask >> seat) & 1:
            if i == 0:
                return seat
            i -= 1
        seat += 1


@kernel
def one(card: int) -> int:
    """One card as counts."""
    return int(np.int64(1) << (4 * (card - 1)))


@kernel
def copies_in(counts: int, card: int) -> int:
    return (counts >> (4 * (card - 1))) & 15


# -- the cards of each seat, for rules.py -------------------------------------------------


@inlined
def hand_of(x: Any, seat: int) -> int:
    """The card that a seat holds, besides the drawn one; 0 if it is out."""
    return x.hand[seat]


@inlined
def give(x: Any, seat: int, card: int) -> None:
    """The seat holds this card now; 0 if it goes out."""
    x.hand[seat] = card


@inlined
def discard(x: Any, seat: int, card: int) -> None:
    """A card is laid among the seat's discards."""
    x.spent[seat] += one(card)


@inlined
def turn_up(x: Any, card: int) -> None:
    """A card is laid face up."""
    x.face_up += one(card)


@inlined
def clear(x: Any, first: int) -> None:
    """Nobody has a card yet, and none is face up."""
    x.first = first
    x.face_up = 0
    for seat in range(4):
        x.hand[seat] = 0
        x.spent[seat] = 0


@kernel
def strengths_held(x: Any) -> int:
    """The strength of each hand, a byte for each seat."""
    held = 0
    for seat in range(4):
        held |= x.hand[seat] << (8 * seat)
    return held


@kernel
def strengths_spent(x: Any) -> int:
    """The strength of each seat's discards, a byte for each seat."""
    sums = 0
    for seat in range(4):
        odd, even = x.spent[seat] & EVERY_OTHER, (x.spent[seat] >> 4) & EVERY_OTHER
        # In byte 3 of a product the counts meet their strengths: 1, 3, 5, 7 and 2, 4, 6, 8.
        total = odd * 0x01030507 + even * 0x02040608
        sums |= ((total >> 24) & 255) << (8 * seat)
    return sums
