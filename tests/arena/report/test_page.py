"""The report of a comparison: its figures, its words, a page that stands alone, and its files."""

from __future__ import annotations

import importlib
import json
import os
import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from kibitz.arena import agreement as agreement_module
from kibitz.arena import compare as arena
from kibitz.arena.comparison import Comparison
from kibitz.arena.report import page as report
from kibitz.arena.report import plots
from kibitz.arena.report.page import check_path, write_report
from kibitz.arena.report.plots import diverging, draw, ink, luminance, power_of_ten, rising
from kibitz.arena.report.words import (
    LONG,
    is_numbered,
    labels,
    main_result,
    mean_scores,
    pareto_front,
    say_time,
    shortened,
    three_digits,
)
from kibitz.cli.commands.compare import compare as command
from kibitz.cli.ui.comparison_tables import show_comparison
from kibitz.core.errors import BadText, KibitzError
from kibitz.version import __version__
from tests.arena.report.pages import (
    ODD,
    SEARCH,
    WHEN,
    WILD,
    Reader,
    agreed,
    files,
    nothing,
    page,
    player,
    rated,
    several,
    two,
    usual,
)

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
    for expected in (f"kibitz compare {SEARCH}", WHEN, f"Kibitz {__version__}", "out_files"):
        assert expected in text
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
        assert row[1:7] == [*counts, f"{entry['score']:.1%}", f"{100 * low:.1f}–{high:.1%}"]
        assert row[7].startswith(f"{entry['elo']:+.0f}±".replace("-", "−"))
        assert row[8:] == [first, "−3.5±1.2"]
    for i, name in enumerate(mean_scores(usual()), 1):
        (entry,) = [each for each in document["players"] if each["name"] == name]
        knows, decisions, took, rate, mean, matches, _ = rows[f"{i} {name}"][1:]
        assert (knows, decisions, matches) == (entry["knows"], str(entry["decisions"]), "2")
        assert (took, rate) == ("2.5", "400,000")
        assert mean == f"{mean_scores(usual())[name]:.1%}"


@pytest.mark.parametrize(
    "case", ["usual", "three seats", "one pair", "all lost", "until clear", "circle"]
)
def test_the_screen_has_no_other_figures(
    case: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    show_comparison(ODD[case]())
    on_page = {cell for row in Reader(page(case)).rows for cell in row}
    on_page |= {re.sub(r"^\d+ ", "", cell) for cell in on_page}
    for line in capsys.readouterr().out.splitlines():
        cells = re.split(r" {2,}", line.strip())
        if any("%" in cell for cell in cells[1:]) and cells[0] not in ("match", "player"):
            counts = cells[1].split("-") if re.fullmatch(r"\d+-\d+-\d+", cells[1]) else cells[1:2]
            for cell in [*counts, *cells[2:]]:
                assert cell.replace("-", "−").replace("inf", "∞") in on_page or cell in on_page, (
                    line
                )


def test_the_joint_rating_has_a_section_of_its_own() -> None:
    read, document = Reader(page("rated")), ODD["rated"]().document()["rating"]
    assert read.headings[3] == "One scale for all"
    assert {"out_files/rating.svg", "out_files/rating.png"} <= set(files("rated"))
    assert "rating" not in "".join(files("usual")), "nothing is drawn of nothing"
    rows = {row[0]: row for row in read.rows if len(row) == 3}
    for line in document["players"]:
        half = (line["ci95"][1] - line["ci95"][0]) / 2
        assert rows[line["name"]][1] == f"{line['elo']:+.0f}±{half:.0f}".replace("-", "−")
    (table,) = [i for i, row in enumerate(read.rows) if row[:3] == ["match", "score", "expected"]]
    for line, row in zip(document["residuals"], read.rows[table + 1 :], strict=False):
        assert row[0] == " – ".join(line["players"])
        assert row[1:3] == [f"{line['score']:.1%}", f"{line['expected']:.1%}"]
    assert "One scale explains the scores" in read.text


def test_a_circle_is_on_the_page_and_on_the_screen(capsys: pytest.CaptureFixture[str]) -> None:
    said = "rock beats scissors, scissors beats paper, and paper beats rock."
    assert said in Reader(page("circle")).text
    show_comparison(ODD["circle"]())
    assert said in " ".join(capsys.readouterr().out.split())
    assert "Rock" not in page("rated")


def test_a_bound_is_no_number(capsys: pytest.CaptureFixture[str]) -> None:
    text = Reader(page("unbeaten")).text
    assert "at least +" in text and "took nothing from top" in text
    show_comparison(ODD["unbeaten"]())
    assert "at least +" in capsys.readouterr().out


def test_partners_are_told_why_they_have_no_rating(capsys: pytest.CaptureFixture[str]) -> None:
    said = "No joint rating: partners score together"
    assert said in Reader(page("partners")).text
    assert not any("rating" in name for name in files("partners"))
    show_comparison(ODD["partners"]())
    assert said in " ".join(capsys.readouterr().out.split())


def test_of_two_players_the_match_says_all(capsys: pytest.CaptureFixture[str]) -> None:
    of_two = rated(two({("a", "b"): 0.6}))
    assert of_two.document()["rating"]["players"]
    show_comparison(of_two)
    assert "rating" not in capsys.readouterr().out


def test_agreement_is_shown_with_intervals() -> None:
    rows = Reader(page("usual", True)).rows
    low, high = agreed(usual()).document()["ci95"][0][1]
    assert ["random – greedy", "95.0%", f"{100 * low:.1f}–{high:.1%}"] in rows
    assert "200 situations" in page("usual", True)


def test_names_and_reasons_are_escaped_and_fit() -> None:
    text = Reader(page("wild")).text
    assert "<b>" not in page("wild") and WILD in text
    assert "no such card: \ufffd <script> xxx" in text
    assert "… and 3 more; --json has them all." in text
    assert "+12.0" in text and "∞" not in text
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


def test_many_lines_are_drawn_as_one_for_each_player(monkeypatch: pytest.MonkeyPatch) -> None:
    few = draw(usual(), None)
    monkeypatch.setattr(plots, "LINES", 2)
    many = draw(usual(), None)
    same = {name for name in few if few[name] == many[name]}
    assert same == {"wins", "time"} and few.keys() == many.keys()


# -- words ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("comparison", "said", "unsaid"),
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
        (
            several(12),
            ["clearly better than 9 of the 11 others", "Nor are these", "and 16 more."],
            "–:",
        ),
        (several(3, 3), ["score", "33.3% is an even share", "the 95 % interval holds it"], "–:"),
        (nothing(), ["nothing to tell"], "best"),
    ],
)
def test_the_main_result_follows_the_figures(
    comparison: Comparison, said: list[str], unsaid: str
) -> None:
    sentence = main_result(comparison)
    for each in said:
        assert each in sentence
    assert unsaid not in sentence


def test_whoever_knows_more_is_not_called_best_without_a_word() -> None:
    comparison = two({("a", "b"): 0.8, ("a", "c"): 0.8, ("b", "c"): 0.8})
    cheat = replace(comparison, players=(player("a", "open-hands"), *comparison.players[1:]))
    assert "more than a player may (open-hands); the best fair one is b: 50.0%" in main_result(
        cheat
    )
    all_cheat = replace(comparison, players=tuple(player(n, "open-deck") for n in "abc"))
    assert "nobody here is fair" in main_result(all_cheat)


def test_who_pays_for_the_time() -> None:
    comparison = two({("a", "b"): 0.8, ("a", "c"): 0.8, ("b", "c"): 0.8}, fast=["b", "c"])
    assert pareto_front(comparison) == ["b", "a"]
    assert "Worth their time: b and a;" in say_time(comparison)


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
        with pytest.raises(BadText, match=r"can't be written, .*Not a directory"):
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
    folder = tmp_path / "it's_files"
    assert f"report: {path}; its pictures are in {folder}" in capsys.readouterr().out.splitlines()
    text = Reader(path.read_text()).text
    again = ["kibitz", "compare", "tic-tac-toe", "random", "random", "--pairs", "3", "--seed", "5"]
    assert shlex.join([*again, "--report", str(path)]) in text
    assert "Who decides alike" in text and (folder / "agreement.svg").exists()


@pytest.mark.parametrize(
    ("module", "name", "value", "reason"),
    [
        (
            importlib.import_module("kibitz.cli.commands.compare"),
            "PATIENCE",
            0.0,
            "it would take about",
        ),
        (agreement_module, "agree", lambda *_: 1 / 0, "division by zero"),
    ],
)
def test_without_an_agreement_there_is_a_report_that_says_why(
    module: Any, name: str, value: Any, reason: str, tmp_path: Path,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(module, name, value)
    path = tmp_path / "out.html"
    command("tic-tac-toe", ["random", "random"], pairs=2, report=path, jobs=1, as_json=True)
    printed = capsys.readouterr()
    assert json.loads(printed.out)["pairs"] == 2, "nothing but JSON"
    assert f"Who decides alike was not asked: {reason}" in printed.err
    assert f"Who decides alike was not asked: {reason}" in Reader(path.read_text()).text


def test_a_bad_report_is_refused_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arena, "compare", lambda *_, **__: pytest.fail("it was played"))
    with pytest.raises(BadText, match=r"a report is a page, FILE\.html"):
        command("tic-tac-toe", ["random", "random"], report=tmp_path / "out.pdf")
    assert list(tmp_path.iterdir()) == []
