"""The codec of Connect Four: an action for each column."""

from collections.abc import Sequence
from typing import Any

from kibitz.games.codec import Feature
from kibitz.games.connect_four.kernels import COLUMNS, HEIGHT
from kibitz.games.encoding import spread
from kibitz.jit.kernels import kernel

ROWS = HEIGHT - 1


def actions(game: Any) -> Sequence[str]:
    return [str(column + 1) for column in range(COLUMNS)]


def features(game: Any) -> Sequence[Feature]:
    squares = COLUMNS * ROWS
    return (
        Feature("mine", squares, "one's own stones: column 1 from the bottom up, column 2 …"),
        Feature("other", squares, "the other's stones"),
        Feature("turn", 1, "whether it is one's own turn"),
    )


def worst(game: Any) -> float:
    return -1.0


def longest(game: Any) -> tuple[int, int]:
    return COLUMNS * ROWS, COLUMNS * ROWS


@kernel
def encode(v: Any, seat: int, chosen: int, out: Any) -> None:
    x = v[0]
    at = 0
    for whose in (seat, 1 - seat):
        for column in range(COLUMNS):
            at = spread(out, at, ROWS, x.stones[whose] >> (HEIGHT * column))
    out[at] = x.turn == seat
