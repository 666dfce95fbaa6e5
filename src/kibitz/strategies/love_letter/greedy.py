"""Greedy Love Letter: thesis LL, 3.2, with the readings of SPEC in docs/strategies.md.

P is the share of a card among the unseen ones, or 1 for a card that was shown. Nothing else
is concluded: neither from failed guesses nor from how the others play.
"""

from typing import Any

import numpy as np

from kibitz.core.explanation import Belief, Reason
from kibitz.core.figures import percent
from kibitz.core.game import View
from kibitz.games.love_letter.cards import (
    BARON,
    COUNTESS,
    GUARD,
    HANDMAID,
    KING,
    NAMES,
    PRIEST,
    PRINCE,
    PRINCESS,
    UNKNOWN,
)
from kibitz.games.love_letter.kernels import PLAYS, WAYS, choice, nameable, targets
from kibitz.games.love_letter.plays import parts_of
from kibitz.games.love_letter.state import copies_in, one, unpack
from kibitz.games.love_letter.views import unseen
from kibitz.jit.kernels import kernel

SCORE = "F of the thesis"
BLUFFS = True
BLUFF = 0
"""The policy's one number: whether a Guard may name a card that one holds oneself."""
PARTS = ("base", "P(hit)", "P(lower)", "P(higher)", "weak card kept", "card", "other target")
BASE, HIT, LOWER, HIGHER, WEAK, CARD, ELSEWHERE = range(7)
CONSTANTS = np.array([0, 0.08, 0.07, 0.06, 0.05, 0.04, 0.03, 0.02, 0.0])
"""Of each card: what decides when all else is equal."""


@kernel
def counted(v: Any, seat: int, bluff: bool) -> int:
    """The cards that an opponent may hold, as counts; for a bluff the own ones too."""
    counts = unseen(v, seat)
    if bluff:
        counts += one(v.hand[seat]) + one(v.drawn)
    return counts


@kernel
def total_of(counts: int) -> int:
    total = 0
    while counts:
        total += counts & 15
        counts >>= 4
    return total


@kernel
def copies_held(v: Any, other: int, card: int, counts: int, total: int) -> int:
    """How many of `total` equally likely cards of a seat are this one."""
    shown = v.hand[other]
    if shown != UNKNOWN:
        return total if shown == card else 0
    return copies_in(counts, card)


@kernel
def prince_on(v: Any, seat: int, remaining: int, counts: int, total: int) -> tuple[int, int]:
    """Whom a Prince should name, and how likely (of total) the likeliest Princess is."""
    best, most = seat, -1
    for other in range(v.players):
        if (targets(v) >> other) & 1:
            copies = copies_held(v, other, PRINCESS, counts, total)
            if copies > most:
                best, most = other, copies
    if remaining < PRINCE and 10 * most < total:
        best = seat
    return best, max(most, 0)


@kernel
def value(v: Any, seat: int, play: int, counts: int, total: int, parts: Any) -> float:
    """F of a legal play, and the parts that add up to it."""
    card, other, guess = unpack(play)
    remaining = v.hand[seat] + v.drawn - card
    for i in range(len(PARTS)):
        parts[i] = 0.0
    if card == PRINCESS:
        return 0.0
    if card == COUNTESS and remaining in (PRINCE, KING):
        parts[BASE] = 10.0
        return 10.0
    parts[BASE] = 1.0
    parts[CARD] = CONSTANTS[card]
    copies = 0  # whole numbers, so that equal plays are exactly equal
    if card == PRINCE:
        wanted, copies = prince_on(v, seat, remaining, counts, total)
        parts[HIT] = copies / total
        parts[WEAK] = 0.1 if remaining < PRINCE else 0.0
        parts[ELSEWHERE] = 0.0 if other == wanted else -1.0
    elif other >= 0:
        if card == GUARD:
            copies = copies_held(v, other, guess, counts, total)
            parts[HIT] = copies / total
        elif card == KING:
            copies = copies_held(v, other, PRINCESS, counts, total)
            copies += copies_held(v, other, COUNTESS, counts, total)
            parts[HIT] = copies / total
        elif card == BARON:
            lower, higher = 0, 0
            for his in range(GUARD, PRINCESS + 1):
                like = copies_held(v, other, his, counts, total)
                lower += like if his < remaining else 0
                higher += like if his > remaining else 0
            copies = lower - higher
            parts[LOWER] = lower / total
            parts[HIGHER] = -higher / total
    chance = copies / total
    return parts[BASE] + chance + parts[WEAK] + parts[CARD] + parts[ELSEWHERE]


@kernel
def tie(play: int) -> int:
    """Of equal scores: the lower card, the higher guess, the lower seat."""
    card, target, guess = unpack(play)
    return (card << 12) + ((8 - guess) << 8) + (target << 4)


@kernel
def score(view: Any, seat: int, numbers: Any, play: int, parts: Any) -> float:
    counts = counted(view[0], seat, numbers[BLUFF] != 0)
    return value(view[0], seat, play, counts, max(total_of(counts), 1), parts)


@kernel
def choose(view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any) -> int:
    v = view[0]
    counts = counted(v, seat, numbers[BLUFF] != 0)
    total = max(total_of(counts), 1)
    parts = np.empty(len(PARTS))
    best, most = -1, -9.0
    low, high = choice(v)
    for card in (low, high):
        seats = nameable(v, card)
        for i in range(WAYS[card, seats]):
            play = PLAYS[card, seats, i]
            score_here = value(v, seat, play, counts, total, parts)
            if score_here > most or (score_here == most and tie(play) < tie(best)):
                best, most = play, score_here
    return best


@kernel
def evaluate(view: Any, seat: int, play: int, numbers: Any) -> float:
    """A first impression of a play, for searches: F above its base."""
    parts = np.empty(len(PARTS))
    return score(view, seat, np.zeros(1), play, parts) - 1.0


# -- in words -----------------------------------------------------------------------------


def beliefs(view: View[Any], numbers: Any) -> tuple[Belief, ...]:
    """P of each opponent's hand, as the scores use it."""
    v = view.state[0]
    counts = counted(v, view.seat, numbers[BLUFF] != 0)
    total = max(total_of(counts), 1)
    basis = "by the unseen cards alone"
    if numbers[BLUFF] != 0:
        basis = "by the unseen cards and your own"
    return tuple(
        Belief(
            f"seat {other + 1}'s hand",
            {
                NAMES[card]: share
                for card in range(GUARD, PRINCESS + 1)
                if (share := copies_held(v, other, card, counts, total) / total)
            },
            basis=basis if v.hand[other] == UNKNOWN else "",
        )
        for other in range(v.players)
        if other != view.seat and (v.inside >> other) & 1
    )


def sentence(view: View[Any], reasons: list[Reason]) -> str:
    """The decision as one player would tell another."""
    v = view.state[0]
    best = reasons[0]
    card, other, guess = parts_of(best.play.code)
    remaining = int(v.hand[view.seat]) + int(v.drawn) - card
    keeping = f"keep the {NAMES[remaining].capitalize()}"
    if len({parts_of(reason.play.code).card for reason in reasons}) == 1 and remaining == card:
        keeping = f"you hold two of them, so {keeping}"
    name = NAMES[card].capitalize()
    part = best.parts
    hit = part.get("P(hit)", 0.0)
    if card == GUARD and other >= 0:
        sure = "surely holds" if hit == 1 else f"holds with probability {percent(hit)}"
        why = f"name the {NAMES[guess].capitalize()}, which seat {other + 1} {sure}"
    elif card == BARON and other >= 0:
        lower, higher = part.get("P(lower)", 0.0), abs(part.get("P(higher)", 0.0))
        why = (
            f"your {NAMES[remaining].capitalize()} wins the comparison {percent(lower)} of the time"
        )
        why += f" and loses it {percent(higher)}"
    elif card == PRIEST and other >= 0:
        why = f"see what seat {other + 1} holds"
    elif card == HANDMAID:
        why = "nobody can name you until your next turn"
    elif card == PRINCE and other == view.seat:
        why = "draw something better than the weak card you keep"
        if remaining >= PRINCE:
            why = "nobody else can be named"
        keeping = f"your {NAMES[remaining].capitalize()} goes"
    elif card == PRINCE:
        why = (
            f"seat {other + 1} must discard, and holds the Princess with probability {percent(hit)}"
        )
    elif card == KING and other >= 0:
        why = f"trade for the Countess or the Princess, {percent(hit)} likely with seat {other + 1}"
        keeping = f"your {NAMES[remaining].capitalize()} goes over"
    elif card == COUNTESS:
        forced = remaining in (PRINCE, KING)
        why = "you must, with a Prince or King in hand" if forced else "she does no harm"
    elif card == PRINCESS:
        why = "there is nothing else, and it loses"
    else:
        why = "nobody can be named, so it does no harm"
    return f"Play the {name}: {why}; {keeping}."
