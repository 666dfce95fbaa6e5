"""Alpha-beta: what it looks at, what it says within a window, and in any order of plays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.search.textbook.alpha_beta import AlphaBeta
from kibitz.search.textbook.minimax import Minimax
from kibitz.search.textbook.move_ordering import best_first, remembered_first, shuffled, worst_first
from kibitz.search.textbook.result import Known
from kibitz.search.textbook.star import Star1, Star2
from kibitz.search.textbook.trace import Cut, Leave
from kibitz.search.textbook.transposition import AlphaBetaWithTable, MergedMinimax
from kibitz.search.textbook.tree_search import Choice
from tests.oracle.trees import (
    ONE_ROUND,
    Max,
    Min,
    Tree,
    alpha_beta_leaves,
    best_children,
    leaf_at,
    minimax_value,
    subtrees,
    trees,
    uniform_trees,
)
from tests.search.trees import (
    INFINITY,
    Places,
    Search,
    all_hold,
    as_game,
    leaves_of,
    lines_of,
    looked_at,
    node_at,
    path_of,
    play_out,
    traced,
    true_values,
    unfold,
    walks,
    with_coins,
)

TREES = st.one_of(trees(chance=False), trees(chance=False, max_leaves=100))
WITH_WINDOW: list[Search] = [AlphaBeta, AlphaBetaWithTable, Star1, Star2]
Value = Callable[[Any], float]


# -- what it looks at ----------------------------------------------------------------------


def test_one_round_without_4_and_6() -> None:
    trace, result = traced(AlphaBeta, as_game(ONE_ROUND))
    seen = [int(leaf_at(ONE_ROUND, path)) for path in leaves_of(trace)]
    assert seen == [3, 12, 8, 2, 14, 5, 2]
    assert (result.value, result.line) == (3, ("1", "1"))
    # The third play has the value 2 exactly, but its last end is met with the window closed to it.
    assert result.values == {"1": Known(3), "2": Known(3, "≤"), "3": Known(3, "≤")}
    (cut,) = [event for event in trace.events if isinstance(event, Cut)]
    assert cut.plays == ("2", "3")
    assert result.counts.cutoffs == 1


def test_a_deep_cut() -> None:
    tree = Max((5, Min((Max((Min((4, 9)), Min((7, 8)))), 6))))
    seen, result = looked_at(AlphaBeta, tree)
    assert [leaf_at(tree, path) for path in seen] == [5, 4, 7, 8, 6]
    assert result.value == 6


@settings(max_examples=200)
@given(TREES)
def test_leaves_are_those_of_the_oracle_in_order(tree: Tree) -> None:
    seen, result = looked_at(AlphaBeta, tree)
    assert seen == alpha_beta_leaves(tree)
    assert result.counts.leaves == len(seen)
    trace, _ = traced(AlphaBeta, as_game(tree))
    assert leaves_of(trace) == seen


@settings(max_examples=120)
@given(TREES)
def test_what_is_cut_is_what_is_not_entered(tree: Tree) -> None:
    trace, result = traced(AlphaBeta, as_game(tree))
    lines = lines_of(trace)
    left = [event.node for event in trace.events if isinstance(event, Leave)]
    plays = sum(len(subtrees(node_at(tree, path_of(lines[node])))) for node in left)
    cuts = [event.plays for event in trace.events if isinstance(event, Cut)]
    assert plays == result.counts.nodes - 1 + sum(map(len, cuts))
    assert result.counts.cutoffs == len(cuts)
    assert all(cuts)


@settings(max_examples=120)
@given(uniform_trees())
def test_the_best_order_needs_about_the_square_root(made: tuple[int, int, Tree]) -> None:
    """Knuth and Moore 1975: b^⌊m/2⌋ + b^⌈m/2⌉ − 1 leaves, and never fewer."""
    branching, depth, tree = made
    game = as_game(tree)
    fewest = branching ** (depth // 2) + branching ** ((depth + 1) // 2) - 1
    truth = true_values(tree, game)
    best = AlphaBeta(game, choice=best_first(truth.__getitem__)).run(game.deal(0))
    assert best.counts.leaves == fewest
    assert AlphaBeta(game).run(game.deal(0)).counts.leaves >= fewest


# -- within a window -----------------------------------------------------------------------


def within(search: Search, game: Any, alpha: float, beta: float) -> Any:
    """The result of a search whose root has a window of its own."""

    class Windowed(search):  # type: ignore[misc, valid-type]
        def root(self, state: Any) -> Any:
            return super().root(state, alpha, beta)

    return Windowed(game).run(game.deal(0))


@pytest.mark.parametrize(
    ("alpha", "beta", "value"),
    [(3, 9, 3), (4, 9, 4), (-9, 3, 3), (-9, 2, 2), (2, 4, 3), (2, INFINITY, 3), (-INFINITY, 4, 3)],
)
def test_a_window_on_one_round(alpha: float, beta: float, value: float) -> None:
    assert within(AlphaBeta, as_game(ONE_ROUND), alpha, beta).value == value


@pytest.mark.parametrize("search", WITH_WINDOW)
@settings(max_examples=120)
@given(tree=TREES, limits=st.tuples(st.integers(-6, 6), st.integers(-6, 6)))
def test_a_value_is_exact_inside_and_a_limit_outside(
    search: Search, tree: Tree, limits: tuple[int, int]
) -> None:
    alpha, beta = min(limits) - 0.5, max(limits) + 0.5
    for low, high in ((alpha, beta), (min(limits), max(limits) + 1)):
        result = within(search, as_game(tree), low, high)
        assert result.value == min(max(minimax_value(tree), low), high)
        assert all_hold(result.values, tree)


@pytest.mark.parametrize("search", [Star1, Star2])
@settings(max_examples=120)
@given(tree=with_coins, limits=st.tuples(st.integers(-6, 6), st.integers(-6, 6)))
def test_the_same_with_chance(search: Search, tree: Tree, limits: tuple[int, int]) -> None:
    alpha, beta = min(limits), max(limits) + 1
    result = within(search, as_game(tree), alpha, beta)
    assert result.value == min(max(minimax_value(tree), alpha), beta)
    assert all_hold(result.values, tree)


# -- what it knows of each play ------------------------------------------------------------


@pytest.mark.parametrize("search", WITH_WINDOW)
@settings(max_examples=120)
@given(tree=TREES)
def test_bounds_of_the_plays_are_true(search: Search, tree: Tree) -> None:
    game = as_game(tree)
    result = search(game).run(game.deal(0))
    assert all_hold(result.values, tree)
    # Nothing is cut at a root whose window is infinite.
    assert set(result.values) == set(game.plays(game.deal(0)))
    if result.best is not None:
        assert result.values[result.best] == Known(result.value)


# -- in any order --------------------------------------------------------------------------


def orders(value: Value, seed: int) -> list[Choice]:
    return [best_first(value), worst_first(value), shuffled(seed)]


@pytest.mark.parametrize("search", [Minimax, MergedMinimax, *WITH_WINDOW])
@settings(max_examples=120)
@given(tree=TREES, seed=st.integers(0, 99))
def test_no_order_changes_the_value(search: Search, tree: Tree, seed: int) -> None:
    game = as_game(tree)
    truth = true_values(tree, game)
    for order in orders(truth.__getitem__, seed):
        result = search(game, choice=order).run(game.deal(0))
        assert result.value == minimax_value(tree)
        assert game.value(play_out(game, game.deal(0), result.line)) == result.value
        assert all_hold(result.values, tree)
        if subtrees(tree):
            assert path_of(result.line)[0] in best_children(tree)


@pytest.mark.parametrize("search", [MergedMinimax, AlphaBeta, AlphaBetaWithTable])
@settings(max_examples=120)
@given(game=walks(), seed=st.integers(0, 99))
def test_no_order_changes_the_value_of_merged_states(
    search: Search, game: Places, seed: int
) -> None:
    value = minimax_value(unfold(game))

    def guess(state: int) -> float:
        return game.places[state].value

    for order in orders(guess, seed):
        trace, result = traced(search, game, choice=order)
        assert result.value == value
        assert game.value(play_out(game, 0, result.line)) == value
        assert trace.counts() == result.counts


def test_orders() -> None:
    game = as_game(Max((1, 3, 2, 3)))
    turn = game.turn("n0")
    value = game.value

    def plays(order: Choice) -> str:
        return " ".join(play for play, _ in order(turn, "n0", 0))

    assert plays(best_first(value)) == "2 4 3 1"
    assert plays(worst_first(value)) == "1 3 2 4"
    assert plays(remembered_first({"n0": "3"}, game.key)) == "3 1 2 4"
    assert plays(remembered_first({}, game.key)) == "1 2 3 4"
    assert sorted(plays(shuffled(1)).split()) == ["1", "2", "3", "4"]
    assert [plays(shuffled(seed)) for seed in range(9)] == [
        plays(shuffled(seed)) for seed in range(9)
    ]
    assert len({plays(shuffled(seed)) for seed in range(30)}) > 10
    game = as_game(Min((1, 3, 2, 3)))
    turn = game.turn("n0")
    assert plays(best_first(value)) == "1 3 2 4"
    assert plays(worst_first(value)) == "2 4 3 1"


@settings(max_examples=120)
@given(TREES)
def test_a_table_looks_at_no_more_in_a_tree(tree: Tree) -> None:
    """In a tree no state comes back, so the table is never asked a second time."""
    game = as_game(tree)
    plain, table = (cls(game).run(game.deal(0)) for cls in (AlphaBeta, AlphaBetaWithTable))
    assert table == plain
    assert table.counts.hits == 0
