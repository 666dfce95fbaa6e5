"""Iterative deepening: search to depth 1, 2, 3 … until the time is up.

The last depth that was finished counts. What it costs to begin again each time is little
beside the last depth, and each search tells the next one which play to try first
(D. Slate and L. Atkin, "CHESS 4.5", 1977). So among equal plays it need not find the lowest.
"""

from __future__ import annotations

import time
from collections.abc import Hashable
from dataclasses import replace
from typing import Any, ClassVar

from kibitz.core.game import Game, P, S
from kibitz.search.textbook.horizon import DepthLimit, Evaluate
from kibitz.search.textbook.move_ordering import remembered_first
from kibitz.search.textbook.result import BudgetSpent, Counts, Result, Scored, at_least_one
from kibitz.search.textbook.trace import Trace
from kibitz.search.textbook.transposition import AlphaBetaWithTable
from kibitz.search.textbook.tree_search import DEEPEST, NODES, OutOfTime


class Deeper(AlphaBetaWithTable[S, P]):
    """Alpha-beta to one depth, which notes the best plays for the next."""

    name: ClassVar[str] = "iterative-deepening"

    def __init__(self, game: Game[S, P], best: dict[Hashable, P], **options: Any) -> None:
        super().__init__(game, choice=remembered_first(best, game.key), **options)
        self.best = best

    def value(self, play: P | None, state: S, alpha: float, beta: float, depth: int) -> Scored:
        """As in alpha-beta; the best play is remembered for the next depth."""
        value, line = super().value(play, state, alpha, beta, depth)
        if line is not None:
            self.best[self.game.key(state)] = line[0]
        return value, line


def deepen(
    game: Game[S, P],
    state: S,
    evaluate: Evaluate,
    seconds: float,
    *,
    deepest: int = DEEPEST,
    nodes: int = NODES,
    trace: Trace | None = None,
) -> Result[P]:
    """The result of the deepest search that the time, or the number of nodes, allows.

    Depth 1 is always finished. A search that met no horizon is exact, and the last.
    """
    at_least_one("deepest", deepest)
    started = time.monotonic()
    best: dict[Hashable, P] = {}
    total = Counts()
    finished: Result[P] | None = None
    for depth in range(1, deepest + 1):
        search = Deeper(
            game,
            best,
            horizon=DepthLimit(evaluate, depth),
            trace=trace,
            nodes=nodes - total.nodes,
            deadline=started + seconds if finished else None,
        )
        try:
            result = search.run(state)
        except (OutOfTime, BudgetSpent):
            if finished is None:
                raise
            total.add(search.counts)
            break
        total.add(search.counts)
        finished = replace(result, counts=total)
        if result.exact:
            break
    assert finished is not None
    return replace(finished, counts=total)
