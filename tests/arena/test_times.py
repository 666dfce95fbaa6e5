"""What a decision takes: the same from run to run, without what is done only once."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from kibitz.arena.compare import compare
from kibitz.arena.comparison import Comparison
from kibitz.arena.stopwatch import CHUNK, MANY, SLOW, Stopwatch
from kibitz.core.game import Game, View
from kibitz.core.registry import make_game, make_strategy
from kibitz.core.strategy import Player, Strategy
from kibitz.jit.kernels import jit_enabled
from tests.plain import Nim
from tests.processes import kibitz, kibitz_here

FACTOR = 3
"""Measured on busy machines, times of one strategy differ by less."""
PAUSE = 0.02


def test_fresh_processes_measure_the_same(tmp_path: Path) -> None:
    """Whatever their number; and who searches takes longer."""
    args = ("compare", "love-letter", "greedy", "ismcts:simulations=30", "--pairs", "150")
    seconds: list[dict[str, float]] = []
    for jobs in ("1", "2", "1"):
        document = json.loads(kibitz(*args, "--jobs", jobs, "--json", home=tmp_path).stdout)
        seconds.append(
            {one["name"]: one["seconds"] / one["decisions"] for one in document["players"]}
        )
    for name in seconds[0]:
        times = [each[name] for each in seconds]
        assert max(times) < FACTOR * min(times)
    quick, slow = seconds[0].values()
    assert quick < 2e-6 and slow > 10 * quick


def test_a_run_too_short_to_tell_says_nothing(tmp_path: Path) -> None:
    args = (
        "compare",
        "love-letter",
        "greedy",
        "random",
        "--pairs",
        "2",
        "--seed",
        "97",
        "--jobs",
        "1",
    )
    document = json.loads(kibitz_here(*args, "--json", home=tmp_path).stdout)
    assert [player["seconds"] for player in document["players"]] == [None, None]
    lines = kibitz_here(*args, home=tmp_path).stdout.splitlines()
    (greedy,) = [line.split() for line in lines if line.split()[:2] == ["greedy", "fair"]]
    assert greedy[-2:] == ["–", "–"]


def test_parts_that_were_not_timed_do_not_count() -> None:
    """The first pair tells nothing: its decisions have the mean time of the others."""
    comparison = compare(make_game("love-letter"), [make_strategy("greedy")] * 2, 200)
    for player in comparison.players:
        assert player.seconds and player.decision == player.seconds / player.decisions
        assert 1e-9 < player.decision < (1e-5 if jit_enabled() else 1e-3)


# -- a stopwatch -------------------------------------------------------------------------------


class Busy:
    """Decisions that take some processor time; the first one much more, as if it compiled."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.calls: list[int] = []

    def __call__(self, views: int, start: int, end: int) -> None:
        ends = time.thread_time() + (0.3 if not self.calls else self.seconds * (end - start))
        self.calls.append(end - start)
        while time.thread_time() < ends:
            pass


def test_a_stopwatch_leaves_out_the_first_call() -> None:
    decide = Busy(2e-5)
    watch = Stopwatch(decide)
    watch.measure(MANY)
    assert watch.seconds_per_decision == pytest.approx(2e-5, rel=0.5)
    assert decide.calls[0] == 1 and decide.calls[-1] * 2e-5 >= CHUNK / 2
    assert watch.spent < 0.1


@pytest.mark.parametrize(("seconds", "views", "known"), [
    (2e-5, MANY - 1, False), (2e-5, MANY, True), (2 * SLOW, MANY - 1, True), (2 * SLOW, 9, False),
])  # fmt: skip
def test_few_quick_decisions_tell_nothing(seconds: float, views: int, known: bool) -> None:
    watch = Stopwatch(Busy(seconds))
    watch.measure(views)
    assert (watch.seconds_per_decision > 0) is known


# -- players in Python -------------------------------------------------------------------------


class Preparing(Strategy):
    """Takes long to sit down and for its first decision of all; then it takes `seconds`."""

    name = "preparing"
    seconds = 0.0
    prepared = False

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        time.sleep(PAUSE)
        return Prepared(self)


class Prepared(Player):
    def __init__(self, strategy: Preparing) -> None:
        self.strategy = strategy

    def choose(self, view: View[Any]) -> Any:
        time.sleep(self.strategy.seconds if self.strategy.prepared else 10 * PAUSE)
        self.strategy.prepared = True
        return view.plays()[0]


def test_to_sit_down_and_to_prepare_is_not_to_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0  # a clock that goes on only while somebody sleeps, however busy the machine is

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    monkeypatch.setattr(time, "sleep", sleep)
    monkeypatch.setattr(time, "perf_counter", lambda: now)
    slow, quick = Preparing(), Preparing()
    slow.seconds, quick.seconds = PAUSE / 4, PAUSE / 16
    comparison: Comparison = compare(Nim(), [slow, quick], 3)
    took = [player.decision for player in comparison.players]
    assert took == pytest.approx([PAUSE / 4, PAUSE / 16])
