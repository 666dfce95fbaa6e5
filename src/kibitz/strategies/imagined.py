"""What players tell about the worlds that they imagined, and what counting alone tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from kibitz.explanation import Belief
from kibitz.games.face import CompiledGame
from kibitz.model import Game, View

LOOKED_AT = 1000
"""Worlds that a belief is counted over."""


def beliefs_from(
    game: CompiledGame, sampler: Any, view: View[Any], past: Any, plays: Any, numbers: Any, rng: Any
) -> tuple[Belief, ...]:
    """How often each card was in each hidden place, in worlds drawn as the search drew them."""
    import numpy as np

    from kibitz.rng import fork

    if not game.traits.hidden:
        return ()
    dealing = np.zeros(1, np.uint64)
    fork(rng, 1, dealing)
    belief = np.zeros(sampler.SIZE)
    sampler.prepare(view.state, view.seat, past, plays, numbers, belief)
    world = view.state.copy()

    def worlds() -> Iterator[Any]:
        while True:
            sampler.sample(view.state, view.seat, past, plays, numbers, belief, dealing, world)
            yield world

    return _counted(view, worlds())


def by_counting(view: View[Any]) -> tuple[Belief, ...]:
    """The same by the rules alone: every world that looks like the view is as likely."""
    from kibitz.rng import stream

    game: Game[Any, Any] = view.game
    if not game.traits.hidden:
        return ()
    rng = stream(LOOKED_AT)
    return _counted(view, (game.redeal(view, rng) for _ in range(LOOKED_AT)))


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


def result_in_words(game: CompiledGame, mean: float) -> str:
    """A mean result as a card player would say it."""
    if game.labels or game.name == "love-letter":
        # Who wins gets 1, and the others pay for it in equal parts.
        n = game.players
        return f"it wins {(mean * (n - 1) + 1) / n:.0%} of them"
    ahead = "ahead" if mean >= 0 else "behind"
    points = f"{abs(mean):.2g}"
    return f"on average it ends {points} point{'s' * (points != '1')} {ahead}"
