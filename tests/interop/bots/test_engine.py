"""Kibitz as an engine decides as the strategy does at its own table."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from kibitz.arena.plan import Part
from kibitz.arena.play_part import play_part
from kibitz.core.errors import UnsuitableGame
from kibitz.core.registry import make_game, make_strategy
from kibitz.interop.bots.engine import BotEngine
from kibitz.interop.bots.process import end_all
from kibitz.table.session import Session
from tests.processes import assert_refused, kibitz_here

LIMIT = 300.0
"""Seconds: with any limit games are played through views, and no loop is compiled for them."""
KIBITZ = f"{sys.executable} -m kibitz"


@pytest.mark.parametrize(
    ("spec", "strategy", "pairs"),
    [
        ("love-letter", "greedy:bluff=true", 6),
        ("love-letter:players=3", "random", 2),
        ("tablic", "greedy", 1),
        ("kuhn-poker", "ismcts:simulations=20", 2),
    ],
)
def test_a_strategy_against_itself_through_pipes_is_a_draw_in_every_pair(
    spec: str, strategy: str, pairs: int
) -> None:
    game, here = make_game(spec), make_strategy(strategy)
    there = make_strategy(f"bot:start=300 {KIBITZ} bot {strategy}")
    players = (here, there, *[here] * (game.players - 2))
    part = play_part(Part(game, players, 7, game.traits.unit, LIMIT, 0, pairs))
    end_all()
    assert part.failures == ()
    results = part.results.reshape(pairs, -1, game.players)
    assert (results[:, :, 0].sum(axis=1) == results[:, :, 1].sum(axis=1)).all()
    same = play_part(Part(game, (here,) * game.players, 7, game.traits.unit, LIMIT, 0, pairs))
    assert (part.results == same.results).all(), "and every game ends as it does without pipes"


def test_a_session_gives_a_stream_for_each_decision() -> None:
    """As the strategy itself would have decided there."""

    def played(opponent: str) -> list[str]:
        session = Session("kuhn-poker", [opponent, opponent], seed=3)
        while not session.is_over:
            session.step()
        return session.table.plays

    assert played(f"bot:start=300 {KIBITZ} bot random") == played("random")
    end_all()


def talk(*messages: dict[str, Any] | bytes, strategy: str = "random") -> list[dict[str, Any]]:
    out = io.BytesIO()
    lines = [m if isinstance(m, bytes) else json.dumps(m).encode() + b"\n" for m in messages]
    BotEngine(make_strategy(strategy)).serve(io.BytesIO(b"".join(lines)), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_what_it_can_not_do_is_an_error_in_one_line(tmp_path: Path) -> None:
    trap = tmp_path / "trap.py"
    trap.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')\n")
    game = {"type": "game", "id": 2, "seat": 1, "seed": "7"}
    view = {"packed": "AAAA"}
    said = talk(
        b"no json\n", {"type": "hello", "id": 1, "new": 3}, {"type": "weather"},
        {**game, "game": str(trap)}, {**game, "game": "tic-tac-toe", "seat": 3},
        {**game, "game": "tic-tac-toe", "seed": 7}, {"type": "choose", "id": 3},
        {**game, "game": "tic-tac-toe"}, {"type": "choose", "id": 4, "view": view},
        {"type": "quit"}, {"type": "hello", "id": 9},
    )  # fmt: skip
    assert [(one["type"], one.get("id")) for one in said] == [
        ("error", None), ("hello", 1), ("error", 2), ("error", 2), ("error", 2), ("error", 3),
        ("ready", 2), ("error", 4),
    ]  # fmt: skip
    assert "no packed state" in said[-1]["message"]
    assert not (tmp_path / "sprung").exists(), "a message runs no file"


def test_only_who_is_fair_can_play_so(tmp_path: Path) -> None:
    with pytest.raises(UnsuitableGame, match="what a fair player sees"):
        BotEngine(make_strategy("perfect"))
    assert "open-deck" in assert_refused(kibitz_here("bot", "perfect", home=tmp_path))
