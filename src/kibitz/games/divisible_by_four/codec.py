"""The codec of divisible by four: an action for each number."""

from collections.abc import Sequence
from typing import Any

from kibitz.games.codec import Feature
from kibitz.games.divisible_by_four.kernels import MOST, NUMBERS, PLIES
from kibitz.games.encoding import one_hot
from kibitz.jit.kernels import kernel

HIGHEST = int(NUMBERS.max())
SUMS = int(MOST.max()) + 1


def actions(game: Any) -> Sequence[str]:
    return [str(number) for number in range(1, HIGHEST + 1)]


def features(game: Any) -> Sequence[Feature]:
    return (
        Feature("sum", SUMS, f"a 1 in the place of the sum, 0 to {SUMS - 1}"),
        Feature("chosen", PLIES + 1, "a 1 in the place of how many numbers are chosen, 0 to 3"),
        Feature("second", 1, "whether one is seat 2, who wants no multiple of four"),
    )


def worst(game: Any) -> float:
    return -1.0


def longest(game: Any) -> tuple[int, int]:
    return PLIES, PLIES


@kernel
def encode(v: Any, seat: int, chosen: int, out: Any) -> None:
    at = one_hot(out, 0, SUMS, v[0].total)
    at = one_hot(out, at, PLIES + 1, v[0].ply)
    out[at] = seat


@kernel
def action_of(v: Any, seat: int, chosen: int, play: int) -> int:
    return play - 1


@kernel
def play_of(v: Any, seat: int, action: int) -> int:
    return action + 1
