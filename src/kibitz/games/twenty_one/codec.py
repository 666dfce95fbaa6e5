"""The codec of twenty-one: an action for each number that may be added."""

from collections.abc import Sequence
from typing import Any

from kibitz.games.codec import Feature
from kibitz.games.encoding import one_hot
from kibitz.games.twenty_one.kernels import LEAST, LIMIT
from kibitz.jit.kernels import kernel

SUMS = LIMIT + LEAST + 2
"""From 0 to what the highest number makes of the highest sum that is no end."""


def actions(game: Any) -> Sequence[str]:
    return [str(LEAST + i) for i in range(3)]


def features(game: Any) -> Sequence[Feature]:
    return (
        Feature("sum", SUMS, f"a 1 in the place of the sum, 0 to {SUMS - 1}"),
        Feature("turn", 1, "whether it is one's own turn"),
    )


def worst(game: Any) -> float:
    return -1.0


def longest(game: Any) -> tuple[int, int]:
    """Each adds the least."""
    most = -(-LIMIT // LEAST)
    return most, most


@kernel
def encode(v: Any, seat: int, chosen: int, out: Any) -> None:
    at = one_hot(out, 0, SUMS, v[0].total)
    out[at] = v[0].turn == seat


@kernel
def action_of(v: Any, seat: int, chosen: int, play: int) -> int:
    return play - LEAST


@kernel
def play_of(v: Any, seat: int, action: int) -> int:
    return action + LEAST
