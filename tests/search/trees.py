"""Trees of the oracle as games, random graphs with merged states, and what a search saw."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from hypothesis import strategies as st

from kibitz.core.game import Game
from kibitz.graph.graph import Graph, Subtree, antagonist, chance, end, protagonist
from kibitz.search.textbook.result import Known
from kibitz.search.textbook.trace import NOWHERE, Cut, Enter, Hit, Leaf, Leave, Skip, Trace, Window
from kibitz.search.textbook.tree_search import TreeSearch
from tests.oracle.trees import (
    LEAF_LIMIT,
    Coin,
    Max,
    Min,
    Path,
    Tree,
    leaf_at,
    leaf_paths,
    minimax_value,
    subtrees,
    trees,
)

Search = Callable[..., TreeSearch[Any, Any]]
Bounds = tuple[int | None, int | None]
INFINITY = float("inf")
SLACK = 1e-9
"""What rounding may do to a mean."""


# -- trees as games ------------------------------------------------------------------------


def as_part(tree: Tree, exact: bool = True) -> Subtree:
    """The plays of a node are 1, 2, 3 …; probabilities are fractions unless not exact."""
    children = [as_part(child, exact) for child in subtrees(tree)]
    if isinstance(tree, Max):
        return protagonist(*children)
    if isinstance(tree, Min):
        return antagonist(*children)
    if isinstance(tree, Coin):
        return chance(*children, of=[p if exact else float(p) for p, _ in tree.branches])
    return end(tree)  # type: ignore[arg-type]  # a fraction is a number too


def as_game(tree: Tree, exact: bool = True) -> Game[str, str]:
    return Graph.of(as_part(tree, exact)).game("tree")


def path_of(plays: Sequence[str]) -> Path:
    """Plays as the oracle counts children."""
    return tuple(int(play) - 1 for play in plays)


def node_at(tree: Tree, path: Path) -> Tree:
    for i in path:
        tree = subtrees(tree)[i]
    return tree


def paths(game: Game[str, str]) -> dict[str, Path]:
    """The path to each state of the tree's game."""
    paths: dict[str, Path] = {}
    waiting: list[tuple[str, Path]] = [(game.deal(0), ())]
    for state, path in waiting:
        paths[state] = path
        if not game.is_over(state):
            plays = game.plays(state)
            waiting += [(game.after(state, play), (*path, int(play) - 1)) for play in plays]
    return paths


def true_values(tree: Tree, game: Game[str, str]) -> dict[str, Any]:
    """The value of each state of the tree's game."""
    return {state: minimax_value(node_at(tree, path)) for state, path in paths(game).items()}


def play_out(game: Game[Any, Any], state: Any, line: Sequence[Any]) -> Any:
    """Where a line leads. Its plays must be legal."""
    for play in line:
        state = game.apply(state, play)
    return state


@st.composite
def bounds(draw: st.DrawFn, tree: Tree) -> Bounds:
    """True bounds of the leaves, tight or not, low < high; each may be unknown."""
    values = [int(leaf_at(tree, path)) for path in leaf_paths(tree)]
    low = draw(st.none() | st.integers(-LEAF_LIMIT - 1, min(values)))
    high = draw(st.none() | st.integers(max(values), LEAF_LIMIT + 1))
    if low is not None and low == high:
        high += 1
    return low, high


def limits(bounds: Bounds) -> tuple[float, float]:
    low, high = bounds
    return (-INFINITY if low is None else low), (INFINITY if high is None else high)


@st.composite
def deep_trees(draw: st.DrawFn) -> Tree:
    """Trees with a window at their coins: all ends are at the same depth, five to seven down."""
    kinds = draw(st.lists(st.sampled_from(["max", "min", "coin"]), min_size=4, max_size=6))
    leaves = st.integers(-LEAF_LIMIT, LEAF_LIMIT)

    def grow(level: int) -> Tree:
        if level == len(kinds):
            return draw(leaves)
        children = tuple(grow(level + 1) for _ in range(draw(st.integers(1, 2))))
        if kinds[level] == "coin":
            weights = [draw(st.integers(1, 9)) for _ in children]
            chances = [Fraction(weight, sum(weights)) for weight in weights]
            return Coin(tuple(zip(chances, children, strict=True)))
        return Max(children) if kinds[level] == "max" else Min(children)

    # Something to fall back on for both sides, so that alpha and beta are finite below.
    return Max((draw(leaves), Min((draw(leaves), grow(0)))))


with_coins = st.one_of(trees(chance=True), deep_trees())
bounded_trees = with_coins.flatmap(lambda tree: st.tuples(st.just(tree), bounds(tree)))


# -- graphs with merged states -------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """A node of a graph: who moves and which nodes the plays lead to; or its value."""

    mover: int
    targets: tuple[int, ...]
    value: int


class Places(Game[int, int]):
    """A game on a graph without cycles. A play is the number of the node it leads to."""

    name: ClassVar[str] = "places"
    title: ClassVar[str] = "A walk on a graph"

    def __init__(self, places: Sequence[Place]) -> None:
        super().__init__()
        self.places = places

    def deal(self, seed: int, first: int = 0) -> int:
        return 0

    def mover(self, state: int) -> int:
        return self.places[state].mover

    def is_over(self, state: int) -> bool:
        return not self.places[state].targets

    def plays(self, state: int) -> Sequence[int]:
        return self.places[state].targets

    def after(self, state: int, play: int) -> int:
        return play

    def returns(self, state: int) -> tuple[float, ...]:
        return self.places[state].value, -self.places[state].value


@st.composite
def walks(draw: st.DrawFn) -> Places:
    """Graphs of 1 to 11 nodes with up to four plays each, to later nodes: many ways join."""
    size = draw(st.integers(1, 11))
    places = []
    for i in range(size):
        later = st.lists(st.integers(i + 1, size - 1), max_size=4, unique=True)
        targets = sorted(draw(later)) if i + 1 < size else []
        if i == 0 and size > 1 and not targets:
            targets = [1]
        places.append(
            Place(draw(st.integers(0, 1)), tuple(targets), draw(st.integers(-LEAF_LIMIT, 4)))
        )
    return Places(places)


Stop = Callable[[int, int], bool]
"""Whether a search stops at a state and depth."""


def unfold(game: Places, state: int = 0, depth: int = 0, stop: Stop | None = None) -> Tree:
    """The graph as a tree of the oracle. Where it stops, a place's own number is its value."""
    place = game.places[state]
    if not place.targets or (stop is not None and stop(state, depth)):
        return place.value
    children = tuple(unfold(game, target, depth + 1, stop) for target in place.targets)
    return Max(children) if place.mover == 0 else Min(children)


def line_on(game: Places, path: Path) -> tuple[int, ...]:
    """A path of the unfolded tree as plays."""
    state, plays = 0, []
    for i in path:
        state = game.places[state].targets[i]
        plays.append(state)
    return tuple(plays)


# -- what a search saw ---------------------------------------------------------------------


def looked_at(search: Search, tree: Tree, **options: Any) -> tuple[list[Path], Any]:
    """The leaves that a search looks at, in order, and its result; without a trace."""
    game = as_game(tree)
    where = paths(game)
    seen: list[Path] = []

    class Spy(search):  # type: ignore[misc, valid-type]
        def leaf(self, turn: Any, state: Any) -> Any:
            seen.append(where[state])
            return super().leaf(turn, state)

    return seen, Spy(game, **options).run(game.deal(0))


def traced(
    search: Search, game: Game[Any, Any], state: Any = None, **options: Any
) -> tuple[Trace, Any]:
    trace = Trace()
    result = search(game, trace=trace, **options).run(game.deal(0) if state is None else state)
    return trace, result


def lines_of(trace: Trace) -> dict[int, tuple[Any, ...]]:
    """The plays that lead to each node of a trace. Its shape is checked on the way."""
    lines: dict[int, tuple[Any, ...]] = {}
    inside: list[int] = []
    for event in trace.events:
        if isinstance(event, Enter | Hit):
            assert event.node == len(lines), "nodes are numbered as they are met"
            assert event.parent == (inside[-1] if inside else NOWHERE)
            before = (*lines[event.parent], event.play) if inside else ()
            lines[event.node] = before
            if isinstance(event, Enter):
                inside.append(event.node)
        elif isinstance(event, Leaf | Leave):
            assert event.node == inside.pop(), "a node is left once, after all below it"
        elif isinstance(event, Window | Cut | Skip):
            assert event.node == inside[-1]
    assert not inside, "every node is left"
    return lines


def leaves_of(trace: Trace) -> list[Path]:
    """The paths of the leaves in a trace, in order."""
    lines = lines_of(trace)
    return [path_of(lines[event.node]) for event in trace.events if isinstance(event, Leaf)]


def holds(value: float, relation: str, truth: float) -> bool:
    """Whether a value with `=`, `≤` or `≥` is true."""
    if relation == "=":
        return abs(truth - value) <= SLACK
    assert relation in "≤≥"
    return truth <= value + SLACK if relation == "≤" else truth >= value - SLACK


def what_is_false(trace: Trace, tree: Tree) -> Iterator[str]:
    """Every claim of a trace on a tree that does not hold."""
    lines = lines_of(trace)
    for event in trace.events:
        if not isinstance(event, Leaf | Leave | Hit | Window):
            continue
        node = node_at(tree, path_of(lines[event.node]))
        truth = float(minimax_value(node))
        if isinstance(event, Window):
            inside = event.low - SLACK <= truth <= event.high + SLACK
            # Elsewhere the window is alpha and beta, and says nothing about the value.
            if isinstance(node, Coin) and not inside:
                yield f"{event}, but its value is {truth}"
        elif not holds(event.value, getattr(event, "relation", "="), truth):
            yield f"{event}, but its value is {truth}"


def all_hold(values: dict[Any, Known], tree: Tree) -> bool:
    """Whether all that is known of the root's plays is true."""
    return all(
        holds(known.value, known.relation, float(minimax_value(subtrees(tree)[int(play) - 1])))
        for play, known in values.items()
    )
