"""The claims of a lecture on game search, measured with the textbook searches.

Move order: alpha-beta looks at b^m nodes at worst and at about b^(m/2) at best (D. Knuth and
R. Moore, "An Analysis of Alpha-Beta Pruning", 1975). Chance nodes: Star1 and Star2 cut them
(B. Ballard, "The *-Minimax Search Procedure for Trees Containing Chance Nodes", 1983). The
horizon and the ordinal law are in `limits.py`.

Every figure is a function of the seed and none is a time, so two runs give the same.
`report.py` writes them down.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import fmean as mean
from typing import Any

from kibitz.arena.workers import in_order, workers
from kibitz.core.game import Game, Turn
from kibitz.core.registry import make_game
from kibitz.search.textbook.alpha_beta import AlphaBeta
from kibitz.search.textbook.expectiminimax import Expectiminimax
from kibitz.search.textbook.horizon import DepthLimit
from kibitz.search.textbook.minimax import Minimax
from kibitz.search.textbook.move_ordering import best_first, shuffled
from kibitz.search.textbook.result import Counts
from kibitz.search.textbook.star import Star1, Star2
from kibitz.search.textbook.tree_search import Choice, Horizon
from kibitz.studies.search.limits import (
    EXAMPLE,
    SHAPES,
    TRANSFORMS,
    Example,
    HorizonEffect,
    OrdinalRow,
    example,
    horizon_effect,
    ordinal_row,
)
from kibitz.studies.search.trees import (
    NODES,
    Layers,
    LayersWithChance,
    alternating,
    knuth_moore,
    noise,
    remembered,
    true_values,
)
from kibitz.version import __version__

Progress = Callable[[str], None]
"""Is called with what is measured next."""


@dataclass(frozen=True)
class Measurement:
    """One measurement, which any process can take."""

    what: str
    measure: Callable[..., Any]
    arguments: tuple[Any, ...]


ALMOST = 1e-3
"""A tree is taken as uniform if a column of connect four is full now and then."""


@dataclass(frozen=True)
class SearchSize:
    """How much is measured."""

    games: tuple[tuple[str, int], ...]
    """Games with an evaluation, and the depth up to which they are searched."""
    grown: tuple[int, int]
    """b and m of the uniform tree that is measured for every depth up to m."""
    trees: tuple[tuple[int, int], ...]
    """b and m of the other uniform trees."""
    shuffles: int
    pig: int
    chance_trees: tuple[tuple[int, str], ...]
    """b and the layers of uniform trees with chance."""
    seeds: int
    """How many trees of each such shape."""
    deep: int
    """The depth that stands for the truth about the horizon effect."""
    extra: int
    """How many plies quiescence may add there."""
    ordinal: int
    """How many trees are transformed."""


FULL = SearchSize(
    games=(("tic-tac-toe", 9), ("connect-four", 7)),
    grown=(4, 8),
    trees=((2, 12), (3, 8), (5, 6), (8, 5), (16, 3)),
    shuffles=10,
    pig=9,
    chance_trees=((2, "x?o?x?o?"), (3, "x?o?x?"), (4, "x?o?x"), (6, "x?o?"), (3, "xo?xo?xo")),
    seeds=10,
    deep=9,
    extra=4,
    ordinal=1000,
)
QUICK = SearchSize(
    games=(("tic-tac-toe", 6), ("connect-four", 5)),
    grown=(4, 6),
    trees=((2, 8), (3, 5), (8, 3)),
    shuffles=5,
    pig=6,
    chance_trees=((2, "x?o?x?"), (3, "x?o?"), (3, "xo?xo")),
    seeds=5,
    deep=7,
    extra=4,
    ordinal=200,
)


# -- 1. move order -------------------------------------------------------------------------


@dataclass(frozen=True)
class Work:
    """What one search, or the mean of several, looked at."""

    nodes: float
    leaves: float
    share: float
    """Of the nodes of the search that cuts nothing."""


@dataclass(frozen=True)
class OrderWork(Work):
    exponent: float
    """e in nodes = b^(e·m)."""
    root: float
    """r in leaves = (minimax's leaves)^r: a half is the square root."""


@dataclass(frozen=True)
class OrderCase:
    """One game, or tree, searched to one depth."""

    name: str
    depth: int
    to_the_ends: bool
    b: float
    """The mean number of plays at the inner nodes of minimax."""
    m: float
    """The mean depth of the leaves of minimax."""
    b_m: float
    b_half: float
    """b^m and b^(m/2)."""
    value: float
    agrees: bool
    """Whether alpha-beta found minimax's value in every order."""
    work: Mapping[str, OrderWork]
    """By order: minimax, worst, random, good, best. No `good` without an evaluation."""
    least: int | None
    """On a uniform tree, the leaves that any order must look at (Knuth and Moore)."""


class LeafDepths(DepthLimit):
    """A depth limit that adds up how deep the leaves are."""

    total = 0

    def reached(self, turn: Turn[Any, Any], state: Any, depth: int) -> bool:
        stops = super().reached(turn, state, depth)
        self.total += depth * stops
        return stops


def order_case(game: Game[Any, Any], name: str, depth: int, seed: int, shuffles: int) -> OrderCase:
    """Minimax, and alpha-beta in each order, from the start to one depth."""
    state = game.deal(0)
    evaluate = remembered(game)
    deep = LeafDepths(evaluate, depth)
    plain = Minimax(game, horizon=deep, nodes=NODES).run(state)
    horizon = DepthLimit(evaluate, depth)
    truth = true_values(game, state, horizon)
    orders: dict[str, list[Choice]] = {
        "worst": [truth.worst_first],
        "random": [shuffled(1000 * seed + i) for i in range(shuffles)],
        "good": [best_first(evaluate)] if game.weights else [],
        "best": [truth.best_first],
    }
    counted = {"minimax": [plain.counts]}
    agrees = True
    for order, choices in orders.items():
        searches = [AlphaBeta(game, horizon=horizon, choice=c, nodes=NODES) for c in choices]
        results = [search.run(state) for search in searches]
        agrees = agrees and all(result.value == plain.value for result in results)
        if results:
            counted[order] = [result.counts for result in results]
    leaves = plain.counts.leaves
    b = (plain.counts.nodes - 1) / (plain.counts.nodes - leaves)
    m = deep.total / leaves
    work = {order: _order_work(counts, plain.counts, b, m) for order, counts in counted.items()}
    is_uniform = abs(b - round(b)) < ALMOST and abs(m - depth) < ALMOST
    least = knuth_moore(round(b), depth) if is_uniform else None
    return OrderCase(
        name, depth, plain.exact, b, m, b**m, b ** (m / 2), plain.value, agrees, work, least
    )


def _order_work(counts: Sequence[Counts], plain: Counts, b: float, m: float) -> OrderWork:
    nodes, leaves = _means(counts)
    return OrderWork(
        nodes,
        leaves,
        nodes / plain.nodes,
        exponent=math.log(nodes) / (m * math.log(b)),
        root=math.log(leaves) / math.log(plain.leaves),
    )


def _means(counts: Sequence[Counts]) -> tuple[float, float]:
    if len(counts) == 1:
        return counts[0].nodes, counts[0].leaves
    return mean(count.nodes for count in counts), mean(count.leaves for count in counts)


def game_order_case(name: str, depth: int, seed: int, shuffles: int) -> OrderCase:
    """Of a game, by its name."""
    return order_case(make_game(name), name, depth, seed, shuffles)


def tree_order_case(b: int, m: int, seed: int, shuffles: int) -> OrderCase:
    """Of a uniform tree."""
    tree = Layers(b, alternating(m), noise(seed, b, m))
    return order_case(tree, f"{b}-ary tree", m, seed, shuffles)


def order_measurements(size: SearchSize, seed: int) -> Iterator[Measurement]:
    """All cases; those of one name by depth."""
    # Twenty-one has no evaluation, so only the search to its ends, six plays deep, is sound.
    depths = [(name, range(1, deepest + 1)) for name, deepest in size.games]
    for name, each in [*depths, ("twenty-one", range(6, 7))]:
        for depth in each:
            what = f"move order: {name}, depth {depth}"
            yield Measurement(what, game_order_case, (name, depth, seed, size.shuffles))
    b, deepest = size.grown
    for b, m in [*((b, m) for m in range(1, deepest + 1)), *size.trees]:
        what = f"move order: {b}-ary tree, depth {m}"
        yield Measurement(what, tree_order_case, (b, m, seed, size.shuffles))


# -- 2. chance nodes -----------------------------------------------------------------------

NO_BOUNDS = (-math.inf, math.inf)
SEARCHES: Mapping[str, tuple[type[Star1[Any, Any]], bool]] = {
    "Star1": (Star1, False),
    "Star1, bounds": (Star1, True),
    "Star2": (Star2, False),
    "Star2, bounds": (Star2, True),
}
LECTURE_TREE = (2, 2, 2, 1, 0, 1, 1, 1)
LECTURE_BOUNDS = (-2, 2)
"""MAX over two fair coins over MIN, and between what the ends are known to lie."""
PIG = "pig:target=20"
PIG_POSITIONS = {"start": None, "middle": "score1=10; score2=12; total=3"}


@dataclass(frozen=True)
class ChanceCase:
    name: str
    trees: int
    """The figures are means over so many."""
    bounds: tuple[float, float]
    plain: Work
    """Expectiminimax, which looks at everything."""
    work: Mapping[str, Mapping[str, Work]]
    """By order, `given` or `best`, and by search."""
    gap: float
    """How far a value is from expectiminimax's at most."""


def chance_case(
    name: str,
    games: Sequence[Game[Any, Any]],
    bounds: tuple[float, float],
    horizon: Horizon | None = None,
    position: str | None = None,
) -> ChanceCase:
    """Expectiminimax, Star1 and Star2, in the given and the best order of plays."""
    plain: list[Counts] = []
    counted: dict[str, dict[str, list[Counts]]] = {
        order: {search: [] for search in SEARCHES} for order in ("given", "best")
    }
    gap = 0.0
    for game in games:
        state = game.deal(0) if position is None else game.parse_position(position)
        result = Expectiminimax(game, horizon=horizon, nodes=NODES).run(state)
        plain.append(result.counts)
        truth = true_values(game, state, horizon)
        for order, choice in (("given", None), ("best", truth.best_first)):
            for search, (kind, bounded) in SEARCHES.items():
                known = bounds if bounded else NO_BOUNDS
                own = kind(
                    game, horizon=horizon, choice=choice, bounds=known, nodes=NODES
                ).run(state)  # fmt: skip
                counted[order][search].append(own.counts)
                gap = max(gap, abs(own.value - result.value))
    nodes, leaves = _means(plain)
    work = {
        order: {search: _chance_work(counts, nodes) for search, counts in searches.items()}
        for order, searches in counted.items()
    }
    return ChanceCase(name, len(games), bounds, Work(nodes, leaves, 1.0), work, gap)


def _chance_work(counts: Sequence[Counts], plain: float) -> Work:
    nodes, leaves = _means(counts)
    return Work(nodes, leaves, nodes / plain)


def small_chance_case(name: str) -> ChanceCase:
    """Of the lecture's tree, or of its game."""
    if name == "coin-game":
        coin = make_game(name)
        return chance_case(name, [coin], coin.bounds)
    tree = LayersWithChance(2, "x?o", LECTURE_TREE.__getitem__)
    return chance_case(name, [tree], LECTURE_BOUNDS)


def pig_case(where: str, depth: int) -> ChanceCase:
    """Of the game of Pig, from a position."""
    pig = make_game(PIG)
    horizon = DepthLimit(remembered(pig), depth)
    name = f"pig, {where}, depth {depth}"
    return chance_case(name, [pig], pig.bounds, horizon, PIG_POSITIONS[where])


def tree_chance_case(b: int, layers: str, seed: int, seeds: int) -> ChanceCase:
    """Of so many uniform trees with chance."""
    trees = [LayersWithChance(b, layers, noise(seed, b, layers, i)) for i in range(seeds)]
    return chance_case(f"{b}-ary {layers}", trees, (0, 1))


def chance_measurements(size: SearchSize, seed: int) -> Iterator[Measurement]:
    for name in ("lecture's tree", "coin-game"):
        yield Measurement(f"chance nodes: {name}", small_chance_case, (name,))
    for where in PIG_POSITIONS:
        yield Measurement(f"chance nodes: pig, {where}", pig_case, (where, size.pig))
    for b, layers in size.chance_trees:
        what = f"chance nodes: {b}-ary {layers}"
        yield Measurement(what, tree_chance_case, (b, layers, seed, size.seeds))


# -- the whole -----------------------------------------------------------------------------


@dataclass(frozen=True)
class SearchStudy:
    version: str
    seed: int
    quick: bool
    order: tuple[OrderCase, ...]
    chance: tuple[ChanceCase, ...]
    horizon: HorizonEffect
    ordinal: tuple[OrdinalRow, ...]
    example: Mapping[str, Example]


def measure(
    seed: int = 0,
    quick: bool = False,
    progress: Progress = lambda what: None,
    size: SearchSize | None = None,
    *,
    jobs: int = 1,
    cluster: str | None = None,
) -> SearchStudy:
    """The whole study. Who measures what makes no difference."""
    size = size or (QUICK if quick else FULL)
    parts: list[list[Measurement]] = [
        list(order_measurements(size, seed)),
        list(chance_measurements(size, seed)),
        [Measurement("the horizon", horizon_effect, (size.deep, size.extra))],
        [
            Measurement(
                f"the ordinal law: {trees}", ordinal_row, (trees, transform, size.ordinal, seed)
            )
            for trees in SHAPES
            for transform in TRANSFORMS
        ],
    ]
    steps = [step for part in parts for step in part]
    with workers(jobs, cluster) as (executor, width):
        results = _announced(in_order(executor, width, take, steps), steps, progress)
        order, chance, horizon, ordinal = (tuple(islice(results, len(part))) for part in parts)
    examples = {name: example(leaves) for name, leaves in EXAMPLE.items()}
    return SearchStudy(__version__, seed, quick, order, chance, horizon[0], ordinal, examples)


def take(step: Measurement) -> Any:
    """One measurement, in any process."""
    return step.measure(*step.arguments)


def _announced(
    results: Iterator[Any], steps: Sequence[Measurement], progress: Progress
) -> Iterator[Any]:
    """The results; what is waited for next is announced."""
    for step in steps:
        progress(step.what)
        yield next(results)
