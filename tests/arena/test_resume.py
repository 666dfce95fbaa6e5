"""A run that was killed goes on where it was: the figures are those of an undisturbed one."""

from __future__ import annotations

import os
import random
import signal
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kibitz.arena.compare import compare
from kibitz.arena.plan import Part, Plan
from kibitz.arena.run import ComparisonRun, LineupRun
from kibitz.arena.store.store import Store
from kibitz.core.registry import make_game, make_strategy
from tests.arena.failing import Failing
from tests.arena.running import document, gone, start, stored_pairs, until, without_seconds
from tests.plain import Nim
from tests.processes import assert_refused, kibitz_here

RANDOM = make_strategy("random")
# The limit makes it play in Python, which is slow enough to be stopped.
ARGS = ("compare", "tic-tac-toe", "random", "random", "random", "--limit", "50", "--json")
PAIRS = 200


def undisturbed(pairs: int = PAIRS, seed: int = 0) -> dict[str, Any]:
    comparison = compare(make_game("tic-tac-toe"), [RANDOM] * 3, pairs, seed, limit=50)
    return without_seconds(comparison.document())


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_killed_again_and_again_it_ends_with_the_same_figures(tmp_path: Path, jobs: str) -> None:
    store = tmp_path / "store"
    args = (*ARGS, "--pairs", str(PAIRS), "--store", store, "--jobs", jobs)
    lots = random.Random(jobs)
    for _ in range(2):
        before = stored_pairs(store)
        more = lots.randint(1, 3 * PAIRS // 5)
        process = start(*args, home=tmp_path)

        def is_time(before: int = before, more: int = more) -> bool:
            return stored_pairs(store) >= min(before + more, 3 * PAIRS - 60)

        until(is_time, "enough pairs")
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        until(partial(gone, process.pid), "the end of its workers")
        assert before <= stored_pairs(store) <= 3 * PAIRS
    assert without_seconds(document(start(*args, home=tmp_path))) == undisturbed()
    assert stored_pairs(store) == 3 * PAIRS


def test_more_pairs_extend_a_run_and_fewer_are_a_part_of_it(tmp_path: Path) -> None:
    store = tmp_path / "store"
    game = make_game("tic-tac-toe")
    for pairs in (10, 40, 25):
        comparison = compare(game, [RANDOM] * 3, pairs, limit=50, store=store)
        assert without_seconds(comparison.document()) == undisturbed(pairs)
    with Store(store) as opened:
        (run,) = opened.runs()
    assert run.pairs == [40, 40, 40]


def test_what_is_stored_is_not_played_again(tmp_path: Path) -> None:
    store = tmp_path / "store"
    whole = compare(Nim(), [RANDOM, RANDOM], 30, store=store)

    class Other(Nim):
        def deal(self, seed: int, first: int = 0) -> tuple[int, int]:
            raise AssertionError("nobody must play")

    assert compare(Other(), [RANDOM, RANDOM], 30, store=store) == whole
    with pytest.raises(AssertionError, match="nobody must play"):
        compare(Other(), [RANDOM, RANDOM], 31, store=store)


def test_failures_are_stored(tmp_path: Path) -> None:
    players = [Failing(one_in=3), RANDOM]
    whole = without_seconds(compare(Nim(), players, 30).document())
    for pairs in (7, 20, 30):
        comparison = compare(Nim(), players, pairs, store=tmp_path / "store")
    assert without_seconds(comparison.document()) == whole
    assert len(whole["failures"]) > 5


def test_two_processes_share_a_run(tmp_path: Path) -> None:
    store = tmp_path / "store"
    args = (*ARGS, "--pairs", str(PAIRS), "--store", store, "--jobs", "1")
    both = [start(*args, home=tmp_path) for _ in range(2)]
    wanted = undisturbed()
    for process in both:
        assert without_seconds(document(process)) == wanted
    assert stored_pairs(store) == 3 * PAIRS, "no pair twice, and none left out"
    assert without_seconds(document(start(*args, home=tmp_path))) == wanted


def test_what_another_process_stored_in_between_leaves_no_gaps(tmp_path: Path) -> None:
    """Parts that overlap are stored as far as they are new: else both would lack a few pairs."""
    plan = Plan("nim", ("random", "random"), 0, "game")
    part = Part(Nim(), (RANDOM, RANDOM), 0, "game", None)
    with Store(tmp_path / "store") as ours, Store(tmp_path / "store") as theirs:
        runs = [
            ComparisonRun([LineupRun(part, 12, [12], None)], store, plan, lambda: None)
            for store in (ours, theirs)
        ]
        from dataclasses import replace

        from kibitz.arena.run import play_timed

        for run, start_at, n in [(0, 0, 2), (1, 4, 4), (0, 2, 4), (1, 0, 9), (0, 3, 9)]:
            piece = replace(part, start=start_at, n=n)
            runs[run]._count(0, piece, *play_timed(piece))
        (run_row,) = ours.runs()
        assert run_row.pairs == [12]
        parts = list(ours.load_parts(run_row.id, 0))
    rows = [row for one in parts for row in one.results.tolist()]
    assert rows == play_timed(replace(part, n=12))[0].results.tolist()


@pytest.mark.parametrize(
    "change", [{"seed": 1}, {"unit": "match"}, {"limit": 49.0}, {"players": "greedy"}]
)
def test_another_plan_is_another_run(tmp_path: Path, change: dict[str, Any]) -> None:
    game, store = make_game("love-letter"), tmp_path / "store"
    options: dict[str, Any] = {"seed": 0, "unit": "round", "limit": 50.0} | change
    other = make_strategy(options.pop("players", "random"))
    compare(game, [RANDOM, RANDOM], 3, 0, "round", limit=50.0, store=store)
    resumed = compare(game, [RANDOM, other], 3, store=store, **options)
    fresh = compare(game, [RANDOM, other], 3, **options)
    assert without_seconds(resumed.document()) == without_seconds(fresh.document())
    with Store(store) as both:
        assert [run.pairs for run in both.runs()] == [[3], [3]]


@pytest.mark.parametrize("content", [b"", b"some text\n", b"SQLite format 3\0" + bytes(500)])
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    store = tmp_path / "store"
    store.write_bytes(content)
    args = ("compare", "pig:target=10", "random", "random", "--pairs", "3", "--jobs", "1")
    line = assert_refused(kibitz_here(*args, "--store", store, home=tmp_path))
    assert str(store) in line
    assert store.read_bytes() == content
    assert sorted(file.name for file in tmp_path.iterdir()) == ["store"]


@pytest.mark.parametrize("bad", [("--jobs", "-1"), ("--limit", "0"), ("--limit", "nan")])
def test_bad_input_begins_no_run(tmp_path: Path, bad: tuple[str, str]) -> None:
    args = ("compare", "pig:target=10", "random", "random", "--store", tmp_path / "store")
    assert_refused(kibitz_here(*args, *bad, home=tmp_path))
    assert list(tmp_path.iterdir()) == []


def interrupt(process: subprocess.Popen[str]) -> None:
    """Ctrl-C: a terminal sends it to all of the group."""
    os.killpg(process.pid, signal.SIGINT)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_what_is_done_and_leaves_nobody_behind(tmp_path: Path, jobs: str) -> None:
    store = tmp_path / "store"
    args = (*ARGS, "--pairs", "1000000", "--store", store, "--jobs", jobs)
    process = start(*args, home=tmp_path)
    until(lambda: stored_pairs(store) > 100, "some parts")
    interrupt(process)
    result = document(process)
    assert gone(process.pid)
    assert result["interrupted"] is True
    assert sum(match["pairs"] for match in result["matches"]) == stored_pairs(store)
    for match in result["matches"]:
        games = match["wins"] + match["draws"] + match["losses"]
        assert games == 2 * match["pairs"] > 0


def test_a_killed_parent_leaves_no_workers_behind(tmp_path: Path) -> None:
    store = tmp_path / "store"
    process = start(*ARGS, "--pairs", "1000000", "--store", store, "--jobs", "2", home=tmp_path)
    until(lambda: stored_pairs(store) > 30, "some parts")
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    until(lambda: gone(process.pid), "the end of its workers")
