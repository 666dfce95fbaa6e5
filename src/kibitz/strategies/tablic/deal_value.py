"""The value of a position of Tablić when a deal ends, for searches that stop there.

Weights in thousandths of a point, as `games/tablic/open_hands/evaluation.py` names them. Those of
the table are a fit over self-play, `docs/results/deal_value.py`.
"""

CARD = 0.25
"""A captured card, in points: it counts towards the bonus."""
EMPTY, EACH, ON_TABLE, CLEAR = 500.0, 280.0, 290.0, 800.0
"""To who moves first in the next deal: an empty table, each card, each point, and that one
card may clear it."""


def through_the_game(card: float, table: float) -> tuple[float, ...]:
    """Points, cards by weight, the table as far as it counts; in the last deal the bonus."""
    a_card = float(round(1000 * card))
    left = (float(round(table * weight)) for weight in (EMPTY, EACH, ON_TABLE, CLEAR))
    return (0.0, a_card, a_card, a_card, *left, 1.0, 1.0)


def to_the_end_of_the_deal(objective: str) -> tuple[float, ...]:
    """Points first, then cards; the own ones alone, or less the opponent's. As in TB, what
    comes after the deal counts nothing."""
    others = 1.0 if objective == "difference" else 0.0
    return (1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, others, 0.0)
