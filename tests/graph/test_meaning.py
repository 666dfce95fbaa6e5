"""What text files of graphs mean: kinds, orders, ties, merged nodes, odd letters."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from kibitz.core.errors import BadText
from kibitz.core.game import CHANCE
from kibitz.graph.graph import Graph, Kind
from kibitz.graph.text import parse_graph, read_graph
from kibitz.search.textbook.algorithms import run, suitable
from kibitz.search.textbook.result import BudgetSpent, Result
from tests.graph.texts import Written, written
from tests.oracle.trees import minimax_value


def solved(text: str, algorithm: str | None = None) -> Result[str]:
    """All searches that suit must find the same value and the same line."""
    game = parse_graph(text).game("test")
    names = suitable(game)
    results = [run(name, game, game.deal(0)) for name in names]
    for name, result in zip(names, results, strict=True):
        assert result.value == pytest.approx(results[0].value, abs=1e-9), name
        assert result.line == results[0].line, name
        assert result.exact
    return results[0] if algorithm is None else results[names.index(algorithm)]


def plays(graph: Graph, name: str) -> list[str]:
    return [edge.play for edge in graph.nodes[name].edges]


# -- kinds ---------------------------------------------------------------------------------


def test_the_example_of_the_documentation() -> None:
    graph = parse_graph(
        "title: Heads or tails\n"
        "start max:         left -> coin, right -> 2\n"
        "coin chance:       1/2 heads -> A, 1/2 tails -> lost\n"
        'A "the end" min:   3, 12, 8\n'
    )
    assert graph.title == "Heads or tails"
    assert [node.kind for node in graph.nodes.values()][:3] == [
        "protagonist",
        "chance",
        "antagonist",
    ]
    assert graph.root.name == "start"
    assert graph.nodes["A"].caption == "the end"
    assert graph.nodes["coin"].caption == "coin", "the name, where there is no caption"
    assert plays(graph, "A") == ["1", "2", "3"]
    assert len(graph.nodes) == 8
    assert graph.is_complete
    game = graph.game("test")
    assert run("expectiminimax", game, game.deal(0)).value == 2


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("max", Kind.PROTAGONIST),
        ("protagonist", Kind.PROTAGONIST),
        ("min", Kind.ANTAGONIST),
        ("antagonist", Kind.ANTAGONIST),
        ("chance", Kind.CHANCE),
    ],
)
def test_kinds(word: str, kind: Kind) -> None:
    assert parse_graph(f"A {word}: 1, 2").root.kind is kind


def test_names_may_be_words_of_the_format() -> None:
    text = "max max: x -> title, y -> end\ntitle min: 1, 2\nend end: 3\n"
    assert solved(text).value == 3
    assert list(parse_graph("bounds max: labels\nlabels min: 1").nodes)[:2] == ["bounds", "labels"]


def test_max_under_max_and_min_at_the_root() -> None:
    assert solved("A max: B, 2\nB max: 1, 5\n").line == ("1", "2")
    assert solved("A min: B, 2\nB min: 1, 5\n").line == ("1", "1")


def test_chance_at_the_root() -> None:
    result = solved("A chance: 1/4 x -> 8, 3/4 y -> B\nB max: 0, 4\n")
    assert (result.value, result.line, result.best) == (5, (), None)


def test_a_root_that_is_an_end() -> None:
    result = solved('A "over" end: won\n')
    assert (result.value, result.line, result.counts.nodes) == (1, (), 1)


def test_ends_have_labels_or_numbers() -> None:
    graph = parse_graph("labels: bad=-5 good=2.5\nA max: bad, good, B, 7\nB end: good")
    ends = [(end.value, end.label) for end in graph.nodes.values() if end.kind is Kind.END]
    assert ends == [(2.5, "good"), (-5, "bad"), (2.5, "good"), (7, None)]
    game = graph.game("test")
    assert game.label(2.5) == "good"
    assert game.label(7) is None


def test_without_labels_a_value_has_no_name() -> None:
    game = parse_graph("A max: 0, 1, -1").game("test")
    assert [game.label(value) for value in (-1, 0, 1)] == [None, None, None]


# -- probabilities -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "outcomes",
    [
        "1/2 heads -> 1, 1/2 tails -> 3",
        "0.5 heads -> 1, .5 tails -> 3",
        "50% heads -> 1, 50% tails -> 3",
        "heads -> 1, tails -> 3",
        "1/2 -> 1, 1/2 -> 3",
        "1, 3",
        "1/2\theads -> 1, 1/2\ttails -> 3",
        "1/2   heads -> 1, 2/4   tails -> 3",
        "5e-1 heads -> 1, 50.0% tails -> 3",
    ],
)
def test_forms_of_probabilities(outcomes: str) -> None:
    graph = parse_graph(f"A chance: {outcomes}")
    assert [edge.chance for edge in graph.root.edges] == [0.5, 0.5]
    assert plays(graph, "A") in (["heads", "tails"], ["1", "2"])
    assert solved(f"A chance: {outcomes}").value == 2


def test_thirds_add_up() -> None:
    assert solved("A chance: 1/3 a -> 1, 1/3 b -> 2, 1/3 c -> 6").value == pytest.approx(3)
    many = ", ".join(f"1/49 x{i} -> {i}" for i in range(49))
    assert solved(f"A chance: {many}").value == pytest.approx(24)


# -- the order of plays, and ties ----------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "order", "best"),
    [
        ("9 -> 5, 10 -> 5", "9 10", "9"),
        ("10 -> 5, 9 -> 5", "9 10", "9"),
        ("10 -> 5, 9 -> 5, 1 -> 4", "1 9 10", "9"),
        ("3 -> 5, -2 -> 5, 0 -> 5, -10 -> 5", "-10 -2 0 3", "-10"),
        ("3 -> 5, −2 -> 5, −10 -> 5", "−10 −2 3", "−10"),
        ("2.5 -> 5, 2.25 -> 5, 10 -> 5", "2.25 2.5 10", "2.25"),
        ("10 -> 5, nine -> 5, 1 -> 5", "10 nine 1", "10"),
        ("zebra -> 5, ant -> 5", "zebra ant", "zebra"),
        ("b -> 4, c -> 5, a -> 5", "b c a", "c"),
        ("10th -> 5, 9th -> 5", "10th 9th", "10th"),
    ],
)
def test_of_equal_plays_the_lowest_wins(written: str, order: str, best: str) -> None:
    for kind in ("max", "min"):
        text = f"A {kind}: {written if kind == 'max' else written.replace('4', '6')}"
        assert plays(parse_graph(text), "A") == order.split()
        assert solved(text).line == (best,)


def test_ties_below_the_root() -> None:
    text = (
        "A max: B\nB min: 10 -> C, 9 -> D\nC max: b -> 5, a -> 5\nD max: 3 -> 5, 2 -> 5, 1 -> 4\n"
    )
    assert solved(text).line == ("1", "9", "2")


def test_plays_that_no_name_was_given_are_counted() -> None:
    graph = parse_graph("A max: " + ", ".join(str(i) for i in range(12)))
    assert plays(graph, "A") == [str(i) for i in range(1, 13)]
    assert solved("A max: " + ", ".join(["7"] * 12)).line == ("1",)


# -- names, values, targets ----------------------------------------------------------------


def test_a_node_that_two_ways_lead_to_is_one_node() -> None:
    text = "A max: x -> B, y -> C\nB min: z -> D, 9\nC min: z -> D, 8\nD max: 1, 2\n"
    graph = parse_graph(text)
    assert len(graph.nodes) == 8
    assert graph.nodes["B"].edges[0].target == graph.nodes["C"].edges[0].target == "D"
    game = graph.game("test")
    assert run("minimax", game, game.deal(0)).counts.nodes == 11
    assert run("minimax-merged", game, game.deal(0)).counts.nodes == 8
    assert solved(text).line == ("x", "z", "2")


def test_two_plays_to_one_node() -> None:
    graph = parse_graph("A max: x -> B, y -> B\nB end: 3")
    assert [edge.target for edge in graph.root.edges] == ["B", "B"]
    assert solved("A max: x -> B, y -> B\nB end: 3").line == ("x",)


def test_a_play_called_like_a_node() -> None:
    text = "A max: B -> C, C -> B\nB end: 1\nC end: 2"
    assert solved(text).line == ("B",)
    assert solved("A max: A -> 3, B -> 4").line == ("B",)


def test_a_play_called_like_a_label_or_a_kind() -> None:
    assert solved("A max: won -> lost, lost -> won, end -> drawn").line == ("lost",)


def test_a_value_is_not_the_play_of_that_name() -> None:
    graph = parse_graph("A max: 3 -> 1, 1 -> 3")
    assert [(edge.play, graph.nodes[edge.target].value) for edge in graph.root.edges] == [
        ("1", 3),
        ("3", 1),
    ]
    assert plays(parse_graph("A max: 5 -> 1, 1 -> 3, 2"), "A") == ["1", "3", "5"]


def test_values_in_all_their_forms() -> None:
    graph = parse_graph("A max: 3, -3, +3, 3.5, .5, 3., 1e3, −2, −2.5e-1")
    ends = [node.value for node in graph.nodes.values() if node.kind is Kind.END]
    assert ends == [3, -3, 3, 3.5, 0.5, 3, 1000, -2, -0.25]


def test_comments() -> None:
    text = '# A min: 100 -> B\nA "a # b: c -> d" max: 1, 2 # , 3 -> C\n   # B min: 3\n'
    graph = parse_graph(text)
    assert graph.root.caption == "a # b: c -> d"
    assert len(graph.nodes) == 3
    assert parse_graph("title: x # y\nA max: 1").title == "x"


def test_headers_may_come_last() -> None:
    graph = parse_graph("A max: good\nlabels: good=4, bad=-4\nbounds: -4, 4\ntitle: a: b\n")
    assert (graph.title, graph.bounds) == ("a: b", (-4, 4))
    assert graph.labels == {"good": 4, "bad": -4}
    assert graph.game("test").bounds == (-4, 4)


def test_letters_of_all_kinds(tmp_path: Path) -> None:
    file = tmp_path / "x.graph"
    text = 'Žaba\t"šta je\tovo"\tmax:\tдж -> 王,\tβ -> −1\r\n王 end: 2\r\n'
    file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    graph = read_graph(file)
    assert graph.root.name == "Žaba"
    assert graph.root.caption == "šta je\tovo"
    assert [(edge.play, edge.target) for edge in graph.root.edges] == [
        ("дж", "王"),
        ("β", "Žaba.β"),
    ]
    assert graph.nodes["Žaba.β"].value == -1


# -- as a game -----------------------------------------------------------------------------


def test_a_graph_is_a_game() -> None:
    game = parse_graph("A chance: 1/4 x -> B, 3/4 y -> 3\nB min: 1, won").game("my.graph")
    assert (game.name, game.spec) == ("my.graph", "my.graph")
    assert (game.deal(5), game.mover("A"), game.mover("B")) == ("A", CHANCE, 1)
    assert game.returns("B.1") == (1, -1)
    assert game.parse_position("node=B") == game.parse_position(" B ") == "B"
    assert game.position("B") == "node=B"
    with pytest.raises(BadText, match="'C'"):
        game.parse_position("node=C")
    with pytest.raises(BadText, match="no play"):
        game.after("A", "z")


# -- random graphs -------------------------------------------------------------------------


@given(written())
def test_value_is_that_of_the_oracle(made: Written) -> None:
    game = parse_graph(made.text).game("test")
    for name in ("expectiminimax", "star1", "star2"):
        result = run(name, game, game.deal(0))
        assert result.value == pytest.approx(float(minimax_value(made.trees[0])), abs=1e-9)


@given(written(chance=False))
def test_value_and_line_are_those_of_the_oracle(made: Written) -> None:
    game = parse_graph(made.text).game("test")
    for name in ("minimax", "minimax-merged", "alpha-beta", "alpha-beta-table"):
        result = run(name, game, game.deal(0))
        assert result.value == minimax_value(made.trees[0])
        assert list(result.line) == made.line()


# -- large graphs --------------------------------------------------------------------------


def chain(length: int) -> Graph:
    lines = [f"N{i} max: N{i + 1}" for i in range(length - 1)]
    return parse_graph("\n".join([*lines, f"N{length - 1} end: 7"]))


def test_a_chain_of_100_000_lines() -> None:
    graph = chain(100_000)
    assert len(graph.nodes) == 100_000
    assert graph.find_cycle() == []
    assert graph.unreachable() == []


def test_a_deep_chain_is_solved() -> None:
    game = chain(5000).game("test")
    for name in suitable(game):
        result = run(name, game, game.deal(0))
        assert (result.value, len(result.line)) == (7, 4999), name


def test_a_chain_that_is_too_deep_is_refused_or_solved() -> None:
    """But never is there a RecursionError, nor does Python crash."""
    game = chain(60_000).game("test")
    try:
        assert run("alpha-beta-table", game, game.deal(0)).value == 7
    except BudgetSpent as error:
        assert "set a depth" in str(error)
