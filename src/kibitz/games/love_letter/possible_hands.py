"""What the others in Love Letter may hold: every placement of the unseen cards that rule 9.9
allows, each as often as there are cards to make it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from kibitz.games.love_letter.cards import UNKNOWN, count_of

CARDS = range(1, 9)
OTHERS = (0, 0, 2, 2, 2, 2, 1, 1, 1)
"""How many there are of each card but the Guard."""


class Placement(NamedTuple):
    """One way how the unseen cards may lie."""

    hands: dict[int, int]
    """The card of every other seat that is in the round."""
    weight: float
    left: tuple[int, ...]
    """How many of each card are in no hand: the deck, what is aside, what was drawn."""


def unseen(x: Any) -> list[int]:
    """How many of each card a view does not show."""
    counts = [0, int(x.copies), *OTHERS[2:]]
    for word in (x.face_up, *x.spent):
        for card in CARDS:
            counts[card] -= count_of(word, card)
    for card in (*x.hand, x.drawn, x.aside):
        if card not in (0, UNKNOWN):
            counts[card] -= 1
    return counts


def weight_index(seat: int, card: int) -> int:
    """Where in the weights of all seats that of a card in a seat's hand stands."""
    return 9 * seat + card


def placements(x: Any, seat: int, weights: Sequence[float] | None = None) -> Iterator[Placement]:
    """All hands that the others may hold. Weights say how much likelier a card is than by
    counting, at `weight_index`, as the model of the others has it."""
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
            weight *= left[card] * (
                weights[weight_index(other, card)] if weights is not None else 1
            )
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
