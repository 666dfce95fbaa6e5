"""Graphs that are written as text and read again, and games that become graphs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.core.errors import BadText
from kibitz.core.game import Game
from kibitz.core.registry import games, make_game
from kibitz.graph.build import build
from kibitz.graph.graph import Edge, Graph, Kind, Node, antagonist, chance, end, protagonist
from kibitz.graph.text import parse_graph, write_graph
from kibitz.search.textbook.algorithms import run, suitable
from tests.graph.texts import Written, written


def again(graph: Graph) -> Graph:
    return parse_graph(write_graph(graph), "written")


def plain(graph: Graph) -> Graph:
    """With captions as a line of text can hold them."""

    def flat(node: Node) -> Node:
        return replace(node, caption=" ".join(node.caption.replace('"', "'").split()))

    return replace(graph, nodes={name: flat(node) for name, node in graph.nodes.items()})


def assert_same_or_refused(graph: Graph) -> None:
    """What can't be written as text must not be written as another graph, or as no graph."""
    try:
        text = write_graph(graph)
    except BadText:
        return
    assert plain(parse_graph(text, "written")) == plain(graph)


# -- text to graph to text -----------------------------------------------------------------


@given(written())
def test_a_graph_reads_back_as_itself(made: Written) -> None:
    graph = parse_graph(made.text)
    read = again(graph)
    assert read == graph
    assert read.root.name == graph.root.name
    assert write_graph(read) == write_graph(graph)


@pytest.mark.parametrize(
    "text",
    [
        'A "a # b: c -> d, e" max: 1',
        """A "it's «so» \\ & <b>" max: 1""",
        'A "" max: 1',
        'A "two  spaces" max: 1',
        'A " around " max: 1',
        'A "a\ttab" max: 1',
        'A max: x:y -> 1, z\\ -> 2, "q" -> 3',
        "A max: 10 -> 1, 9 -> 2, -3 -> 4",
        "A chance: 1/3 1 -> 1, 1/3 2 -> 2, 1/3 x -> 3",
        "A chance: 1e-7 x -> 1, 0.9999999 y -> 2",
        "A max: 1e300, 1e-300, -0.1, 12345678901234567890, 0.1234567890123",
        "labels: good=1.23456789 bad=-1234567\nA max: good, bad",
        "labels:\nA max: 1",
        "bounds: 0 1234567\nA max: 1234567",
        "bounds: 0.1234567 0.1234568\nA max: 0.1234568",
        "title: a: b, c -> d\nA max: 1",
        'title: "a # b" and so on\nA max: 1',
        "A max: B, x -> B\nB end: drawn",
        "A end: won",
    ],
)
def test_odd_texts_read_back_as_themselves(text: str) -> None:
    graph = parse_graph(text)
    assert again(graph) == graph


# -- graphs made in Python -----------------------------------------------------------------


@pytest.mark.parametrize(
    "play",
    ["a,b", "a # b", "a -> b", " a ", "", "a\nb", 'a"b', "a:b", "->", "1/2 x", "50% y", "\\"],
)
def test_no_play_becomes_another_one(play: str) -> None:
    graph = Graph.of(protagonist(chance({play: 1, "other": 2}), 3))
    assert_same_or_refused(graph)
    assert_same_or_refused(Graph.of(protagonist({play: 1, "other": 2})))


@given(st.dictionaries(st.text(max_size=5), st.integers(-3, 3), min_size=1, max_size=3))
def test_no_plays_become_other_ones(plays: dict[str, int]) -> None:
    assert_same_or_refused(Graph.of(protagonist(plays)))


@pytest.mark.parametrize("caption", ['say "hi"', "two\nlines", "a\tb", "#", "x: y", "\x0c"])
def test_captions_that_a_line_can_not_hold_are_made_plain(caption: str) -> None:
    graph = Graph.of(protagonist(antagonist(1, 2), 3, caption=caption))
    assert plain(again(graph)) == plain(graph)


@pytest.mark.parametrize("title", ["a # b", "two\nlines", "x\nn0 max: 5"])
def test_no_title_becomes_something_else(title: str) -> None:
    assert_same_or_refused(Graph.of(protagonist(1), title=title))


@pytest.mark.parametrize("labels", [{"very good": 2}, {"n0": 2}, {"a=b": 2}, {"3": 2}, {"": 2}])
def test_no_label_becomes_something_else(labels: dict[str, float]) -> None:
    assert_same_or_refused(Graph.of(protagonist(*labels), labels=labels))


def test_numbers_of_numpy_are_numbers() -> None:
    import numpy as np

    of = np.array([0.25, 0.75])
    three, four = np.float64(3), float(np.int64(4))
    graph = Graph.of(chance(three, four, of=of))
    game = again(graph).game("test")
    assert run("expectiminimax", game, game.deal(0)).value == 3.75


def test_a_node_with_an_odd_name_is_not_left_out() -> None:
    nodes = {
        "left branch": Node("left branch", Kind.PROTAGONIST, "", [Edge("1", "x")]),
        "x": Node("x", Kind.END, "", value=1),
    }
    assert_same_or_refused(Graph(nodes=nodes))


def test_a_graph_that_is_not_all_is_not_written() -> None:
    with pytest.raises(BadText, match="ends"):
        write_graph(build(make_game("twenty-one"), nodes=50))


# -- games to graphs to text to graphs to games --------------------------------------------

SMALL = ("coin-game", "divisible-by-four", "paper-rock-scissors", "twenty-one")


def test_all_small_open_games_are_here() -> None:
    for name, cls in games().items():
        if not cls.traits.hidden and name not in ("pig", "connect-four", "tic-tac-toe"):
            assert name in SMALL


def assert_same_game(game: Game[Any, Any], state: Any, merge: bool) -> None:
    graph = build(game, state, merge=merge, nodes=6000)
    assert graph.is_complete
    read = again(graph)
    assert plain(read) == plain(graph)
    copy = read.game("copy")
    for name in suitable(game):
        there, here = run(name, game, state), run(name, copy, copy.deal(0))
        assert here.value == there.value
        assert list(here.line) == [str(play) for play in there.line]
        assert game.label(there.value) == copy.label(here.value)
        if not merge:
            assert (name.endswith(("merged", "table"))) or here.counts == there.counts


@pytest.mark.parametrize("merge", [False, True], ids=["tree", "merged"])
@pytest.mark.parametrize("name", SMALL)
def test_a_small_game_is_the_same_as_text(name: str, merge: bool) -> None:
    game = make_game(name)
    assert_same_game(game, game.deal(0), merge)


@pytest.mark.parametrize("board", ["xox/.o./...; turn=1", "x../.o./..x; turn=2"])
def test_tic_tac_toe_from_the_middle_is_the_same_as_text(board: str) -> None:
    game = make_game("tic-tac-toe")
    assert_same_game(game, game.parse_position(f"board={board}"), merge=True)


def test_an_end_of_a_game_is_a_graph_too() -> None:
    game = make_game("tic-tac-toe")
    graph = build(game, game.parse_position("board=xxx/oo./...; turn=2"))
    assert plain(again(graph)) == plain(graph)
    assert (graph.root.kind, graph.root.label) == (Kind.END, "won")


def test_a_lone_end_in_python() -> None:
    graph = Graph.of(end("won"))
    assert again(graph) == graph
