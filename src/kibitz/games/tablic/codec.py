"""The codec of Tablić: a play by its parts, in several actions.

There are 15 kinds of card: the thirteen ranks, 10♦ and 2♣ (rule 3.7). First an action says which
kind is played; then each action takes one table card of a kind, kinds in the order of the actions,
and equal ones after each other, so that every capture can be said in one way only. `done` ends the
play. Where nothing more can be taken, the play is whole without it: so 31 actions make every play.

What is chosen so far is a word: the played kind + 1 in its lowest four bits, and above them three
bits for each kind, which count what is taken.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.games.codec import Feature
from kibitz.games.encoding import one_hot, part, place
from kibitz.games.tablic.cards import (
    PLAYED_SPECIAL,
    RANK_AT,
    RANKS,
    TAKES_TEN,
    TAKES_TWO,
    TEN,
    TWO,
)
from kibitz.games.tablic.ends import SPECIALS, THE_TEN, THE_TWO, bits, card_points
from kibitz.games.tablic.kernels import legal
from kibitz.jit.kernels import kernel

KINDS = (*RANKS, "10d", "2c")
KIND_COUNT = len(KINDS)
KIND_TEN, KIND_TWO = 13, 14
TAKE, DONE = KIND_COUNT, 2 * KIND_COUNT
PLAYED = 15
"""The bits of what is chosen that say which kind is played."""
MOST_POINTS, MOST_TABLAS, MOST_HELD = 22, 26, 6
WORST = -60.0
"""25 points, a tabla for every second card, and some more."""
OF_KIND = np.array([3 if rank in (TWO, TEN) else 4 for rank in range(13)] + [1, 1], np.int64)
"""Copies of each kind in the deck."""


def actions(game: Any) -> Sequence[str]:
    return [*(f"play {kind}" for kind in KINDS), *(f"take {kind}" for kind in KINDS), "done"]


def features(game: Any) -> Sequence[Feature]:
    n, kinds = game.players, "A 2 … K, then 10♦ and 2♣ apart from their ranks"
    return (
        Feature("hand", 15, f"one's own cards of each kind, of all copies: {kinds}"),
        Feature("table", 15, "the cards on the table, as the hand"),
        Feature("unseen", 15, "the cards that one has not seen, as the hand"),
        Feature("played", 15, "the kind that one has chosen to play, while the play is not whole"),
        Feature("taken", 15, "what one has chosen to take so far, of all copies"),
        Feature("cards", n, "the cards in each pile, of 52, one's own first"),
        Feature("points", n, f"the points of the cards in each pile, of {MOST_POINTS}"),
        Feature("tablas", n, f"the tablas of each seat, of {MOST_TABLAS}"),
        Feature("held", n, f"how many cards each seat holds, of {MOST_HELD}"),
        Feature("last", n, "a 1 for the last captor"),
        Feature("dealer", n, "a 1 for the dealer"),
        Feature("turn", n, "a 1 for the seat to move"),
        Feature("deck", 1, "the cards still to be dealt, of 52"),
    )


def worst(game: Any) -> float:
    return WORST


def longest(game: Any) -> tuple[int, int]:
    """All cards but the first four are played, and each is taken at most once. A play is begun by
    one action and may be ended by another."""
    plays = 52 - 4
    return plays, 2 * plays + 52


# -- what a seat sees ------------------------------------------------------------------------


@kernel
def kinds_of(cards: int, out: Any, at: int) -> int:
    """A set of cards by kinds, of all copies."""
    plain = cards & ~SPECIALS
    for rank in range(13):
        out[at + rank] = bits((plain >> (4 * rank)) & 15) / OF_KIND[rank]
    out[at + KIND_TEN] = cards & THE_TEN != 0
    out[at + KIND_TWO] = cards & THE_TWO != 0
    return at + KIND_COUNT


@kernel
def encode(v: Any, seat: int, chosen: int, out: Any) -> None:
    """See `features`. Rule 8.1."""
    x = v[0]
    n = x.players
    seen = x.table | x.hand[seat]
    for other in range(n):
        seen |= x.pile[other]
    at = kinds_of(x.hand[seat], out, 0)
    at = kinds_of(x.table, out, at)
    at = kinds_of(~seen & ((np.int64(1) << 52) - 1), out, at)
    at = one_hot(out, at, KIND_COUNT, (chosen & PLAYED) - 1)
    for kind in range(KIND_COUNT):
        out[at + kind] = taken_of(chosen, kind) / OF_KIND[kind]
    at += KIND_COUNT
    for i in range(n):
        other = seat + i if seat + i < n else seat + i - n
        part(out, at + i, bits(x.pile[other]), 52)
        part(out, at + n + i, card_points(x.pile[other]), MOST_POINTS)
        part(out, at + 2 * n + i, x.tablas[other], MOST_TABLAS)
        part(out, at + 3 * n + i, x.held[other], MOST_HELD)
    at += 4 * n
    at = one_hot(out, at, n, place(x.last, seat, n))
    at = one_hot(out, at, n, place(x.dealer, seat, n))
    at = one_hot(out, at, n, -1 if x.over else place(x.turn, seat, n))
    part(out, at, 52 - x.dealt, 52)


# -- plays by their parts ----------------------------------------------------------------------


@kernel
def taken_of(chosen: int, kind: int) -> int:
    """How many of a kind are taken."""
    return (chosen >> (4 + 3 * kind)) & 7


@kernel
def whole(play: int) -> int:
    """A play as if all of it were chosen."""
    rank = (play >> RANK_AT) & 15
    kind = rank
    if play & PLAYED_SPECIAL:
        kind = KIND_TEN if rank == TEN else KIND_TWO
    ten = int(play & TAKES_TEN != 0)
    two = int(play & TAKES_TWO != 0)
    chosen = np.int64(kind + 1) | ten << (4 + 3 * KIND_TEN) | two << (4 + 3 * KIND_TWO)
    for r in range(13):
        count = (play >> (4 * r)) & 15
        if r == TEN:
            count -= ten
        elif r == TWO:
            count -= two
        chosen |= count << (4 + 3 * r)
    return int(chosen)


@kernel
def next_action(chosen: int, target: int) -> int:
    """The action that leads from what is chosen on to a whole play; -1 if none does."""
    if chosen == 0:
        return (target & PLAYED) - 1
    if (chosen ^ target) & PLAYED:
        return -1
    if chosen == target:
        return DONE
    above = chosen >> 4
    wanted = target >> 4
    kind = 0
    while above & 7 == wanted & 7:  # they differ somewhere
        above >>= 3
        wanted >>= 3
        kind += 1
    # What is chosen of the first kind that differs is too little, and nothing comes after it.
    if above & 7 > wanted & 7 or above >> 3 != 0:
        return -1
    return TAKE + kind


@kernel
def extended(chosen: int, action: int) -> int:
    """What is chosen with one action more."""
    if chosen == 0:
        return action + 1
    if action == DONE:
        return chosen
    return int(chosen + (np.int64(1) << (4 + 3 * (action - TAKE))))


@kernel
def action_of(v: Any, seat: int, chosen: int, play: int) -> int:
    return next_action(chosen, whole(play))


@kernel
def mask(v: Any, seat: int, chosen: int, out: Any) -> None:
    plays = legal(v)
    for i in range(len(plays)):
        action = next_action(chosen, whole(plays[i]))
        if action >= 0:
            out[action] = 1


@kernel
def advance(v: Any, seat: int, chosen: int, action: int) -> int:
    """The play is whole if it is said so, or if nothing but that could be said."""
    then = extended(chosen, action)
    plays = legal(v)
    made = np.int64(-1)
    open_ended = False
    for i in range(len(plays)):
        target = whole(plays[i])
        if target == then:
            made = plays[i]
        elif next_action(then, target) >= 0:
            open_ended = True
    if made >= 0 and (action == DONE or not open_ended):
        return int(made)
    return ~then


@kernel
def is_choice(v: Any, seat: int, chosen: int) -> bool:
    """Whether some legal play begins so, and is not whole with it."""
    if chosen <= 0 or v[0].over or v[0].turn != seat:
        return chosen == 0
    plays = legal(v)
    for i in range(len(plays)):
        action = next_action(chosen, whole(plays[i]))
        if 0 <= action < DONE:
            return True
    return False
