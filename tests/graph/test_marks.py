"""Searches laid over graphs, step by step: values, cuts, the best line, and counts."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.core.errors import BadText
from kibitz.core.game import Game
from kibitz.core.registry import make_game
from kibitz.graph.build import build
from kibitz.graph.drawing import draw_game
from kibitz.graph.graph import Graph, Kind
from kibitz.graph.marks import Mark, Marks, Replay, Status, number
from kibitz.graph.series import Series
from kibitz.graph.text import parse_graph
from kibitz.search.textbook.algorithms import TREE_SEARCHES, Settings, run, suitable
from kibitz.search.textbook.result import Result
from kibitz.search.textbook.trace import Trace
from tests.oracle.trees import Tree, alpha_beta_leaves, leaf_paths, minimax_value, trees
from tests.search.trees import Places, as_game, bounded_trees, limits, unfold, walks

LECTURE = parse_graph("A max: B, C, D\nB min: 3, 12, 8\nC min: 2, 4, 6\nD min: 14, 5, 2")
OPEN_CARDS = ("coin-game", "divisible-by-four", "paper-rock-scissors", "twenty-one")


def searched(
    algorithm: str, game: Game[Any, Any], settings: Settings | None = None
) -> tuple[Trace, Result[Any]]:
    trace = Trace()
    return trace, run(algorithm, game, game.deal(0), settings, trace)


def laid(
    algorithm: str, game: Game[Any, Any], graph: Graph, settings: Settings | None = None
) -> tuple[Marks, Result[Any]]:
    """The marks at the end."""
    trace, result = searched(algorithm, game, settings)
    return Replay(graph, trace, result.line).finish(), result


def steps(graph: Graph, trace: Trace, result: Result[Any]) -> Iterator[Marks]:
    """The marks after each step, as they were then."""
    for marks in Replay(graph, trace, result.line).steps():
        yield copy.deepcopy(marks)


def paths(graph: Graph) -> dict[str, tuple[int, ...]]:
    """The path to each node of a tree."""
    paths: dict[str, tuple[int, ...]] = {graph.root.name: ()}
    for node, edge in graph.edges():
        paths[edge.target] = (*paths[node.name], node.edges.index(edge))
    return paths


def true_values(tree: Tree, graph: Graph) -> dict[str, float]:
    from tests.search.trees import node_at

    return {name: float(minimax_value(node_at(tree, p))) for name, p in paths(graph).items()}


def assert_true(shown: str, value: float) -> None:
    """A value on a node is the value, or a bound that holds."""
    relation, _, text = shown.partition(" ")
    bound = float(text.replace("−", "-").replace("∞", "inf"))
    # Four digits are shown, the last one rounded.
    if relation == "=":
        assert bound == pytest.approx(value, abs=1e-3)
    else:
        assert bound >= value - 1e-3 if relation == "≤" else bound <= value + 1e-3
        assert relation in "≤≥"


# -- the lecture's tree --------------------------------------------------------------------


def test_alpha_beta_cuts_4_and_6() -> None:
    marks, result = laid("alpha-beta", LECTURE.game(), LECTURE)
    cut = {name for name, mark in marks.nodes.items() if mark.status is Status.CUT}
    assert sorted(LECTURE.nodes[name].value or 0 for name in cut) == [4, 6]
    assert cut == {"C.2", "C.3"}
    assert marks.cuts == {("C", "2"): "2 ≤ α 3", ("C", "3"): "2 ≤ α 3"}
    assert {mark.status for name, mark in marks.nodes.items() if name not in cut} == {Status.DONE}
    assert marks.nodes["A"].value == "= 3"
    assert marks.nodes["B"].value == "= 3"
    assert marks.nodes["C"].value == "≤ 3"
    assert marks.line == [("A", "1"), ("B", "1")]
    assert (result.counts.nodes, result.counts.leaves, result.counts.cutoffs) == (11, 7, 1)
    assert marks.text == "done: = 3, best line 1 1"


def test_minimax_cuts_nothing() -> None:
    marks, _ = laid("minimax", LECTURE.game(), LECTURE)
    assert (marks.cuts, {mark.status for mark in marks.nodes.values()}) == ({}, {Status.DONE})
    assert [marks.nodes[name].value for name in "ABCD"] == ["= 3", "= 3", "= 2", "= 2"]


def test_reasons_have_a_real_minus() -> None:
    graph = parse_graph("A max: B, C\nB min: -3\nC min: -4, 1")
    marks, _ = laid("alpha-beta", graph.game(), graph)
    assert marks.cuts == {("C", "2"): "−4 ≤ α −3"}


def test_beta_cuts_too() -> None:
    graph = parse_graph("A min: B, C\nB max: 3\nC max: 4, 1")
    marks, _ = laid("alpha-beta", graph.game(), graph)
    assert marks.cuts == {("C", "2"): "4 ≥ β 3"}
    assert marks.nodes["C"].value == "≥ 3"


def test_a_branch_that_is_cut_is_cut_down_to_its_ends() -> None:
    graph = parse_graph("A max: 3, C\nC min: 2, D\nD max: E, 1\nE min: 5, 6")
    marks, _ = laid("alpha-beta", graph.game(), graph)
    cut = {name for name, mark in marks.nodes.items() if mark.status is Status.CUT}
    assert cut == {"D", "E", "D.2", "E.1", "E.2"}


def test_what_another_way_leads_to_is_not_cut() -> None:
    graph = parse_graph("A max: B, C\nB min: 3, D\nC min: 2, D\nD max: E\nE min: 5")
    marks, _ = laid("alpha-beta", graph.game(), graph)
    assert marks.nodes["D"].status is Status.DONE
    assert marks.cuts == {("C", "2"): "2 ≤ α 3"}


# -- marks at the end ----------------------------------------------------------------------


@given(trees(chance=True))
def test_values_of_expectiminimax_are_the_oracle_s(tree: Tree) -> None:
    game = as_game(tree, exact=False)
    graph = build(game)
    marks, result = laid("expectiminimax", game, graph)
    for name, value in true_values(tree, graph).items():
        assert marks.nodes[name].value.startswith("= ")
        assert_true(marks.nodes[name].value, value)
        assert marks.nodes[name].status is Status.DONE
    assert [play for _, play in marks.line] == list(result.line)


@given(trees(chance=False))
def test_values_and_cuts_of_alpha_beta_are_the_oracle_s(tree: Tree) -> None:
    game = as_game(tree)
    graph = build(game)
    marks, result = laid("alpha-beta", game, graph)
    where = paths(graph)
    for name, value in true_values(tree, graph).items():
        if marks.nodes[name].status is Status.DONE:
            assert_true(marks.nodes[name].value, value)
        else:
            assert (marks.nodes[name].status, marks.nodes[name].value) == (Status.CUT, "")
    leaves = set(leaf_paths(tree))
    seen = {p for name, p in where.items() if marks.nodes[name].status is Status.DONE}
    assert seen & leaves == set(alpha_beta_leaves(tree))
    assert [play for _, play in marks.line] == list(result.line)
    assert len(marks.cuts) >= result.counts.cutoffs


@given(bounded_trees, st.sampled_from(["star1", "star2"]))
def test_values_and_cuts_of_star_hold(made: Any, algorithm: str) -> None:
    tree, known = made
    game = as_game(tree, exact=False)
    graph = build(game)
    marks, _ = laid(algorithm, game, graph, Settings(bounds=limits(known)))
    for name, value in true_values(tree, graph).items():
        mark = marks.nodes[name]
        assert mark.status in (Status.DONE, Status.CUT)
        if mark.status is Status.DONE:
            assert_true(mark.value, value)


@given(walks(), st.sampled_from(["minimax", "minimax-merged", "alpha-beta", "alpha-beta-table"]))
def test_values_on_merged_graphs_hold(game: Places, algorithm: str) -> None:
    graph = build(game, merge=True)
    marks, result = laid(algorithm, game, graph)
    for name, node in graph.nodes.items():
        value = float(minimax_value(unfold(game, int(node.caption))))
        if marks.nodes[name].status is Status.DONE:
            assert_true(marks.nodes[name].value, value)
        else:
            assert marks.nodes[name].status is Status.CUT
            assert algorithm.startswith("alpha-beta")
    assert marks.nodes[graph.root.name].value == f"= {number(result.value)}"
    assert [play for _, play in marks.line] == [str(play) for play in result.line]
    for cut_from, play in marks.cuts:
        assert play in [edge.play for edge in graph.nodes[cut_from].edges]


# -- step by step --------------------------------------------------------------------------


def assert_grows(graph: Graph, trace: Trace, result: Result[Any]) -> None:
    """Values appear, stay, and come from below."""
    before: dict[str, str] = {}
    for marks in steps(graph, trace, result):
        values = {name: mark.value for name, mark in marks.nodes.items() if mark.value}
        for name, value in before.items():
            assert name in values, "a value never goes away"
            assert values[name] == value or not value.startswith("="), "nor does it change"
        for name in values.keys() - before.keys():
            for edge in graph.nodes[name].edges:
                below = marks.nodes.get(edge.target)
                if below is not None and below.status in (Status.OPEN, Status.DONE):
                    assert below.value, "a value comes from those below"
        before = values
        assert marks.text
        assert marks.current in graph.nodes or marks.text.startswith("done")


@given(bounded_trees, st.sampled_from(["expectiminimax", "star1", "star2"]))
def test_values_come_bottom_up(made: Any, algorithm: str) -> None:
    tree, known = made
    game = as_game(tree, exact=False)
    settings = Settings(bounds=limits(known)) if algorithm.startswith("star") else None
    trace, result = searched(algorithm, game, settings)
    assert_grows(build(game), trace, result)


@given(trees(chance=False), st.sampled_from(["minimax", "alpha-beta", "alpha-beta-table"]))
def test_values_come_bottom_up_without_chance(tree: Tree, algorithm: str) -> None:
    game = as_game(tree)
    trace, result = searched(algorithm, game)
    assert_grows(build(game), trace, result)


@pytest.mark.parametrize("name", OPEN_CARDS)
def test_a_series_is_what_its_steps_add_up_to(name: str) -> None:
    game = make_game(name)
    for algorithm in suitable(game):
        trace, result = searched(algorithm, game)
        series = Series(build(game), trace, "title", result.line)
        assert series.steps[0].text == "before the search"
        assert series.steps[-1].text.startswith("done: = ")
        assert not any(step.text.startswith("done") for step in series.steps[:-1])
        nodes: dict[str, Mark] = {}
        for step in series.steps:
            nodes |= step.changed
        assert nodes == series.last.nodes
        assert series.steps[-1].cuts == series.last.cuts
        assert [play for _, play in series.last.line] == [str(play) for play in result.line]
        pictures = list(series.pictures())
        assert len(pictures) == len(series.steps)
        assert pictures[-1].marks.nodes == series.final().marks.nodes
        assert pictures[0].marks.nodes == {}
        ends = {name for name, node in series.graph.nodes.items() if node.kind is Kind.END}
        widths = series.widths()
        assert all(widths[name] >= 1 for name in ends)


# -- counts --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*OPEN_CARDS, "tic-tac-toe"])
def test_counts_of_the_trace_are_those_of_the_result(name: str) -> None:
    game = make_game(name)
    settings = Settings(depth=4) if name == "tic-tac-toe" else None
    for algorithm in [*suitable(game), "expectiminimax", "star1", "star2"]:
        trace, result = searched(algorithm, game, settings)
        assert trace.counts() == result.counts, algorithm


@given(trees(chance=False))
def test_counts_are_the_same_with_every_search(tree: Tree) -> None:
    game = as_game(tree)
    for algorithm in TREE_SEARCHES:
        trace, result = searched(algorithm, game)
        assert trace.counts() == result.counts


def test_iterative_deepening_that_is_stopped_counts_what_it_entered() -> None:
    game = make_game("tic-tac-toe")
    trace, result = searched("iterative-deepening", game, Settings(nodes=300, seconds=1000))
    assert trace.counts() == result.counts
    assert result.counts.nodes <= 300


def test_iterative_deepening_shows_its_result() -> None:
    """The depth that was stopped in the middle does not count, so its values are not shown."""
    game = make_game("tic-tac-toe")
    settings = Settings(nodes=300, seconds=1000)
    trace, result = searched("iterative-deepening", game, settings)
    marks = Replay(build(game, depth=2), trace, result.line).finish()
    assert Status.OPEN not in {mark.status for mark in marks.nodes.values()}
    assert marks.nodes["n0"].value == f"= {number(result.value)}"


# -- graphs that are not all there ---------------------------------------------------------


@settings(max_examples=30)
@given(trees(chance=False), st.integers(1, 12), st.sampled_from(sorted(TREE_SEARCHES)))
def test_a_part_of_the_graph_shows_the_same_values(tree: Tree, nodes: int, algorithm: str) -> None:
    game = as_game(tree)
    whole, part = build(game), build(game, nodes=nodes)
    all_marks, _ = laid(algorithm, game, whole)
    marks, _ = laid(algorithm, game, part)
    names = {path: name for name, path in paths(whole).items()}
    for name, path in paths(part).items():
        assert marks.nodes[name].value == all_marks.nodes[names[path]].value
        assert marks.nodes[name].status == all_marks.nodes[names[path]].status


@pytest.mark.parametrize("algorithm", ["minimax", "alpha-beta", "iterative-deepening"])
def test_states_are_not_merged_where_they_have_other_values(algorithm: str) -> None:
    game = make_game("twenty-one")
    with pytest.raises(BadText, match="other depths"):
        draw_game(game, game.deal(0), algorithm=algorithm, merge=True, settings=Settings(depth=3))
