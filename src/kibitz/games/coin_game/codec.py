"""The codec of the coin game: an action for each side."""

from collections.abc import Sequence
from typing import Any

from kibitz.games.codec import Feature
from kibitz.games.coin_game.game import SIDES
from kibitz.games.coin_game.kernels import LEAVES, PLIES
from kibitz.games.encoding import one_hot
from kibitz.jit.kernels import kernel


def actions(game: Any) -> Sequence[str]:
    return SIDES


def features(game: Any) -> Sequence[Feature]:
    return (
        Feature("made", PLIES + 1, "a 1 in the place of how many choices are made, 0 to 3"),
        Feature("path", PLIES, "the choices: of MAX, of the coin, of MIN; 1 is the right"),
        Feature("second", 1, "whether one is seat 2, MIN"),
    )


def worst(game: Any) -> float:
    return -float(abs(LEAVES).max())


def longest(game: Any) -> tuple[int, int]:
    return 2, 2


def outcomes(game: Any) -> int:
    return len(SIDES)


@kernel
def encode(v: Any, seat: int, chosen: int, out: Any) -> None:
    at = one_hot(out, 0, PLIES + 1, v[0].ply)
    for i in range(PLIES):
        out[at + i] = v[0].path[i]
    out[at + PLIES] = seat
