"""The codec of Leduc poker: fold, call and raise."""

from collections.abc import Sequence
from typing import Any

from kibitz.games.codec import Feature
from kibitz.games.encoding import one_hot, part
from kibitz.games.leduc_poker.game import PLAYS
from kibitz.games.leduc_poker.kernels import BOARD, START
from kibitz.jit.kernels import kernel

LONGEST = 4
"""Plays of a round, at most."""
MOST_CHIPS = 13
"""One to begin with, and two raises in each round, of two and of four."""


def actions(game: Any) -> Sequence[str]:
    return PLAYS


def features(game: Any) -> Sequence[Feature]:
    return (
        Feature("mine", 3, "one's own card: J, Q, K"),
        Feature("other", 3, "the other's card, once it is shown"),
        Feature("board", 3, "the card on the board, once it is turned"),
        Feature("round 1", 3 * LONGEST, "each play of round 1, in three places: fold, call, raise"),
        Feature("round 2", 3 * LONGEST, "the same of round 2"),
        Feature("chips", 2, f"what oneself and the other have in the pot, of {MOST_CHIPS}"),
        Feature("first", 1, "whether one begins each round"),
        Feature("turn", 1, "whether it is one's own turn"),
    )


def worst(game: Any) -> float:
    return -float(MOST_CHIPS)


def longest(game: Any) -> tuple[int, int]:
    return 2 * LONGEST, 2 * LONGEST


@kernel
def encode(v: Any, seat: int, chosen: int, out: Any) -> None:
    x = v[0]
    at = one_hot(out, 0, 3, x.cards[seat] - 1)
    at = one_hot(out, at, 3, x.cards[1 - seat] - 1)
    at = one_hot(out, at, 3, x.cards[BOARD] - 1)
    for stage in range(2):
        made = 0
        while x.history[stage] >> (2 * made) > START:
            made += 1
        for i in range(made):
            play = (x.history[stage] >> (2 * (made - 1 - i))) & 3
            one_hot(out, at + 3 * i, 3, play)
        at += 3 * LONGEST
    at = part(out, at, x.chips[seat], MOST_CHIPS)
    at = part(out, at, x.chips[1 - seat], MOST_CHIPS)
    out[at] = x.first == seat
    out[at + 1] = x.turn == seat and x.folded < 0 and x.stage < 2
