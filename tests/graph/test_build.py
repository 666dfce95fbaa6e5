"""Graphs of games, within a budget of nodes or a depth, and graphs made in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from kibitz.core.errors import BadText, UnsuitableGame
from kibitz.core.game import Game
from kibitz.core.registry import make_game
from kibitz.graph import Graph, Kind, Node, antagonist, chance, end, protagonist
from kibitz.graph.build import build
from kibitz.search.textbook.algorithms import run
from tests.oracle.trees import COIN_GAME, ONE_ROUND, Tree, count_nodes, minimax_value, trees
from tests.search.trees import Places, as_game, as_part, walks

SIZES = [
    ("divisible-by-four", 22, 17),
    ("paper-rock-scissors", 13, 13),
    ("twenty-one", 274, 34),
    ("coin-game", 15, 15),
]


def counted(game: Game[Any, Any], merge: bool) -> tuple[int, int]:
    """Nodes and edges, counted without `build`."""
    state = game.deal(0)
    waiting, seen, nodes, edges = [state], {game.key(state)}, 0, 0
    while waiting:
        turn = game.turn(waiting.pop())
        nodes += 1
        edges += len(turn.moves)
        for _, child in turn.moves:
            if not merge or game.key(child) not in seen:
                seen.add(game.key(child))
                waiting.append(child)
    return nodes, edges


# -- games ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "tree", "merged"), SIZES)
def test_sizes(name: str, tree: int, merged: int) -> None:
    game = make_game(name)
    for merge, size in ((False, tree), (True, merged)):
        graph = build(game, merge=merge)
        edges = sum(1 for _ in graph.edges())
        assert (len(graph.nodes), edges) == counted(game, merge)
        assert len(graph.nodes) == size
        assert graph.is_complete
        assert graph.unreachable() == []
        graph.check()


def test_tic_tac_toe_merged_has_5478_nodes() -> None:
    graph = build(make_game("tic-tac-toe"), merge=True, nodes=6000)
    assert len(graph.nodes) == 5478
    assert sum(1 for _ in graph.edges()) == 16167
    assert graph.is_complete
    ends = [node.label for node in graph.nodes.values() if node.kind is Kind.END]
    assert {label: ends.count(label) for label in ends} == {"won": 626, "lost": 316, "drawn": 16}


def test_nodes_are_what_the_game_says() -> None:
    game = make_game("divisible-by-four")
    graph = build(game)
    assert (graph.root.kind, graph.root.caption) == (Kind.PROTAGONIST, "sum 0")
    assert [edge.play for edge in graph.root.edges] == ["2", "3", "4"]
    second = graph.nodes[graph.root.edges[0].target]
    assert (second.kind, second.caption) == (Kind.ANTAGONIST, "sum 2")
    for node in graph.nodes.values():
        if node.kind is Kind.END:
            total = int(node.caption.removeprefix("sum "))
            assert node.label == ("won" if total % 4 == 0 else "lost" if total % 2 else "drawn")
            assert node.value == game.labels[node.label]


def test_chance_nodes_have_probabilities() -> None:
    graph = build(make_game("coin-game"))
    chances = [
        [edge.chance for edge in node.edges]
        for node in graph.nodes.values()
        if node.kind is Kind.CHANCE
    ]
    assert chances == [[0.5, 0.5], [0.5, 0.5]]
    assert all(type(p) is float for pair in chances for p in pair)


def test_from_a_state_on() -> None:
    game = make_game("twenty-one")
    state = game.parse_position("sum=16; turn=2")
    graph = build(game, state)
    assert graph.root.kind is Kind.ANTAGONIST
    assert len(graph.nodes) < 15


@pytest.mark.parametrize("target", [2, 10, 100])
def test_a_game_that_comes_back_is_not_merged(target: int) -> None:
    with pytest.raises(UnsuitableGame, match="draw it as a tree"):
        build(make_game(f"pig:target={target}"), merge=True)


def test_a_game_that_comes_back_is_a_tree() -> None:
    graph = build(make_game("pig:target=5"), nodes=300)
    assert len(graph.nodes) <= 300
    assert not graph.is_complete
    assert graph.find_cycle() == []


# -- budget and depth ----------------------------------------------------------------------


@pytest.mark.parametrize("merge", [False, True], ids=["tree", "merged"])
@pytest.mark.parametrize(("name", "tree", "merged"), SIZES)
def test_the_budget_holds(name: str, tree: int, merged: int, merge: bool) -> None:
    game = make_game(name)
    size = merged if merge else tree
    for nodes in [*range(1, min(size, 40)), size - 1, size, size + 1, 10 * size]:
        graph = build(game, merge=merge, nodes=nodes)
        assert len(graph.nodes) <= nodes
        assert graph.is_complete or len(graph.nodes) <= size
        for node in graph.nodes.values():
            if node.kind is Kind.UNSEEN:
                assert node.edges == []
            else:
                assert (node.kind is Kind.END) == (not node.edges)


@pytest.mark.parametrize("merge", [False, True], ids=["tree", "merged"])
@pytest.mark.parametrize(("name", "tree", "merged"), SIZES)
def test_as_many_nodes_as_there_are_do(name: str, tree: int, merged: int, merge: bool) -> None:
    graph = build(make_game(name), merge=merge, nodes=merged if merge else tree)
    assert graph.is_complete


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_the_depth_holds(depth: int) -> None:
    graph = build(make_game("tic-tac-toe"), depth=depth)
    assert len(graph.nodes) == [1, 10, 82, 586][depth]
    last = [node for node in graph.nodes.values() if not node.edges]
    assert {node.kind for node in last} == {Kind.UNSEEN}
    assert len(last) == [1, 9, 72, 504][depth]


def test_a_depth_beyond_the_ends_changes_nothing() -> None:
    game = make_game("divisible-by-four")
    assert build(game, depth=3) == build(game, depth=9) == build(game)


@given(walks())
def test_merged_walks(game: Places) -> None:
    reached = {0}
    for i, place in enumerate(game.places):
        if i in reached:
            reached |= set(place.targets)
    size = len(reached)
    for nodes in range(1, size + 2):
        graph = build(game, merge=True, nodes=nodes)
        assert len(graph.nodes) <= min(nodes, size)
        assert graph.is_complete == (nodes >= size)


# -- in Python -----------------------------------------------------------------------------


def test_the_lecture_s_tree() -> None:
    tree = protagonist(antagonist(3, 12, 8), antagonist(2, 4, 6), antagonist(14, 5, 2))
    graph = Graph.of(tree, title="lecture")
    assert (len(graph.nodes), graph.title) == (13, "lecture")
    game = graph.game()
    result = run("minimax", game, game.deal(0))
    assert (result.value, result.line, result.counts.nodes) == (3, ("1", "1"), 13)


def test_plays_with_names_labels_and_captions() -> None:
    coin = chance({"heads": end("won", caption="yes"), "tails": "lost"}, of=(0.9, 0.1))
    graph = Graph.of(protagonist({"flip": coin, "stop": 0.5}, caption="start"))
    assert graph.root.caption == "start"
    assert [edge.play for edge in graph.root.edges] == ["flip", "stop"]
    game = graph.game()
    assert run("expectiminimax", game, game.deal(0)).value == pytest.approx(0.8)
    labels = {"bad": 1, "good": 7}
    assert Graph.of(protagonist("good", "bad"), labels=labels).nodes["n1"].value == 7


def test_parts_may_be_used_twice() -> None:
    part = antagonist(1, 2)
    assert len(Graph.of(protagonist(part, part)).nodes) == 7


def test_numbers_as_plays_are_ordered() -> None:
    game = Graph.of(protagonist({10: 5, 9: 5, -1: 4})).game()
    assert list(game.plays("n0")) == ["-1", "9", "10"]
    assert run("minimax", game, "n0").line == ("9",)


WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "no plays": (lambda: Graph.of(protagonist()), "no plays"),
    "no plays of min": (lambda: Graph.of(protagonist(antagonist(), 3)), "no plays"),
    "no plays by name": (lambda: Graph.of(protagonist({})), "no plays"),
    "no outcomes": (lambda: Graph.of(chance()), "no plays"),
    "no outcomes by name": (lambda: Graph.of(protagonist(chance({}))), "no plays"),
    "nan": (lambda: Graph.of(protagonist(float("nan"))), "nan"),
    "inf": (lambda: Graph.of(antagonist(float("-inf"))), "inf"),
    "too large": (lambda: Graph.of(antagonist(10**400)), ""),
    "unknown label": (lambda: Graph.of(protagonist("wonn")), "lost, drawn, won"),
    "a number as text": (lambda: Graph.of(protagonist("3")), "'3'"),
    "names and values": (lambda: Graph.of(protagonist(3, {"a": 1})), ""),
    "too few probabilities": (lambda: chance(1, 2, of=(1,)), "2 outcomes, but 1"),
    "not 1 in all": (lambda: Graph.of(chance(1, 2, of=(0.5, 0.6))), "1.1, not to 1"),
    "negative probability": (lambda: Graph.of(chance(1, 2, of=(1.5, -0.5))), "more than 0"),
    "zero probability": (lambda: Graph.of(chance(1, 2, of=(1, 0))), "more than 0"),
    "probability nan": (lambda: Graph.of(chance(1, 2, of=(float("nan"), 1))), "more than 0"),
    "play twice": (lambda: Graph.of(protagonist({1: 2, "1": 3})), "twice"),
    "no nodes": (lambda: Graph().game(), "at least one node"),
    "an end without a value": (lambda: Graph("", {"a": Node("a", Kind.END)}).game(), "number"),
    "node twice": (lambda: Graph("", {"a": Node("a", Kind.END)}).add(Node("a", Kind.END)), "twice"),
}


@pytest.mark.parametrize(("make", "tells"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said(make: Callable[[], Any], tells: str) -> None:
    with pytest.raises(BadText) as caught:
        make()
    assert tells in str(caught.value)


def test_a_graph_that_is_not_all_is_no_game() -> None:
    graph = build(make_game("twenty-one"), nodes=20)
    with pytest.raises(UnsuitableGame, match="ends"):
        graph.game()


# -- searches on graphs --------------------------------------------------------------------


@given(trees(chance=True))
def test_expectiminimax_on_a_graph_is_the_oracle_s(tree: Tree) -> None:
    game = Graph.of(as_part(tree, exact=False)).game()
    value = float(minimax_value(tree))
    result = run("expectiminimax", game, game.deal(0))
    assert result.value == pytest.approx(value, abs=1e-9)
    assert result.counts.nodes == count_nodes(tree)


@given(trees(chance=False))
def test_minimax_on_a_graph_is_the_oracle_s(tree: Tree) -> None:
    game = Graph.of(as_part(tree)).game()
    for name in ("minimax", "alpha-beta", "expectiminimax"):
        assert run(name, game, game.deal(0)).value == minimax_value(tree)


@given(trees(chance=True, max_leaves=15))
def test_a_graph_built_from_a_graph_is_the_same(tree: Tree) -> None:
    game = as_game(tree, exact=False)
    graph = build(game)
    assert len(graph.nodes) == count_nodes(tree)
    copy = graph.game("copy")
    for name in ("expectiminimax", "star1"):
        there, here = run(name, game, game.deal(0)), run(name, copy, copy.deal(0))
        assert (here.value, here.line, here.counts) == (there.value, there.line, there.counts)


def test_the_games_of_the_oracle_are_those_of_the_catalogue() -> None:
    coins = make_game("coin-game")
    assert run("expectiminimax", coins, coins.deal(0)).value == minimax_value(COIN_GAME) == 3
    assert minimax_value(ONE_ROUND) == 3
