"""What a position of Tablić is worth when a deal ends, for searches that stop there.

Weights in thousandths of a point, as `games/tablic/open_hands.py` names them.
"""

CARD = 250.0
"""A captured card: it counts towards the bonus. By self-play it is worth about 190 whatever
the deal (`kibitz train tablic pimc`); 250 plays as well."""

THROUGH_THE_GAME = (0.0, CARD, CARD, CARD, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0)
"""Points, cards by weight; in the last deal the bonus itself."""


def to_the_end_of_the_deal(objective: str) -> tuple[float, ...]:
    """Points first, then cards; the own ones alone, or less the opponent's. As in TB, what
    comes after the deal counts nothing."""
    others = 1.0 if objective == "difference" else 0.0
    return (1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, others, 0.0)
