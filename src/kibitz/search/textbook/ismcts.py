"""ISMCTS, information set Monte Carlo tree search, for games with hidden cards.

One tree for all the worlds that the mover can't tell apart: each iteration deals a world and
walks down by the plays that are legal in it. A play's bound counts how often it was legal,
not how often its parent was visited. P. Cowling, E. Powley and D. Whitehouse, "Information
Set Monte Carlo Tree Search", 2012 (their single-observer version: it takes the opponents to
see every play, as the mover does, so it is a poor model where plays are hidden too).
"""

from __future__ import annotations

from math import log, sqrt
from random import Random
from typing import Any

from kibitz.core.errors import UnsuitableGame
from kibitz.core.game import Game, P, S, View
from kibitz.jit.rng import stream
from kibitz.search.textbook.mcts import MonteCarloTree, TreeNode
from kibitz.search.textbook.result import Result, at_least_one
from kibitz.search.textbook.trace import UNKNOWN, Trace

NAME = "ismcts"


def check(game: Game[Any, Any]) -> None:
    """Refuse a game that hides nothing."""
    if not game.traits.hidden:
        raise UnsuitableGame(
            f"{NAME} deals the cards that are not seen, and {game.name} hides none; try mcts"
        )


def ismcts(
    view: View[S],
    *,
    iterations: int = 1000,
    c: float = 0.7,
    seed: int = 0,
    trace: Trace | None = None,
) -> Result[Any]:
    """The play most often tried, over worlds dealt anew for each iteration."""
    game = view.game
    check(game)
    at_least_one("iterations", iterations)
    rng = stream(seed)
    tree = InformationSetTree(game, Random(seed), c, trace)
    for _ in range(iterations):
        tree.iterate(game.redeal(view, rng))
    return tree.result(view.plays(), view.seat)


class InformationSetTree(MonteCarloTree[S, P]):
    """A tree whose nodes stand for all states that look alike to a seat."""

    def look(self, state: S) -> tuple[int | None, str]:
        """A node stands for many states, some perhaps ends, and none should be seen."""
        return UNKNOWN, ""

    def choose(self, node: TreeNode[P], seat: int, moves: Any) -> tuple[P, S]:
        """As in `mcts.py`, among the moves that this world allows."""
        for play, _ in moves:
            if play in node.children:
                node.children[play].seen += 1
        return super().choose(node, seat, moves)

    def bound(self, node: TreeNode[P], child: TreeNode[P], seat: int) -> float:
        return child.mean(seat) + self.spread(seat) * sqrt(log(child.seen) / child.visits)
