"""A transposition table: states that are reached again are not searched again.

A state may be reached by several orders of the same plays. The table keeps what is known of
its value: exact, or bounds from a search whose window was too narrow (R. Greenblatt,
D. Eastlake and S. Crocker, "The Greenblatt Chess Program", 1967). Only values computed at the
same distance from the horizon count, so the result is that of the plain search.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar, NamedTuple

from kibitz.core.game import P, S
from kibitz.search.textbook.alpha_beta import AlphaBeta
from kibitz.search.textbook.minimax import Minimax
from kibitz.search.textbook.result import Line, Scored
from kibitz.search.textbook.tree_search import INFINITY


class MergedMinimax(Minimax[S, P]):
    """Minimax that values each state once: backward induction on the merged graph."""

    name: ClassVar[str] = "minimax-merged"

    def root(self, state: S) -> Scored:
        self.table: dict[Hashable, Scored] = {}
        return super().root(state)

    def value(self, play: P | None, state: S, depth: int) -> Scored:
        """As in minimax, but every state once."""
        key = (self.game.key(state), self.horizon.left(depth))
        known = self.table.get(key)
        if known is not None:
            self.counts.hits += 1
            if self.trace is not None:
                self.trace.hit(play, known[0], "=")
            return known
        value = self.table[key] = super().value(play, state, depth)
        return value


class Entry(NamedTuple):
    """What is known of a state: its value lies within [low, high]."""

    low: float = -INFINITY
    high: float = INFINITY
    is_exact: bool = False
    """From one search, so that the line is the line of best play."""
    line: Line = None


class AlphaBetaWithTable(AlphaBeta[S, P]):
    """Alpha-beta with a transposition table."""

    name: ClassVar[str] = "alpha-beta-table"

    def root(self, state: S, alpha: float = -INFINITY, beta: float = INFINITY) -> Scored:
        self.table: dict[Hashable, Entry] = {}
        return super().root(state, alpha, beta)

    def value(self, play: P | None, state: S, alpha: float, beta: float, depth: int) -> Scored:
        """As in alpha-beta, but what the table knows is not searched again."""
        key = (self.game.key(state), self.horizon.left(depth))
        entry = self.table.get(key, Entry())
        if entry.is_exact or entry.low >= beta or entry.high <= alpha:
            return self.hit(play, entry, alpha, beta)
        value, line = super().value(play, state, alpha, beta, depth)
        low = value if value > alpha else entry.low
        high = value if value < beta else entry.high
        self.table[key] = Entry(low, high, alpha < value < beta, line)
        return value, line

    def hit(self, play: P | None, entry: Entry, alpha: float, beta: float) -> Scored:
        """What the table knows of a state, within the window."""
        self.counts.hits += 1
        value = min(max(entry.low, alpha), beta)
        if self.trace is not None:
            relation = "≤" if value <= alpha else "≥" if value >= beta else "="
            self.trace.hit(play, value, relation)
        return value, entry.line
