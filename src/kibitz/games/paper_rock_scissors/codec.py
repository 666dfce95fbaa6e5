"""The codec of paper-rock-scissors in turn: an action for each choice."""

from collections.abc import Sequence
from typing import Any

from kibitz.games.codec import Feature
from kibitz.games.encoding import one_hot
from kibitz.games.lab import CHOICES
from kibitz.jit.kernels import kernel


def actions(game: Any) -> Sequence[str]:
    return CHOICES


def features(game: Any) -> Sequence[Feature]:
    return (
        Feature("first", 3, "what seat 2, who begins, has chosen: paper, rock, scissors"),
        Feature("second", 3, "what seat 1 has chosen"),
        Feature("begins", 1, "whether one is seat 2"),
    )


def worst(game: Any) -> float:
    return -1.0


def longest(game: Any) -> tuple[int, int]:
    return 2, 2


@kernel
def encode(v: Any, seat: int, chosen: int, out: Any) -> None:
    at = one_hot(out, 0, 3, v[0].first)
    at = one_hot(out, at, 3, v[0].second)
    out[at] = seat
