"""The store: exact, whole after a kill, fit to be shared; and what is not one is left alone."""

from __future__ import annotations

import math
import multiprocessing
import os
import random
import shutil
import sqlite3
import tempfile
import time
import tracemalloc
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.arena.plan import Failure, Plan, PlayedPart
from kibitz.arena.store import store as module
from kibitz.arena.store.store import Store
from kibitz.core.errors import BadText
from kibitz.version import __version__

PLAN = Plan("love-letter", ("greedy", "random", "flat-mc"), 1, "round")
FOURS = Plan("tablic:players=4", ("a", "b", "c", "d", "e"), 2**70, "game", limit=0.1, seats=4)

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["__main__", __name__])


def part(start: int, pairs: int = 10, seats: int = 2) -> PlayedPart:
    """A part that is a function of its place, with numbers of every kind."""
    rng = np.random.default_rng(start)
    columns = seats * math.factorial(seats)
    bits = rng.integers(0, 2**64, (pairs, columns), np.uint64)
    failures = (Failure(start + pairs - 1, 1, 0, f"no such card: \ud800 “ž” {start}"),)
    return PlayedPart(
        start,
        bits.view(np.float64),
        rng.integers(-(2**63), 2**63 - 1, (pairs, seats), np.int64),
        tuple(rng.random(seats).tolist()),
        failures if pairs and start % 3 == 0 else (),
    )


def exact(played: PlayedPart) -> tuple[object, ...]:
    """All of a part, to be compared bit by bit."""
    arrays = (played.results, played.decisions)
    bits = [(array.dtype.str, array.shape, array.tobytes()) for array in arrays]
    return played.start, *bits, played.seconds, played.failures


def stored_parts(path: Path, plan: Plan = PLAN, lineup: int = 0) -> list[PlayedPart]:
    with Store(path, create=False) as store:
        return list(store.load_parts(store.find_or_begin_run(plan), lineup))


# -- what is stored ------------------------------------------------------------------------------


def test_a_part_comes_back_as_it_was(tmp_path: Path) -> None:
    for plan, lineup in ((PLAN, 0), (PLAN, 2), (FOURS, 0), (FOURS, 4)):
        parts = [part(start, 5, plan.seats) for start in (0, 5, 10, 2**40)]
        with Store(tmp_path / "a.db") as store:
            run = store.find_or_begin_run(plan)
            assert all(store.save_part(run, lineup, each) for each in (*parts[2:], *parts[:2]))
        assert [*map(exact, stored_parts(tmp_path / "a.db", plan, lineup))] == [*map(exact, parts)]
    assert os.listdir(tmp_path) == ["a.db"]
    with closing(sqlite3.connect(tmp_path / "a.db")) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 12)), max_size=25))
def test_no_pair_is_stored_twice(ranges: list[tuple[int, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "a.db") as store:
        run = store.find_or_begin_run(PLAN)
        pairs: set[int] = set()
        parts = []
        for start, n in ranges:
            fresh = pairs.isdisjoint(range(start, start + n))
            assert store.save_part(run, 0, part(start, n)) is fresh
            if fresh:
                pairs.update(range(start, start + n))
                parts += [part(start, n)] * (n > 0)
        parts.sort(key=lambda each: each.start)
        assert [*map(exact, store.load_parts(run, 0))] == [*map(exact, parts)]
        assert store.runs()[0].pairs == [len(pairs), 0, 0]


def test_equal_plans_are_one_run_and_another_version_begins_another(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        run = store.find_or_begin_run(replace(PLAN, limit=1))
        same = Plan(PLAN.game, tuple(PLAN.players), np.int64(1), "round", 1.0)  # type: ignore[arg-type]
        assert store.find_or_begin_run(same) == run
        others = [replace(PLAN, limit=None), replace(PLAN, seed=2), replace(PLAN, unit="match")]
        others += [replace(PLAN, limit=1, players=PLAN.players[::-1])]
        assert len({run, *map(store.find_or_begin_run, others)}) == 5
        store.save_part(run, 0, part(0))
        with patch.object(module, "__version__", "99.0"):
            other = store.find_or_begin_run(replace(PLAN, limit=1))
        assert not list(store.load_parts(other, 0)) and len(store.runs()) == 6


def test_the_runs_are_listed(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        assert store.runs() == []
        assert [store.find_or_begin_run(FOURS), store.find_or_begin_run(PLAN)] == [1, 2]
        store.save_part(1, 3, part(7, 5, 4))
        store.save_part(1, 3, part(70, 6, 4))
        first, second = store.runs()
    assert (first.plan, first.pairs, second.plan) == (FOURS, [0, 0, 0, 11, 0], PLAN)
    assert datetime.fromisoformat(first.created).utcoffset() is not None
    assert set(first.versions) == {"kibitz", "python", "numpy", "numba"}
    assert first.versions["kibitz"] == __version__
    assert set(first.machine) == {"platform", "processors"}


def test_parts_can_be_added_while_they_are_read(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store, Store(tmp_path / "a.db") as other:
        run = store.find_or_begin_run(PLAN)
        store.save_part(run, 0, part(0))
        for each in store.load_parts(run, 0):
            if each.start < 100:
                assert other.save_part(run, 0, part(each.start + 10))
                assert store.save_part(run, 1, part(each.start))
        assert store.runs()[0].pairs == [110, 100, 0]


def test_one_part_at_a_time_is_in_memory(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        run = store.find_or_begin_run(PLAN)
        for i in range(20):
            store.save_part(run, 0, part(20_000 * i, 20_000))
        tracemalloc.start()
        size = sum(each.results.nbytes for each in store.load_parts(run, 0))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert size > 12_000_000 and peak < 5_000_000


def test_what_does_not_fit_is_not_stored(tmp_path: Path) -> None:
    good = part(0)
    wrong = [
        part(0, 10, 3),
        replace(good, start=-1),
        replace(good, decisions=good.decisions[1:]),
        replace(good, seconds=(1.0,)),
        replace(good, failures=(Failure(10, 0, 0, ""),)),
        replace(good, failures=(Failure(0, 2, 0, ""),)),
    ]
    with Store(tmp_path / "a.db") as store:
        run = store.find_or_begin_run(PLAN)
        for each in wrong:
            with pytest.raises(ValueError, match="does not fit"):
                store.save_part(run, 0, each)
        with pytest.raises(TypeError):
            store.save_part(run, 0, replace(good, decisions=good.decisions.astype(float)))
        for number, lineup in ((run, 3), (run, -1), (run + 1, 0)):
            with pytest.raises(BadText, match="no line-up"):
                store.save_part(number, lineup, good)
            with pytest.raises(BadText, match="no line-up"):
                next(store.load_parts(number, lineup))
        assert store.runs()[0].pairs == [0, 0, 0]


# -- several at once ---------------------------------------------------------------------------


def add_many(path: Path, seed: int, lineup: int, again: bool) -> list[tuple[int, int]]:
    """Add parts anywhere, of any size; which of them were taken."""
    rng = random.Random(seed)
    taken = []
    store = Store(path)
    run = store.find_or_begin_run(PLAN)
    for _ in range(60):
        start, pairs = rng.randrange(200), rng.randint(1, 4)
        if store.save_part(run, lineup, part(start, pairs)):
            taken.append((start, pairs))
        if again:
            store.close()
            store = Store(path, create=False)
    store.close()
    return taken


@pytest.mark.parametrize("again", [False, True], ids=["stays-open", "opened-again-and-again"])
@pytest.mark.parametrize("lineups", [(0, 0), (0, 1)], ids=["same-lineup", "two-lineups"])
def test_two_processes_share_a_store(tmp_path: Path, lineups: tuple[int, int], again: bool) -> None:
    path = tmp_path / "new" / "a.db"
    with ProcessPoolExecutor(2, PROCESSES) as pool:
        sent = [pool.submit(add_many, path, i, lineups[i], again) for i in range(2)]
        taken = [done.result(timeout=200) for done in sent]
    for lineup in {*lineups}:
        wanted = sorted(each for i in range(2) if lineups[i] == lineup for each in taken[i])
        stored = stored_parts(path, PLAN, lineup)
        assert [*map(exact, stored)] == [exact(part(*each)) for each in wanted]
        pairs = [pair for start, n in wanted for pair in range(start, start + n)]
        assert len({*pairs}) == len(pairs) > 50
    assert os.listdir(path.parent) == ["a.db"]


def test_to_open_it_again_does_not_end_its_locks(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Store(path) as store, ProcessPoolExecutor(1, PROCESSES) as pool:
        run = store.find_or_begin_run(PLAN)
        Store(path).close()
        # The last one to close removes the log: this is not the last one.
        taken = pool.submit(add_many, path, 1, 0, True).result(timeout=200)
        assert (tmp_path / "a.db-wal").exists()
        assert store.save_part(run, 1, part(0))
    assert len(stored_parts(path)) == len(taken) > 20
    assert len(stored_parts(path, PLAN, 1)) == 1


def write_on(path: Path, log_file: Path) -> None:
    """Add part after part until killed; a letter is written for each that is in."""
    with Store(path) as store, log_file.open("ab", buffering=0) as log:
        run = store.find_or_begin_run(PLAN)
        start = store.runs()[0].pairs[0]
        while True:
            assert store.save_part(run, 0, part(start, 500))
            log.write(b".")
            start += 500


def test_a_kill_at_any_moment_loses_nothing_that_was_in(tmp_path: Path) -> None:
    path, log_file = tmp_path / "a.db", tmp_path / "log_file"
    log_file.touch()
    rng = random.Random(1)
    for kills in range(1, 16):
        before = log_file.stat().st_size
        writer = PROCESSES.Process(target=write_on, args=(path, log_file))
        writer.start()
        while kills % 3 and log_file.stat().st_size == before and writer.is_alive():
            time.sleep(0.001)
        time.sleep(rng.uniform(0, 0.1))
        assert writer.is_alive()
        writer.kill()
        writer.join()
        letters = log_file.stat().st_size
        if path.exists() or letters:
            # As a process that goes on finds it; the next finds what this one has left.
            copy = tmp_path / "copy"
            copy.mkdir()
            for each in tmp_path.glob("a.db*"):
                shutil.copy(each, copy)
            stored = stored_parts(copy / "a.db")
            shutil.rmtree(copy)
            assert letters <= len(stored) <= letters + kills
            wanted = [part(500 * i, 500) for i in range(len(stored))]
            assert [*map(exact, stored)] == [*map(exact, wanted)]
    assert letters > 30
    assert len(stored_parts(path)) == len(stored)


# -- a medium that can't be written ------------------------------------------------------------


def look_without_rights(path: Path) -> None:
    """As somebody who may write nothing. Root may write everything."""
    if os.getuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    with Store(path, create=False) as store:
        (run,) = store.runs()
        assert run.pairs[0] == 40
        assert [exact(each) for each in store.load_parts(1, 0)] == [
            exact(part(i, 20)) for i in (0, 20)
        ]
        with pytest.raises(BadText):
            store.save_part(1, 0, part(40))
    with pytest.raises(BadText, match="Permission denied"):
        Store(path)


NOBODY = 65534


@pytest.mark.parametrize("beside", ["nothing", "log", "log and index"])
def test_a_store_is_read_where_nothing_can_be_written(beside: str) -> None:
    """Also one whose writer was killed, or is at work."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store" / "a.db"
        with Store(Path(folder) / "b.db") as store:
            for start in (0, 20):
                store.save_part(store.find_or_begin_run(PLAN), 0, part(start, 20))
            if beside != "nothing":
                shutil.copytree(folder, path.parent)
        if beside == "nothing":
            shutil.copytree(folder, path.parent)
        for file in path.parent.iterdir():
            file.rename(file.with_name(file.name.replace("b.db", "a.db")))
        if beside == "log":
            path.with_name("a.db-shm").unlink()
        before = sorted(path.parent.iterdir())
        assert len(before) == {"nothing": 1, "log": 2, "log and index": 3}[beside]
        for file in before:
            file.chmod(0o444)
        Path(folder).chmod(0o755)
        path.parent.chmod(0o555)
        process = multiprocessing.get_context("fork").Process(
            target=look_without_rights, args=(path,)
        )
        process.start()
        process.join()
        assert process.exitcode == 0
        assert sorted(path.parent.iterdir()) == before
        path.parent.chmod(0o755)
