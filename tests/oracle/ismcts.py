"""ISMCTS a second time, slow and plain, by the words of src/kibitz/search/fast/ismcts.py.

Nodes are stored in a dictionary, by what they are and not by a number made of it. It draws from
the same streams in the same order, so that every count must be the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log, sqrt
from typing import Any

import numpy as np

from kibitz.core.game import CHANCE, View
from kibitz.games.compiled_game import CompiledGame
from kibitz.jit.rng import below, fork

Node = tuple[Any, ...]


@dataclass
class Edge:
    """A play at a node."""

    visits: int = 0
    seen: int = 1
    sum: float = 0.0


@dataclass
class Tree:
    game: CompiledGame
    c: float
    many: bool
    """Whether each mover sees the tree with his own eyes."""
    edges: dict[tuple[Node, int], Edge] = field(default_factory=dict)
    low: list[float] = field(default_factory=lambda: [0.0] * 4)
    high: list[float] = field(default_factory=lambda: [0.0] * 4)

    def root(self, view: View[Any]) -> Node:
        if self.many:
            return self.node((), view.state, view.seat)
        return tuple(-1 if play is None else play.code for _, play in view.past)

    def node(self, path: Node, state: Any, mover: int) -> Node:
        """What a position is in the tree."""
        if not self.many:
            return path
        return mover, self.game.view(state, mover).state.tobytes()

    def grow(self, view: View[Any], iterations: int, rng: Any) -> None:
        dealing = np.zeros(1, np.uint64)
        fork(rng, 1, dealing)
        fork(rng, 2, rng)
        for _ in range(iterations):
            self.iterate(self.game.redeal(view, dealing), self.root(view), rng)

    def iterate(self, state: Any, path: Node, rng: Any) -> None:
        kernels = self.game.kernels
        state = state.copy()
        chosen: list[tuple[Edge, int]] = []
        new = False
        while not new and not kernels.over(state):
            mover = int(kernels.mover(state))
            if mover == CHANCE:
                play = int(kernels.pick(state, rng))
            else:
                play, edge, new = self.select(self.node(path, state, mover), state, mover, rng)
                chosen.append((edge, mover))
            path = (*path, play)
            kernels.apply(state, play)
        while not kernels.over(state):
            play = kernels.pick(state, rng)
            while kernels.mover(state) != CHANCE and play == kernels.NEVER_AT_RANDOM:
                play = kernels.pick(state, rng)
            kernels.apply(state, play)
        self.back_up(chosen, self.game.returns(state))

    def select(self, node: Node, state: Any, mover: int, rng: Any) -> tuple[int, Edge, bool]:
        """An untried play, each as likely; else the one with the greatest bound."""
        fresh, untried = -1, 0
        bounds: dict[int, float] = {}
        wide = self.c * (self.high[mover] - self.low[mover]) / 2
        for play in self.game.kernels.legal(state).tolist():
            edge = self.edges.get((node, play))
            if edge is None:
                untried += 1
                if below(rng, untried) == 0:
                    fresh = play
            else:
                edge.seen += 1
                exploring = wide * sqrt(log(edge.seen) / edge.visits)
                bounds[play] = edge.sum / edge.visits + exploring
        if untried:
            edge = self.edges[node, fresh] = Edge()
            return fresh, edge, True
        best = max(bounds, key=lambda play: bounds[play])
        return best, self.edges[node, best], False

    def back_up(self, chosen: list[tuple[Edge, int]], returns: tuple[float, ...]) -> None:
        for seat, gain in enumerate(returns):
            self.low[seat] = min(self.low[seat], gain)
            self.high[seat] = max(self.high[seat], gain)
        for edge, mover in chosen:
            edge.visits += 1
            edge.sum += returns[mover]
