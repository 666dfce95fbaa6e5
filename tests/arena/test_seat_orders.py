"""Three and four players: who sits where is no advantage, and partners are teams."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from kibitz.arena.compare import compare
from kibitz.arena.plan import Plan, PlayedPart, orders_of, seat_orders
from kibitz.arena.store.rows import format_plan
from kibitz.arena.store.store import Store
from kibitz.arena.store.stored_run import comparison_of, game_rows
from kibitz.core.errors import BadText
from kibitz.core.registry import make_game, make_strategy
from kibitz.version import __version__
from tests.games.boards import few
from tests.plain import Nim


def test_two_players_swap_seats() -> None:
    assert seat_orders(2) == orders_of("rotations", 2) == ((0, 1), (1, 0))


def test_every_order_is_played_once() -> None:
    assert set(seat_orders(4)) == set(permutations(range(4))) and len(seat_orders(4)) == 24


@pytest.mark.parametrize(
    ("spec", "players"),
    [
        ("tablic:players=3", ["random", "greedy", "greedy"]),
        ("tablic:players=4", ["greedy", "random", "greedy", "random"]),
        ("love-letter:players=3", ["probabilistic", "probabilistic", "greedy"]),
        ("love-letter:players=4", ["random", "random", "random", "greedy"]),
    ],
)
def test_equal_strategies_score_equally_whoever_else_plays(spec: str, players: list[str]) -> None:
    strategies = [make_strategy(name) for name in players]
    (table,) = compare(make_game(spec), strategies, few(20, 2), seed=1).tables
    for name in set(players):
        own = [entry for entry in table.players if entry.partition("#")[0] == name]
        assert len({table.score[entry] for entry in own}) == 1
        assert len({table.wins[entry] for entry in own}) == 1
        assert len({table.ci95[entry] for entry in own}) == 1
    assert len(set(table.score.values())) == len(set(players))


def test_partners_are_shown_as_teams() -> None:
    strategies = [make_strategy(name) for name in ("greedy", "greedy", "random", "random")]
    comparison = compare(make_game("tablic:players=4"), strategies, few(20, 3), seed=1)
    (table,) = comparison.tables
    like, *mixed = table.teams
    assert like.teams == (("greedy", "greedy#2"), ("random", "random#2"))
    assert like.games == 8 * table.pairs == like.shared + sum(like.wins)
    assert like.score[0] > 0.8 and sum(like.score) == pytest.approx(1)
    assert [line.score for line in mixed] == [(0.5, 0.5)] * 2
    teams = comparison.document()["tables"][0]["teams"]
    assert teams[0]["teams"] == [["greedy", "greedy#2"], ["random", "random#2"]]
    (alone,) = compare(make_game("love-letter:players=3"), strategies[:3], 1).tables
    assert alone.teams == ()


def test_too_many_players_are_refused() -> None:
    with pytest.raises(BadText, match="at most 6 can be compared"):
        compare(ManyNim(), [make_strategy("random")] * 7, 1)


class ManyNim(Nim):
    @property
    def players(self) -> int:
        return 7


# -- stores of former versions ---------------------------------------------------------------------


def former_store(path: Path) -> Plan:
    """A store with a run of three players as version 1 of the streams left it."""
    plan = Plan("love-letter:players=3", ("random", "greedy", "random"), 1, "round", None, 3)
    former = json.loads(format_plan(plan))
    del former["streams"], former["design"]
    row = [3.0, 0, 0, 0, 3, 0, 0, 3, 0]  # a won in rotation 0, b in the others
    failure = {"pair": 0, "rotation": 2, "player": 1, "reason": "failed"}
    with Store(path) as store, store._database:
        text = json.dumps(former, sort_keys=True, separators=(",", ":"))
        store._insert("run", 1, text, __version__, "2026-01-01T00:00:00+00:00", "{}", "{}")
        played = PlayedPart(0, np.array([row]), np.ones((1, 3), np.int64), (0.0,) * 3)
        assert store.save_part(1, 0, played)
        changed = json.dumps([failure], separators=(",", ":"))
        (part,) = store._select("SELECT * FROM part")
        store._database.execute("DELETE FROM part")
        store._insert("part", *part[:-2], changed)
    return plan


def test_a_former_run_is_shown(tmp_path: Path) -> None:
    former_store(tmp_path / "a.db")
    with Store(tmp_path / "a.db", create=False) as store:
        (run,) = store.runs()
        assert (run.plan.streams, run.plan.design) == (1, "rotations")
        (table,) = comparison_of(store, run).tables
        assert table.games == 3
        assert dict(table.wins) == {"random": 1, "greedy": 2, "random#2": 0}
        rows = list(game_rows(store, run))
    # pair, order, seat, player: in rotation 1 the first player sits in seat 2.
    assert [row[4:8] for row in rows[3:6]] == [
        (0, 1, 2, "random"), (0, 1, 3, "greedy"), (0, 1, 1, "random#2"),
    ]  # fmt: skip
    assert [row[10] for row in rows if row[10]] == ["failed"]


def test_a_former_run_is_never_gone_on_with(tmp_path: Path) -> None:
    plan = former_store(tmp_path / "a.db")
    strategies = [make_strategy(name) for name in plan.players]
    compare(make_game(plan.game), strategies, 2, 1, store=tmp_path / "a.db")
    with Store(tmp_path / "a.db", create=False) as store:
        former, new = store.runs()
        assert (former.pairs, new.pairs) == ([1], [2])
        assert (new.plan.streams, new.plan.design) == (2, "orders")
