"""A round of Love Letter in a few numbers, without what only views need: the cards face up, the
discards one by one, and what the seats know. For games that are played out.

Every field is a number, so that compiled code can hold a round in registers: see `on_stack`. The
cards of all seats stand in one word, with a byte for each seat.
"""

from typing import Any

import numpy as np

from kibitz.jit.kernels import inlined

STATE = np.dtype(
    (
        np.record,
        [
            # As in state.py.
            *((name, np.int64) for name in ("players", "copies", "tie", "fixed")),
            *((name, np.int64) for name in ("turn", "over", "inside", "protected", "aside")),
            *((name, np.int64) for name in ("deck", "left", "drawn", "lot", "best", "won")),
            ("hands", np.int64),  # the card of each seat; 0: out
            ("spent", np.int64),  # the strengths of each seat's discards, added up
        ],
    )
)


@inlined
def hand_of(x: Any, seat: int) -> int:
    """See state.py, as for all of these."""
    return (x.hands >> (8 * seat)) & 255


@inlined
def give(x: Any, seat: int, card: int) -> None:
    """See state.py."""
    x.hands = (x.hands & ~(np.int64(255) << (8 * seat))) | (card << (8 * seat))


@inlined
def discard(x: Any, seat: int, card: int) -> None:
    """See state.py."""
    x.spent += card << (8 * seat)


@inlined
def turn_up(x: Any, card: int) -> None:
    """Nobody looks at it any more."""


@inlined
def clear(x: Any, first: int) -> None:
    """See state.py."""
    x.hands = 0
    x.spent = 0


@inlined
def strengths_held(x: Any) -> int:
    """See state.py."""
    return x.hands


@inlined
def strengths_spent(x: Any) -> int:
    """See state.py."""
    return x.spent
