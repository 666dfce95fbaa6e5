"""Alpha-beta: minimax without looking at what can't matter.

Alpha is the best that MAX already has, beta the best that MIN already has. A search within a
window gives

    alpha               if minimax(s) <= alpha,
    minimax(s)          if alpha < minimax(s) < beta,
    beta                if minimax(s) >= beta,

and stops looking at a node's plays as soon as alpha >= beta. D. Knuth and R. Moore, "An
Analysis of Alpha-Beta Pruning", 1975. With the best order of plays it looks at about
b^(m/2) nodes instead of b^m.
"""

from __future__ import annotations

from typing import ClassVar

from kibitz.core.game import CHANCE, P, S
from kibitz.search.textbook.result import Scored
from kibitz.search.textbook.tree_search import INFINITY, MAX, TreeSearch

MAX_CUTS = "{:g} ≥ β {:g}"
MIN_CUTS = "{:g} ≤ α {:g}"


class AlphaBeta(TreeSearch[S, P]):
    """Minimax that leaves out what can't change the result."""

    name: ClassVar[str] = "alpha-beta"

    def root(self, state: S, alpha: float = -INFINITY, beta: float = INFINITY) -> Scored:
        value, line = self.value(None, state, alpha, beta, 0)
        # An end gives its value as it is; with more than one play the loop keeps the window.
        return min(max(value, alpha), beta), line

    def value(self, play: P | None, state: S, alpha: float, beta: float, depth: int) -> Scored:
        """The value of a state within a window, and the line of best play."""
        turn = self.enter(play, state, (alpha, beta))
        if self.horizon.reached(turn, state, depth):
            return self.leaf(turn, state), None
        if turn.mover == CHANCE:
            return self.chance(turn, alpha, beta, depth)
        moves = self.moves(turn, state, depth)
        line = None
        if turn.mover == MAX:
            floor = alpha
            for i, (play, child) in enumerate(moves):
                value, rest = self.value(play, child, alpha, beta, depth + 1)
                if depth == 0:
                    self.saw(play, value, alpha, beta)
                if value > alpha:
                    alpha, line = value, (play, rest)
                    self.window(alpha, beta)
                    if alpha >= beta:
                        self.cut(moves, i + 1, MAX_CUTS, alpha, beta)
                        return self.leave(beta, line, "≥")
            return self.leave(alpha, line, "=" if alpha > floor else "≤")
        ceiling = beta
        for i, (play, child) in enumerate(moves):
            value, rest = self.value(play, child, alpha, beta, depth + 1)
            if depth == 0:
                self.saw(play, value, alpha, beta)
            if value < beta:
                beta, line = value, (play, rest)
                self.window(alpha, beta)
                if alpha >= beta:
                    self.cut(moves, i + 1, MIN_CUTS, beta, alpha)
                    return self.leave(alpha, line, "≤")
        return self.leave(beta, line, "=" if beta < ceiling else "≥")
