"""The player around a compiled tree search: budget by iterations or time, and explanations."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.core.explanation import Explanation, Reason
from kibitz.core.game import View
from kibitz.core.strategy import Player
from kibitz.games.compiled_game import CompiledGame
from kibitz.strategies.common.base import said, turns_before, without_thinking
from kibitz.strategies.common.beliefs import beliefs_by
from kibitz.strategies.common.measures import Measure, measure_of
from kibitz.strategies.common.reasons import why

if TYPE_CHECKING:
    from kibitz.search.fast.ismcts import IsmctsOptions

WIDTH = 4096
"""Plays that a tree can branch into: see `search/fast/ismcts.py`."""
CHUNK = 200
"""Iterations between two looks at the clock."""
MOST = 1 << 22
"""Edges that a tree may have, whatever its time."""
TIMES = 16
"""An explanation grows a tree of at most so many times the iterations that a decision has."""
LEVEL = 0.05
HARDLY, FEW = 0.05, 100
"""Hardly tried is a play that had less than this share of the best one's visits, or fewer than
so many. Then its mean says little: the tree below it has hardly grown."""


class Tried(NamedTuple):
    """What a tree knows of one play at its root."""

    visits: int
    mean: float = math.nan
    error: float = math.inf
    """The standard error of the mean."""


class Rivals(NamedTuple):
    """How the other plays at the root compare with the best, by their places, the most tried
    first; those that are clearly worse are left out."""

    equal: list[int]
    unclear: list[int]
    """Tried often enough, and still not clearly worse than the best."""
    hardly_tried: list[int]
    """Not clearly worse than the best only because the search hardly tried them."""


class TreePlayer(Player):
    """Grows a tree for each decision; one that is reused grows on in the next."""

    def __init__(
        self, game: CompiledGame, slots: Any, options: IsmctsOptions, further: tuple[float, ...],
        rng: Any, *, seconds: float, reuse: bool,
    ) -> None:  # fmt: skip
        """`further` are the numbers of the rollout policy and the beliefs."""
        import numpy as np

        from kibitz.jit import hashing
        from kibitz.search.fast import ismcts
        from kibitz.search.fast.slots import bind_search

        self.game = game
        self.sampler = slots["worlds"]
        self.options = options
        self.numbers = np.array((*options, *further))
        self.rollout_numbers = np.array(further)
        self.rng = rng
        self.seconds = seconds
        self.reuse = reuse
        self._rollout_policy = slots["rollout"].choose
        self._grow = bind_search(ismcts.grow, game, slots)
        self._robust_child = bind_search(ismcts.robust_child, game, slots)
        self._root_key = bind_search(ismcts.root_key, game, slots)
        self._find_slot = hashing.find_slot
        self._mix = hashing.mix
        self._capacity_for = ismcts.capacity_for
        self._tree: Any = None

    def choose(self, view: View[Any]) -> Any:
        legal = self.game.kernels.legal(view.state)
        if len(legal) == 1:
            return self.game.name_play(view.state, legal[0])
        past, plays = turns_before(self.game, view)
        if len(legal) > WIDTH:
            code = self._rollout_policy(
                view.state, view.seat, past[:0], plays[:0], self.rollout_numbers, self.rng
            )
            return self.game.name_play(view.state, code)
        tree = self._grown(view, past, plays)
        root = self._root(view, plays)
        return self.game.name_play(view.state, legal[self._robust_child(legal, root, tree)])

    def _root(self, view: View[Any], plays: Any) -> int:
        """The key of the root."""
        many_observers = self.options.many_observers
        return int(self._root_key(view.state, view.seat, plays, many_observers))

    def _grown(self, view: View[Any], past: Any, plays: Any) -> Any:
        """The tree after this decision's iterations."""
        n = int(self.options.iterations)
        old = self._tree if self.reuse else None
        tree = old if old is not None else self._new_tree(n)
        ends = time.monotonic() + self.seconds
        if not self.seconds:
            tree = self._with_capacity(tree, n)
            self._add(view, past, plays, tree, n)
        else:
            while True:
                tree = self._with_capacity(tree, CHUNK)
                self._add(view, past, plays, tree, CHUNK)
                if time.monotonic() >= ends or self._used(tree) > MOST:
                    break
        self._tree = tree
        return tree

    def _add(self, view: View[Any], past: Any, plays: Any, tree: Any, n: int) -> None:
        self._grow(view.state, view.seat, past, plays, self.numbers, self.rng, n, tree)

    def _new_tree(self, n: int) -> Any:
        from kibitz.search.fast.ismcts import new_tree

        return new_tree(self._capacity_for(n), self.game.players)

    def _used(self, tree: Any) -> int:
        return int((tree.keys != 0).sum())

    def _with_capacity(self, tree: Any, more: int) -> Any:
        """The same tree, in a larger table if it would get too full."""
        used = self._used(tree)
        if 2 * (used + more) <= len(tree.keys) or not used:
            return tree
        larger = self._new_tree(used + more)
        for i in tree.keys.nonzero()[0]:
            j = self._find_slot(larger.keys, tree.keys[i])
            larger.keys[j] = tree.keys[i]
            larger.edges[j] = tree.edges[i]
        larger.returns[:] = tree.returns
        return larger

    def explain(self, view: View[Any]) -> Explanation:
        """By a tree of its own, and random numbers of its own: it changes no decision."""
        plays = list(view.plays())
        measure = measure_of(self.game)
        own_tree, own_rng = self._tree, self.rng
        self.rng = own_rng.copy()
        try:
            if len(plays) == 1 or len(plays) > WIDTH:
                return without_thinking(view, self.choose(view), measure.name)
            if own_tree is not None:
                self._tree = type(own_tree)(*(part.copy() for part in own_tree))
            return self._explained(view, plays, measure)
        finally:
            self._tree, self.rng = own_tree, own_rng

    def _explained(self, view: View[Any], plays: list[Any], measure: Measure) -> Explanation:
        import numpy as np

        past, codes = turns_before(self.game, view)
        root = self._root(view, codes)
        legal = np.array([play.code for play in plays])
        tree = self._grown(view, past, codes)
        n = grown = int(self.options.iterations)
        while True:
            best = int(self._robust_child(legal, root, tree))
            tried = [self._tried(play, root, view.seat) for play in plays]
            rivals = compare_tried(best, tried, measure.margin / measure.scale)
            clear = not rivals.unclear and not rivals.hardly_tried
            if clear or self.seconds or grown >= TIMES * n or self._used(tree) > MOST:
                break
            tree = self._tree = self._with_capacity(tree, grown)
            self._add(view, past, codes, tree, grown)
            grown *= 2
        reasons = [_reason(measure, *one) for one in zip(plays, tried, strict=True)]
        as_good = tuple(plays[i] for i in (*rivals.equal, *rivals.unclear))
        order = {play: i for i, play in enumerate((plays[best], *as_good))}
        reasons.sort(key=lambda r: (order.get(r.play, len(order)), -r.parts["visits"]))
        belief = np.ones(self.sampler.SIZE)
        self.sampler.prepare(view.state, view.seat, past, codes, self.numbers, belief)
        beliefs = beliefs_by(
            self.game, self.sampler, view, past, codes, self.numbers, belief, self.rng
        )
        sentence = self._sentence(view, measure, reasons, plays, rivals)
        return Explanation(
            plays[best], measure.name, tuple(reasons), beliefs, sentence, as_good, measure.margin,
            why(view, plays[best], beliefs), measure.chance,
        )  # fmt: skip

    def _sentence(
        self, view: View[Any], measure: Measure, reasons: list[Reason], plays: list[Any],
        rivals: Rivals,
    ) -> str:  # fmt: skip
        top = reasons[0]
        tried = round(sum(reason.parts["visits"] for reason in reasons))
        first = (
            f"{said(view, top.play)}: tried in {top.parts['visits']:.0f} of {tried} simulated"
            f" {self.game.traits.unit}s, more often than anything else; {measure.words(top.score)}"
        )
        as_good = [*rivals.equal, *rivals.unclear]
        more = [f"{len(as_good) - 2} more"] if len(as_good) > 2 else []
        others = " or ".join([*(said(view, plays[i]) for i in as_good[:2]), *more])
        if rivals.unclear:
            first += f"; {others} may be as good: so many do not tell them apart"
        elif rivals.equal:
            first += f"; {others} would be equally good, within {measure.margin_text()}"
        if rivals.hardly_tried:
            number = len(rivals.hardly_tried)
            others = "all others" if number == len(plays) - 1 > 1 else f"{number} plays"
            others = said(view, plays[rivals.hardly_tried[0]]) if number == 1 else others
            verb, their = ("was", "its score says") if number == 1 else ("were", "their scores say")
            first += f"; {others} {verb} hardly tried, so {their} little"
        return f"{first}."

    def _tried(self, play: Any, root: int, seat: int) -> Tried:
        place = self._find_slot(self._tree.keys, self._mix(root, play.code))
        edge = self._tree.edges[place]
        visits = int(edge.visits)
        if not visits:
            return Tried(0)
        mean = float(edge.total / visits)
        variance = max(float(edge.squares) / visits - mean * mean, 0.0)
        low, high = self._tree.returns[seat]
        return Tried(visits, mean, standard_error(variance, visits, float(high - low)))


def _reason(measure: Measure, play: Any, tried: Tried) -> Reason:
    if not tried.visits:
        return Reason(play, math.nan, {"visits": 0.0})
    low, high = (measure.of(tried.mean + side * 1.96 * tried.error) for side in (-1, 1))
    if measure.chance:
        low, high = max(low, 0.0), min(high, 1.0)
    parts = {"visits": float(tried.visits), "mean": tried.mean, "low": low, "high": high}
    return Reason(play, measure.of(tried.mean), parts, (low, high))


def standard_error(variance: float, visits: int, width: float) -> float:
    """Of a mean. A few results that are all alike do not make it certain: by the rule of three
    the rest, up to 3 in n, may be at the other end of what results there are."""
    return max(math.sqrt(variance / visits), width * 3 / visits / 1.96)


def compare_tried(best: int, tried: list[Tried], margin: float) -> Rivals:
    """The plays that are not clearly worse than the best. One that was hardly tried is no rival:
    it has a wide interval because the search had no reason to try it."""
    from statistics import NormalDist

    sure = NormalDist().inv_cdf(1 - LEVEL / (2 * max(len(tried) - 1, 1)))
    top = tried[best]
    rivals = Rivals([], [], [])
    for i in sorted(range(len(tried)), key=lambda i: -tried[i].visits):
        other = tried[i]
        if i == best or not other.visits:
            continue
        behind = top.mean - other.mean
        error = sure * math.hypot(top.error, other.error)
        if behind - error > 0:
            continue
        if other.visits < max(HARDLY * top.visits, FEW):
            rivals.hardly_tried.append(i)
        else:
            (rivals.equal if abs(behind) + error <= margin else rivals.unclear).append(i)
    return rivals
