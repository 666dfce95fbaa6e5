"""The codec of paper-rock-scissors at once: an action for each choice."""

from collections.abc import Sequence
from typing import Any

from kibitz.games.codec import Feature
from kibitz.games.encoding import one_hot
from kibitz.games.lab import CHOICES, NOT_CHOSEN
from kibitz.jit.kernels import kernel


def actions(game: Any) -> Sequence[str]:
    return CHOICES


def features(game: Any) -> Sequence[Feature]:
    return (
        Feature("mine", 3, "what one has chosen: paper, rock, scissors"),
        Feature("other", 3, "what the other has chosen, once one may see it"),
        Feature("made", 1, "whether the other has chosen"),
        Feature("turn", 1, "whether it is one's own turn"),
    )


def worst(game: Any) -> float:
    return -1.0


def longest(game: Any) -> tuple[int, int]:
    return 2, 2


@kernel
def encode(v: Any, seat: int, chosen: int, out: Any) -> None:
    x = v[0]
    at = one_hot(out, 0, 3, x.choice[seat])
    at = one_hot(out, at, 3, x.choice[1 - seat])
    out[at] = x.choice[1 - seat] != NOT_CHOSEN
    out[at + 1] = x.turn == seat
