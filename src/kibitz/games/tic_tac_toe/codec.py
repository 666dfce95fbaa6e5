"""The codec of tic-tac-toe: an action for each square."""

from collections.abc import Sequence
from typing import Any

from kibitz.games.codec import Feature
from kibitz.games.encoding import spread
from kibitz.games.tic_tac_toe.game import SQUARES
from kibitz.jit.kernels import kernel


def actions(game: Any) -> Sequence[str]:
    return SQUARES


def features(game: Any) -> Sequence[Feature]:
    return (
        Feature("mine", 9, "the squares with one's own marks, a1 b1 c1 a2 …"),
        Feature("other", 9, "the squares with the other's marks"),
        Feature("turn", 1, "whether it is one's own turn"),
    )


def worst(game: Any) -> float:
    return -1.0


def longest(game: Any) -> tuple[int, int]:
    return len(SQUARES), len(SQUARES)


@kernel
def encode(v: Any, seat: int, chosen: int, out: Any) -> None:
    x = v[0]
    at = spread(out, 0, 9, x.marks[seat])
    at = spread(out, at, 9, x.marks[1 - seat])
    out[at] = x.turn == seat
