"""Reasons for a play of Tablić, in sentences: what it takes, what it leaves, what was counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kibitz.core.explanation import Belief
from kibitz.core.game import View
from kibitz.games.tablic.captures import counts_of
from kibitz.games.tablic.cards import RANKS, TEN_OF_DIAMONDS, cards_of
from kibitz.games.tablic.kernels import splits
from kibitz.games.tablic.rendering import card_points, plain
from kibitz.strategies.tablic.counting import all_is_counted, at_least_one, hidden, unseen


def why(view: View[Any], play: Any, beliefs: Sequence[Belief] = ()) -> tuple[str, ...]:
    return (*_takes(view, play), *_surely(view), *_leaves(view, play))


def _takes(view: View[Any], play: Any) -> list[str]:
    x = view.state[0]
    taken = cards_of(play.taken)
    if not taken:
        return []
    points = sum(card_points(card) for card in (*taken, play.card))
    cleared = play.taken == int(x.table)
    told = f"It takes {len(taken) + 1} cards with {_points(points)}"
    if TEN_OF_DIAMONDS in (*taken, play.card):
        told += ", two of them for 10♦ (rule 6.2)"
    if cleared:
        told += "; and it clears the table, a tabla for one point more (rule 4.1)"
    return [f"{told}."]


def _points(number: int) -> str:
    return f"{number or 'no'} point{'s' * (number != 1)}"


def _surely(view: View[Any]) -> list[str]:
    """With the deck dealt out, the one hidden hand is what is unseen."""
    x, seat = view.state[0], view.seat
    others = hidden(x, seat)
    if len(others) != 1 or x.dealt < 52 or not all_is_counted(x, seat):
        return []
    cards = " ".join(plain(card) for card in cards_of(unseen(x, seat)))
    return [f"Seat {others[0] + 1} surely holds {cards}: every other card has been seen."]


def _leaves(view: View[Any], play: Any) -> list[str]:
    """Who can clear what stays on the table."""
    x, seat = view.state[0], view.seat
    table = int(x.table) & ~play.taken if play.taken else int(x.table) | 1 << play.card
    following = (seat + 1) % int(x.players)
    if following not in hidden(x, seat) or not all_is_counted(x, seat):
        return []
    if not table:
        return ["The table stays empty, so the next card can take nothing."]
    cards = cards_of(unseen(x, seat))
    counts = counts_of(table)
    ranks = [rank for rank in range(13) if splits(counts, rank)]
    clearing = [card for card in cards if card // 4 in ranks]
    left = " ".join(plain(card) for card in cards_of(table))
    if not clearing:
        return [f"No unseen card clears what stays on the table, {left}."] if ranks else []
    names = " or ".join(RANKS[rank] for rank in ranks if any(c // 4 == rank for c in clearing))
    chance = at_least_one(len(clearing), len(cards), int(x.held[following]))
    verb = "is" if len(clearing) == 1 else "are"
    return [
        f"{len(clearing)} of the {len(cards)} unseen cards {verb} {names}, which would clear"
        f" {left}: seat {following + 1} holds one with {chance:.0%}."
    ]
