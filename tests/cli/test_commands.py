"""The command line, some of it as a process of its own: games, compare, warm-up, and bad input.

Playing and replaying are in test_play.py, bad records in test_bad_records.py.
"""

from __future__ import annotations

import itertools
import json
import math
import os
import resource
import signal
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kibitz.core.folders import cache_folder
from kibitz.core.registry import games, make_game
from kibitz.strategies.common.levels import quick_pairs
from tests.arena.running import until
from tests.processes import (
    LIMIT,
    ROOT,
    assert_refused,
    complaints,
    environment,
    kibitz,
    kibitz_here,
    run,
)

# -- kibitz games ----------------------------------------------------------------------


def test_games_lists_every_game(tmp_path: Path) -> None:
    done = kibitz("games", home=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    head, *lines = done.stdout.splitlines()
    listed = [line.split()[0] for line in lines[: lines.index("")]]
    assert head.split() == ["game", "kind", "strategies"]
    assert listed == [*sorted(games()), "open-spiel:NAME"]
    assert all("random" in line for line in lines[: len(games())])


def test_games_json_is_one_document(tmp_path: Path) -> None:
    done = kibitz("games", "--json", home=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    entries = json.loads(done.stdout)["games"]
    assert [entry["name"] for entry in entries] == sorted(games())
    tablic = next(entry for entry in entries if entry["name"] == "tablic")
    assert tablic["kind"] == "chance, hidden"
    assert "random" in tablic["strategies"]
    assert [option["name"] for option in tablic["options"]][:2] == ["players", "cards_bonus"]


def test_games_tells_more_about_one(tmp_path: Path) -> None:
    done = kibitz_here("games", "love-letter", home=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "10 897 286 400" in done.stdout, "the orders of the deck"
    assert "11 158 821 273 600" in done.stdout, "the scenarios"
    for option in games()["love-letter"].options:
        assert f"{option.name}={option.default}" in done.stdout
    entry = json.loads(kibitz_here("games", "love-letter", "--json", home=tmp_path).stdout)
    assert entry["name"] == "love-letter"
    strategy = kibitz_here("games", "random", home=tmp_path)
    assert "knows: fair" in strategy.stdout


def test_games_starts_quickly(tmp_path: Path) -> None:
    # The first start keeps byte code, as it does for users.
    env = environment(HOME=tmp_path, XDG_DATA_HOME=tmp_path, PYTHONPYCACHEPREFIX=tmp_path / "pyc")
    env.pop("PYTHONDONTWRITEBYTECODE", None)

    def seconds(*arguments: str) -> float:
        """The processor's time, not the clock's: other tests run beside this one."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert run(list(arguments), env).returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    # It is to answer in 0.3 s, where importing the command line's library takes 0.06 s. Each is
    # measured beside the other, and the middle of several counts: one of them may be disturbed.
    ratios = [seconds("-m", "kibitz", "games") / seconds("-c", "import typer") for _ in range(7)]
    assert statistics.median(ratios) < 4


def test_help_says_what_an_argument_is(tmp_path: Path) -> None:
    for command in ("compare", "explain", "graph", "play", "solve"):
        assert "Such as" in kibitz_here(command, "--help", home=tmp_path).stdout


def test_help_and_version(tmp_path: Path) -> None:
    done = kibitz("--help", home=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    commands = (
        "games",
        "play",
        "compare",
        "explain",
        "graph",
        "solve",
        "study",
        "replay",
        "review",
        "warm-up",
    )
    for command in commands:
        assert command in done.stdout
    assert kibitz("--version", home=tmp_path).stdout.startswith("kibitz ")
    assert "Usage" in kibitz(home=tmp_path).stdout


@pytest.mark.parametrize("command", ["games", "compare"])
def test_reader_that_has_gone(tmp_path: Path, command: str) -> None:
    """As in `kibitz games | head -1`: nobody wants to read a traceback about that."""
    args = {"games": ["games"], "compare": ["compare", "pig", "random", "random", "--pairs", "2"]}
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "kibitz", *args[command]],
        env=environment(HOME=tmp_path, KIBITZ_CACHE=cache_folder()),
        stdout=writing, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    os.close(writing)
    assert (done.returncode, complaints(done)) == (0, [])


# -- kibitz compare --------------------------------------------------------------------

REPORT = {"game", "seed", "unit", "pairs", "players", "matches", "rating"}
PLAYER = {"name", "knows", "reproducible", "decisions", "seconds"}
MATCH = {
    "a", "b", "pairs", "wins", "draws", "losses", "score", "ci95", "elo", "elo95", "first_seat",
    "margin", "margin95",
}  # fmt: skip


def compare(home: Path, *args: str) -> dict[str, Any]:
    """The document; nothing else may be on standard output."""
    return document(kibitz_here("compare", *args, "--json", home=home))


def document(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert (done.returncode, complaints(done)) == (0, [])
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def figures(report: dict[str, Any]) -> dict[str, Any]:
    """All but the time, which is never the same."""
    players = [{**player, "seconds": 0} for player in report["players"]]
    return {**report, "players": players, "seed": 0}


def check_match(match: dict[str, Any], pairs: int) -> None:
    assert match.keys() - {"even"} == MATCH
    assert match["pairs"] == pairs
    games = match["wins"] + match["draws"] + match["losses"]
    assert games == 2 * pairs
    assert match["score"] == pytest.approx((match["wins"] + match["draws"] / 2) / games)
    low, high = match["ci95"]
    assert 0 <= low <= match["score"] <= high <= 1
    assert 0 <= match["first_seat"] <= 1
    if 0 < match["score"] < 1:
        odds = match["score"] / (1 - match["score"])
        assert match["elo"] == pytest.approx(400 * math.log10(odds), abs=1e-9)
    else:
        assert match["elo"] is None


def test_compare_json(tmp_path: Path) -> None:
    args = ("love-letter", "random", "random", "--pairs", "50", "--seed", "7", "--json")
    report = document(kibitz("compare", *args, home=tmp_path))
    assert report.keys() == REPORT
    assert (report["game"], report["seed"]) == ("love-letter", 7)
    assert (report["unit"], report["pairs"]) == ("round", 50)
    assert [player["name"] for player in report["players"]] == ["random", "random#2"]
    for player in report["players"]:
        assert player.keys() == PLAYER
        assert (player["knows"], player["reproducible"]) == ("fair", True)
        assert player["decisions"] > 100
        assert player["seconds"] > 0
    (match,) = report["matches"]
    assert (match["a"], match["b"]) == ("random", "random#2")
    check_match(match, 50)


def test_same_seed_same_figures(tmp_path: Path) -> None:
    args = ("love-letter", "random", "random", "--pairs", "40", "--seed")
    first, again, other = (compare(tmp_path, *args, seed) for seed in ("1", "1", "2"))
    assert figures(first) == figures(again)
    assert figures(first) != figures(other)


@pytest.mark.parametrize("seed", ["-1", str(10**30)])
def test_any_whole_number_is_a_seed(tmp_path: Path, seed: str) -> None:
    report = compare(tmp_path, "pig:target=10", "random", "random", "--pairs", "3", "--seed", seed)
    assert report["seed"] == int(seed)


def test_three_strategies_for_two_seats_play_all_matches(tmp_path: Path) -> None:
    report = compare(tmp_path, "pig:target=10", "random", "random", "random", "--pairs", "9")
    names = [player["name"] for player in report["players"]]
    assert names == ["random", "random#2", "random#3"]
    met = [(match["a"], match["b"]) for match in report["matches"]]
    assert met == [(names[0], names[1]), (names[0], names[2]), (names[1], names[2])]
    for match in report["matches"]:
        check_match(match, 9)
    assert report["game"] == "pig:target=10"


@pytest.mark.parametrize(
    ("game", "players"), [("love-letter", 3), ("love-letter", 4), ("tablic", 3)]
)
def test_three_and_four_players_have_tables(tmp_path: Path, game: str, players: int) -> None:
    spec = f"{game}:players={players}"
    report = compare(tmp_path, spec, *["random"] * players, "--pairs", "10")
    assert report.keys() == REPORT | {"tables"}
    assert report["matches"] == []
    (table,) = report["tables"]
    names = [player["name"] for player in report["players"]]
    assert table["players"] == names
    assert table["wins"].keys() == set(names)
    assert sum(table["wins"].values()) <= table["games"] == 10 * math.factorial(players)
    assert sum(table["score"].values()) == pytest.approx(1)


def test_partners_win_together(tmp_path: Path) -> None:
    report = compare(tmp_path, "tablic:players=4", *["random"] * 4, "--pairs", "10")
    (table,) = report["tables"]
    assert sum(table["score"].values()) == pytest.approx(2)


def test_unit_match(tmp_path: Path) -> None:
    args = ("love-letter", "random", "random", "--pairs", "5")
    by_match = compare(tmp_path, *args, "--unit", "match")
    by_round = compare(tmp_path, *args, "--unit", "round")
    assert (by_match["unit"], by_round["unit"]) == ("match", "round")
    check_match(by_match["matches"][0], 5)
    assert by_match["matches"][0]["draws"] == 0, "a match goes on until somebody leads"
    # Seven rounds or more make a match.
    assert by_match["players"][0]["decisions"] > 5 * by_round["players"][0]["decisions"]


@pytest.mark.parametrize("pairs", ["5", "20000"])
def test_compare_prints_a_table_in_80_columns(tmp_path: Path, pairs: str) -> None:
    args = ("compare", "love-letter", *["random"] * 3, "--pairs", pairs)
    done = kibitz_here(*args, home=tmp_path)
    assert (done.returncode, complaints(done)) == (0, [])
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in done.stdout
    matches, _, players = done.stdout.partition("knows")
    figures = compare(tmp_path, *args[1:])["matches"][2]
    assert str(figures["wins"]) in matches
    assert "score" in matches and "Elo" in matches
    assert f"{figures['first_seat']:.1%}" in matches
    for name in ("random#2", "random#3"):
        assert name in matches, "who is meant by a name cut short?"
        assert name in players


def test_names_stay_whole_in_80_columns(tmp_path: Path) -> None:
    """Tablić has one column more: points."""
    players = ("greedy", "human", "random")
    done = kibitz_here("compare", "tablic", *players, "--pairs", "1000", home=tmp_path)
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "points" in done.stdout
    for a, b in itertools.combinations(players, 2):
        assert f"{a} – {b}" in done.stdout


@pytest.mark.parametrize("game", ["love-letter", "tablic"])
def test_long_names_that_begin_alike_are_told_apart_in_80_columns(
    tmp_path: Path, game: str
) -> None:
    bots = [f"bot:python3 engine.py --depth=10 --threads=1 --book {n}" for n in (1, 2)]
    (tmp_path / "engine.py").write_bytes((ROOT / "examples/bots/random_bot.py").read_bytes())
    done = kibitz_here("compare", game, *bots, "random", "--pairs", "1", home=tmp_path)
    assert max(map(len, done.stdout.splitlines())) <= 80
    matches, _, rest = done.stdout.partition("knows")
    rows = [" ".join(line.split()) for line in matches.splitlines() if "bot:" in line]
    assert len(rows) == 6, "a name of a bot breaks into two lines"  # two of them in the rating
    ends = [row[row.index("k ") + 2] for row in rows]
    assert ends[:4] == ["1", "2", "1", "2"]
    assert sorted(ends[4:]) == ["1", "2"]
    legend = " ".join(rest.partition("name in full")[2].split())
    assert all(bot in legend for bot in bots)


def test_without_strategies_the_fair_ones_play_fewer_pairs(tmp_path: Path) -> None:
    everybody = compare(tmp_path, "kuhn-poker")
    assert {player["knows"] for player in everybody["players"]} == {"fair"}
    assert len(everybody["players"]) > 2
    assert everybody["pairs"] == quick_pairs(make_game("kuhn-poker"))
    named = compare(tmp_path, "kuhn-poker", "random", "random")
    assert everybody["pairs"] < named["pairs"] == 1000


def worked(process: int) -> float:
    """Seconds that a process has computed so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    args = ("compare", "pig:target=20", "random", "random", "--json", "--pairs")
    kibitz(*args, "1", home=tmp_path)  # so that nothing is compiled below
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    kibitz(*args, "1", home=tmp_path)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    whole = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    process = subprocess.Popen(
        [sys.executable, "-m", "kibitz", *args, "1000000000"],
        env=environment(HOME=tmp_path, KIBITZ_CACHE=cache_folder()),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        # It plays by then, however busy the machine is.
        until(lambda: worked(process.pid) > 2 * whole, "to play")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LIMIT)
    finally:
        process.kill()
    assert (process.returncode, err) == (0, "")
    report = json.loads(out)
    assert report["interrupted"] is True
    assert 0 < report["matches"][0]["pairs"] < 1000000000
    check_match(report["matches"][0], report["matches"][0]["pairs"])


# -- kibitz warm-up --------------------------------------------------------------------


def test_warm_up_leaves_nothing_to_compile(tmp_path: Path) -> None:
    cache = {"KIBITZ_CACHE": tmp_path / "cache"}
    env = environment(HOME=tmp_path, XDG_DATA_HOME=tmp_path, **cache)
    done = run(["-m", "kibitz", "warm-up", "twenty-one"], env)
    assert done.returncode == 0
    assert done.stdout.startswith("twenty-one: ")
    assert len(done.stdout.splitlines()) == 1
    files = set((tmp_path / "cache").rglob("*.nb?"))
    assert files
    for args in (
        ["play", "twenty-one", "--seed", "1", "--record", tmp_path / "record.jsonl"],
        ["replay", tmp_path / "record.jsonl", "--positions"],
        ["compare", "twenty-one", "random", "random", "--pairs", "3"],
    ):
        later = run(["-m", "kibitz", *args], env, given="1\n" * 10)
        assert (later.returncode, later.stderr) == (0, ""), args
    assert set((tmp_path / "cache").rglob("*.nb?")) == files


# -- bad input -------------------------------------------------------------------------

BAD = {
    "unknown command": (["nonsense"], "nonsense"),
    "unknown game": (["play", "whist"], "love-letter"),
    "unknown game in games": (["games", "whist"], "tablic"),
    "unknown game in warm-up": (["warm-up", "whist"], "tablic"),
    "misspelt game": (["compare", "love-leter", "random", "random"], "did you mean love-letter"),
    "misspelt strategy": (["compare", "pig", "random", "randon"], "did you mean random"),
    "unknown strategy": (["compare", "pig", "random", "oracle"], "random"),
    "unknown opponent": (["play", "pig", "--against", "oracle"], "random"),
    "unknown option of a game": (["play", "tablic:colour=red"], "cards_bonus"),
    "option of a game without options": (["play", "tic-tac-toe:size=4"], "none"),
    "unknown option of a strategy": (["compare", "pig", "random:depth=3", "random"], "depth"),
    "option without value": (["play", "tablic:players"], "name=value"),
    "option given twice": (["play", "pig:target=5,target=6"], "twice"),
    "bad choice": (["play", "tablic:cards_bonus=perhaps"], "always, tie, none"),
    "bad number": (["play", "pig:target=many"], "a whole number"),
    "number out of range": (["play", "pig:target=0"], "from 1"),
    "fraction": (["play", "pig:target=1.5"], "a whole number"),
    "endless number": (["play", "pig:target=" + "9" * 5000], "a whole number"),
    "players out of range": (["compare", "love-letter:players=5", "random"], "2, 3, 4"),
    "bad switch": (["play", "tablic:forced_capture=maybe"], "true, false"),
    "no pairs": (["compare", "pig", "random", "random", "--pairs", "0"], "at least 1"),
    "negative pairs": (["compare", "pig", "random", "random", "--pairs", "-1"], "at least 1"),
    "pairs no number": (["compare", "pig", "random", "random", "--pairs", "x"], "--pairs"),
    "seed no number": (["compare", "pig", "random", "random", "--seed", "1.5"], "--seed"),
    "endless seed": (["compare", "pig", "random", "random", "--seed", "9" * 5000], "--seed"),
    "unknown unit": (["compare", "love-letter", "random", "random", "--unit", "week"], "match"),
    "unit of another game": (["compare", "tablic", "random", "random", "--unit", "round"], "game"),
    "no matches": (["compare", "pig", "random", "random", "--unit", "match"], "game"),
    "one strategy": (["compare", "pig", "random"], "at least 2"),
    "too few for three": (["compare", "tablic:players=3", "random", "random"], "at least 3"),
    "nothing to compare": (["compare"], "GAME"),
    "unknown flag": (["compare", "pig", "random", "random", "--fast"], "--fast"),
    "flag without value": (["compare", "pig", "random", "random", "--pairs"], "--pairs"),
    "seat 0": (["play", "pig", "--seat", "0"], "1 to 2"),
    "seat 3 of 2": (["play", "pig", "--seat", "3"], "1 to 2"),
    "seat no number": (["play", "pig", "--seat", "first"], "--seat"),
    "nothing to play": (["play"], "--resume"),
    "level and resume": (["play", "--resume", "x.jsonl", "--level", "easy"], "--level"),
    "nothing to replay": (["replay"], "RECORD"),
    "too many arguments": (["replay", "one", "two"], "two"),
    "empty game": (["play", ""], "love-letter"),
    "not a text": (["play", "\udcff"], "love-letter"),
}


@pytest.mark.parametrize(("args", "tells"), BAD.values(), ids=BAD)
def test_bad_input(tmp_path: Path, args: list[str], tells: str) -> None:
    assert tells in assert_refused(kibitz_here(*args, home=tmp_path))
    assert list(tmp_path.iterdir()) == [], "nothing half-written"


@pytest.mark.parametrize("name", ["unknown command", "unknown strategy", "not a text"])
def test_bad_input_of_a_process(tmp_path: Path, name: str) -> None:
    args, tells = BAD[name]
    assert tells in assert_refused(kibitz(*args, home=tmp_path))


@pytest.mark.parametrize("path", ["folder", "file/below.jsonl"])
def test_record_that_cannot_be_written(tmp_path: Path, path: str) -> None:
    """Whoever plays must hear of it before the first card is shown."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    assert path.partition("/")[0] in assert_refused(
        kibitz_here("play", "pig", "--record", path, home=tmp_path)
    )


@pytest.mark.parametrize("path", ["folder", "file/below.jsonl"])
def test_record_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path, path: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    kibitz_here("play", "pig", "--record", path, home=tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["file", "folder"]


def test_record_does_not_replace_what_is_no_file(tmp_path: Path) -> None:
    """A named pipe here; for the superuser --record /dev/null would replace the device."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    kibitz_here("play", "pig", "--record", pipe, home=tmp_path)
    assert pipe.is_fifo()
