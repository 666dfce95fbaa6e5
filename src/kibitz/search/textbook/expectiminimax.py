"""Expectiminimax: minimax with chance nodes, whose value is the mean of their outcomes.

D. Michie, "Game-playing and game-learning automata", 1966. Values count here, not just their
order: only a positive linear change of the values at the ends leaves the decisions as they
are. Every outcome is looked at: `star.py` cuts.
"""

from __future__ import annotations

from typing import Any, ClassVar

from kibitz.core.game import P, S, Turn
from kibitz.search.textbook.minimax import Minimax
from kibitz.search.textbook.result import Scored
from kibitz.search.textbook.tree_search import INFINITY


class Expectiminimax(Minimax[S, P]):
    """Minimax that takes the mean where chance moves."""

    name: ClassVar[str] = "expectiminimax"
    has_chance_nodes: ClassVar[bool] = True

    def chance(self, turn: Turn[S, P], *more: Any) -> Scored:
        (depth,) = more
        mean: float = 0
        for probability, (outcome, child) in zip(turn.chances, turn.moves, strict=True):
            value, _ = self.value(outcome, child, depth + 1)
            if depth == 0:
                self.saw(outcome, value, -INFINITY, INFINITY)
            mean += probability * value
        return self.leave(mean)
