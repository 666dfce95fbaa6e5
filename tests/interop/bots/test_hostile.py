"""Bots that misbehave lose that game by name, are started again, and leave nothing behind."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kibitz.arena.compare import compare
from kibitz.arena.plan import Part, PlayedPart
from kibitz.arena.play_part import play_part
from kibitz.core.game import Game
from kibitz.core.registry import make_game, make_strategy
from kibitz.core.strategy import Strategy
from kibitz.interop.bots.process import end_all
from kibitz.table.seeds import GameSeeds
from tests.interop.bots.hostile_bot import WAYS
from tests.interop.bots.running import hostile, processes_of, wait_until_gone
from tests.processes import environment, run

GAME = make_game("kuhn-poker")
HONEST = make_strategy("random")
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc to see what still runs")
BEARABLE = {"honest", "stale", "slow-end"}
REASONS = {
    "crash": "it ended, exit code 1: RuntimeError: no idea",
    "silent": "it did not answer in 0.5 s, asked choose",
    "late": "it did not answer in 0.5 s",
    "garbage": "it printed what is no message: '\\x1b[2J I play { the king'",
    "illegal": "it played 'moon>9=cheese'",
    "no-play": "it played a list: a play is the text of one",
    "no-number": "its play has no number: id is None",
    "future": "it says play 4 when asked choose 3",
    "close-out": "it has closed its standard output",
    "close-in": "it has closed its standard output",
    "flood-lines": "it prints on and on and says no play",
    "flood": "it prints a line of more than 65536 bytes",
    "memory": "it ended, exit code 1: MemoryError",
    "error": "it says: I give up",
    "half-line": "it ended, exit code 3",
}


@pytest.fixture(autouse=True)
def nothing_left(tmp_path: Path) -> Iterator[None]:
    yield
    end_all()
    if sys.platform == "linux":
        assert wait_until_gone(tmp_path) == []


def played(
    game: Game[Any, Any], players: tuple[Strategy, ...], pairs: int, seed: int = 3
) -> PlayedPart:
    return play_part(Part(game, players, seed, game.traits.unit, None, 0, pairs))


@pytest.mark.parametrize("way", REASONS)
def test_every_way_to_misbehave_is_a_lost_game_by_name(tmp_path: Path, way: str) -> None:
    bot = hostile(tmp_path, way, "move=0.5 memory=256")
    part = played(GAME, (HONEST, bot), 1)
    assert part.results.tolist() == [[1.0, -1.0] * 2]
    assert [failure.player for failure in part.failures] == [1, 1]
    for failure in part.failures:
        assert failure.reason.startswith(f"{bot} failed: {REASONS[way]}"), failure.reason
        assert failure.reason.isprintable()


@linux
def test_what_it_has_started_ends_with_it(tmp_path: Path) -> None:
    for way in ("children", "escape"):
        part = played(GAME, (HONEST, hostile(tmp_path, way)), 1)
        assert len(part.failures) == 2
        assert wait_until_gone(tmp_path) == [], way


def test_every_game_of_a_mixed_run_is_accounted_for(tmp_path: Path) -> None:
    """The games that it does not spoil are those that an honest bot plays, and all others are
    the opponent's; by one process or by two."""
    pairs = 10
    bot = hostile(tmp_path, "mixed", "move=1 memory=256")
    part = played(GAME, (HONEST, bot), pairs)
    spoiled = {(f.pair, f.order) for f in part.failures if f.player == 1}
    assert len(spoiled) == len(part.failures)
    ways = {
        (pair, order): WAYS[int(GameSeeds(3, pair).seat(1 - order)[0]) % len(WAYS)]
        for pair in range(pairs)
        for order in range(2)
    }
    assert spoiled == {game for game, way in ways.items() if way not in BEARABLE}
    assert {way in BEARABLE for way in ways.values()} == {True, False}
    whole = played(GAME, (HONEST, hostile(tmp_path, "honest")), pairs)
    for (pair, order), way in ways.items():
        mine, its = part.results[pair, 2 * order : 2 * order + 2]
        expected = whole.results[pair, 2 * order] if way in BEARABLE else 1.0
        assert (mine, its) == (expected, -expected), (pair, order, way)
    compared = compare(GAME, [HONEST, bot], pairs, 3, jobs=2)
    assert {(f.pair, f.order) for f in compared.failures} == spoiled
    (match,) = compared.matches
    assert match.wins + match.draws + match.losses == 2 * pairs
    assert compared.players[0].failures == 0


def test_a_program_that_never_starts_is_not_tried_for_ever(tmp_path: Path) -> None:
    bot = make_strategy(f"bot:start=0.2 {sys.executable} -S -c 'input(); input()'")
    part = played(GAME, (HONEST, bot), 3)
    assert len(part.failures) == 6
    assert "did not answer in 0.2 s, asked hello 1" in part.failures[0].reason
    assert "3 times, so it is not started again" in part.failures[-1].reason


def test_another_version_of_the_protocol_is_refused(tmp_path: Path) -> None:
    code = "import json; print(json.dumps({'type': 'hello', 'id': 1, 'protocol': 2})); input()"
    bot = make_strategy(f'bot:{sys.executable} -S -c "{code}; input()"')
    part = played(GAME, (HONEST, bot), 1)
    assert "it speaks protocol 2, and this is 1" in part.failures[0].reason


@linux
@pytest.mark.parametrize("end", ["_exit(0)", "kill(os.getpid(), 9)"])
def test_a_killed_run_leaves_no_bot_behind(tmp_path: Path, end: str) -> None:
    """Whoever starts bots and is killed itself can't tell them."""
    bot = hostile(tmp_path, "silent", "move=60")
    code = (
        "import os, threading\n"
        "from kibitz.core.registry import make_game, make_strategy\n"
        "from kibitz.table.table import play_out\n"
        f"threading.Timer(1, lambda: os.{end}).start()\n"
        f"play_out(make_game('kuhn-poker'), [make_strategy({str(bot)!r})] * 2, 1)\n"
    )
    run(["-c", code], environment(HOME=tmp_path, KIBITZ_CACHE=tmp_path))
    assert wait_until_gone(tmp_path) == []


def test_a_bot_that_ends_after_a_game_loses_no_other(tmp_path: Path) -> None:
    part = played(GAME, (HONEST, hostile(tmp_path, "slow-end", "move=20")), 2)
    assert part.failures == ()


@linux
def test_the_bots_of_a_run_wait_for_their_next_game(tmp_path: Path) -> None:
    """One process serves game after game: it need not start each time."""
    part = played(GAME, (HONEST, hostile(tmp_path, "honest")), 3)
    assert part.failures == ()
    programs = [one for one in processes_of(tmp_path) if "launcher" not in one]
    assert len(programs) == 1
