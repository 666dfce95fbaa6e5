"""Tablić dealt card by card: what falls when, for trees in which chance moves at each card.

The four cards of the table, then each deal, packet by packet, when its turn has come. Outcomes are
the numbers of the cards. The functions are those that `interop/dealers.py` asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kibitz.core.game import View
from kibitz.games.tablic.cards import NAMES, cards_of, kind
from kibitz.games.tablic.game import Tablic
from kibitz.jit.rng import below

CARDS = 52
TABLE = 4
TRIES = 1000


def most_outcomes(game: Tablic) -> int:
    return CARDS


def longest(game: Tablic) -> int:
    return CARDS


def outcomes(game: Tablic, fallen: Sequence[int]) -> list[tuple[int, float]]:
    left = [card for card in range(CARDS) if card not in set(fallen)]
    return [(card, 1 / len(left)) for card in left]


def name(game: Tablic, fallen: Sequence[int], outcome: int) -> str:
    return NAMES[outcome]


def deal(game: Tablic, fallen: Sequence[int]) -> Any:
    return game.deal_deck([*fallen, *(card for card, _ in outcomes(game, fallen))])


def needed(game: Tablic, state: Any) -> int:
    return int(state[0].dealt)


def recall(game: Tablic, view: View[Any], rng: Any) -> tuple[int, ...] | None:
    """Each deal's cards are known by now, from the table and from what was played; only what the
    others hold still is drawn by lot. The order in a hand was seen by nobody: so is it."""
    world = _world(game, view, rng)
    if world is None:
        return None
    states = [*(state for state, _ in view.past), view.state]
    ends = list(dict.fromkeys(int(state[0].dealt) for state in states))
    order = _shuffled(int(states[0][0].table), rng)
    for begin, end in zip([TABLE, *ends], ends, strict=False):
        hands = _hands(game, view, states, end)
        if end == ends[-1]:
            for seat in range(game.players):
                if seat != view.seat:
                    hands[seat] |= int(world[0].hand[seat])
        cards = [_shuffled(hand, rng) for hand in hands]
        packet = (end - begin) // (2 * game.players)
        for first in (0, packet):
            for i in range(game.players):
                seat = (int(world[0].dealer) + 1 + i) % game.players
                order += cards[seat][first : first + packet]
    return tuple(order)


def _world(game: Tablic, view: View[Any], rng: Any) -> Any:
    """A world in which the plays of this deal are those of the tree. Of equal cards that one plays
    the first suit: so whoever has played a later one did not hold an earlier one."""
    dealt, played = int(view.state[0].dealt), []
    for state, play in view.past:
        if int(state[0].dealt) == dealt and not kind(play.card)[1]:
            played.append((int(state[0].turn), play.card))
    for _ in range(TRIES):
        world = game.redeal(view, rng)
        hands = [[c for c in cards_of(int(hand)) if not kind(c)[1]] for hand in world[0].hand]
        if not any(
            card // 4 == played_card // 4 and card < played_card
            for seat, played_card in played
            if seat != view.seat
            for card in hands[seat]
        ):
            return world
    return None


def _hands(game: Tablic, view: View[Any], states: Sequence[Any], end: int) -> list[int]:
    """The cards of one deal by seats, as far as they were seen: all of the viewer's, and what the
    others have played of them."""
    hands = [0] * game.players
    for state, play in zip(states, [*(play for _, play in view.past), None], strict=True):
        if int(state[0].dealt) == end:
            hands[view.seat] |= int(state[0].hand[view.seat])
            if play is not None:
                hands[int(state[0].turn)] |= 1 << play.card
    return hands


def _shuffled(cards: int, rng: Any) -> list[int]:
    """The cards of a set in any order, each as likely."""
    bag = cards_of(cards)
    return [bag.pop(below(rng, len(bag))) for _ in range(len(bag))]
