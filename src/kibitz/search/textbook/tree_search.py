"""What all searches through a tree share: a budget, counts, a horizon, a trace.

Recursion is the natural way to write them. Since Python 3.11 a Python function that calls
another uses nothing of C's stack, so the recursion limit can be raised for deep games. That
holds for plain calls only: `f(*args)` goes through C, and must not be on the way down.
"""

from __future__ import annotations

import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Generic

from kibitz.core.errors import UnsuitableGame
from kibitz.core.game import CHANCE, Chance, Game, P, S, Turn
from kibitz.search.textbook.result import (
    BudgetSpent,
    Counts,
    Known,
    Line,
    Result,
    Scored,
    TooDeep,
    unroll,
)
from kibitz.search.textbook.trace import Trace

MAX, MIN = 0, 1
"""The protagonist is seat 0, the antagonist seat 1."""
INFINITY = float("inf")
NODES = 1_000_000
DEEPEST = 100_000

Choice = Callable[[Turn[Any, Any], Any, int], Sequence[tuple[Any, Any]]]
"""Which moves of a turn to look at, and in which order: move ordering, forward pruning."""


Watch = Callable[[int], None]
"""Somebody who wants to know, from time to time, how many nodes were entered."""
WATCHED = 1 << 14


class OutOfTime(Exception):
    """The time is up. Iterative deepening catches it."""


class Horizon:
    """Where a search stops. This one goes to the ends; `horizon.py` has nearer ones."""

    depth: int | None = None

    def reached(self, turn: Turn[Any, Any], state: Any, depth: int) -> bool:
        """Whether to stop here: at an end."""
        return turn.mover is None

    def evaluate(self, state: Any) -> float:
        """A value for a state that is not an end."""
        raise NotImplementedError

    def left(self, depth: int) -> int:
        """How far it still is: values computed at different distances are not the same thing."""
        return 0


class TreeSearch(ABC, Generic[S, P]):
    """One search of one game. `run` gives the result for a state."""

    name: ClassVar[str]
    has_chance_nodes: ClassVar[bool] = False

    def __init__(
        self,
        game: Game[S, P],
        *,
        horizon: Horizon | None = None,
        choice: Choice | None = None,
        trace: Trace | None = None,
        nodes: int = NODES,
        deadline: float | None = None,
        watch: Watch | None = None,
    ) -> None:
        self.check(game)
        self.game = game
        self.horizon = horizon or Horizon()
        self.choice = choice
        self.trace = trace
        self.nodes = nodes
        self.deadline = deadline
        self.watch = watch

    @classmethod
    def check(cls, game: Game[Any, Any]) -> None:
        """Raise UnsuitableGame, with the reason, if this search is not made for a game."""
        if game.traits.hidden:
            instead = "pimc or ismcts" if game.players == 2 else "ismcts"
            raise UnsuitableGame(
                f"{cls.name} needs open cards, and {game.name} hides some; try {instead}"
            )
        if game.players != 2:
            raise UnsuitableGame(
                f"{cls.name} is for two players, and {game.name} has {game.players}; try mcts"
            )
        if game.traits.chance is Chance.PLAY and not cls.has_chance_nodes:
            raise UnsuitableGame(
                f"{cls.name} knows no chance nodes, and {game.name} has some; try expectiminimax"
            )

    @abstractmethod
    def root(self, state: S) -> Scored:
        """The value of the state that the search begins with."""

    def chance(self, turn: Turn[S, P], *more: Any) -> Scored:
        """The value of a chance node, in a search that knows them."""
        raise UnsuitableGame(
            f"{self.name} knows no chance nodes, and {self.game.name} has one, though its traits"
            " do not say so; try expectiminimax"
        )

    def run(self, state: S) -> Result[P]:
        """Search from this state: its value, the line of best play, and counts."""
        self.counts = Counts()
        self.values: dict[P, Known] = {}
        self.exact = True
        self._alarm = min(self.nodes, WATCHED)
        with deep_recursion():
            value, line = self.root(state)
        plays = unroll(line)
        return Result(
            value,
            plays[0] if plays else None,
            self.values,
            plays,
            self.counts,
            exact=self.exact,
            depth=self.horizon.depth,
        )

    # -- the steps of a search, counted and recorded ---------------------------------------

    def enter(
        self, play: P | None, state: S, window: tuple[float, float] | None = None
    ) -> Turn[S, P]:
        """Come to a node by a play."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise OutOfTime
        if self.counts.nodes >= self._alarm:
            self._ring()
        self.counts.nodes += 1
        if self.trace is not None:
            self.trace.enter(play, window)
        return self.game.turn(state)

    def _ring(self) -> None:
        """Stop at the limit of nodes; before, say from time to time how many there are."""
        if self.counts.nodes >= self.nodes:
            raise BudgetSpent(
                f"{self.name} stopped after {self.nodes} nodes, its limit;"
                " allow more, or set a depth"
            )
        if self.watch is not None:
            self.watch(self.counts.nodes)
        self._alarm = min(self.nodes, self._alarm + WATCHED)

    def leaf(self, turn: Turn[S, P], state: S) -> float:
        """The value of an end, or an evaluation at the horizon. The node is left with it."""
        self.counts.leaves += 1
        if turn.mover is None:
            value, why = turn.value, "end"
        else:
            value, why = self.horizon.evaluate(state), "horizon"
            self.exact = False
        if self.trace is not None:
            self.trace.leaf(value, why)
        return value

    def moves(self, turn: Turn[S, P], state: S, depth: int) -> Sequence[tuple[P, S]]:
        """The moves to look at, in order."""
        if self.choice is None or turn.mover == CHANCE:
            return turn.moves
        chosen = self.choice(turn, state, depth)
        if self.trace is not None and len(chosen) < len(turn.moves):
            tried = {play for play, _ in chosen}
            dropped = [play for play, _ in turn.moves if play not in tried]
            self.trace.skip(dropped, getattr(self.choice, "why", "not looked at"))
        return chosen

    def saw(self, play: P, value: float, low: float, high: float) -> None:
        """A play of the root turned out to have a value, within the window it was given."""
        relation = "≤" if value <= low else "≥" if value >= high else "="
        self.values[play] = Known(value, relation)

    def window(self, low: float, high: float) -> None:
        """Alpha or beta has moved."""
        if self.trace is not None:
            self.trace.window(low, high)

    def cut(self, moves: Sequence[tuple[P, S]], seen: int, why: str, *figures: float) -> None:
        """Leave out the moves that were not seen yet."""
        if seen < len(moves):
            self.counts.cutoffs += 1
            if self.trace is not None:
                self.trace.cut((p for p, _ in moves[seen:]), why.format(*map(float, figures)))

    def leave(self, value: float, line: Line = None, relation: str = "=") -> Scored:
        """Go back from a node with its value."""
        if self.trace is not None:
            self.trace.leave(value, relation, line[0] if line else None)
        return value, line


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Let Python functions call each other as deep as any sensible game goes."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 2 * DEEPEST))
    try:
        yield
    except RecursionError:
        raise TooDeep(f"the game goes on for more than {DEEPEST // 2} plays; set a depth") from None
    finally:
        sys.setrecursionlimit(before)
