"""Who plays makes no difference: processes of this machine, of which some may die."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import count, islice
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from kibitz.arena.compare import compare
from kibitz.arena.plan import Part, Plan, PlayedPart
from kibitz.arena.run import ComparisonRun, LineupRun
from kibitz.arena.store.store import Store
from kibitz.arena.workers import Processes, as_done, in_order, workers
from kibitz.core.errors import BadText, KibitzError
from kibitz.core.game import Game
from kibitz.core.registry import make_game, make_strategy
from kibitz.core.strategy import Strategy
from tests.arena.failing import Failing
from tests.arena.running import until, without_seconds
from tests.plain import Nim, Tosses

RANDOM = make_strategy("random")


def figures(game: Game[Any, Any], players: list[Strategy], pairs: int, **how: Any) -> Any:
    return without_seconds(compare(game, players, pairs, **how).document())


@pytest.mark.parametrize(
    ("game", "players", "pairs", "unit"),
    [
        ("love-letter", ["random", "greedy", "random"], 3000, None),
        ("love-letter", ["random", "greedy"], 200, "match"),
        ("love-letter:players=3", ["random"] * 4, 500, None),
        ("tablic:players=4", ["random"] * 4, 60, None),
    ],
)
def test_two_processes_find_what_one_finds(
    game: str, players: list[str], pairs: int, unit: str | None
) -> None:
    made = [make_strategy(player) for player in players]
    one, two = (figures(make_game(game), made, pairs, unit=unit, jobs=jobs) for jobs in (1, 2))
    assert one == two


@pytest.mark.parametrize("game", [Nim(), Tosses()], ids=str)
def test_games_in_python_too(game: Game[Any, Any]) -> None:
    one, two = (figures(game, [RANDOM, Failing(one_in=9)], 300, jobs=jobs) for jobs in (1, 2))
    assert one == two
    assert len(one["failures"]) > 10


@pytest.mark.parametrize(("width", "times"), [(2, 1), (20, 1), (400, 20)])
def test_many_workers_get_longer_parts(width: int, times: float) -> None:
    """Else more of them would come back than one process can count."""
    part = Part(Nim(), (RANDOM, RANDOM), 0, "game", None)
    lineup = LineupRun(part, 10**9, [10**9], None)
    plan = Plan("nim", ("random", "random"), 0, "game")

    class Worker:
        """Takes exactly a thousandth of a second for each pair."""

        sizes: ClassVar[list[int]] = []

        def submit(self, _: Any, part: Part) -> Future[Any]:
            self.sizes.append(part.n)
            done: Future[Any] = Future()
            none = np.zeros((part.n, 4)), np.zeros((part.n, 2), np.int64), (0.0, 0.0)
            done.set_result((PlayedPart(part.start, *none), part.n / 1000))
            if len(self.sizes) > 3 * width:
                raise EOFError
            return done

    lineup.pace = 0.001
    with pytest.raises(EOFError):
        ComparisonRun([lineup], None, plan, lambda: None).play(Worker(), width)
    assert Worker.sizes[-1] == times * 400


def test_what_can_not_be_sent_is_played_here() -> None:
    """Such as a game in a text file: every core is the default, so this must do."""

    class Local(Nim):
        """Other processes can't import it."""

    one, two = (figures(Local(), [RANDOM, RANDOM], 30, jobs=jobs) for jobs in (1, 2))
    assert one == two
    with pytest.raises(BadText, match="can't be sent to a cluster"):
        compare(Local(), [RANDOM, RANDOM], 30, cluster="tcp://127.0.0.1:9")


# -- the same work on many items ----------------------------------------------------------------


def squared(number: int) -> int:
    """The first ones take longest."""
    time.sleep(0.05 if number < 2 else 0.0)
    return number * number


def waiting_for_third(item: tuple[str, int]) -> int:
    """The first is done only after the third."""
    folder, number = item
    mark = Path(folder) / "third"
    if number == 2:
        mark.touch()
    if number == 0:
        until(mark.exists, "the third item")
    return number


def dying_once(item: tuple[str, int]) -> int:
    """Its process dies the first time that it is asked for 5."""
    folder, number = item
    mark = Path(folder) / "died"
    if number == 5 and not mark.exists():
        mark.touch()
        os._exit(1)
    return number


def dying_always(number: int) -> int:
    os._exit(1)


@pytest.mark.parametrize("jobs", [1, 3])
def test_results_come_in_the_order_of_items_of_which_there_is_no_end(jobs: int) -> None:
    with workers(jobs, None) as (executor, width):
        results = in_order(executor, width, squared, count())
        assert list(islice(results, 40)) == [n * n for n in range(40)]


def test_what_is_done_first_comes_first(tmp_path: Path) -> None:
    items = [(str(tmp_path), number) for number in range(6)]
    with workers(2, None) as (executor, width):
        done = list(as_done(executor, width, waiting_for_third, items))
        (tmp_path / "third").unlink()
        assert list(in_order(executor, width, waiting_for_third, items)) == list(range(6))
    assert sorted(done) == [(n, n) for n in range(6)]
    assert done.index((2, 2)) < done.index((0, 0))


def test_one_process_does_one_after_the_other() -> None:
    with workers(1, None) as (executor, width):
        assert list(as_done(executor, width, squared, range(4))) == [(n, n * n) for n in range(4)]
        assert list(as_done(executor, width, squared, ())) == []


def test_an_item_whose_process_dies_is_done_again(tmp_path: Path) -> None:
    items = [(str(tmp_path), number) for number in range(30)]
    with workers(2, None) as (executor, width):
        assert list(in_order(executor, width, dying_once, items)) == list(range(30))
    assert (tmp_path / "died").exists()


def test_if_processes_keep_dying_that_is_said() -> None:
    with workers(2, None) as (executor, width), pytest.raises(KibitzError, match="keep dying"):
        list(as_done(executor, width, dying_always, range(3)))


# -- processes that die ------------------------------------------------------------------------


def killer(times: int) -> tuple[Callable[[Any], None], list[int]]:
    """Kills a worker process at each of the first calls at which there is one."""
    killed: list[int] = []

    def kill(figures: Any) -> None:
        workers = [one for one in multiprocessing.active_children() if one.pid not in killed]
        if workers and len(killed) < times:
            assert workers[0].pid is not None
            killed.append(workers[0].pid)
            os.kill(workers[0].pid, signal.SIGKILL)

    return kill, killed


@pytest.mark.parametrize("deaths", [1, 3])
def test_a_killed_worker_changes_nothing(tmp_path: Path, deaths: int) -> None:
    kill, killed = killer(deaths)
    players = [RANDOM, Failing(one_in=9)]
    comparison = compare(Nim(), players, 3000, jobs=2, store=tmp_path / "store", progress=kill)
    assert len(killed) == deaths
    assert without_seconds(comparison.document()) == figures(Nim(), players, 3000)
    with Store(tmp_path / "store") as opened:
        (run,) = opened.runs()
        assert run.pairs == [3000]
    assert multiprocessing.active_children() == []


def test_workers_that_keep_dying_end_the_run_but_not_what_is_stored(tmp_path: Path) -> None:
    kill, killed = killer(10**9)
    with pytest.raises(KibitzError, match="keep dying"):
        compare(Nim(), [RANDOM, RANDOM], 10**6, jobs=2, store=tmp_path / "store", progress=kill)
    assert len(killed) > 1
    with Store(tmp_path / "store") as opened:
        assert opened.runs()[0].pairs[0] > 0
    assert multiprocessing.active_children() == []


def test_a_game_is_not_mistaken_for_another_of_the_same_name() -> None:
    """Such as a file that was changed since."""

    class Longer(Nim):
        heap: int

        def __init__(self, heap: int) -> None:
            super().__init__()
            object.__setattr__(self, "heap", heap)

        def deal(self, seed: int, first: int = 0) -> tuple[int, int]:
            return self.heap, first

    short, long = (compare(Longer(heap), [RANDOM, RANDOM], 20) for heap in (3, 30))
    assert long.players[0].decisions > 2 * short.players[0].decisions


LARGE = 4_000_000


def large(number: int) -> bytes:
    """A result that does not fit into a pipe at once."""
    return bytes([number % 256]) * LARGE


def test_ended_while_they_send_results_nobody_waits_for_ever() -> None:
    for number in range(20):
        pool = Processes(2)
        futures = [pool.submit(large, i) for i in range(12)]
        wait(futures, return_when=FIRST_COMPLETED)
        time.sleep(number / 2000)  # then the next ones are on their way
        ending = threading.Thread(target=pool.shutdown, daemon=True)
        ending.start()
        ending.join(30)
        assert not ending.is_alive()
