"""Where a search stops before the end: the cut-off test and the evaluation of the lecture.

A minimax with a cut-off is minimax, but for two things: the test for the end becomes a test
for the horizon, and the value of an end becomes an evaluation Σ wᵢ·fᵢ(s) of a state
(C. Shannon, "Programming a Computer for Playing Chess", 1950). What lies behind the horizon
is not seen: an evaluation in the middle of an exchange means little. So `Quiescence`
goes on until the state is quiet (L. Harris, "The heuristic search and the game of chess",
1975).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kibitz.core.errors import BadText
from kibitz.core.game import Game, Turn
from kibitz.search.textbook.tree_search import Horizon

Evaluate = Callable[[Any], float]


class Evaluation:
    """Σ wᵢ·fᵢ(s) over the features of a game, limited to the bounds of its ends; what is over
    has its true value.

    Without features the evaluation is the middle of the game's bounds, or 0.
    """

    def __init__(self, game: Game[Any, Any], weights: Mapping[str, float] | None = None) -> None:
        self.game = game
        self.weights = dict(game.weights if weights is None else weights)
        low, high = game.bounds
        self.low, self.high = low, high
        self.middle = (low + high) / 2 if abs(low + high) < float("inf") else 0.0

    def __call__(self, state: Any) -> float:
        turn = self.game.turn(state)
        if turn.mover is None:
            return turn.value
        features = self.game.features(state)
        for name in self.weights:
            if name not in features:
                known = ", ".join(features) or "none"
                raise BadText(f"{self.game.name} has no feature {name!r}; it has: {known}")
        value = self.middle + sum(w * features[name] for name, w in self.weights.items())
        if not abs(value) < float("inf"):
            raise BadText(f"{self.game.name}: the evaluation of {state} is {value}, not a number")
        return min(max(value, self.low), self.high)


class DepthLimit(Horizon):
    """Stop after so many plays, or where it is as good as decided: where the evaluation is not
    between two values."""

    def __init__(
        self, evaluate: Evaluate, depth: int, decided: tuple[float, float] | None = None
    ) -> None:
        self.evaluation = evaluate
        self.depth: int = depth
        self.decided = decided

    def evaluate(self, state: Any) -> float:
        return self.evaluation(state)

    def reached(self, turn: Turn[Any, Any], state: Any, depth: int) -> bool:
        """Whether to stop here: at an end, at the depth, or where it is decided."""
        if turn.mover is None or depth >= self.depth:
            return True
        # The root is never decided: it needs a play.
        if self.decided is None or depth == 0:
            return False
        low, high = self.decided
        return not low < self.evaluate(state) < high

    def left(self, depth: int) -> int:
        return self.depth - depth


class Quiescence(DepthLimit):
    """Stop after so many plays, but only where it is quiet, or after some more plays."""

    def __init__(
        self,
        evaluate: Evaluate,
        depth: int,
        is_quiet: Callable[[Any], bool],
        extra: int = 10,
    ) -> None:
        super().__init__(evaluate, depth)
        self.is_quiet = is_quiet
        self.extra = extra

    def reached(self, turn: Turn[Any, Any], state: Any, depth: int) -> bool:
        """Whether to stop here: at an end, or at the depth where it is quiet."""
        if turn.mover is None or depth >= self.depth + self.extra:
            return True
        return depth >= self.depth and self.is_quiet(state)
