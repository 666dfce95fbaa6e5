"""A play of Love Letter as one number: card + 16 · (target seat + 1) + 256 · guess.

Kernels read it by `state.unpack`.

>>> code_of(1, target=1, guess=2)
545
>>> parts_of(545)
PlayParts(card=1, target=1, guess=2)
>>> parts_of(code_of(4))
PlayParts(card=4, target=-1, guess=0)
"""

from typing import NamedTuple


class PlayParts(NamedTuple):
    """What a play names."""

    card: int
    target: int
    """The seat that is named, from 0; −1 for nobody."""
    guess: int
    """The card that a Guard names; 0 for none."""


def parts_of(code: int) -> PlayParts:
    """What the number of a play says."""
    return PlayParts(code & 15, (code >> 4 & 15) - 1, code >> 8)


def code_of(card: int, target: int = -1, guess: int = 0) -> int:
    """The number of a play."""
    return card | (target + 1) << 4 | guess << 8
