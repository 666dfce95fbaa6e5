"""What shows itself: texts and pieces of HTML from one table, and data frames."""

from __future__ import annotations

import sys
from html.parser import HTMLParser

import pytest

import kibitz
from kibitz.core.explanation import Belief, Explanation, Reason
from kibitz.core.shown import Sheet

SHEET = Sheet("a < b", ["name", "n"], [["x\n<b>", "1"], ["y", "22"]], ["a & b"], bold=1)


class Balance(HTMLParser):
    """Whether every tag is closed in its turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_sheet_is_aligned_and_has_no_line_of_its_own_in_a_cell() -> None:
    lines = ["a < b", "name    n", "x\ufffd<b>   1", "y      22", "a & b"]
    assert SHEET.text().splitlines() == lines


def test_nothing_in_a_sheet_is_markup() -> None:
    html = SHEET.html()
    assert "a &lt; b" in html and "&lt;b&gt;" in html and "a &amp; b" in html
    assert html.count("font-weight: bold") == 1
    assert Balance(html).seen == {"div", "b", "table", "thead", "tbody", "tr", "th", "td", "p"}


EXPLAINED = Explanation(
    "<i>", "points", (Reason("<i>", 2.5, {"a": 1.0}, (2.0, 3.0)), Reason("q", 1.0)),
    beliefs=(Belief("seat 2's hand", {"king": 0.25, "<x>": 0.75}, basis="by <count>"),),
    sentence="Play it.", why=("Because.",),
)  # fmt: skip


def test_an_explanation_shows_its_plays_beliefs_and_reasons() -> None:
    assert repr(EXPLAINED).splitlines() == [
        "score: points",
        "  play  score  a",
        "▸ <i>     2.5  1",
        "  q       1.0",
        "Play it. Because.",
    ]
    html = EXPLAINED._repr_html_()
    Balance(html)
    assert "&lt;x&gt;</span>" in html and "75%" in html and "<i>" not in html and "<x>" not in html
    assert html.index("75%") < html.index("25%")


def test_a_frame_has_the_rows() -> None:
    frame = EXPLAINED.to_frame()
    assert list(frame.columns) == ["play", "best", "score", "low", "high", "a"]
    assert frame["score"].tolist() == [2.5, 1.0] and frame["best"].tolist() == [True, False]
    assert len(kibitz.games().to_frame()) == len(kibitz.games())


def test_without_pandas_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(kibitz.KibitzError, match="pip install pandas"):
        EXPLAINED.to_frame()


def test_catalogues_are_dicts_with_a_table() -> None:
    known = kibitz.games()
    assert isinstance(known, dict) and known["pig"] is type(kibitz.make_game("pig"))
    lines = repr(known).splitlines()
    assert len(lines) == len(known) + 1 and lines[0].split() == ["name", "kind", "title"]
    Balance(known._repr_html_())
    assert "genetic" in kibitz.strategies("tablic") and "genetic" not in kibitz.strategies("pig")
    assert repr(kibitz.strategies()).startswith("name ")
