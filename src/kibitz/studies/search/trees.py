"""What the study of search measures on besides games: uniform trees and their true values.

The least number of leaves that prove the value of such a tree is that of D. Knuth and
R. Moore, "An Analysis of Alpha-Beta Pruning", 1975.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from hashlib import blake2b
from typing import Any, ClassVar

from kibitz.core.game import CHANCE, Chance, Game, Traits, Turn
from kibitz.search.textbook.expectiminimax import Expectiminimax
from kibitz.search.textbook.horizon import Evaluate, Evaluation
from kibitz.search.textbook.move_ordering import best_first, worst_first
from kibitz.search.textbook.transposition import MergedMinimax
from kibitz.search.textbook.tree_search import MAX, MIN, Horizon

NODES = 10_000_000
"""Enough for all that the study searches."""

Spot = tuple[int, int]
"""How deep a node lies, and which one it is there, from left to right."""
MOVERS = {"x": MAX, "o": MIN, "?": CHANCE}


class Layers(Game[Spot, int]):
    """A uniform tree: b plays everywhere, and who moves depends on the layer alone."""

    name: ClassVar[str] = "uniform tree"
    title: ClassVar[str] = "A uniform tree"

    def __init__(
        self,
        b: int,
        layers: str,
        leaf: Callable[[int], float],
        chances: Sequence[float] | None = None,
    ) -> None:
        super().__init__()
        self.b = b
        self.layers = layers
        self.leaf = leaf
        self.outcomes = [1 / b] * b if chances is None else list(chances)

    def deal(self, seed: int, first: int = 0) -> Spot:
        return 0, 0

    def mover(self, state: Spot) -> int:
        return MOVERS[self.layers[state[0]]]

    def is_over(self, state: Spot) -> bool:
        return state[0] == len(self.layers)

    def plays(self, state: Spot) -> Sequence[int]:
        return range(self.b)

    def after(self, state: Spot, play: int) -> Spot:
        return state[0] + 1, state[1] * self.b + play

    def returns(self, state: Spot) -> tuple[float, ...]:
        value = self.leaf(state[1])
        return value, -value

    def chances(self, state: Spot) -> Sequence[tuple[int, float]]:
        return list(enumerate(self.outcomes))


class LayersWithChance(Layers):
    traits: ClassVar[Traits] = Traits(chance=Chance.PLAY)


def noise(*seed: object) -> Callable[[int], float]:
    """A number from 0 to 1 for each leaf. A hash, so that no order of asking matters."""

    def leaf(number: int) -> float:
        digest = blake2b(repr((*seed, number)).encode(), digest_size=6).digest()
        return int.from_bytes(digest, "big") / 2**48

    return leaf


def alternating(m: int) -> str:
    return ("xo" * m)[:m]


def knuth_moore(b: int, m: int) -> int:
    """The least number of leaves that prove the value of a uniform tree."""
    return int(b ** math.ceil(m / 2) + b ** math.floor(m / 2) - 1)


# -- true values and evaluations -----------------------------------------------------------


class TrueValues(MergedMinimax[Any, Any], Expectiminimax[Any, Any]):
    """The value of every node, each state valued once, with or without chance."""

    def of(self, depth: int) -> Evaluate:
        """The value of a state at this depth."""
        left = self.horizon.left(depth)
        return lambda state: self.table[self.game.key(state), left][0]

    def best_first(self, turn: Turn[Any, Any], state: Any, depth: int) -> Any:
        return best_first(self.of(depth + 1))(turn, state, depth)

    def worst_first(self, turn: Turn[Any, Any], state: Any, depth: int) -> Any:
        return worst_first(self.of(depth + 1))(turn, state, depth)


def true_values(game: Game[Any, Any], state: Any, horizon: Horizon | None) -> TrueValues:
    search = TrueValues(game, horizon=horizon, nodes=NODES)
    search.run(state)
    return search


def remembered(game: Game[Any, Any]) -> Evaluate:
    """The game's evaluation, worked out once for each state."""
    evaluate = Evaluation(game)
    known: dict[Hashable, float] = {}

    def look_up(state: Any) -> float:
        key = game.key(state)
        if key not in known:
            known[key] = evaluate(state)
        return known[key]

    return look_up
