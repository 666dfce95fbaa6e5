"""The codec of Kuhn poker: pass and bet."""

from collections.abc import Sequence
from typing import Any

from kibitz.games.codec import Feature
from kibitz.games.encoding import one_hot
from kibitz.games.kuhn_poker.game import PLAYS
from kibitz.games.kuhn_poker.kernels import START, mover
from kibitz.jit.kernels import kernel

LONGEST = 3
"""Plays of a game, at most."""


def actions(game: Any) -> Sequence[str]:
    return PLAYS


def features(game: Any) -> Sequence[Feature]:
    return (
        Feature("mine", 3, "one's own card: J, Q, K"),
        Feature("other", 3, "the other's card, once it is shown"),
        Feature("plays", 2 * LONGEST, "each play so far, in two places: pass, bet"),
        Feature("first", 1, "whether one began"),
        Feature("turn", 1, "whether it is one's own turn"),
    )


def worst(game: Any) -> float:
    return -2.0


def longest(game: Any) -> tuple[int, int]:
    return LONGEST, LONGEST


@kernel
def encode(v: Any, seat: int, chosen: int, out: Any) -> None:
    x = v[0]
    at = one_hot(out, 0, 3, x.cards[seat] - 1)
    at = one_hot(out, at, 3, x.cards[1 - seat] - 1)
    made = 0
    while x.history >> made > START:
        made += 1
    for i in range(made):
        one_hot(out, at + 2 * i, 2, (x.history >> (made - 1 - i)) & 1)
    at += 2 * LONGEST
    out[at] = x.first == seat
    out[at + 1] = mover(v) == seat
