"""The page with a slider: one file, no network, and no text can break it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from functools import cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from kibitz.core.game import Game
from kibitz.core.registry import make_game
from kibitz.graph.drawing import draw_game
from kibitz.graph.graph import Graph, antagonist, protagonist
from kibitz.graph.page import to_page
from kibitz.graph.series import Series
from kibitz.graph.text import parse_graph
from kibitz.search.textbook.algorithms import Settings, run
from kibitz.search.textbook.trace import Trace

LECTURE = "A max: b -> B, c -> C, d -> D\nB min: 3, 12, 8\nC min: 2, 4, 6\nD min: 14, 5, 2\n"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
EVIL = (
    "</script><b>bold</b>",
    "</SCRIPT ><b>bold</b>",
    "<!--<script>",
    "<!-- -->",
    "]]>",
    "${1} `x` {data} \\",
    "\"quoted\" and 'so'",
    "&amp; &lt;b&gt; &#60;",
    "&eacute;",
    "two  spaces",
    "\u2028",
    "žena 王 😀",
    "http://example.org/",
)


def series(graph: Graph, title: str = "title", algorithm: str = "alpha-beta") -> Series:
    game = graph.game("test")
    trace = Trace()
    result = run(algorithm, game, game.deal(0), trace=trace)
    return Series(graph, trace, title, result.line)


@cache
def lecture() -> Series:
    return series(parse_graph(LECTURE))


def data_of(page: str) -> Any:
    script = re.search(r"<script>\nconst data = (.*);\n", page)
    assert script
    return json.loads(script[1])


class Tags(HTMLParser):
    """All tags with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def evil_graph(text: str) -> Graph:
    return Graph.of(
        protagonist({text: antagonist(3, 12, caption=text), "x": antagonist({text: 2, "y": 4})})
    )


# -- the file ------------------------------------------------------------------------------


def test_it_has_a_slider_for_all_steps() -> None:
    page = to_page(lecture())
    tags = Tags(page).tags
    (slider,) = [attrs for tag, attrs in tags if tag == "input" and attrs.get("type") == "range"]
    assert (slider["min"], slider["max"]) == ("0", str(len(lecture().steps) - 1))
    ids = [attrs["id"] for _, attrs in tags if "id" in attrs]
    assert len(ids) == len(set(ids))


def test_its_data_are_the_steps() -> None:
    data = data_of(to_page(lecture()))
    made = lecture()
    assert len(data["steps"]) == len(made.steps)
    assert [step["text"] for step in data["steps"]] == [step.text for step in made.steps]
    assert set(data["steps"][0]["nodes"]) == set(made.graph.nodes), "the first one has them all"
    last: dict[str, Any] = {}
    for step in data["steps"]:
        last |= step["nodes"]
    assert last["A"][:2] == ["protagonist done", "= 3"]
    assert last["C"][:2] == ["antagonist done", "≤ 3"]
    assert last["C.2"][0] == "end cut"
    assert len(data["edges"]) == 12
    cuts = [step["cuts"] for step in data["steps"] if "cuts" in step]
    assert cuts == [{}, {"edge-C-2": "2 ≤ α 3", "edge-C-3": "2 ≤ α 3"}], "where they change"
    assert data["steps"][-1]["best"] == ["A", "B", "B.1"]


def test_all_that_the_script_names_is_in_the_picture() -> None:
    for graph in (parse_graph(LECTURE), evil_graph("a b"), evil_graph("ž")):
        page = to_page(series(graph))
        ids = {attrs["id"] for _, attrs in Tags(page).tags if attrs.get("id")}
        data = data_of(page)
        assert set(data["edges"]) <= ids
        assert {f"node-{name}" for name in data["steps"][0]["nodes"]} <= ids


@pytest.mark.parametrize("text", EVIL)
def test_the_script_finds_plays_of_any_letters(text: str) -> None:
    page = to_page(series(evil_graph(text)))
    ids = {attrs["id"] for _, attrs in Tags(page).tags if attrs.get("id")}
    assert set(data_of(page)["edges"]) <= ids


def assert_alone(page: str) -> None:
    """Nothing is fetched: the only addresses are names of XML."""
    for address in re.findall(r"https?://[^\s\"'<>]*", page):
        assert address.startswith("http://www.w3.org/"), address
    for tag, attrs in Tags(page).tags:
        assert tag not in ("link", "iframe", "img", "object", "embed", "base")
        assert "src" not in attrs and "href" not in attrs and "xlink:href" not in attrs
    assert "@import" not in page and "url(" not in page


def test_it_needs_no_network() -> None:
    assert_alone(to_page(lecture()))


@pytest.mark.parametrize("text", [text for text in EVIL if "http" not in text])
def test_no_text_breaks_out(text: str) -> None:
    page = to_page(series(evil_graph(text), title=text))
    assert page.count("<script>") == page.lower().count("</script") == 1
    assert "<!--<script" not in page.lower(), "then </script> would not end the script"
    assert not {"b", "i"} & {tag for tag, _ in Tags(page).tags}
    titles = re.findall(r"<h1>(.*?)</h1>", page, re.S)
    assert [unescape(title) for title in titles] == [text]
    data = data_of(page)
    assert any(text in step["text"] for step in data["steps"])
    assert_alone(page)


# -- in a browser --------------------------------------------------------------------------

if CHROMIUM:

    def shown(tmp_path: Path, page: str, step: int | None = None) -> str:
        """The page after its script has run."""
        file = tmp_path / "page.html"
        file.write_text(page, encoding="utf-8")
        done = subprocess.run(
            [
                str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu",
                f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=2000",
                "--dump-dom", f"file://{file}" + ("" if step is None else f"#{step}"),
            ],
            capture_output=True, timeout=60,
        )  # fmt: skip
        return done.stdout.decode()

    def step_shown(page: str) -> tuple[str, str]:
        """The number of the step, and what it says."""
        count = re.search(r'<span id="count">(.*?)</span>', page)
        text = re.search(r'<div id="text"[^>]*>(.*?)</div>', page, re.S)
        assert count and text
        return count[1], unescape(text[1])

    def test_the_script_runs(tmp_path: Path) -> None:
        last = len(lecture().steps) - 1
        page = to_page(lecture())
        assert step_shown(shown(tmp_path, page)) == (f"0 / {last}", "before the search")
        assert step_shown(shown(tmp_path, page, 3)) == (f"3 / {last}", lecture().steps[3].text)
        dom = shown(tmp_path, page, 10_000)
        assert step_shown(dom) == (f"{last} / {last}", lecture().steps[last].text)
        node = re.search(r'<g id="node-A" class="([^"]*)">.*?</g>', dom, re.S)
        assert node and node[1] == "node protagonist done best"
        assert re.findall(r"<text[^>]*>([^<]*)</text>", node[0])[:2] == ["A", "= 3"]
        cut = re.findall(r'<g id="edge-(\S+)" class="edge cut">', dom)
        assert sorted(cut) == ["C-2", "C-3"]

    @pytest.mark.parametrize("text", [EVIL[0], EVIL[2], " ".join(EVIL[3:])])
    def test_the_script_runs_whatever_the_texts(tmp_path: Path, text: str) -> None:
        made = series(evil_graph(text), title=text)
        last = len(made.steps) - 1
        assert step_shown(shown(tmp_path, to_page(made), last)) == (
            f"{last} / {last}",
            made.steps[-1].text,
        )

    @pytest.mark.parametrize(
        ("name", "algorithm"),
        [
            ("coin-game", "star2"),
            ("twenty-one", "minimax-merged"),
            ("tic-tac-toe", "iterative-deepening"),
            ("kuhn-poker", "ismcts"),
        ],
    )
    def test_the_script_runs_for_every_kind_of_search(
        tmp_path: Path, name: str, algorithm: str
    ) -> None:
        game: Game[Any, Any] = make_game(name)
        settings = Settings(samples=15) if algorithm in ("mcts", "pimc", "ismcts") else Settings()
        if name == "tic-tac-toe":
            settings = Settings(depth=2)
        drawing = draw_game(
            game, game.deal(0), algorithm=algorithm, merge=name == "twenty-one", settings=settings
        )
        assert drawing.series is not None
        last = len(drawing.series.steps) - 1
        dom = shown(tmp_path, to_page(drawing.series), last)
        assert step_shown(dom) == (f"{last} / {last}", drawing.series.steps[-1].text)
