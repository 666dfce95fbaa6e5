"""Minimax, plain and merged, against figures from the lab exercise and against the oracle."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.core.registry import make_game
from kibitz.search.textbook.alpha_beta import AlphaBeta
from kibitz.search.textbook.minimax import Minimax
from kibitz.search.textbook.result import Known
from kibitz.search.textbook.transposition import AlphaBetaWithTable, MergedMinimax
from tests.oracle.trees import (
    ONE_ROUND,
    ORDINAL,
    ORDINAL_TRANSFORMED,
    Max,
    Min,
    Tree,
    best_children,
    count_leaves,
    count_nodes,
    minimax_value,
    principal_line,
    subtrees,
    trees,
)
from tests.search.trees import (
    Place,
    Places,
    Search,
    as_game,
    leaves_of,
    line_on,
    path_of,
    play_out,
    traced,
    unfold,
    walks,
    what_is_false,
)

PLAIN: list[Search] = [Minimax, MergedMinimax, AlphaBeta, AlphaBetaWithTable]
"""The searches for games without chance: all must find the same."""


# -- the games of the exercise -------------------------------------------------------------


@pytest.mark.parametrize("search", PLAIN)
@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("divisible-by-four", 0, "2 3 1"),
        ("paper-rock-scissors", 3, "paper scissors"),
        ("twenty-one", -1, "4 4 4 6 4"),
    ],
)
def test_values_and_lines_of_the_exercise(
    search: Search, name: str, value: float, line: str
) -> None:
    game = make_game(name)
    result = search(game).run(game.deal(0))
    assert result.value == value
    assert " ".join(map(str, result.line)) == line
    assert str(result.best) == line.split()[0]
    assert result.exact and result.depth is None and result.seat == 0
    assert result.values[result.best] == Known(value)
    assert game.value(play_out(game, game.deal(0), result.line)) == value


@pytest.mark.parametrize(
    ("name", "nodes", "merged"),
    [("divisible-by-four", 22, 17), ("paper-rock-scissors", 13, 13), ("twenty-one", 274, 34)],
)
def test_nodes_of_the_exercise(name: str, nodes: int, merged: int) -> None:
    game = make_game(name)
    assert Minimax(game).run(game.deal(0)).counts.nodes == nodes
    result = MergedMinimax(game).run(game.deal(0))
    assert result.counts.nodes == merged
    assert (result.counts.hits > 0) == (merged < nodes)


def test_one_round() -> None:
    game = as_game(ONE_ROUND)
    result = Minimax(game).run(game.deal(0))
    assert (result.value, result.best, result.line) == (3, "1", ("1", "1"))
    assert result.values == {"1": Known(3), "2": Known(2), "3": Known(2)}
    assert (result.counts.nodes, result.counts.leaves, result.counts.cutoffs) == (13, 9, 0)


@pytest.mark.parametrize("search", PLAIN)
def test_an_end_has_a_value_and_no_play(search: Search) -> None:
    game = as_game(7)
    result = search(game).run(game.deal(0))
    assert (result.value, result.best, result.line, result.values) == (7, None, (), {})
    assert (result.counts.nodes, result.counts.leaves) == (1, 1)


# -- any tree ------------------------------------------------------------------------------


@pytest.mark.parametrize("search", PLAIN)
@settings(max_examples=120)
@given(tree=trees(chance=False))
def test_value_best_play_and_line_are_the_oracles(search: Search, tree: Tree) -> None:
    game = as_game(tree)
    result = search(game).run(game.deal(0))
    assert result.value == minimax_value(tree)
    assert path_of(result.line) == principal_line(tree)
    assert result.best == (result.line[0] if result.line else None)
    assert game.value(play_out(game, game.deal(0), result.line)) == result.value


@settings(max_examples=120)
@given(trees(chance=False))
def test_minimax_looks_at_everything_and_knows_every_play(tree: Tree) -> None:
    game = as_game(tree)
    trace, result = traced(Minimax, game)
    assert result.counts.nodes == count_nodes(tree)
    assert result.counts.leaves == count_leaves(tree) == len(leaves_of(trace))
    assert result.values == {
        str(i): Known(float(minimax_value(child))) for i, child in enumerate(subtrees(tree), 1)
    }


@pytest.mark.parametrize("search", PLAIN)
@settings(max_examples=120)
@given(tree=trees(chance=False))
def test_a_trace_is_true_and_counts_the_same(search: Search, tree: Tree) -> None:
    trace, result = traced(search, as_game(tree))
    assert trace.counts() == result.counts
    assert list(what_is_false(trace, tree)) == []


# -- graphs with merged states -------------------------------------------------------------


@pytest.mark.parametrize("search", PLAIN)
@settings(max_examples=120)
@given(game=walks())
def test_merged_states_change_nothing(search: Search, game: Places) -> None:
    tree = unfold(game)
    trace, result = traced(search, game)
    assert result.value == minimax_value(tree)
    assert result.line == line_on(game, principal_line(tree))
    assert game.value(play_out(game, 0, result.line)) == result.value
    assert trace.counts() == result.counts


@settings(max_examples=120)
@given(walks())
def test_merged_minimax_enters_each_state_once(game: Places) -> None:
    reached = {0}
    for state in range(len(game.places)):
        reached |= set(game.places[state].targets) if state in reached else set()
    result = MergedMinimax(game).run(0)
    assert result.counts.nodes == len(reached)
    edges = sum(len(game.places[state].targets) for state in reached)
    assert result.counts.hits == edges + 1 - len(reached)


def test_the_table_is_hit() -> None:
    # Both plays lead to the same square, and that to two ends.
    square = [Place(0, (1, 2), 0), Place(1, (3,), 0), Place(1, (3,), 0), Place(0, (4, 5), 0)]
    game = Places([*square, Place(0, (), 2), Place(0, (), 1)])
    for search in (MergedMinimax, AlphaBetaWithTable):
        result = search(game).run(0)
        assert (result.value, result.line, result.counts.hits) == (2, (1, 3, 4), 1)
        assert result.counts.nodes == 6


def test_a_bound_in_the_table_is_enough_in_the_same_window() -> None:
    # After 3 both other plays lead to a state of 2: the second time its bound is known.
    tops = [Place(0, (1, 2, 3), 0), Place(0, (), 3), Place(1, (4,), 0), Place(1, (4,), 0)]
    game = Places([*tops, Place(0, (5, 6), 0), Place(0, (), 1), Place(0, (), 2)])
    result = AlphaBetaWithTable(game).run(0)
    assert (result.value, result.line) == (3, (1,))
    assert (result.counts.nodes, result.counts.hits) == (7, 1)
    assert result.values == {1: Known(3), 2: Known(3, "≤"), 3: Known(3, "≤")}


@settings(max_examples=120)
@given(walks())
def test_a_table_needs_no_more_nodes(game: Places) -> None:
    plain, table = AlphaBeta(game).run(0), AlphaBetaWithTable(game).run(0)
    assert table.counts.nodes <= plain.counts.nodes


# -- only the order of the ends counts -----------------------------------------------------


def best_plays(game: Any) -> list[str]:
    """All plays that have the same value as the best one."""
    result = Minimax(game).run(game.deal(0))
    return [play for play, known in result.values.items() if known.value == result.value]


def transformed(tree: Tree, numbers: dict[int, int]) -> Tree:
    """The same tree with other numbers at its ends."""
    if isinstance(tree, Max | Min):
        return type(tree)(tuple(transformed(child, numbers) for child in tree.children))
    assert isinstance(tree, int)
    return numbers[tree]


def test_the_ordinal_pair() -> None:
    assert best_plays(as_game(ORDINAL)) == best_plays(as_game(ORDINAL_TRANSFORMED)) == ["2"]


@settings(max_examples=120)
@given(trees(chance=False), st.lists(st.integers(1, 1000), min_size=9, max_size=9))
def test_a_monotone_change_of_the_ends_changes_no_decision(tree: Tree, steps: list[int]) -> None:
    numbers = {value: sum(steps[: value + 5]) - 2000 for value in range(-4, 5)}
    game, other = as_game(tree), as_game(transformed(tree, numbers))
    assert best_plays(other) == best_plays(game)
    if subtrees(tree):
        assert path_of(best_plays(game)) == tuple(best_children(tree))
    for search in PLAIN:
        one, two = search(game).run(game.deal(0)), search(other).run(other.deal(0))
        assert two.line == one.line
        assert two.value == numbers[int(one.value)]
        assert two.counts == one.counts
