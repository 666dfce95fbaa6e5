"""Graphs as DOT, Mermaid, SVG and PNG: every node, every edge, whatever the letters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.core.registry import make_game
from kibitz.graph.build import build
from kibitz.graph.dot import to_dot
from kibitz.graph.drawing import draw_game
from kibitz.graph.graph import Graph, Kind, antagonist, chance, protagonist
from kibitz.graph.look import Picture
from kibitz.graph.marks import Marks
from kibitz.graph.mermaid import to_mermaid
from kibitz.graph.render import draw, numbered, parts, run_graphviz
from kibitz.graph.series import Series
from kibitz.graph.text import parse_graph
from kibitz.search.textbook.algorithms import Settings, run
from kibitz.search.textbook.trace import Trace

LECTURE = "A max: b -> B, c -> C, d -> D\nB min: 3, 12, 8\nC min: 2, 4, 6\nD min: 14, 5, 2\n"
QUOTED = r'"(?:[^"\\]|\\.)*"'
NODE = re.compile(rf"  ({QUOTED}) \[(.*)\];")
EDGE = re.compile(rf"  ({QUOTED}) -> ({QUOTED}) \[(.*)\];")

ODD = (
    'say "hi"',
    "back\\slash \\N \\l \\",
    "<b>bold</b> & &amp; &lt;",
    "šljiva, 王, 😀, ∞, −1",
    "it's | [x] (y) {z} #35; ; %% $$",
    "`code`",
    "]]> <!-- -->",
    "</script><b>",
    "1. one",
    "- list",
    "end",
    "a  b",
)


LETTERS = st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn"))


def picture(graph: Graph, title: str = "title") -> Picture:
    return Picture(graph, Marks(), title)


def series(text: str, algorithm: str = "alpha-beta") -> Series:
    graph = parse_graph(text)
    game = graph.game()
    trace = Trace()
    result = run(algorithm, game, game.deal(0), trace=trace)
    return Series(graph, trace, "title", result.line)


def drawn(dot: str, format: str = "svg") -> bytes:
    """What Graphviz makes of it, without a word of complaint."""
    done = run_graphviz([dot], format)
    # A newer machine's configuration has words that Graphviz's fontconfig does not know.
    said = [line for line in done.stderr.decode().splitlines() if "Fontconfig warning" not in line]
    assert (done.returncode, said) == (0, [])
    (picture,) = parts(done.stdout)
    return picture


def some_pictures() -> Iterator[Picture]:
    yield picture(parse_graph(LECTURE))
    yield from list(series(LECTURE).pictures())
    for name, algorithm in (
        ("coin-game", "star1"),
        ("coin-game", "mcts"),
        ("twenty-one", "alpha-beta-table"),
        ("divisible-by-four", "minimax"),
        ("kuhn-poker", "pimc"),
    ):
        game = make_game(name)
        settings = Settings(samples=20) if algorithm in ("mcts", "pimc") else None
        drawing = draw_game(game, game.deal(0), algorithm=algorithm, settings=settings)
        yield drawing.picture()
    yield picture(build(make_game("tic-tac-toe"), nodes=60))


PICTURES = list(some_pictures())


# -- DOT -----------------------------------------------------------------------------------


def test_one_line_a_node_and_one_line_an_edge() -> None:
    for shown in PICTURES:
        lines = to_dot(shown).splitlines()
        assert lines[0] == "digraph kibitz {" and lines[-1] == "}"
        nodes = [match[1] for line in lines if (match := NODE.fullmatch(line))]
        edges = [(match[1], match[2]) for line in lines if (match := EDGE.fullmatch(line))]
        assert nodes == [f'"{name}"' for name in shown.graph.nodes]
        pairs = [(f'"{node.name}"', f'"{edge.target}"') for node, edge in shown.graph.edges()]
        assert edges == pairs
        assert len(lines) == len(nodes) + len(edges) + 5
        assert sum(" -> " in line for line in lines) == len(edges)


def test_ids_are_unique() -> None:
    for shown in PICTURES:
        ids = re.findall(rf"\bid=({QUOTED})", to_dot(shown))
        edges = sum(1 for _ in shown.graph.edges())
        assert len(ids) == len(set(ids)) == len(shown.graph.nodes) + edges


def test_the_same_picture_is_the_same_text() -> None:
    for shown, again in zip(PICTURES, some_pictures(), strict=True):
        assert to_dot(shown) == to_dot(again)
        assert to_mermaid(shown) == to_mermaid(again)


def test_graphviz_draws_every_node_and_edge() -> None:
    for shown in [PICTURES[0], PICTURES[5], *PICTURES[-6:]]:
        svg = drawn(to_dot(shown)).decode()
        assert svg.count('class="node"') == len(shown.graph.nodes)
        assert svg.count('class="edge"') == sum(1 for _ in shown.graph.edges())


def odd_graph(texts: tuple[str, ...] = ODD) -> Graph:
    parts = {text: antagonist({"x": i, "y": 1}, caption=text) for i, text in enumerate(texts)}
    return Graph.of(protagonist(parts, caption=texts[0]), title=texts[0])


@pytest.mark.parametrize("text", ODD)
def test_odd_letters_are_drawn(text: str) -> None:
    shown = picture(odd_graph((text,)), text)
    dot = to_dot(shown)
    assert sum(bool(EDGE.fullmatch(line)) for line in dot.splitlines()) == 3
    svg = drawn(dot).decode()
    assert svg.count('class="node"') == 4


@pytest.mark.parametrize(
    "caption", ["a\nb", "a\n\nb", "\na", "a\n", "\n", " ", "\t", "a\rb", "", "x\n \ny"]
)
def test_captions_of_several_lines_are_drawn(caption: str) -> None:
    """A board may have an empty row."""
    drawn(to_dot(picture(Graph.of(protagonist(1, caption=caption)))))


@pytest.mark.parametrize("letter", ["\0", "\x1b"])
def test_letters_that_can_not_be_shown_do_not_stop_it(letter: str) -> None:
    graph = Graph.of(protagonist({f"a{letter}b": 1}, caption=f"c{letter}d"))
    drawn(to_dot(picture(graph, f"e{letter}f")))


@pytest.mark.parametrize("play", ["a\nb", "a\rb", "\n"])
def test_a_play_of_two_lines_is_one_line_of_text(play: str) -> None:
    shown = picture(Graph.of(protagonist({play: 1, "other": 2})))
    dot = to_dot(shown).split("\n")
    assert sum(bool(EDGE.fullmatch(line)) for line in dot) == 2
    drawn("\n".join(dot))
    mermaid = to_mermaid(shown).splitlines()
    assert sum(" --> " in line or "-->|" in line for line in mermaid) == 2


@settings(max_examples=20)
@given(st.text(LETTERS, min_size=1, max_size=8), st.text(LETTERS, max_size=8))
def test_any_letters_are_drawn(play: str, caption: str) -> None:
    graph = Graph.of(protagonist({play: 1}, caption=caption))
    drawn(to_dot(picture(graph, caption)), "dot")


def test_the_result_of_a_search_is_shown() -> None:
    dot = to_dot(series(LECTURE).final())
    lines = {match[1]: match[2] for line in dot.splitlines() if (match := NODE.fullmatch(line))}
    assert "= 3" in lines['"A"'] and "≤ 3" in lines['"C"']
    assert "dashed" in lines['"C.2"'] and "dashed" not in lines['"C.1"']
    edges = {m[1] + m[2]: m[3] for line in dot.splitlines() if (m := EDGE.fullmatch(line))}
    cut = [ends for ends, text in edges.items() if "dashed" in text]
    assert cut == ['"C""C.2"', '"C""C.3"']
    assert all("✂ 2 ≤ α 3" in edges[ends] for ends in cut)
    best = [ends for ends, text in edges.items() if "penwidth" in text]
    assert best == ['"A""B"', '"B""B.1"']


def test_kinds_have_shapes_of_their_own() -> None:
    graph = Graph.of(protagonist(antagonist(1), chance(1, 2)))
    shapes = re.findall(r"shape=(\w+)", to_dot(picture(graph)))
    assert shapes == ["house", "invhouse", "ellipse", "box", "box", "box"]


@pytest.mark.parametrize("values", [(10001, 10002), (12345678, 12345679)])
def test_different_ends_look_different(values: tuple[float, float]) -> None:
    shown = picture(Graph.of(protagonist(*values)))
    first, second = (shown.value(shown.graph.nodes[name]) for name in ("n1", "n2"))
    assert first != second


# -- Mermaid -------------------------------------------------------------------------------

WORDS = {"end", "graph", "subgraph", "flowchart", "style", "linkStyle", "classDef", "class",
    "click", "call", "href", "default", "interpolate"}  # fmt: skip
"""What no name may be (flow.jison of Mermaid 11)."""
OPENINGS = {"[/": "\\]", "[\\": "/]", "((": "))", "[": "]"}
M_NAME = r"[A-Za-z0-9_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02c1\u0388-\u0481\u4e00-\u9fcc]+"
"""Of the letters that Mermaid takes, those that these tests have."""
M_NODE = re.compile(rf'  ({M_NAME})(\[/|\[\\|\(\(|\[)"([^"`][^"]*)"(\\\]|/\]|\)\)|\])')
M_EDGE = re.compile(rf'  ({M_NAME}) (-->|-\.->)\|"([^"`][^"]*)"\| ({M_NAME})')
M_OTHER = re.compile(rf"  (classDef|class|linkStyle) ({M_NAME})(?: (\S+))?")


def assert_mermaid(shown: Picture) -> None:
    """Its lines are statements of flowcharts, and name what is there."""
    front, *rest = to_mermaid(shown).split("flowchart TD\n")
    start, title, stop, empty = front.split("\n")
    assert (start, stop, empty) == ("---", "---", "")
    # YAML between double quotes.
    assert re.fullmatch(r'title: "(?:[^"\\]|\\["\\/nt]|\\u[0-9a-f]{4})*"', title), title
    nodes, edges, classes, used = [], [], set(), set()
    for line in "".join(rest).splitlines():
        if match := M_NODE.fullmatch(line):
            nodes.append(match[1])
            assert OPENINGS[match[2]] == match[4]
        elif match := M_EDGE.fullmatch(line):
            edges.append((match[1], match[4]))
        else:
            match = M_OTHER.fullmatch(line)
            assert match, line
            if match[1] == "classDef":
                classes.add(match[2])
            elif match[1] == "class":
                assert match[2] in nodes
                used.add(match[3])
    assert len(nodes) == len(set(nodes)) == len(shown.graph.nodes)
    assert len(edges) == sum(1 for _ in shown.graph.edges())
    assert {name for edge in edges for name in edge} <= set(nodes)
    assert used <= classes
    assert not set(nodes) & WORDS


def test_mermaid_has_one_line_a_node_and_one_line_an_edge() -> None:
    for shown in PICTURES:
        assert_mermaid(shown)


def test_no_class_is_a_word_of_mermaid() -> None:
    """`classDef end` is a syntax error: `end` ends a subgraph."""
    named = re.findall(r"^  (?:classDef (\w+)|class \S+ (\w+))", to_mermaid(PICTURES[0]), re.M)
    assert not {name for pair in named for name in pair} & WORDS


@pytest.mark.parametrize("text", ODD)
def test_mermaid_with_odd_letters(text: str) -> None:
    shown = to_mermaid(picture(odd_graph((text,)), "title"))
    for line in shown.splitlines()[4:]:
        assert M_NODE.fullmatch(line) or M_EDGE.fullmatch(line) or M_OTHER.match(line), line
    assert not re.search(r'"[^"]*<(?!br/>)[^"]*"', shown), "no tags but line breaks"


@pytest.mark.parametrize("play", ["", " "])
def test_mermaid_with_a_play_without_letters(play: str) -> None:
    assert_mermaid(picture(Graph.of(protagonist({play: 1, "x": 2}))))


@pytest.mark.parametrize("title", ['say "hi"', "C:\\games\\x", "a\nb", "\\", "tab\there"])
def test_mermaid_title_is_yaml(title: str) -> None:
    line = to_mermaid(picture(Graph.of(protagonist(1)), title)).splitlines()[1]
    assert re.fullmatch(r'title: "(?:[^"\\]|\\["\\/nt]|\\u[0-9a-f]{4})*"', line), line


@pytest.mark.parametrize(
    "name", ["end", "x_end", "graph", "x_", "žena", "王", "x²", "\U0001d49c", "a٣"]
)
def test_mermaid_names_are_safe(name: str) -> None:
    graph = parse_graph(f"start max: x -> {name}, y -> other\n{name} end: 1\nother end: 2")
    lines = to_mermaid(picture(graph)).splitlines()
    names = [match[1] for line in lines if (match := M_NODE.fullmatch(line))]
    assert len(set(names)) == 3


def test_mermaid_names_do_not_meet() -> None:
    graph = parse_graph("a_b max: x -> a_95_b, 46 -> 1\na_95_b max: 95 -> 2\n")
    lines = to_mermaid(picture(graph)).splitlines()
    assert len({match[1] for line in lines if (match := M_NODE.fullmatch(line))}) == 4


# -- files ---------------------------------------------------------------------------------


def test_svg_and_png() -> None:
    shown = series(LECTURE).final()
    svg = draw(shown, ".svg").decode()
    assert "<svg" in svg and "✂ 2 ≤ α 3" in svg
    assert draw(shown, ".png").startswith(b"\x89PNG")
    assert draw(shown, ".dot").decode() == to_dot(shown)
    assert draw(shown, ".mmd").decode() == to_mermaid(shown)


def test_all_pictures_of_a_series_have_one_size() -> None:
    made = series("A max: B, C\nB min: 3, 12\nC min: 2, 4")
    widths = made.widths()
    sizes: set[Any] = set()
    for shown in made.pictures():
        svg = draw(shown, ".svg", widths).decode()
        size = re.search(r'<svg width="(\d+)pt" height="(\d+)pt"', svg)
        assert size
        sizes.add(size.groups())
    assert len(sizes) == 1


@pytest.mark.parametrize(
    ("count", "last"), [(1, "x-001.svg"), (42, "x-042.svg"), (1234, "x-1234.svg")]
)
def test_numbered_names_sort_as_they_count(count: int, last: str) -> None:
    names = [path.name for path in numbered(Path("x.svg"), count)]
    assert (len(names), names[-1]) == (count, last)
    assert names == sorted(names)


def test_unseen_nodes_say_so() -> None:
    shown = picture(build(make_game("twenty-one"), nodes=10))
    assert any(node.kind is Kind.UNSEEN for node in shown.graph.nodes.values())
    assert "goes on, not drawn" in to_dot(shown)
