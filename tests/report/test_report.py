"""The report of a comparison: its figures, its words, a page that stands alone, and its files."""

from __future__ import annotations

import json
import math
import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from kibitz.arena import agreement as agreement_module
from kibitz.arena import compare as arena
from kibitz.arena import report
from kibitz.arena.agreement import Agreement
from kibitz.arena.comparison import (
    Comparison,
    FailureLine,
    Interval,
    MatchLine,
    PlayerLine,
    TableLine,
)
from kibitz.arena.plots import diverging, draw, ink, luminance, power_of_ten, rising
from kibitz.arena.report import check_path, write_report
from kibitz.arena.report_words import (
    LONG,
    is_numbered,
    labels,
    main_result,
    mean_scores,
    say_time,
    shortened,
    three_digits,
    worth_their_time,
)
from kibitz.arena.statistics import elo
from kibitz.cli import compare as command_module
from kibitz.cli.compare import compare as command
from kibitz.cli.figures import show
from kibitz.errors import BadText, KibitzError
from kibitz.version import __version__

SEARCH = "ismcts:simulations=300,observers=one,rollout=uniform"
WILD = '<b>&"x"$a$_{\u4e2d}</b>'
WHEN = "2024-02-29"
VOID = {"meta", "wbr"}


def player(name: str, knows: str = "fair", microseconds: float = 2.5) -> PlayerLine:
    return PlayerLine(name, knows, True, 4000, 4000 * microseconds / 1e6, 0)


def match(
    a: str, b: str, score: float, half: float = 0.05, margin: float = 0.0,
    clear: bool | None = None, pairs: int = 100,
) -> MatchLine:  # fmt: skip
    low, high = max(0.0, score - half), min(1.0, score + half)
    margin95: Interval = (margin - 1.25, margin + 1.25)
    if pairs == 1:
        low, high, margin95 = 0.0, 1.0, (-math.inf, math.inf)
    wins = round(2 * pairs * score)
    return MatchLine(
        a, b, pairs, wins, 0, 2 * pairs - wins, score, (low, high), elo(score),
        (elo(low), elo(high)), 0.5625, margin, margin95, clear,
    )  # fmt: skip


def two(
    scores: dict[tuple[str, str], float], fast: Sequence[str] = (), **options: Any
) -> Comparison:
    names = list(dict.fromkeys(name for pair in scores for name in pair))
    players = tuple(player(name, microseconds=0.5 if name in fast else 2.5) for name in names)
    matches = tuple(match(a, b, score, **options) for (a, b), score in scores.items())
    pairs = matches[0].pairs
    return Comparison("tablic", 7, "game", pairs, players, matches, (), (), False)


def several(n: int, seats: int = 2, names: Sequence[str] = ()) -> Comparison:
    """Players of rising strength, and long names among them."""
    names = names or [f"{SEARCH}#{i}" if i % 2 else f"p{i}" for i in range(n)]
    if seats == 2:
        pairs = combinations(range(n), 2)
        return two({(names[i], names[j]): (1 + i - j + n) / (2 * n) for i, j in pairs})
    tables = []
    for line_up in combinations(range(n), seats):
        whole = sum(1 + i for i in line_up)
        score = {names[i]: (1 + i) / whole for i in line_up}
        ends = {name: (max(0.0, s - 0.05), s + 0.05) for name, s in score.items()}
        wins = {name: round(300 * s) for name, s in score.items()}
        who = tuple(score)
        tables.append(TableLine(who, 100, 100 * seats, wins, 3, score, ends, 0.3125))
    players = tuple(map(player, names))
    return Comparison(
        "love-letter:players=3", 7, "round", 100, players, (), tuple(tables), (), False
    )


def agreed(found: Comparison) -> Agreement:
    names = tuple(p.name for p in found.players)
    rows = tuple(tuple(200 - 10 * abs(i - j) for j in range(len(names))) for i in range(len(names)))
    return Agreement(found.game, 7, names, 200, rows)


def usual() -> Comparison:
    scores = {("random", "greedy"): 0.3125, ("random", SEARCH): 0.25, ("greedy", SEARCH): 0.4775}
    return two(scores, margin=-3.5)


def nothing() -> Comparison:
    return replace(usual(), matches=(), interrupted=True)


def wild() -> Comparison:
    found = two({(WILD, SEARCH): 1.0}, pairs=1, margin=12.0)
    failures = tuple(
        FailureLine(WILD, i, 1, f"no such card: \ud800 <script>\n{'x' * 300}") for i in range(103)
    )
    idle = replace(found.players[0], decisions=0, seconds=0.0, failures=103)
    return replace(found, players=(idle, found.players[1]), failures=failures)


ODD = {
    "usual": usual,
    "one match": lambda: two({("a", "b"): 0.6}),
    "one pair": lambda: two({("a", "b"): 0.5}, pairs=1, margin=3.0),
    "all lost": lambda: two({("a", "b"): 0.0, ("a", "c"): 0.0, ("b", "c"): 1.0}),
    "equal": lambda: two({("a", "a#2"): 0.5}, half=0.0),
    "twelve": lambda: several(12),
    "three seats": lambda: several(4, 3),
    "four seats": lambda: several(4, 4),
    "many tables": lambda: several(9, 3),
    "many matches": lambda: several(21, names=[f"p{i}" for i in range(21)]),
    "wild": wild,
    "nothing": nothing,
    "until clear": lambda: two({("a", "b"): 0.7, ("a", "c"): 0.6, ("b", "c"): 0.5}, clear=False),
}


@cache
def files(case: str, with_agreement: bool = False) -> dict[str, bytes]:
    """All that is written, by name."""
    import tempfile

    found = ODD[case]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out.html"
        again = f"kibitz compare {SEARCH}"
        written = write_report(found, path, again, WHEN, agreed(found) if with_agreement else None)
        assert set(written) == {each for each in Path(folder).rglob("*") if each.is_file()}
        return {str(each.relative_to(folder)): each.read_bytes() for each in written}


def page(case: str, with_agreement: bool = False) -> str:
    return files(case, with_agreement)["out.html"].decode()


class Reader(HTMLParser):
    """Checks that tags are balanced, and keeps texts, headings and the cells of tables."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.headings: list[str] = []
        self.rows: list[list[str]] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag in ("h1", "h2", "h3"):
            self.headings.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert "svg" in self.open, "only SVG has such tags"

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" in self.open:
            return
        self.texts.append(data)
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data
        if {"h1", "h2", "h3"} & set(self.open):
            self.headings[-1] += data

    @property
    def text(self) -> str:
        return "".join(self.texts).replace("\xa0", " ")


# -- the page ------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ODD)
def test_every_page_stands_alone_and_is_whole(case: str) -> None:
    whole = page(case)
    read = Reader(whole)
    assert not re.search(r"http|@import|<script|<link|<img|\bsrc=", whole), "no network"
    assert not re.search(r"url\((?!#)", whole)
    ids = re.findall(r' id="([^"]*)"', whole)
    assert len(ids) == len(set(ids))
    used = re.findall(r'href="#([^"]*)"|url\(#([^)]*)\)', whole)
    assert {one or other for one, other in used} <= set(ids)
    assert set(re.findall(r'href="([^#"]*)"', whole)) == set(files(case)) - {"out.html"}
    assert whole.startswith('<!doctype html>\n<html lang="en">')
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in whole
    assert whole.count("<svg ") == whole.count('role="img" aria-label="') == whole.count("<figcapt")
    assert whole.count("<table>") == whole.count('<div class="table"') == whole.count("<caption>")
    assert read.headings[-1] in ("All figures", "Lost by failing")


def test_all_sections_are_there() -> None:
    pictures = ["wins", "scores", "time", "first-seat", "agreement"]
    names = {f"out_files/{name}.{kind}" for name in pictures for kind in ("svg", "png")}
    assert set(files("usual", True)) == {"out.html", *names}
    title = "tablic: 3 strategies compared"
    first = ["Who beats whom", "How sure that is", "Time and strength", "The first seat"]
    headings = Reader(page("usual", True)).headings
    assert headings == [title, *first, "Who decides alike", "All figures"]
    assert Reader(page("usual")).headings == [title, *first, "All figures"]
    assert Reader(page("three seats")).headings[1] == "Scores by table"
    assert Reader(page("nothing")).headings == [title, "All figures"]
    assert set(files("nothing")) == {"out.html"}


def test_the_heading_tells_how_to_make_it_again() -> None:
    text = Reader(page("usual")).text
    for told in (f"kibitz compare {SEARCH}", WHEN, f"Kibitz {__version__}", "out_files"):
        assert told in text
    for name, value in (("game", "tablic"), ("seed", "7"), ("unit", "game"), ("pairs", "100")):
        assert f"<dt>{name}</dt><dd>{value}</dd>" in page("usual")
    assert main_result(usual()) in text
    assert "Stopped early" in page("nothing")


def test_print_clips_no_table_and_breaks_no_picture() -> None:
    style = page("usual").split("@media print")[1]
    assert ".table { overflow: visible; }" in style
    assert re.search(r"figure,[^{]*\{ break-inside: avoid; \}", style)


def test_the_figures_are_those_of_the_document() -> None:
    rows = {row[0]: row for row in Reader(page("usual")).rows}
    document = usual().document()
    for entry in document["matches"]:
        row = rows[f"{entry['a']} – {entry['b']}"]
        counts = [str(entry[key]) for key in ("pairs", "wins", "draws", "losses")]
        low, high = entry["ci95"]
        first = f"{entry['first_seat']:.1%}"
        assert row[1:7] == [*counts, f"{entry['score']:.1%}", f"{low:.1%}–{high:.1%}"]
        assert row[7].startswith(f"{entry['elo']:+.0f}±".replace("-", "−"))
        assert row[8:] == [first, "−3.5 (−4.8 to −2.2)"]
    for i, name in enumerate(mean_scores(usual()), 1):
        (entry,) = [each for each in document["players"] if each["name"] == name]
        knows, decisions, took, rate, mean, matches, _ = rows[f"{i} {name}"][1:]
        assert (knows, decisions, matches) == (entry["knows"], str(entry["decisions"]), "2")
        assert (took, rate) == ("2.5", "400,000")
        assert mean == f"{mean_scores(usual())[name]:.1%}"


@pytest.mark.parametrize("case", ["usual", "three seats", "one pair", "all lost", "until clear"])
def test_the_screen_has_no_other_figures(
    case: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    show(ODD[case]())
    told = {cell for row in Reader(page(case)).rows for cell in row}
    told |= {re.sub(r"^\d+ ", "", cell) for cell in told}
    for line in capsys.readouterr().out.splitlines():
        cells = re.split(r" {2,}", line.strip())
        if any("%" in cell for cell in cells[1:]) and cells[0] not in ("match", "player"):
            for cell in cells:
                assert cell.replace("-", "−").replace("inf", "∞") in told or cell in told, line


def test_agreement_is_told_with_intervals() -> None:
    rows = {row[0]: row for row in Reader(page("usual", True)).rows}
    document = agreed(usual()).document()
    low, high = document["ci95"][0][1]
    assert rows["random – greedy"][1:] == ["95.0%", f"{low:.1%}–{high:.1%}"] or "pairs" in rows
    alike = [row for row in Reader(page("usual", True)).rows if row[:1] == ["random – greedy"]]
    assert ["random – greedy", "95.0%", f"{low:.1%}–{high:.1%}"] in alike
    assert "200 situations" in page("usual", True)


def test_names_and_reasons_are_escaped_and_fit() -> None:
    text = Reader(page("wild")).text
    assert "<b>" not in page("wild") and WILD in text
    assert "no such card: \ufffd <script> xxx" in text
    assert "… and 3 more; --json has them all." in text
    assert "+12.0 (−∞ to +∞)" in text
    assert f"Not shown, as no time was measured: {WILD}." in text
    many = several(12)
    assert is_numbered(many)
    assert max(map(len, labels(many).values())) <= LONG + 3
    assert len(set(labels(many).values())) == 12


def test_the_same_figures_give_the_same_bytes() -> None:
    import matplotlib

    before = files("usual", True)
    files.cache_clear()
    with matplotlib.rc_context({"font.size": 30, "axes.grid": True}):
        assert files("usual", True) == before
        assert matplotlib.rcParams["font.size"] == 30
    assert all(b"<dc:date>" not in content for name, content in before.items() if "svg" in name)


# -- words ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "said", "unsaid"),
    [
        (two({("a", "b"): 0.6}), ["a scores best: 60.0% in its match.", "better than b."], "Not"),
        (two({("a", "b"): 0.4}), ["b scores best: 60.0%", "clearly better than a."], "not clear"),
        (two({("a", "b"): 0.52}), ["From b it is not clearly different (the 95 %"], "is clearly"),
        (two({("a", "b"): 1.0}, pairs=1), ["a scores best: 100.0%", "not clearly"], "is clearly"),
        (two({("a", "b"): 0.5}, half=0), ["All score the same: 50.0%. Not clearly"], "best"),
        (usual(), [f"{SEARCH} scores best", "than random.", "From greedy it is not"], "Nor"),
        (
            two({("a", "b"): 0.9, ("a", "c"): 0.4, ("b", "c"): 0.48}),
            ["a scores best: 65.0% on the mean over its 2", "Yet c clearly did better against it"],
            "every other",
        ),
        (two({("a", "b"): 0.9, ("a", "c"): 0.9, ("b", "c"): 0.5}), ["every other one."], "Nor"),
        (two({("a", "b"): 0.7}, clear=False), ["not clearly different (as --until-cl"], "better"),
        (two({("a", "b"): 0.7}, clear=True), ["clearly better than b."], "Not clearly"),
        (several(12), ["clearly better than 10 of the 11 others", "Nor are these", "8 more"], "–:"),
        (several(3, 3), ["score", "33.3% is an even share", "the 95 % interval holds it"], "–:"),
        (nothing(), ["nothing to tell"], "best"),
    ],
)
def test_the_main_result_follows_the_figures(
    found: Comparison, said: list[str], unsaid: str
) -> None:
    told = main_result(found)
    for each in said:
        assert each in told
    assert unsaid not in told


def test_whoever_knows_more_is_not_called_best_without_a_word() -> None:
    found = two({("a", "b"): 0.8, ("a", "c"): 0.8, ("b", "c"): 0.8})
    cheat = replace(found, players=(player("a", "open-hands"), *found.players[1:]))
    assert "more than a player may (open-hands); the best fair one is b: 50.0%" in main_result(
        cheat
    )
    all_cheat = replace(found, players=tuple(player(n, "open-deck") for n in "abc"))
    assert "nobody here is fair" in main_result(all_cheat)


def test_who_is_worth_the_time() -> None:
    found = two({("a", "b"): 0.8, ("a", "c"): 0.8, ("b", "c"): 0.8}, fast=["b", "c"])
    assert worth_their_time(found) == ["b", "a"]
    assert "Worth their time: b and a;" in say_time(found)


def test_short_texts() -> None:
    assert shortened("flat-mc:worlds=20") == "flat-mc:worlds=20"
    assert shortened(SEARCH) == "ismcts:300,one,un…"
    assert shortened("x" * 90) == "x" * (LONG - 1) + "…"
    assert shortened("a\nb\ud800") == "a b\ufffd"
    assert [three_digits(x) for x in (0.2449, 163.2, 12345.6, 0)] == ["0.245", "163", "12,300", "0"]
    assert [power_of_ten(e) for e in (-5, -1, 0, 3, 12)] == ["10⁻⁵", "0.1", "1", "1000", "10¹²"]


def test_numbers_are_readable_on_every_colour() -> None:
    for colour in (diverging, rising):
        for share in range(1001):
            fill = colour(share / 1000)
            other = 0.0 if ink(fill) == "black" else 1.0
            low, high = sorted((luminance(fill), other))
            assert (high + 0.05) / (low + 0.05) >= 4.5
    assert diverging(0.5) == (1, 1, 1)


# -- files ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["out.txt", "out", ".html", "out.html/"])
def test_what_is_no_page_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "out.html").mkdir()
    with pytest.raises(BadText, match=r"FILE\.html|not a file"):
        check_path(tmp_path / name)


def test_a_folder_that_cannot_be_written_to_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "out_files").write_text("mine")
    for path in (tmp_path / "file" / "out.html", tmp_path / "out.html"):
        with pytest.raises(BadText, match="can't be written, .*Not a directory"):
            write_report(usual(), path, "", WHEN)
    with (
        patch("tempfile.TemporaryFile", side_effect=PermissionError(13, "Permission denied")),
        pytest.raises(BadText, match="Permission denied"),
    ):
        write_report(usual(), tmp_path / "new" / "page.HTM", "", WHEN)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "out_files"]


def test_nothing_is_left_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "out.html").write_text("old")
    monkeypatch.setattr(report, "draw", lambda *_: draw(nothing(), None) | {"wins": (b"", b"")})
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(KibitzError, match="No space left"):
        write_report(nothing(), tmp_path / "out.html", "", WHEN)
    assert [each.name for each in tmp_path.rglob("*") if each.is_file()] == ["out.html"]
    assert (tmp_path / "out.html").read_text() == "old"


def test_pictures_of_an_earlier_report_go_and_other_files_stay(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "a b_files"
    folder.mkdir(parents=True)
    for name in ("agreement.svg", "wins.png", "mine.svg"):
        (folder / name).write_text("old")
    assert write_report(nothing(), tmp_path / "new" / "a b.html", "", WHEN) == [
        tmp_path / "new" / "a b.html"
    ]
    assert [each.name for each in folder.iterdir()] == ["mine.svg"]


# -- the command ---------------------------------------------------------------------------


def test_the_command_writes_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "it's.html"
    command("tic-tac-toe", ["random", "random"], pairs=3, seed=5, report=path, jobs=1)
    assert f"report: {path}; its pictures are in {tmp_path / chr(105)}t's_files" in (
        capsys.readouterr().out
    )
    text = Reader(path.read_text()).text
    again = ["kibitz", "compare", "tic-tac-toe", "random", "random", "--pairs", "3", "--seed", "5"]
    assert shlex.join([*again, "--report", str(path)]) in text
    assert "Who decides alike" in text and (tmp_path / "it's_files" / "agreement.svg").exists()


@pytest.mark.parametrize(
    ("module", "name", "value", "told"),
    [
        (command_module, "PATIENCE", 0.0, "it would take about"),
        (agreement_module, "agree", lambda *_: 1 / 0, "division by zero"),
    ],
)
def test_without_an_agreement_there_is_a_report_that_says_why(
    module: Any, name: str, value: Any, told: str, tmp_path: Path,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(module, name, value)
    path = tmp_path / "out.html"
    command("tic-tac-toe", ["random", "random"], pairs=2, report=path, jobs=1, as_json=True)
    printed = capsys.readouterr()
    assert json.loads(printed.out)["pairs"] == 2, "nothing but JSON"
    assert f"Who decides alike was not asked: {told}" in printed.err
    assert f"Who decides alike was not asked: {told}" in Reader(path.read_text()).text


def test_a_bad_report_is_refused_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arena, "compare", lambda *_, **__: pytest.fail("it was played"))
    with pytest.raises(BadText, match=r"a report is a page, FILE\.html"):
        command("tic-tac-toe", ["random", "random"], report=tmp_path / "out.pdf")
    assert list(tmp_path.iterdir()) == []
