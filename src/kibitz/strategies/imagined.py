"""What players tell about the worlds that they imagined."""

from __future__ import annotations

from collections import Counter
from typing import Any

from kibitz.explanation import Belief
from kibitz.games.face import CompiledGame
from kibitz.model import View

LOOKED_AT = 1000
"""Worlds that a belief is counted over."""


def beliefs_from(
    game: CompiledGame, sampler: Any, view: View[Any], past: Any, plays: Any, numbers: Any, rng: Any
) -> tuple[Belief, ...]:
    """How often each card was in each hidden place, in worlds drawn as the search drew them.

    Where a place holds several cards, the probability that at least one of them is such a card.
    """
    import numpy as np

    from kibitz.rng import fork

    if not game.traits.hidden:
        return ()
    dealing = np.zeros(1, np.uint64)
    fork(rng, 1, dealing)
    belief = np.zeros(sampler.SIZE)
    sampler.prepare(view.state, view.seat, past, plays, numbers, belief)
    world = view.state.copy()
    found: dict[str, Counter[str]] = {}
    for _ in range(LOOKED_AT):
        sampler.sample(view.state, view.seat, past, plays, numbers, belief, dealing, world)
        for place, cards in game.hidden_cards(view, world).items():
            found.setdefault(place, Counter()).update(set(cards))
    return tuple(
        Belief(place, {card: n / LOOKED_AT for card, n in sorted(counted.items())})
        for place, counted in found.items()
    )


def result_in_words(game: CompiledGame, mean: float) -> str:
    """A mean result as a card player would say it."""
    if game.labels or game.name == "love-letter":
        return f"it wins {(mean + 1) / 2:.0%} of them"
    ahead = "ahead" if mean >= 0 else "behind"
    return f"on average it ends {abs(mean):.2g} points {ahead}"
