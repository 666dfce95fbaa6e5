"""A real Dask scheduler with two workers on this machine."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kibitz.arena.compare import compare
from kibitz.arena.love_letter.solved_rounds import NamedRound, solve_all
from kibitz.core.registry import make_game, make_strategy
from kibitz.solvers.love_letter.results_table import ResultsTable
from kibitz.solvers.love_letter.solution_file import is_solved, solution_folder
from kibitz.solvers.love_letter.solver import Round, Solver
from tests.arena.cluster import Cluster, running_cluster
from tests.arena.failing import Failing
from tests.arena.running import document, start, stored_pairs, until, without_seconds
from tests.plain import Nim
from tests.processes import assert_refused, kibitz, with_own_cache

RANDOM = make_strategy("random")
ARGS = ("compare", "tic-tac-toe", "random", "random", "--limit", "50", "--json")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with running_cluster(tmp_path) as made:
        yield made


@pytest.mark.filterwarnings("ignore")  # what its packages warn of is not ours
def test_a_cluster_finds_what_one_process_finds(cluster: Cluster) -> None:
    for game, players, unit, limit in [
        (make_game("love-letter"), ["random", "greedy", "random"], "match", None),
        (make_game("love-letter:players=3"), ["random"] * 3, None, None),
        (Nim(), ["random", "failing:one_in=9"], None, 1.0),
        (Nim(), ["random", "failing:how=hang,one_in=9"], None, 0.2),
    ]:
        made = [
            make_strategy(player) if player.startswith(("random", "greedy"))
            else Failing(**dict(o.split("=") for o in player.partition(":")[2].split(",")))
            for player in players
        ]  # fmt: skip
        here, there = (
            without_seconds(
                compare(game, made, 30, unit=unit, limit=limit, cluster=address).document()
            )
            for address in (None, cluster.address)
        )
        assert here == there


def test_a_killed_worker_loses_nothing(cluster: Cluster, tmp_path: Path) -> None:
    store = tmp_path / "store"
    process = start(
        *ARGS, "--pairs", "600", "--store", store, "--cluster", cluster.address, home=tmp_path
    )
    until(lambda: stored_pairs(store) > 100, "some parts")
    os.killpg(cluster.workers[0].pid, signal.SIGKILL)
    assert stored_pairs(store) < 600
    result = document(process)
    here = compare(make_game("tic-tac-toe"), [RANDOM, RANDOM], 600, limit=50)
    assert without_seconds(result) == without_seconds(here.document())
    assert stored_pairs(store) == 600


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the workers too, if it is named before them."""
    monkeypatch.setenv("KIBITZ_CACHE", with_own_cache(tmp_path)["KIBITZ_CACHE"])


@pytest.mark.filterwarnings("ignore")
def test_rounds_are_solved_on_a_cluster_of_which_a_worker_dies(
    own_cache: None, cluster: Cluster, tmp_path: Path
) -> None:
    """The other takes its round over, from what they keep in one place."""
    rounds = [
        NamedRound("guard guard guard", Round((2, 1, 1, 1, 1, 1, 0, 1))),
        NamedRound("guard guard priest", Round((1,) * 8)),
    ]
    begun = [solution_folder(each.round) / "alone.bin" for each in rounds]

    def kill() -> bool:
        until(lambda: all(file.exists() for file in begun), "work on both")
        os.killpg(cluster.workers[0].pid, signal.SIGKILL)
        return not all(is_solved(file.parent) for file in begun)

    table = ResultsTable(tmp_path / "solved.csv")
    with ThreadPoolExecutor(1) as pool:
        in_the_middle = pool.submit(kill)
        outcomes = list(solve_all(rounds, "published", table, 1e-4, cluster=cluster.address))
        assert in_the_middle.result()
    assert sorted(outcome.face_up for outcome in outcomes) == sorted(
        each.face_up for each in rounds
    )
    for named in rounds:
        row, alone = table.rows("published")[named.face_up], Solver(named.round).solve(1e-4)
        assert row[2:6] == (alone.low, alone.high, alone.epsilon, alone.iterations)


def test_a_scheduler_that_goes_away_is_reported_in_one_line(
    cluster: Cluster, tmp_path: Path
) -> None:
    """What is done is stored, and the run can be taken up without it."""
    store = tmp_path / "store"
    args = (*ARGS, "--pairs", "100000", "--store", store)
    process = start(*args, "--cluster", cluster.address, home=tmp_path)
    until(lambda: stored_pairs(store) > 100, "some parts")
    cluster.stop()
    out, err = process.communicate(timeout=120)
    done = subprocess.CompletedProcess(args, process.returncode, out, err)
    assert "cluster" in assert_refused(done)
    assert stored_pairs(store) > 100


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("127.0.0.1:9", "no Dask scheduler answers at 127.0.0.1:9"),
        ("tcp://127.0.0.1:x", "an address is like tcp://host:8786, not 'tcp://127.0.0.1:x'"),
        ("nonsense://x:1", "tcp://host:8786"),
        ("", "tcp://host:8786"),
    ],
)
def test_an_address_where_nobody_answers_is_refused(
    tmp_path: Path, address: str, reason: str
) -> None:
    pytest.importorskip("distributed")
    args = (*ARGS, "--pairs", "3", "--store", tmp_path / "store", "--cluster", address)
    assert reason in assert_refused(kibitz(*args, home=tmp_path))
    assert not (tmp_path / "store").exists()


def test_without_dask_it_is_said_what_to_install(tmp_path: Path) -> None:
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "distributed.py").write_text("raise ImportError('not installed')\n")
    line = assert_refused(
        kibitz(*ARGS, "--cluster", "tcp://127.0.0.1:9", home=tmp_path, PYTHONPATH=str(hidden))
    )
    assert "pip install 'kibitz[cluster]'" in line
