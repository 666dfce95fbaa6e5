"""The studies of players: their files, going on after a kill, luck and skill, bad folders."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from statistics import correlation, fmean
from typing import Any

import pytest

from kibitz.arena.store.store import Store
from kibitz.arena.store.stored_run import comparison_of, export_games
from kibitz.cli.commands.study import study as study_command
from kibitz.core.errors import BadText, BadValue, KibitzError
from kibitz.studies.love_letter import measure as love_letter_measure
from kibitz.studies.love_letter.report import PLOTS as LOVE_LETTER_PLOTS
from kibitz.studies.players.footprint import Footprint, footprint, peak_bytes
from kibitz.studies.players.measure import Entrant, Setting, match_of, play, turned
from kibitz.studies.tablic.measure import stronger_first
from kibitz.studies.tablic.report import PLOTS as TABLIC_PLOTS
from tests.processes import assert_refused, environment, kibitz_here
from tests.studies.tiny import LOVE_LETTER, figures, run


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Both studies, done once. One with time and memory: each takes a process."""
    folders = {name: tmp_path_factory.mktemp(name) / "new" / "folder" for name in PLOTS}
    run("love-letter", folders["love-letter"])
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("kibitz.studies.players.measure.footprint", made_up)
        run("tablic", folders["tablic"])
    return folders


def made_up(game: str, player: str, seed: int, enough: float) -> Footprint:
    return Footprint(player, 2, 1.0, 10, 100, 130)


@pytest.fixture
def unmeasured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.studies.players.measure.footprint", made_up)


PLOTS = {"love-letter": LOVE_LETTER_PLOTS, "tablic": TABLIC_PLOTS}


# -- files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["love-letter", "tablic"])
def test_a_study_writes_all_its_files(name: str, folders: dict[str, Path]) -> None:
    folder = folders[name]
    plots = {f"{plot}.{kind}" for plot in PLOTS[name] for kind in ("svg", "png")}
    names = {"report.md", "report.html", "figures.json", "results.sqlite", *plots}
    assert {path.name for path in folder.iterdir()} == names
    text, page = ((folder / f"report.{kind}").read_text() for kind in ("md", "html"))
    for plot in PLOTS[name]:
        assert f"]({plot}.svg)" in text, "every picture is in the report"
    assert page.count("<svg ") == len(PLOTS[name])
    assert not re.search(r'(src|href)="(?!#)|url\((?!#)|@import', page), "no network"
    assert 'name="viewport"' in page
    ids = re.findall(r' id="([^"]*)"', page)
    assert len(ids) == len(set(ids))
    for heading in ("Conclusions", "Time and memory"):
        assert heading in text and heading in page


def test_every_match_is_in_the_report(folders: dict[str, Path]) -> None:
    text = (folders["love-letter"] / "report.md").read_text()
    document = figures(folders["love-letter"])
    assert len(document["matches"]) == 3 and document["seed"] == 3
    assert {m["pairs"] for m in document["matches"]} == {40, 4}, "the slower one's pairs"
    for match in document["matches"]:
        row = next(line for line in text.splitlines() if line.startswith(f"| {match['a']}")
                   and f"– {match['b']}" in line)  # fmt: skip
        cells = [cell.strip() for cell in row.split("|")]
        assert cells[2:6] == [str(match[k]) for k in ("pairs", "wins", "draws", "losses")]
    assert document["agreement"]["situations"] == 20
    assert [point["simulations"] for point in document["settling"]["curve"]] == [5, 20]


@pytest.mark.parametrize("name", ["love-letter", "tablic"])
def test_all_players_are_rated_together(name: str, folders: dict[str, Path]) -> None:
    """By hand: what each scores in all its games is what the ratings expect."""
    document = figures(folders[name])
    rating = {line["name"]: line["elo"] for line in document["rating"]["players"]}
    assert rating.keys() == {player["name"] for player in document["players"]}
    if None not in rating.values():
        for player in rating:
            off = 0.0
            for match in document["matches"]:
                if player in (match["a"], match["b"]):
                    ahead = rating[match["a"]] - rating[match["b"]]
                    beyond = match["score"] - 1 / (1 + 10 ** (-ahead / 400))
                    off += match["pairs"] * (beyond if player == match["a"] else -beyond)
            assert off == pytest.approx(0, abs=1e-6)
    text = (folders[name] / "report.md").read_text()
    assert "Joint rating: Elo points" in text
    for line in document["rating"]["players"]:
        if line["elo"] is not None:
            assert f"{line['elo']:+.0f}".replace("-", "−") in text


def test_the_thesis_stands_beside_ours(folders: dict[str, Path]) -> None:
    text = (folders["tablic"] / "report.md").read_text()
    for expected in (
        "35–15–0",
        "553–445–2",
        "32–18–0",
        "29.2\u00a0s",
        "2.44\u00a0ms",
        "23.2\u00a0s",
    ):
        assert expected in text
    assert text.count("| ours |") == 3
    for fault in ("split into groups", "10♦", "after the own move", "end of the deal", "swapped"):
        assert fault in text, "what was mended"
    for knows in ("fair", "open-hands"):
        assert f"| {knows} |" in text


def test_times_and_memory_are_measured(folders: dict[str, Path]) -> None:
    document = json.loads((folders["love-letter"] / "figures.json").read_text())
    players = document["measured"]["players"]
    assert len(players) == len(LOVE_LETTER.players)
    for player in players:
        assert player["seconds"] > 0 and player["decisions"] > player["games"] > 0
        assert player["peak"] >= player["before"] > 10 << 20
        assert player["own"] == player["peak"] - player["before"]


# -- the same figures ------------------------------------------------------------------------


@pytest.mark.usefixtures("unmeasured")
def test_the_figures_do_not_depend_on_the_processes(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    run("love-letter", tmp_path, jobs=2)
    assert figures(tmp_path) == figures(folders["love-letter"])


@pytest.mark.usefixtures("unmeasured")
def test_started_again_nothing_is_played(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folders["tablic"]
    before = figures(folder)
    monkeypatch.setattr("kibitz.arena.run.play_timed", lambda part: pytest.fail("it is all there"))
    run("tablic", folder)
    assert figures(folder) == before


@pytest.mark.usefixtures("unmeasured")
def test_killed_and_started_again_it_ends_with_the_same_figures(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    words = (
        "from pathlib import Path; from tests.studies.tiny import run; run('tablic', Path({!r}))"
    )
    for trial in range(3):
        process = subprocess.Popen(
            [sys.executable, "-c", words.format(str(tmp_path))], env=environment()
        )
        stored = _stored(tmp_path)
        while process.poll() is None and _stored(tmp_path) < stored + 3:
            time.sleep(0.01)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert trial or not (tmp_path / "figures.json").exists(), "killed too late"
    assert not (tmp_path / "report.html").exists()
    run("tablic", tmp_path)
    assert figures(tmp_path) == figures(folders["tablic"])


def _stored(folder: Path) -> int:
    """How many parts the store has."""
    file = folder / "results.sqlite"
    if not file.exists():
        return 0
    database = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)
    try:
        return int(database.execute("SELECT count(*) FROM part").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
    finally:
        database.close()


# -- luck and skill, counted once more from the exported games ---------------------------------


def exported(folder: Path, tmp_path: Path) -> dict[tuple[str, str], list[dict[str, str]]]:
    """All games of each run as rows of text, by the two players."""
    rows_of = {}
    with Store(folder / "results.sqlite") as store:
        for one in store.runs():
            path = tmp_path / f"{one.id}.csv"
            export_games(store, one, path)
            with path.open(newline="") as file:
                rows_of[one.plan.players] = list(csv.DictReader(file))
    return {(a, b): rows for (a, b), rows in rows_of.items()}


def test_luck_and_skill_counted_from_the_exported_games(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    games = exported(folders["tablic"], tmp_path)
    card_value: dict[int, float] = {}
    for row in games["greedy", "greedy"]:
        signed = float(row["result"]) * (1 if row["seat"] == "1" else -1)
        assert card_value.setdefault(int(row["pair"]), signed) == signed, "greedy draws no lots"
    document = figures(folders["tablic"])["luck"]
    assert len(document) == 10
    for luck in document:
        key = (luck["a"], luck["b"]) if (luck["a"], luck["b"]) in games else (luck["b"], luck["a"])
        _check_luck(luck, [row for row in games[key] if row["player"] == luck["a"]], card_value)


def _check_luck(
    luck: dict[str, Any], rows: list[dict[str, str]], card_value: dict[int, float]
) -> None:
    results: dict[int, dict[int, float]] = defaultdict(dict)
    for row in rows:
        results[int(row["pair"])][int(row["seat"])] = float(row["result"])
    assert len(results) == luck["pairs"]
    both = sum((own[1] > 0) == (own[2] > 0) for own in results.values() if own[1] and own[2])
    drawn = sum(not own[1] or not own[2] for own in results.values())
    assert (luck["same_player"], luck["neither"]) == (both, drawn)
    assert luck["same_seat"] == len(results) - both - drawn
    expected, made = [], []
    for seat, name, sign in ((1, "first", 1), (2, "second", -1)):
        cards = [sign * card_value[pair] for pair in results]
        got = [own[seat] for own in results.values()]
        assert luck[name]["cards"] == pytest.approx(fmean(cards))
        assert luck[name]["made"] == pytest.approx(fmean(got))
        assert luck[name]["skill"]["mean"] == pytest.approx(fmean(got) - fmean(cards))
        assert luck[name]["made_score"] == pytest.approx(
            fmean((points > 0) + (points == 0) / 2 for points in got)
        )
        expected += cards
        made += got
    assert luck["correlation"]["mean"] == pytest.approx(correlation(expected, made))
    lost = [card for card, points in zip(expected, made, strict=True) if points < 0]
    if fmean(made) >= 0:
        assert luck["lost"] == len(lost)
        if lost:
            share = fmean((card < 0) + (card == 0) / 2 for card in lost)
            assert luck["unlucky"]["mean"] == pytest.approx(share)


def test_the_matches_are_those_of_the_store(folders: dict[str, Path]) -> None:
    with Store(folders["tablic"] / "results.sqlite") as store:
        comparisons = [comparison_of(store, one) for one in store.runs()]
    matches = {(m.a, m.b): m for each in comparisons for m in each.matches}
    for match in figures(folders["tablic"])["matches"]:
        own = matches[match["a"], match["b"]]
        assert [own.wins, own.draws, own.losses] == [match[k] for k in ("wins", "draws", "losses")]
        assert (own.score, own.margin) == (match["score"], match["margin"])


def test_a_store_with_more_pairs_gives_the_same_figures(tmp_path: Path) -> None:
    setting = Setting("tablic", 5, tmp_path)
    many, few = ((Entrant("greedy", n), Entrant("genetic", n)) for n in (20, 6))
    play(setting, *many)
    fresh = play(Setting("tablic", 5, tmp_path / "new"), *few)
    again = play(setting, *few)
    assert again.match == fresh.match and (again.rows == fresh.rows).all()


def test_a_match_from_the_other_side() -> None:
    played = play_few()
    match = played.match
    other = match_of([played], match.b, match.a)
    assert (other.wins, other.losses, other.margin) == (match.losses, match.wins, -match.margin)
    assert other.ci95[0] == pytest.approx(1 - match.ci95[1])
    assert turned(other).ci95 == pytest.approx(match.ci95)
    with pytest.raises(KeyError):
        match_of([played], "pimc", "greedy")


def play_few() -> Any:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        return play(Setting("tablic", 5, Path(folder)), Entrant("greedy", 9), Entrant("genetic", 9))


def test_the_other_side_has_the_opposite_luck() -> None:
    lineup = play_few()
    swapped = stronger_first(lineup)
    assert lineup.match.score < 0.5 < swapped.match.score
    assert swapped.rows[:, 0].mean() + swapped.rows[:, 2].mean() == pytest.approx(
        2 * swapped.match.margin
    )
    assert swapped.first_seat == lineup.first_seat, "who sat first is the same"


# -- footprints ------------------------------------------------------------------------------


def test_a_footprint_is_of_a_process_of_its_own() -> None:
    ballast = bytearray(300 << 20)
    measured = footprint("love-letter", "greedy", 1, 0.01)
    assert peak_bytes() > len(ballast) > measured.peak > measured.before > 0
    assert measured.game == measured.seconds / measured.games
    assert measured.decision == measured.seconds / measured.decisions


def test_a_footprint_that_fails_says_why() -> None:
    with pytest.raises(KibitzError, match=r"can't be measured: .*nobody"):
        footprint("love-letter", "nobody", 1, 0.01)


def test_own_memory_is_what_was_added() -> None:
    assert Footprint("x", 2, 1.0, 10, before=100, peak=130).own == 30


# -- bad input -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["love-letter", "tablic"])
def test_bad_folders_are_refused_in_one_line(name: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    for folder in (file, file / "deeper"):
        done = kibitz_here("study", name, "-o", folder, "--quick", home=tmp_path)
        assert str(file) in assert_refused(done)
    assert file.read_text() == "mine"


@pytest.mark.parametrize("content", [b"mine", b"", b"SQLite format 3\0" + b"x" * 100])
def test_a_store_of_something_else_is_refused_untouched(content: bytes, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "results.sqlite").write_bytes(content)
    done = kibitz_here("study", "tablic", "-o", folder, "--quick", home=tmp_path)
    assert "results.sqlite" in assert_refused(done)
    assert [path.name for path in folder.iterdir()] == ["results.sqlite"]
    assert (folder / "results.sqlite").read_bytes() == content


def test_what_can_not_be_written_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "luck.svg").mkdir()
    with pytest.raises(BadText, match=r"luck\.svg: not a file"):
        study_command("tablic", tmp_path, 0, quick=True)
    assert [path.name for path in tmp_path.iterdir()] == ["luck.svg"]
    with pytest.raises(BadValue, match="jobs must be at least 1, not 0"):
        study_command("tablic", tmp_path / "new", 0, quick=True, jobs=0)
    assert not (tmp_path / "new").exists()


@pytest.mark.usefixtures("unmeasured")
def test_interrupted_it_writes_no_report_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folders: dict[str, Path]
) -> None:
    from kibitz.arena import run as arena_run

    real, calls = arena_run.play_timed, []

    def interrupted(part: Any) -> Any:
        calls.append(part)
        if len(calls) > 4:
            raise KeyboardInterrupt
        return real(part)

    with monkeypatch.context() as patched:
        patched.setattr(arena_run, "play_timed", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run("love-letter", tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"results.sqlite"}
    run("love-letter", tmp_path)
    assert figures(tmp_path) == figures(folders["love-letter"])


@pytest.mark.usefixtures("unmeasured")
def test_the_command_picks_the_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(love_letter_measure, "QUICK", LOVE_LETTER)
    done = kibitz_here(
        "study", "love-letter", "-o", tmp_path / "out", "--quick", "--seed", "3", "--jobs", "1",
        home=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert str(tmp_path / "out" / "report.html") in done.stdout.splitlines()
    document = figures(tmp_path / "out")
    assert document["command"] == "kibitz study love-letter -o FOLDER --seed 3 --quick"
