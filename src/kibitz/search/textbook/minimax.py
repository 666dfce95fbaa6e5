"""Minimax: the value of a game if both sides play their best.

    minimax(s) = value(s)                          at an end,
                 the greatest minimax(s') over s'  where MAX moves,
                 the least minimax(s') over s'     where MIN moves.

J. von Neumann, "Zur Theorie der Gesellschaftsspiele", 1928; as a program, C. Shannon,
"Programming a Computer for Playing Chess", 1950. Time O(b^m), space O(bm) for branching b
and depth m. Not for games with chance or hidden cards.
"""

from __future__ import annotations

from typing import ClassVar

from kibitz.core.game import CHANCE, P, S
from kibitz.search.textbook.result import Scored
from kibitz.search.textbook.tree_search import INFINITY, MAX, TreeSearch


class Minimax(TreeSearch[S, P]):
    """The definition: every play, down to the ends or to a horizon."""

    name: ClassVar[str] = "minimax"

    def root(self, state: S) -> Scored:
        return self.value(None, state, 0)

    def value(self, play: P | None, state: S, depth: int) -> Scored:
        """The value of a state, and the line of best play."""
        turn = self.enter(play, state)
        if self.horizon.reached(turn, state, depth):
            return self.leaf(turn, state), None
        if turn.mover == CHANCE:
            return self.chance(turn, depth)
        sign = 1 if turn.mover == MAX else -1
        best, line = -sign * INFINITY, None
        for play, child in self.moves(turn, state, depth):
            value, rest = self.value(play, child, depth + 1)
            if depth == 0:
                self.saw(play, value, -INFINITY, INFINITY)
            # A later play must be better: of equal ones the lowest stays.
            if sign * value > sign * best:
                best, line = value, (play, rest)
        return self.leave(best, line)
