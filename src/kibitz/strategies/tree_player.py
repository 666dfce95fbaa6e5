"""The player around a compiled tree search: budget by iterations or time, and explanations."""

from __future__ import annotations

import math
import time
from typing import Any

from kibitz.explanation import Explanation, Reason
from kibitz.games.face import CompiledGame
from kibitz.model import Player, View
from kibitz.strategies.base import said, turns_before, without_thinking
from kibitz.strategies.imagined import beliefs_from, result_in_words

WIDTH = 4096
"""Plays that a tree can branch into: see `search/fast/ismcts.py`."""
CHUNK = 200
"""Iterations between two looks at the clock."""
MOST = 1 << 22
"""Edges that a tree may have, whatever its time."""


class TreePlayer(Player):
    """Grows a tree for each decision; one that is kept grows on in the next."""

    def __init__(
        self, game: CompiledGame, slots: Any, numbers: tuple[float, ...], rng: Any,
        seconds: float, reuse: bool,
    ) -> None:  # fmt: skip
        import numpy as np

        from kibitz.compiled import bind
        from kibitz.search.fast import ismcts

        self.game = game
        self.sampler = slots["worlds"]
        self.numbers = np.array(numbers)
        self.rng = rng
        self.seconds = seconds
        self.reuse = reuse
        self._guide = slots["guide"].choose
        self._grow = bind(ismcts.grow, **slots)
        self._most_tried = bind(ismcts.most_tried, **slots)
        self._root_for = bind(ismcts.root_for, **slots)
        self._find = ismcts.find
        self._mixed = ismcts.mixed
        self._room_for = ismcts.room_for
        self._tree: Any = None

    def choose(self, view: View[Any]) -> Any:
        found = self.game.kernels.legal(view.state)
        if len(found) == 1:
            return self.game.name_play(view.state, found[0])
        past, plays = turns_before(self.game, view)
        if len(found) > WIDTH:
            code = self._guide(
                view.state, view.seat, past[:0], plays[:0], self.numbers[5:], self.rng
            )
            return self.game.name_play(view.state, code)
        tree = self._grown(view, past, plays)
        root = self._root_for(view.state, view.seat, plays, self.numbers)
        return self.game.name_play(view.state, found[self._most_tried(found, root, *tree[:3])])

    def _grown(self, view: View[Any], past: Any, plays: Any) -> Any:
        """The tree after this decision's iterations: keys, counts, gains, spread."""
        n = int(self.numbers[0])
        kept = self._tree if self.reuse else None
        tree = kept if kept is not None else self._new_tree(n)
        ends = time.monotonic() + self.seconds
        if not self.seconds:
            tree = self._with_room(tree, n)
            self._add(view, past, plays, tree, n)
        else:
            while True:
                tree = self._with_room(tree, CHUNK)
                self._add(view, past, plays, tree, CHUNK)
                if time.monotonic() >= ends or self._used(tree) > MOST:
                    break
        self._tree = tree
        return tree

    def _add(self, view: View[Any], past: Any, plays: Any, tree: Any, n: int) -> None:
        self._grow(view.state, view.seat, past, plays, self.numbers, self.rng, n, *tree)

    def _new_tree(self, n: int) -> Any:
        import numpy as np

        size = self._room_for(n)
        return (
            np.zeros(size, np.int64),
            np.zeros((size, 2), np.int64),
            np.zeros((size, 2)),
            np.zeros((self.game.players, 2)),
        )

    def _used(self, tree: Any) -> int:
        return int((tree[0] != 0).sum())

    def _with_room(self, tree: Any, more: int) -> Any:
        """The same tree, in a larger table if it would get too full."""
        keys, counts, gains, spread = tree
        used = self._used(tree)
        if 2 * (used + more) <= len(keys) or not used:
            return tree
        larger = self._new_tree(used + more)
        for i in keys.nonzero()[0]:
            j = self._find(larger[0], keys[i])
            larger[0][j] = keys[i]
            larger[1][j] = counts[i]
            larger[2][j] = gains[i]
        larger[3][:] = spread
        return larger

    def explain(self, view: View[Any]) -> Explanation:
        plays = list(view.plays())
        before = self.rng.copy()
        best = self.choose(view)
        if len(plays) == 1 or len(plays) > WIDTH:
            return without_thinking(view, best, "visits")
        past, codes = turns_before(self.game, view)
        root = self._root_for(view.state, view.seat, codes, self.numbers)
        reasons = [self._reason(play, root) for play in plays]
        reasons.sort(key=lambda reason: (reason.play != best, -reason.score))
        tried = round(sum(reason.score for reason in reasons))
        beliefs = beliefs_from(self.game, self.sampler, view, past, codes, self.numbers, before)
        words = result_in_words(self.game, reasons[0].parts.get("mean", 0.0))
        sentence = (
            f"{said(view, best)}: tried in {reasons[0].score:.0f} of {tried} imagined"
            f" {self.game.traits.unit}s, more often than anything else; {words}."
        )
        return Explanation(best, "visits", tuple(reasons), beliefs, sentence)

    def _reason(self, play: Any, root: int) -> Reason:
        keys, counts, gains, _ = self._tree
        edge = self._find(keys, self._mixed(root, play.code))
        visits = int(counts[edge, 0]) if keys[edge] != 0 else 0
        if not visits:
            return Reason(play, 0.0)
        mean = gains[edge, 0] / visits
        spread = max(gains[edge, 1] / visits - mean * mean, 0.0)
        half = 1.96 * math.sqrt(spread / visits)
        parts = {"mean": float(mean), "low": float(mean - half), "high": float(mean + half)}
        return Reason(play, float(visits), parts)
