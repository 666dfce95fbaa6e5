"""How likely each hidden card is: by a model of the others, or by counting alone."""

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

SAMPLED_WORLDS = 4000
"""Worlds that a belief is counted over, where not all of them are."""


def beliefs_by(
    game: CompiledGame, sampler: Any, view: View[Any], past: Any, plays: Any, numbers: Any,
    belief: Any, rng: Any,
) -> tuple[Belief, ...]:  # fmt: skip
    """How likely each card is in each hidden place, by the worlds that a sampler draws. They are
    drawn only where the game has no formula for it."""
    if not game.traits.hidden:
        return ()
    if not is_model(game, sampler):
        return by_counting(view)
    exact = _by_formula(view, belief)
    if exact is not None:
        return exact
    world = view.state.copy()

    def worlds() -> Iterator[Any]:
        while True:
            sampler.sample(view.state, view.seat, past, plays, numbers, belief, rng, world)
            yield world

    return _over_worlds(view, worlds())


def by_counting(view: View[Any]) -> tuple[Belief, ...]:
    """The same by the rules alone: every world that looks like the view is as likely."""
    from kibitz.jit.rng import stream

    game: Game[Any, Any] = view.game
    if not game.traits.hidden:
        return ()
    exact = _by_formula(view, None)
    if exact is None and not game.counting and isinstance(game, CompiledGame):
        exact = _over_every_deal(game, view)
    if exact is not None:
        return exact
    rng = stream(SAMPLED_WORLDS)
    return _over_worlds(view, (game.redeal(view, rng) for _ in range(SAMPLED_WORLDS)))


def _by_formula(view: View[Any], belief: Any) -> tuple[Belief, ...] | None:
    """As the game's own module counts; None if there is none, or if it can't say. The belief is
    what the sampler prepared from the others' plays; None: they are not looked at."""
    if not view.game.counting:
        return None
    counting = importlib.import_module(view.game.counting)
    exact: tuple[Belief, ...] | None = counting.exact_beliefs(view, belief)
    return exact


def _over_every_deal(game: CompiledGame, view: View[Any]) -> tuple[Belief, ...] | None:
    """By all deals of a small game; None if the game does not list them."""
    places: dict[str, dict[str, float]] = {}
    try:
        for world, chance in game.every_deal(view.state):
            for place, cards in game.hidden_cards(view, world).items():
                shares = places.setdefault(place, {})
                for card in set(cards):
                    shares[card] = shares.get(card, 0.0) + chance
    except UnsuitableGame:
        return None
    return tuple(
        Belief(place, {card: min(p, 1.0) for card, p in sorted(shares.items())}, exact=True)
        for place, shares in places.items()
    )


def _over_worlds(view: View[Any], worlds: Iterable[Any]) -> tuple[Belief, ...]:
    """The share of the worlds that have each card in each hidden place.

    Where a place holds several cards, the probability that at least one of them is such a card.
    """
    places: dict[str, Counter[str]] = {}
    for _, world in zip(range(SAMPLED_WORLDS), worlds, strict=False):
        for place, cards in view.game.hidden_cards(view, world).items():
            places.setdefault(place, Counter()).update(set(cards))
    return tuple(
        Belief(place, {card: n / SAMPLED_WORLDS for card, n in sorted(counted.items())})
        for place, counted in places.items()
    )
