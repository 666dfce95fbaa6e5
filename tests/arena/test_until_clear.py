"""Stopping when it is clear: the same verdict and figures whoever plays, and however often."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from kibitz.arena.compare import ALPHA, compare
from kibitz.arena.comparison import Comparison
from kibitz.arena.statistics.sequential import corrected, judge, looks
from kibitz.arena.store.store import Store
from kibitz.core.errors import BadText
from kibitz.core.registry import make_game, make_strategy
from tests.arena.failing import Failing
from tests.arena.running import document, gone, start, stored_pairs, until, without_seconds
from tests.plain import Nim
from tests.processes import assert_refused, complaints, kibitz_here

RANDOM, GREEDY = make_strategy("random"), make_strategy("greedy")
GAME = make_game("love-letter")
ARGS = ("compare", "tic-tac-toe", "random", "alpha-beta:depth=1", "--until-clear", "--limit", "50")


def figures(comparison: Comparison) -> dict[str, Any]:
    return without_seconds(comparison.document())


@pytest.mark.parametrize("players", [[RANDOM, GREEDY], [GREEDY, RANDOM, RANDOM]])
def test_one_and_two_processes_give_one_verdict(players: list[Any]) -> None:
    one, two = (compare(GAME, players, 4000, until_clear=True, jobs=jobs) for jobs in (1, 2))
    assert figures(one) == figures(two)
    first = one.matches[0]
    assert first.clear and first.pairs < 4000 and first.pairs in looks(4000)


def test_it_stops_at_the_first_look_that_is_clear() -> None:
    """Held against a judgement of all looks, from figures of runs that stop there."""
    (match,) = compare(GAME, [RANDOM, GREEDY], 1000, until_clear=True).matches
    seen: list[tuple[int, float, float]] = []
    for pairs in looks(1000):
        whole = compare(GAME, [RANDOM, GREEDY], pairs, store=None)
        total, squares = pair_sums(pairs)
        assert total == pytest.approx(whole.matches[0].score * pairs)
        seen.append((pairs, total, squares))
        verdict = judge(seen, 1000, ALPHA)
        if verdict is not None:
            break
    assert verdict is not None and (verdict.clear, verdict.pairs) == (match.clear, match.pairs)
    assert match.score == whole.matches[0].score


def pair_sums(pairs: int) -> tuple[float, float]:
    """Sum and sum of squares of the first player's pair scores, game by game."""
    from kibitz.arena.plan import Part
    from kibitz.arena.play_part import play_part

    rows = play_part(Part(GAME, (RANDOM, GREEDY), 0, "round", None, 0, pairs)).results.tolist()
    scores = [((a > b) + (a == b) / 2 + (c > d) + (c == d) / 2) / 2 for a, b, c, d in rows]
    return sum(scores), sum(score**2 for score in scores)


@pytest.mark.parametrize("more", [4000, 900])
def test_a_store_that_has_more_than_is_needed_changes_nothing(tmp_path: Path, more: int) -> None:
    store = tmp_path / "store"
    compare(GAME, [RANDOM, GREEDY], more, store=store)
    resumed = compare(GAME, [RANDOM, GREEDY], 4000, until_clear=True, store=store)
    fresh = compare(GAME, [RANDOM, GREEDY], 4000, until_clear=True)
    assert figures(resumed) == figures(fresh)
    with Store(store) as after:
        assert after.runs()[0].pairs == [more], "and nothing is played"


def test_killed_and_taken_up_it_ends_with_the_same_verdict(tmp_path: Path) -> None:
    store = tmp_path / "store"
    args = (*ARGS, "--pairs", "2000", "--json", "--store", store, "--jobs", "2")
    process = start(*args, home=tmp_path)
    until(lambda: stored_pairs(store) > 20, "some parts")
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    until(lambda: gone(process.pid), "the end of its workers")
    result = document(start(*args, home=tmp_path))
    players = [RANDOM, make_strategy("alpha-beta:depth=1")]
    fresh = compare(make_game("tic-tac-toe"), players, 2000, until_clear=True, limit=50)
    assert without_seconds(result) == figures(fresh)
    assert result["matches"][0]["clear"] is True


def test_equal_players_are_not_distinguished(tmp_path: Path) -> None:
    (match,) = compare(GAME, [RANDOM, RANDOM], 500, until_clear=True).matches
    assert (match.clear, match.pairs, match.score) == (False, 500, 0.5)
    args = ("compare", "love-letter", "random", "random", "--pairs", "90", "--until-clear")
    shown = kibitz_here(*args, "--jobs", "1", home=tmp_path).stdout
    assert "random – random#2: no clear difference in 90 pairs." in shown
    args = ("compare", "love-letter", "random", "greedy", "--pairs", "3000", "--until-clear")
    assert (
        "greedy is better than random, clear after"
        in kibitz_here(*args, "--jobs", "1", home=tmp_path).stdout
    )


def test_several_matches_are_corrected_for() -> None:
    """With three matches each may be wrong a third as often: some end at a later look."""
    assert corrected(ALPHA, 3) == ALPHA / 3
    later = 0
    for seed in range(6):
        alone = compare(Nim(), [RANDOM, Failing(one_in=4)], 300, seed, until_clear=True)
        among = compare(Nim(), [RANDOM, Failing(one_in=4), RANDOM], 300, seed, until_clear=True)
        a, b = alone.matches[0], among.matches[0]
        assert a.pairs <= b.pairs
        later += a.pairs < b.pairs
    assert later > 0


@pytest.mark.parametrize("players", [3, 4])
def test_more_than_two_players_are_refused(players: int) -> None:
    with pytest.raises(BadText, match="two players"):
        compare(make_game(f"love-letter:players={players}"), [RANDOM] * 4, 5, until_clear=True)


# -- what a store keeps of it ------------------------------------------------------------------


def runs_json(store: Path, *args: str, home: Path) -> Any:
    done = kibitz_here("runs", store, *args, "--json", home=home)
    assert (done.returncode, complaints(done)) == (0, [])
    return json.loads(done.stdout)


def test_a_store_tells_what_was_decided(tmp_path: Path) -> None:
    store = tmp_path / "store"
    players = [RANDOM, GREEDY, RANDOM]
    comparison = compare(GAME, players, 600, until_clear=True, store=store)
    (run,) = runs_json(store, home=tmp_path)
    verdicts = runs_json(store, "1", home=tmp_path)["until_clear"]
    assert [each["lineup"] for each in run["until_clear"]] == [0, 1, 2]
    for match, asked in zip(comparison.matches, verdicts, strict=True):
        assert (asked["a"], asked["b"]) == (match.a, match.b)
        assert (asked["alpha"], asked["limit"]) == (ALPHA / 3, 600)
        assert (asked["decided"], asked["clear"]) == (True, match.clear)
        assert asked["pairs"] == match.pairs
        assert (abs(asked["z"]) >= asked["boundary"]) is match.clear
        assert asked["better"] == ("greedy" if match.clear else None)
    assert [match.clear for match in comparison.matches] == [True, False, True]
    shown = kibitz_here("runs", store, "1", home=tmp_path).stdout
    pairs = comparison.matches[0].pairs
    assert f"random – greedy: greedy is better, clear after {pairs} pairs (z = −" in shown
    assert "random – random#2: no clear difference after 600 pairs (z = 0.00" in shown
    assert "2 of 3" in kibitz_here("runs", store, home=tmp_path).stdout


def test_a_store_tells_what_was_asked_before_it_is_decided(tmp_path: Path) -> None:
    store = tmp_path / "store"

    def stop(figures: Any) -> None:
        raise KeyboardInterrupt

    compare(GAME, [RANDOM, GREEDY], 4000, until_clear=True, store=store, progress=stop)
    (asked,) = runs_json(store, "1", home=tmp_path)["until_clear"]
    assert (asked["decided"], asked["clear"], asked["pairs"]) == (False, None, None)
    assert "not decided yet" in kibitz_here("runs", store, "1", home=tmp_path).stdout
    compare(GAME, [RANDOM, GREEDY], 4000, until_clear=True, store=store)
    (asked,) = runs_json(store, "1", home=tmp_path)["until_clear"]
    assert (asked["decided"], asked["better"]) == (True, "greedy")


def test_a_store_where_nobody_asked_is_as_it_always_was(tmp_path: Path) -> None:
    """Stores of earlier versions have no table of verdicts: they are shown, and may get one."""
    store = tmp_path / "store"
    compare(GAME, [RANDOM, GREEDY], 50, store=store)
    with closing(sqlite3.connect(store)) as database:
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    assert tables == {"run", "part", "what", "place"}
    (run,) = runs_json(store, home=tmp_path)
    assert run["until_clear"] == [] and "until_clear" not in runs_json(store, "1", home=tmp_path)
    compare(GAME, [RANDOM, GREEDY], 400, until_clear=True, store=store)
    assert len(runs_json(store, "1", home=tmp_path)["until_clear"]) == 1


def test_a_changed_verdict_is_noticed(tmp_path: Path) -> None:
    store = tmp_path / "store"
    compare(GAME, [RANDOM, GREEDY], 400, until_clear=True, store=store)
    with closing(sqlite3.connect(store)) as database, database:
        database.execute("UPDATE verdict SET better = 0")
    assert "damaged" in assert_refused(kibitz_here("runs", store, home=tmp_path))
