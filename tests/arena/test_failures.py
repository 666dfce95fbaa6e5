"""Strategies that fail lose that game, by name; the run goes on. A game's mistakes are its own."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest

from kibitz.arena import play_part as playing
from kibitz.arena.compare import compare
from kibitz.arena.comparison import Comparison
from kibitz.core.errors import BadText, BadValue
from kibitz.core.game import Game, View
from kibitz.core.registry import make_game, make_strategy
from kibitz.core.strategy import Player, Strategy
from kibitz.jit import cache as jit_cache
from kibitz.table.time_limit import AGAIN, TimedOut, limited
from tests.arena.failing import EndlessNim, Failing, GenerousNim, MistakenNim, ShortNim, hang
from tests.plain import Nim
from tests.processes import ROOT, assert_refused, complaints, kibitz

RANDOM = make_strategy("random")
LIMIT = 0.5
"""Seconds, so many that nobody else is late on a busy machine."""
QUICK = [
    "raise", "divide", "exit", "interrupt", "none", "text", "array", "list", "illegal", "lucky"
]  # fmt: skip
SLOW = ["hang", "hang-and-catch", "sleep", "late"]
REASONS = {
    "raise": "failing failed: ValueError: no idea",
    "divide": "failing:how=divide failed: ZeroDivisionError:",
    "exit": "failing:how=exit failed: SystemExit: 3",
    "interrupt": "failing:how=interrupt failed: KeyboardInterrupt",
    "none": "failing:how=none played None: None is not possible here",
    "text": "failing:how=text played 'nonsense\\n[bold]': 'nonsense\\n[bold]' is not",
    "array": "failing:how=array played a ndarray: a ndarray is not possible here",
    "list": "failing:how=list played a list: a list is not possible here",
    "illegal": "failing:how=illegal played 99: 99 is not possible here",
    "lucky": "failing:how=lucky played a Lucky: a Lucky is not possible here",
}


class Slow(Strategy):
    """Plays the first play, but takes longer for it than others may."""

    name: ClassVar[str] = "slow"
    title: ClassVar[str] = "takes its time"

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        class First(Player):
            def choose(self, view: View[Any]) -> Any:
                time.sleep(1.5 * LIMIT)
                return view.plays()[0]

        return First()


def check_lost(comparison: Comparison, name: str, lost: int) -> None:
    """So many games are lost by this player's failing, and by nobody else's."""
    by_name = {player.name: player.failures for player in comparison.players}
    assert by_name == {player.name: lost * (player.name == name) for player in comparison.players}
    assert [f.player for f in comparison.failures] == [name] * lost
    assert len({(f.pair, f.order) for f in comparison.failures}) == lost


@pytest.mark.parametrize("how", QUICK)
def test_whoever_fails_loses_every_game_by_name(how: str) -> None:
    comparison = compare(Nim(), [Failing(how=how), RANDOM], 4)
    (match,) = comparison.matches
    assert (match.wins, match.draws, match.losses, match.pairs) == (0, 0, 8, 4)
    check_lost(comparison, str(Failing(how=how)), 8)
    assert all(f.reason.startswith(REASONS[how]) for f in comparison.failures), comparison.failures[
        0
    ]
    assert match.margin == 0, "a game that was not played to its end has no points"


@pytest.mark.parametrize("how", SLOW)
def test_whoever_takes_too_long_loses_every_game_by_name(how: str) -> None:
    comparison = compare(Nim(), [RANDOM, Failing(how=how)], 1, limit=LIMIT)
    check_lost(comparison, str(Failing(how=how)), 2)
    assert comparison.matches[0].wins == 2
    for failure in comparison.failures:
        assert failure.reason == f"failing:how={how} thought for more than {LIMIT} s"
    # The alarm is set a little before the clock is read.
    spent = comparison.players[1].seconds
    assert spent is not None and 1.9 * LIMIT <= spent < 60, "its time is counted"


def test_without_a_limit_only_what_may_never_end_is_watched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours take long on a slow machine; they would lose games there that they win elsewhere."""
    monkeypatch.setattr(playing, "PATIENCE", LIMIT)
    late = Failing(how="late")
    check_lost(compare(Nim(), [late, RANDOM], 1), str(late), 2)
    check_lost(compare(make_game("twenty-one"), [RANDOM, Slow()], 1), "slow", 2)
    monkeypatch.setattr(Slow, "trusted", True)
    check_lost(compare(make_game("twenty-one"), [late, Slow()], 1), str(late), 2)


@pytest.mark.parametrize("how", ["raise", "hang", "exit", "interrupt", "none"])
def test_to_fail_when_sitting_down_is_to_fail(how: str) -> None:
    failing = Failing(how=how, where="sit")
    comparison = compare(Nim(), [failing, RANDOM], 1, limit=LIMIT)
    check_lost(comparison, str(failing), 2)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("how", ["exit", "interrupt"])
def test_nobody_ends_the_run(how: str, jobs: int) -> None:
    comparison = compare(Nim(), [Failing(how=how, one_in=3), RANDOM], 20, jobs=jobs)
    assert not comparison.interrupted
    assert comparison.matches[0].pairs == 20
    assert comparison.failures


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_run_goes_on_and_the_other_games_are_counted(jobs: int) -> None:
    """It fails in some games; those it plays to the end count as they were played."""
    comparison = compare(Nim(), [Failing(one_in=3), RANDOM], 40, jobs=jobs)
    (match,) = comparison.matches
    assert match.wins + match.losses == 80 and match.draws == 0
    failed = len(comparison.failures)
    assert 10 < failed < 50
    check_lost(comparison, "failing:one_in=3", failed)
    assert match.losses >= failed
    order = [(f.pair, f.order) for f in comparison.failures]
    assert order == sorted(order)


def test_failures_are_counted_to_the_one_who_failed() -> None:
    players = [Failing(one_in=2), RANDOM, Failing(how="illegal", one_in=2)]
    comparison = compare(Nim(), players, 20)
    by_name = {player.name: player.failures for player in comparison.players}
    assert by_name["random"] == 0
    for player in (players[0], players[2]):
        lines = [f for f in comparison.failures if f.player == str(player)]
        assert len(lines) == by_name[str(player)] > 0
        assert all(f.reason.startswith(f"{player} ") for f in lines)
    assert sum(by_name.values()) == len(comparison.failures)


def test_who_fails_in_a_match_loses_the_match() -> None:
    comparison = compare(make_game("love-letter"), [Failing(one_in=9), RANDOM], 12, unit="match")
    (match,) = comparison.matches
    failed = len(comparison.failures)
    assert 0 < failed <= match.losses
    assert match.wins + match.losses == 24
    check_lost(comparison, "failing:one_in=9", failed)


def test_three_players_share_what_one_lost_by_failing() -> None:
    players = [Failing(), RANDOM, RANDOM]
    (table,) = compare(make_game("love-letter:players=3"), players, 2).tables
    assert table.score == {"failing": 0.0, "random": 0.5, "random#2": 0.5}
    assert (table.shared, sum(table.wins.values())) == (12, 0)


def test_a_partner_loses_with_the_one_who_failed() -> None:
    """Each of the others is its partner in a third of the seat orders."""
    players = [Failing(), RANDOM, RANDOM, RANDOM]
    (table,) = compare(make_game("tablic:players=4"), players, 1).tables
    others = ["random", "random#2", "random#3"]
    assert table.score == pytest.approx({"failing": 0.0, **dict.fromkeys(others, 2 / 3)})
    assert (table.shared, *(table.wins[name] for name in others)) == (0, 16, 16, 16)
    assert [line.teams[0] for line in table.teams] == [("failing", other) for other in others]
    assert all(line.score == (0.0, 1.0) and line.wins == (0, 8) for line in table.teams)


# -- the game's own mistakes -------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("player", ["random", "alpha-beta"])
@pytest.mark.parametrize(
    ("game", "mistake"),
    [(MistakenNim(), "mistake in the rules"), (EndlessNim(), "mistake in the transition")],
    ids=str,
)
def test_a_mistake_in_a_game_is_not_blamed_on_the_strategy(
    game: Game[Any, Any], mistake: str, player: str, jobs: int
) -> None:
    with pytest.raises(LookupError, match=mistake):
        compare(game, [make_strategy(player), RANDOM], 50, jobs=jobs)


@pytest.mark.parametrize("game", [MistakenNim(), EndlessNim()], ids=str)
def test_not_even_on_a_strategy_of_somebody_else(game: Game[Any, Any]) -> None:
    never = Failing(one_in=10**9)
    with pytest.raises(LookupError, match="a mistake"):
        compare(game, [never, never], 5)


@pytest.mark.parametrize("game", [GenerousNim(), ShortNim()], ids=str)
def test_an_end_without_values_is_refused(game: Game[Any, Any]) -> None:
    """They would be counted as something."""
    with pytest.raises(BadText, match=f"{game.name}: returns must give a number for each seat"):
        compare(game, [RANDOM, RANDOM], 5)


def test_a_mistake_in_a_file_is_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "heap.py").write_text(
        "from tests.plain import Nim as Base\n"
        "class Heap(Base):\n"
        "    def plays(self, state):\n"
        "        return [1 if state[0] > 5 else 1 // 0]\n"
    )
    for jobs in ("1", "2"):
        args = ("compare", "heap.py", "random", "random", "--pairs", "2000", "--jobs", jobs)
        line = assert_refused(kibitz(*args, home=tmp_path, PYTHONPATH=str(ROOT)))
        assert "heap.py" in line and "ZeroDivisionError" in line


# -- the time limit ----------------------------------------------------------------------------


def test_a_time_limit_in_another_thread() -> None:
    """As in a worker of a cluster. A sleep there ends by itself, but it is noticed."""
    for how in ("hang", "hang-and-catch", "late"):
        slow = Failing(how=how)
        with ThreadPoolExecutor(1) as pool:
            comparison = pool.submit(compare, Nim(), [RANDOM, slow], 1, limit=LIMIT).result()
        assert {f.reason for f in comparison.failures} == {
            f"{slow} thought for more than {LIMIT} s"
        }
        assert [p.failures for p in comparison.players] == [0, 2]


@pytest.mark.parametrize("where", ["main", "thread"])
def test_the_time_to_compile_does_not_count(where: str) -> None:
    def work(then: Callable[[], Any]) -> Any:
        with jit_cache.building():
            time.sleep(0.3)
        return then()

    def tries() -> None:
        assert limited(0.2, partial(work, lambda: 7)) == 7
        with pytest.raises(TimedOut):
            limited(0.2, partial(work, hang))

    if where == "main":
        tries()
    else:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(tries).result()


def test_a_time_limit_waits_until_an_object_is_deleted(capsys: pytest.CaptureFixture[str]) -> None:
    """Python would print what is raised meanwhile, and go on."""

    class Slow:
        def __del__(self) -> None:
            until = time.perf_counter() + 0.1
            while time.perf_counter() < until:
                pass

    def work() -> None:
        Slow()
        while True:
            pass

    with pytest.raises(TimedOut):
        limited(0.03, work)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("where", ["main", "thread"])
def test_a_block_that_ends_in_time_is_left_alone(where: str) -> None:
    """Many blocks that end at about their limit: none is interrupted after its end."""

    def busy(seconds: float) -> None:
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            pass

    def blocks() -> int:
        late = 0
        for i in range(100):
            try:
                limited(0.01, partial(busy, 0.0005 * (i % 25)))
            except TimedOut:
                late += 1
        busy(AGAIN + 0.2)  # a clock that still runs would interrupt here
        return late

    if where == "main":
        assert 0 < blocks() < 100
    else:
        with ThreadPoolExecutor(1) as pool:
            assert 0 < pool.submit(blocks).result() < 100


def test_the_alarm_of_others_is_put_back() -> None:
    import signal

    def own(number: int, frame: object) -> None: ...

    before = signal.signal(signal.SIGALRM, own)
    try:
        with pytest.raises(TimedOut):
            limited(0.01, partial(time.sleep, 5))
        assert signal.getsignal(signal.SIGALRM) is own
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    finally:
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("limit", [0, -1.0, float("nan")])
def test_a_limit_must_be_a_time(limit: float) -> None:
    with pytest.raises(BadValue, match="limit of a decision"):
        compare(Nim(), [RANDOM, RANDOM], 1, limit=limit)


# -- on the command line -----------------------------------------------------------------------


def test_the_table_and_the_document_tell_of_failures(
    plugin: dict[str, str], tmp_path: Path
) -> None:
    args = ("compare", "tic-tac-toe", "random", "failing:one_in=3", "failing:how=hang",
            "--pairs", "2", "--limit", "0.2", "--jobs", "2")  # fmt: skip
    done = kibitz(*args, "--json", home=tmp_path, **plugin)
    assert (done.returncode, complaints(done)) == (0, [])
    document = json.loads(done.stdout)
    hanging = [f for f in document["failures"] if f["player"] == "failing:how=hang"]
    assert {f["reason"] for f in hanging} == {"failing:how=hang thought for more than 0.2 s"}
    counts = {p["name"]: p.get("failures", 0) for p in document["players"]}
    assert counts["random"] == 0 and counts["failing:how=hang"] == len(hanging) > 0
    assert len(document["failures"]) == sum(counts.values())
    shown = kibitz(*args, home=tmp_path, **plugin)
    assert (shown.returncode, complaints(shown)) == (0, [])
    assert "lost by failing" in shown.stdout
    assert "failing:how=hang thought for more than 0.2 s" in shown.stdout
