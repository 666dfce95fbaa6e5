"""Greedy Tablić (thesis TB): most points, then most cards; else the cheapest card is laid."""

from typing import Any

from kibitz.core.explanation import Belief, Reason
from kibitz.core.game import View
from kibitz.games.tablic.capture_values import (
    cards_of_play,
    greedy_play,
    packed,
    points_of,
    points_of_card,
)
from kibitz.games.tablic.capture_values import tie as tie
from kibitz.games.tablic.captures import counts_of
from kibitz.games.tablic.cards import PLAYED_SPECIAL, RANK_AT
from kibitz.jit.kernels import kernel
from kibitz.strategies.common.base import said

SCORE = "points, then cards (each a hundredth)"
PARTS = ("points", "cards / 100", "laid / 10000")


@kernel
def choose(view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any) -> int:
    return greedy_play(packed(view[0].table), packed(view[0].hand[seat]))


@kernel
def score(view: Any, seat: int, numbers: Any, play: int, parts: Any) -> float:
    parts[0] = points_of(counts_of(view[0].table), play)
    parts[1] = cards_of_play(play) / 100
    if cards_of_play(play) == 0:
        parts[2] = -points_of_card((play >> RANK_AT) & 15, play & PLAYED_SPECIAL != 0) / 10000
    return parts[0] + parts[1] + parts[2]


@kernel
def evaluate(view: Any, seat: int, play: int, numbers: Any) -> float:
    """A first impression of a play, for searches: points, a card a quarter of one."""
    return points_of(counts_of(view[0].table), play) + cards_of_play(play) / 4


# -- in words -----------------------------------------------------------------------------


def beliefs(view: View[Any], numbers: Any) -> tuple[Belief, ...]:
    """Greedy looks at nothing that is hidden."""
    return ()


def sentence(view: View[Any], reasons: list[Reason]) -> str:
    """Why, in a sentence."""
    best = reasons[0]
    points, cards = best.parts.get("points", 0), round(100 * best.parts.get("cards / 100", 0))
    if cards == 0:
        return f"{said(view, best.play)}: nothing can be captured, and no other card is worth less."
    what = f"{points:g} point{'s' * (points != 1)} and {cards} cards"
    others = [r for r in reasons[1:] if r.score == best.score]
    most = "as many as anything else" if others else "more than anything else"
    return f"{said(view, best.play)}: {what}, {most}."
