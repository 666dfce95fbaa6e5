"""The value of a position of Tablić when a deal ends, for searches that stop there.

Weights in thousandths of a point, as `games/tablic/open_hands/evaluation.py` names them. Those of
the table are a fit over self-play, `docs/results/deal_value.py`.
"""

from kibitz.games.tablic.open_hands.evaluation import DealWeights

CARD = 0.25
"""A captured card, in points: it counts towards the bonus."""
FITTED = DealWeights(
    (0.0, 0.0, 0.0, 0.0), empty_table=500.0, table_card=280.0, table_point=290.0, clearable=800.0
)


def through_the_game(card: float, table: float) -> tuple[float, ...]:
    """Points, cards by weight, the table as far as it counts; in the last deal the bonus."""
    a_card = float(round(1000 * card))
    return DealWeights(
        card=(0.0, a_card, a_card, a_card),
        empty_table=float(round(table * FITTED.empty_table)),
        table_card=float(round(table * FITTED.table_card)),
        table_point=float(round(table * FITTED.table_point)),
        clearable=float(round(table * FITTED.clearable)),
    ).numbers()


def to_the_end_of_the_deal(objective: str) -> tuple[float, ...]:
    """Points first, then cards; the own ones alone, or less the opponent's. As in TB, what
    comes after the deal counts nothing."""
    others = 1.0 if objective == "difference" else 0.0
    return DealWeights(card=(1.0, 1.0, 1.0, 1.0), others=others, bonus=0.0).numbers()
