"""How likely each card is in each hidden place of Love Letter, counted over all placements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from kibitz.core.explanation import Belief
from kibitz.core.game import View
from kibitz.games.love_letter.cards import NAMES, UNKNOWN
from kibitz.games.love_letter.possible_hands import CARDS, may_hold, placements


class Hidden(NamedTuple):
    """What a view does not show."""

    hands: list[int]
    drawer: int | None
    """The seat that has drawn a card unseen."""
    aside: bool


def may_draw(x: Any, seat: int) -> dict[int, float]:
    """The weight of each card that lies in the deck or aside."""
    cards: dict[int, float] = {}
    for _, weight, left in placements(x, seat):
        for card in CARDS:
            if left[card]:
                cards[card] = cards.get(card, 0.0) + weight * left[card] / sum(left)
    return cards


def hand_before(x: Any, seat: int, other: int, weights: Sequence[float]) -> dict[str, float]:
    """The probability of each card that a seat held at an earlier turn, before it drew."""
    held = may_hold(x, seat, weights).get(other, {})
    total = sum(held.values())
    return {NAMES[card]: weight / total for card, weight in held.items()}


def exact_beliefs(view: View[Any], belief: Any) -> tuple[Belief, ...] | None:
    """The probability of each card in each hidden place; None if the view allows no world. A
    belief from the others' plays is a weight for each card, so it is counted too."""
    x, seat = view.state[0], view.seat
    hidden = Hidden(
        [other for other in range(int(x.players)) if x.hand[other] == UNKNOWN],
        int(x.turn) if x.drawn == UNKNOWN else None,
        bool(x.aside == UNKNOWN),
    )
    places: dict[str, dict[str, float]] = {}
    total = 0.0
    for hands, weight, left in placements(x, seat, belief):
        total += weight
        for place, cards in _places(hidden, hands, left).items():
            for card, chance in cards.items():
                if chance:
                    weights = places.setdefault(place, {})
                    weights[NAMES[card]] = weights.get(NAMES[card], 0.0) + weight * chance
    if not total:
        return None
    return tuple(
        Belief(
            place,
            {card: min(weight / total, 1.0) for card, weight in sorted(weights.items())},
            exact=True,
        )
        for place, weights in places.items()
    )


def _places(
    hidden: Hidden, hands: dict[int, int], left: Sequence[int]
) -> dict[str, dict[int, float]]:
    """With these hands, how likely each card is among those of a hidden place."""
    rest = sum(left)
    lying = {card: left[card] / rest for card in CARDS} if rest else {}
    places: dict[str, dict[int, float]] = {}
    for other in sorted(hands):
        held = {hands[other]: 1.0} if other in hidden.hands else {}
        if other == hidden.drawer:
            held = {card: max(held.get(card, 0.0), p) for card, p in lying.items()} | held
        if held:
            places[f"seat {other + 1}'s hand"] = held
    if hidden.aside:
        places["aside"] = lying
    return places
