"""The record of a round of Love Letter, and how words of it are read.

Cards are 1 to 8, seats 0 to 3. A word of four-bit places holds several cards: the deck (top
card in the lowest place) and each seat's discards (a count for each card). Sets of seats are
words with a bit for each.
"""

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
