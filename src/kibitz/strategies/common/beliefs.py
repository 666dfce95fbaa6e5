"""What players take the hidden cards to be, and what counting alone tells of them."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from kibitz.core.errors import UnsuitableGame
from kibitz.core.explanation import Belief
from kibitz.core.game import Game, View
from kibitz.games.compiled_game import CompiledGame
from kibitz.strategies.common.opponent_models import is_model

LOOKED_AT = 4000
"""Worlds that a belief is counted over, where not all of them are."""
COUNTING = {
    "love-letter": "kibitz.strategies.love_letter.counting",
    "tablic": "kibitz.strategies.tablic.counting",
}
"""Games whose worlds can be counted by a formula of their own."""


def beliefs_by(
    game: CompiledGame, sampler: Any, view: View[Any], past: Any, plays: Any, numbers: Any,
    belief: Any, rng: Any,
) -> tuple[Belief, ...]:  # fmt: skip
    """How likely each card is in each hidden place, by the worlds that a sampler draws.

    In Love Letter the model of the others is a weight for each card, so it is counted too. In
    Tablić it is not: once the others have played in a deal, worlds are drawn.
    """
    if not game.traits.hidden:
        return ()
    if not is_model(sampler):
        return by_counting(view)
    counting = importlib.import_module(COUNTING[game.name])
    if game.name == "love-letter" or counting.tells_nothing(view):
        weights = belief if game.name == "love-letter" else None
        found: tuple[Belief, ...] | None = counting.exact_beliefs(view, weights)
        if found is not None:
            return found
    world = view.state.copy()

    def worlds() -> Iterator[Any]:
        while True:
            sampler.sample(view.state, view.seat, past, plays, numbers, belief, rng, world)
            yield world

    return _counted(view, worlds())


def by_counting(view: View[Any]) -> tuple[Belief, ...]:
    """The same by the rules alone: every world that looks like the view is as likely."""
    from kibitz.jit.rng import stream

    game: Game[Any, Any] = view.game
    if not game.traits.hidden:
        return ()
    found: tuple[Belief, ...] | None = None
    if game.name in COUNTING:
        found = importlib.import_module(COUNTING[game.name]).exact_beliefs(view, None)
    elif isinstance(game, CompiledGame):
        found = _listed(game, view)
    if found is not None:
        return found
    rng = stream(LOOKED_AT)
    return _counted(view, (game.redeal(view, rng) for _ in range(LOOKED_AT)))


def _listed(game: CompiledGame, view: View[Any]) -> tuple[Belief, ...] | None:
    """Every deal of a small game; None if the game does not list them."""
    found: dict[str, dict[str, float]] = {}
    try:
        for world, chance in game.every_deal(view.state):
            for place, cards in game.hidden_cards(view, world).items():
                shares = found.setdefault(place, {})
                for card in set(cards):
                    shares[card] = shares.get(card, 0.0) + chance
    except UnsuitableGame:
        return None
    return tuple(
        Belief(place, {card: min(p, 1.0) for card, p in sorted(shares.items())}, exact=True)
        for place, shares in found.items()
    )


def _counted(view: View[Any], worlds: Iterable[Any]) -> tuple[Belief, ...]:
    """The share of the worlds that have each card in each hidden place.

    Where a place holds several cards, the probability that at least one of them is such a card.
    """
    found: dict[str, Counter[str]] = {}
    for _, world in zip(range(LOOKED_AT), worlds, strict=False):
        for place, cards in view.game.hidden_cards(view, world).items():
            found.setdefault(place, Counter()).update(set(cards))
    return tuple(
        Belief(place, {card: n / LOOKED_AT for card, n in sorted(counted.items())})
        for place, counted in found.items()
    )
