"""What the others in Love Letter hold, counted: every placement of the unseen cards that rule 9.9
allows, each as often as there are cards to make it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from kibitz.core.explanation import Belief
from kibitz.core.game import View
from kibitz.games.love_letter.cards import NAMES
from kibitz.games.love_letter.state import UNKNOWN

CARDS = range(1, 9)
OTHERS = (0, 0, 2, 2, 2, 2, 1, 1, 1)
"""How many there are of each card but the Guard."""


class Placement(NamedTuple):
    hands: dict[int, int]
    """The card of every other seat that is in the round."""
    weight: float
    left: tuple[int, ...]
    """How many of each card are in no hand: the deck, what is aside, what was drawn."""


class Hidden(NamedTuple):
    """What a view does not show."""

    hands: list[int]
    drawer: int | None
    """The seat that has drawn a card unseen."""
    aside: bool


def unseen(x: Any) -> list[int]:
    """How many of each card a view does not show."""
    counts = [0, int(x.copies), *OTHERS[2:]]
    for word in (x.face_up, *x.spent):
        for card in CARDS:
            counts[card] -= int(word) >> 4 * (card - 1) & 15
    for card in (*x.hand, x.drawn, x.aside):
        if card not in (0, UNKNOWN):
            counts[card] -= 1
    return counts


def placements(x: Any, seat: int, weights: Sequence[float] | None = None) -> Iterator[Placement]:
    """All hands that the others may hold. Weights say how much likelier a card is than by
    counting, at 9·seat + card, as the model of the others has it."""
    counts = unseen(x)
    others = [(seat + 1 + place) % int(x.players) for place in range(int(x.players) - 1)]
    inside = [other for other in others if x.hand[other]]
    # A field of a record is slow to read, and there are up to 512 hands of three.
    hidden = [other for other in inside if x.hand[other] == UNKNOWN]
    choices = [CARDS if other in hidden else (int(x.hand[other]),) for other in inside]
    worlds = [int(word) for word in x.worlds[seat]]
    for cards in product(*choices):
        hands = dict(zip(inside, cards, strict=True))
        combination = sum((hands.get(o, 1) - 1) << 3 * place for place, o in enumerate(others))
        if not worlds[combination >> 6] >> (combination & 63) & 1:
            continue
        left, weight = counts.copy(), 1.0
        for other in hidden:
            card = hands[other]
            weight *= left[card] * (weights[9 * other + card] if weights is not None else 1)
            left[card] -= 1
        if weight > 0:
            yield Placement(hands, weight, tuple(left))


def may_hold(
    x: Any, seat: int, weights: Sequence[float] | None = None
) -> dict[int, dict[int, float]]:
    """For every other seat in the round the weight of each card that it may hold."""
    hands_of: dict[int, dict[int, float]] = {}
    for hands, weight, _ in placements(x, seat, weights):
        for other, card in hands.items():
            cards = hands_of.setdefault(other, {})
            cards[card] = cards.get(card, 0.0) + weight
    return hands_of


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
                    shares = places.setdefault(place, {})
                    shares[NAMES[card]] = shares.get(NAMES[card], 0.0) + weight * chance
    if not total:
        return None
    return tuple(
        Belief(
            place,
            {card: min(share / total, 1.0) for card, share in sorted(shares.items())},
            exact=True,
        )
        for place, shares in places.items()
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
