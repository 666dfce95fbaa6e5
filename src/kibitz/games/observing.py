"""What a seat sees of a state, by what its strategy may know: for kernels."""

from typing import Any

from kibitz.core.strategy import Knows
from kibitz.jit.kernels import Slot, template

game: Any = Slot("game")

FAIR, OPEN_HANDS, OPEN_DECK = range(3)
"""The members of `Knows`, in their order."""


def knows_number(knows: Knows) -> int:
    """A member of `Knows` as kernels have it."""
    return list(Knows).index(knows)


@template
def observe_as(knows: int, s: Any, seat: int, view: Any) -> None:
    """Write to view what a seat may know, by what its strategy says it knows."""
    if knows == FAIR:
        game.observe(s, seat, view)
    elif knows == OPEN_HANDS:
        game.observe_open_hands(s, seat, view)
    else:
        view[0] = s[0]
