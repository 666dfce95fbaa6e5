"""What the scripts on solved rounds of Love Letter share: which sets of cards lie face up, how
often each is dealt, where tables and pictures go, and Markdown tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from comparisons import HERE

from kibitz.games.love_letter.cards import COPIES, FACE_UP, NAMES, names, read_face_up
from kibitz.solvers.love_letter.text import all_face_up

DECK = "published"
SETS = tuple(names(cards) for cards in all_face_up(DECK))
DEALS = math.comb(sum(COPIES[DECK]), FACE_UP)
"""How many threes of cards can lie face up, all equally likely. The card aside is not seen: it
makes no difference."""
TABLE = HERE / "love-letter-solved.csv"
FOLDER = HERE / "love-letter-solved"
PAGE = HERE.parent / "love-letter-solved.md"


def deals_of(face_up: str) -> int:
    """How many of DEALS have these cards face up."""
    cards = read_face_up(face_up, DECK)
    return math.prod(
        math.comb(copies, cards.count(card)) for card, copies in enumerate(COPIES[DECK])
    )


def card_name(card: int) -> str:
    return NAMES[card].capitalize()


def percent(share: float) -> str:
    return "–" if math.isnan(share) else f"{share:.1%}"


def listed(words: Sequence[str]) -> str:
    """One, two and three."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(line)} |" for line in lines]
