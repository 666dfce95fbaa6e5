"""The last deal of two players' Tablić: the unseen cards are the other's hand, so it is a game
with open cards, and every play has an exact value to who counts.

The value is the game's result with best play of both: points ahead at the end. With
`cards_bonus=tie` the solver's order is points, then cards; the three points for the tie are
added here, as `returns` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.core.game import View
from kibitz.games.tablic.cards import DECK
from kibitz.solvers.tablic.open_deck import DeckValue, OpenDeck

JUDGE = "the last deal solved: the unseen cards are the other's hand"
BONUS = 3
MEMORY = 1 << 24
"""Bytes of the table: twelve plies need no more."""


def exact_plays(view: View[Any]) -> tuple[Mapping[Any, float], str] | None:
    """What each play returns to the seat with best play, and who says so; None before the last
    deal, or where the view does not tell which cards are unseen."""
    x = view.state[0]
    if view.game.players != 2 or x.dealt < 52:
        return None
    world = counted_world(view)
    if world is None:
        return None
    by_cards = view.game.settings["cards_bonus"] == "tie"
    deck = OpenDeck(view.game, world, MEMORY)  # type: ignore[arg-type]
    values = {play: as_result(value, by_cards) for play, value in deck.values().items()}
    return values, JUDGE


def counted_world(view: View[Any]) -> Any:
    """The one state that looks like a view of the last deal; None if there are more."""
    x, other = view.state[0], 1 - view.seat
    seen = int(x.table) | int(x.hand[view.seat]) | int(x.pile[0]) | int(x.pile[1])
    unseen = DECK & ~seen
    if unseen.bit_count() != int(x.held[other]):
        return None
    world = view.game.copied(view.state)
    world[0].hand[other] = unseen
    return world


def as_result(value: DeckValue, by_cards: bool) -> float:
    """A solver's value as the result of the game."""
    if by_cards and not value.points:
        return float(BONUS * ((value.cards > 0) - (value.cards < 0)))
    return float(value.points)
