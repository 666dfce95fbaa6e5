"""The codec of Pig: roll and hold."""

from collections.abc import Sequence
from typing import Any

from kibitz.games.codec import Feature
from kibitz.games.encoding import part
from kibitz.games.pig.game import PLAYS
from kibitz.jit.kernels import kernel


def actions(game: Any) -> Sequence[str]:
    return PLAYS


def features(game: Any) -> Sequence[Feature]:
    return (
        Feature("mine", 1, "one's own score as a part of the target"),
        Feature("other", 1, "the other's score as a part of the target"),
        Feature("total", 1, "what this turn has brought, as a part of the target, 1 at most"),
        Feature("turn", 1, "whether it is one's own turn"),
        Feature("rolling", 1, "whether the die is about to fall"),
    )


def worst(game: Any) -> float:
    return -1.0


def outcomes(game: Any) -> int:
    """The faces of the die."""
    return 6


@kernel
def encode(v: Any, seat: int, chosen: int, out: Any) -> None:
    x = v[0]
    at = part(out, 0, x.score[seat], x.target)
    at = part(out, at, x.score[1 - seat], x.target)
    at = part(out, at, x.total, x.target)
    out[at] = x.turn == seat
    out[at + 1] = x.rolling
