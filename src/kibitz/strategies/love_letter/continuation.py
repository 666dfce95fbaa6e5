"""How the judge of a review plays Love Letter on: greedy's scores, two things mended.

With two players it leaves out cards that the rules exclude (a guess that failed, a Countess that
would have had to be played). And of equal scores it draws lots: greedy always names the highest of
equally likely cards, so whoever holds the Princess would be taken for worse off than he is.
It is quick, sees what a seat sees, and remembers nothing.
"""

from typing import Any

import numpy as np

from kibitz.core.game import View
from kibitz.games.love_letter.kernels import PLAYS, WAYS, choice, nameable
from kibitz.games.love_letter.state import copies_in, one
from kibitz.games.love_letter.views import unseen
from kibitz.jit.kernels import kernel
from kibitz.jit.rng import below
from kibitz.strategies.love_letter.greedy import PARTS, total_of, value

NAME = "greedy that leaves out what the rules exclude and draws lots between equal plays"


@kernel
def possible(v: Any, seat: int) -> int:
    """The cards that an opponent may hold, as counts."""
    counts = unseen(v, seat)
    if v.players != 2:
        return counts
    left = counts
    for card in range(1, 9):
        if not (v.worlds[seat, 0] >> (card - 1)) & 1:
            left -= copies_in(counts, card) * one(card)
    return left if left > 0 else counts


@kernel
def choose(view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any) -> int:
    """The policy."""
    v = view[0]
    counts = possible(v, seat)
    total = max(total_of(counts), 1)
    parts = np.empty(len(PARTS))
    best, most, equal = -1, -9.0, 0
    low, high = choice(v)
    for card in (low, high):
        seats = nameable(v, card)
        for i in range(WAYS[card, seats]):
            play = PLAYS[card, seats, i]
            score = value(v, seat, play, counts, total, parts)
            if score > most:
                best, most, equal = play, score, 1
            elif score == most:
                equal += 1
                if below(rng, equal) == 0:
                    best = play
    return best


def usual_plays(view: View[Any]) -> list[int]:
    """The plays between which it draws lots, each as likely."""
    v, seat = view.state[0], view.seat
    counts = int(possible(v, seat))
    total, parts = max(int(total_of(counts)), 1), np.empty(len(PARTS))
    scores = {
        play.code: float(value(v, seat, play.code, counts, total, parts)) for play in view.plays()
    }
    most = max(scores.values())
    return [code for code, score in scores.items() if score == most]
