"""Star1 and Star2: alpha-beta with chance nodes.

Where chance moves, the value of a node is the mean of its outcomes. If every end lies within known
bounds, some outcomes already bound the mean, and it can be left as soon as it can't get into
the window any more; for each outcome that makes a window of its own. Star1 does that. Star2
first looks at just one play of each outcome: one play of MIN bounds the outcome's value from
above, one of MAX from below, and often that is enough. B. Ballard, "The *-Minimax Search
Procedure for Trees Containing Chance Nodes", 1983.

Without known bounds the last outcome still has a window, and so have, in Star2, those whose
one play was looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from kibitz.core.errors import BadText
from kibitz.core.game import CHANCE, P, S, Turn
from kibitz.search.textbook.alpha_beta import AlphaBeta
from kibitz.search.textbook.result import Scored
from kibitz.search.textbook.tree_search import INFINITY, MAX

TOO_LITTLE = "at most {:g} ≤ α {:g}"
TOO_MUCH = "at least {:g} ≥ β {:g}"


class Star1(AlphaBeta[S, P]):
    """Alpha-beta that also cuts at chance nodes, by the bounds of the values."""

    name: ClassVar[str] = "star1"
    has_chance_nodes: ClassVar[bool] = True

    def __init__(
        self, *args: Any, bounds: tuple[float, float] = (-INFINITY, INFINITY), **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.bounds = bounds

    def leaf(self, turn: Turn[S, P], state: S) -> float:
        value = super().leaf(turn, state)
        if not self.bounds[0] <= value <= self.bounds[1]:
            what = "an end" if turn.mover is None else "a state"
            raise BadText(
                f"{what} has the value {float(value):g}, outside the bounds"
                f" {self.bounds[0]:g} to {self.bounds[1]:g} that {self.name} was given"
            )
        return value

    def chance(self, turn: Turn[S, P], *more: Any) -> Scored:
        alpha, beta, depth = more
        return self.within(turn, Outcomes(turn.chances, self.bounds), alpha, beta, depth)

    def within(
        self, turn: Turn[S, P], outcomes: Outcomes, alpha: float, beta: float, depth: int
    ) -> Scored:
        """Look at the outcomes one by one, each within the window that still matters."""
        for i, (outcome, child) in enumerate(turn.moves):
            low, high = outcomes.window(i, alpha, beta)
            seen = i
            if low < outcomes.high[i] and outcomes.low[i] < high:
                inside_low, inside_high = max(low, outcomes.low[i]), min(high, outcomes.high[i])
                value, _ = self.value(outcome, child, inside_low, inside_high, depth + 1)
                if depth == 0:
                    self.saw(outcome, value, inside_low, inside_high)
                outcomes.learn(i, value if value > low else None, value if value < high else None)
                self.window(*outcomes.mean())
                seen = i + 1
            decided = self.decided(turn, seen, outcomes, i, alpha, beta, (low, high))
            if decided is not None:
                return decided
        least, most = outcomes.mean()
        if least < most:  # a window without width, in which an outcome could not be told
            return self.leave(least, None, "≥")
        return self.leave(least)

    def decided(
        self,
        turn: Turn[S, P],
        seen: int,
        outcomes: Outcomes,
        i: int,
        alpha: float,
        beta: float,
        window: tuple[float, float],
    ) -> Scored | None:
        """Leave a chance node that outcome i has put outside the window of the node."""
        low, high = window
        if outcomes.high[i] <= low:
            self.cut(turn.moves, seen, TOO_LITTLE, outcomes.mean()[1], alpha)
            return self.leave(alpha, None, "≤")
        if outcomes.low[i] >= high:
            self.cut(turn.moves, seen, TOO_MUCH, outcomes.mean()[0], beta)
            return self.leave(beta, None, "≥")
        return None


class Star2(Star1[S, P]):
    """Star1 that first looks at one play below each outcome."""

    name: ClassVar[str] = "star2"

    def within(
        self, turn: Turn[S, P], outcomes: Outcomes, alpha: float, beta: float, depth: int
    ) -> Scored:
        """Look at one play of each outcome first, where that can show anything."""
        for i, (outcome, child) in enumerate(turn.moves):
            after = self.game.turn(child)
            if after.mover == CHANCE or self.horizon.reached(after, child, depth + 1):
                continue
            is_max = after.mover == MAX
            least, most = outcomes.mean()
            if not (beta < most if is_max else alpha > least):
                continue
            low, high = outcomes.window(i, alpha, beta)
            inside_low, inside_high = max(low, outcomes.low[i]), min(high, outcomes.high[i])
            if inside_low >= inside_high:
                continue  # it is decided already, as the search below will see
            value = self.probe(outcome, child, inside_low, inside_high, depth + 1)
            if is_max and value > inside_low:
                outcomes.learn(i, value, None)
            if not is_max and value < inside_high:
                outcomes.learn(i, None, value)
            self.window(*outcomes.mean())
            decided = self.decided(turn, 0, outcomes, i, alpha, beta, (low, high))
            if decided is not None:
                return decided
        return super().within(turn, outcomes, alpha, beta, depth)

    def probe(self, outcome: P, child: S, low: float, high: float, depth: int) -> float:
        """The value of the first play after an outcome. One that is out of the window on the
        outcome's good side says nothing of the outcome."""
        turn = self.enter(outcome, child, (low, high))
        play, state = self.moves(turn, child, depth)[0]
        value, rest = self.value(play, state, low, high, depth + 1)
        if turn.mover == MAX:
            self.leave(value if value > low else -INFINITY, (play, rest), "≥")
        else:
            self.leave(value if value < high else INFINITY, (play, rest), "≤")
        return value


class Outcomes:
    """What is known of each outcome of a chance node: between what values it lies."""

    def __init__(self, chances: Sequence[float], bounds: tuple[float, float]) -> None:
        self.chances = chances
        self.low = [bounds[0]] * len(chances)
        self.high = [bounds[1]] * len(chances)

    def learn(self, i: int, low: float | None, high: float | None) -> None:
        """The least and the greatest value that an outcome can have."""
        if low is not None:
            self.low[i] = low
        if high is not None:
            self.high[i] = high

    def mean(self) -> tuple[float, float]:
        """Between what values the chance node lies."""
        return self._sum(self.low), self._sum(self.high)

    def window(self, i: int, alpha: float, beta: float) -> tuple[float, float]:
        """What value outcome i must have to make the node more than alpha, less than beta, if
        all the others turn out as high, or as low, as they may."""
        chance = self.chances[i]
        if chance == 0:
            return -INFINITY, INFINITY
        return (
            (alpha - self._sum(self.high, i)) / chance,
            (beta - self._sum(self.low, i)) / chance,
        )

    def _sum(self, values: list[float], without: int = -1) -> float:
        total: float = 0
        for j, (chance, value) in enumerate(zip(self.chances, values, strict=True)):
            # What can't happen counts nothing, even if it may be infinite.
            if j != without and chance > 0:
                total += chance * value
        return total
