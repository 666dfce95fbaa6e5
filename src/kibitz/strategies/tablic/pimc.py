"""What PIMC knows of Tablić: it searches each world to the end of the deal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.core.game import View
from kibitz.games.tablic.open_hands.evaluation import POINT
from kibitz.strategies.common.measures import Measure, measure_of, points_ahead
from kibitz.strategies.tablic.deal_value import through_the_game

UNIT = float(POINT)
"""What a point is in the search's values."""
FIXED_REPLIES = True
"""The others may answer by the greedy strategy."""
CARD_VALUES = {0.25: "a quarter", 0.5: "half a point", 1.0: "a point"}


def weights(settings: Mapping[str, Any]) -> tuple[float, ...]:
    """Of the evaluation at the end of the deal."""
    return through_the_game(settings["card"], settings["table"])


def measure(view: View[Any], settings: Mapping[str, Any]) -> Measure:
    """What a value is. In the last deal the end of the deal is the end of the game."""
    if view.state[0].dealt >= 52:
        return measure_of(view.game)
    card = settings["card"]
    counts = f" (a card counts {CARD_VALUES.get(card, f'{card:g}')})" if card else ""
    name = f"{points_ahead(view.game)} at the end of this deal{counts}"
    return Measure(name, 0.1, unit="point")
