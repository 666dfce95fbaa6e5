"""How likely each hidden card is: by a model of the others, or by counting alone."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
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
    if exact is not None and exact == by_counting(view):
        return exact
    if exact is not None:
        import numpy as np

        earlier = [np.ones(sampler.SIZE) for _ in view.past]
        for i, then in enumerate(earlier):
            sampler.prepare(past[i : i + 1], view.seat, past[:i], plays[:i], numbers, then)
        return tuple(_followed(view, one, earlier) for one in exact)
    world = view.state.copy()

    def worlds() -> Iterator[Any]:
        while True:
            sampler.sample(view.state, view.seat, past, plays, numbers, belief, rng, world)
            yield world

    return tuple(
        replace(one, basis=_by_their_play(one.place)) for one in _over_worlds(view, worlds())
    )


def _by_their_play(place: str) -> str:
    seat = place.removesuffix("'s hand")
    return f"by how {'the others have' if seat == place else f'{seat} has'} played"


def _followed(view: View[Any], belief: Belief, prepared: Sequence[Any]) -> Belief:
    """A belief by the model of the others, with what it was before each turn."""
    basis = _by_their_play(belief.place)
    counting = importlib.import_module(view.game.counting)
    if not belief.place.startswith("seat") or not hasattr(counting, "hand_before"):
        return replace(belief, basis=basis)
    other = int(belief.place.split("'")[0].removeprefix("seat ")) - 1
    earlier = tuple(
        counting.hand_before(state[0], view.seat, other, then)
        for (state, _), then in zip(view.past, prepared, strict=True)
    )
    return replace(belief, basis=basis, earlier=earlier)


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
    sample: dict[str, list[tuple[str, ...]]] = {}
    for _, world in zip(range(SAMPLED_WORLDS), worlds, strict=False):
        for place, cards in view.game.hidden_cards(view, world).items():
            sample.setdefault(place, []).append(tuple(sorted(set(cards))))
    beliefs = []
    for place, drawn in sample.items():
        counted = Counter(card for cards in drawn for card in cards)
        shares = {card: n / SAMPLED_WORLDS for card, n in sorted(counted.items())}
        beliefs.append(Belief(place, shares, worlds=tuple(drawn)))
    return tuple(beliefs)
