"""What every registered game must do. A new game is tested by being registered."""

from __future__ import annotations

import dataclasses
import math
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.arena.pairs import CompiledPairs
from kibitz.arena.python_pairs import PythonPairs
from kibitz.core.errors import BadText, IllegalPlay
from kibitz.core.game import CHANCE, View
from kibitz.core.registry import games, make_strategy
from kibitz.core.strategy import Knows, Player, Strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.search.fast.rollouts import random_games
from kibitz.table.table import Table
from kibitz.testing import GAME_RULES
from kibitz.testing.fairness import find_leaks
from kibitz.testing.hidden_rules import GameRule
from kibitz.testing.walks import ends, tables
from tests.games.boards import SPECS, compiled_game, few, pairs_of, walk

DATA = Path(__file__).parents[1] / "data"
HIDDEN = [spec for spec in SPECS if compiled_game(spec).traits.hidden]
every_game = pytest.mark.parametrize("spec", SPECS)
every_hidden_game = pytest.mark.parametrize("spec", HIDDEN)


@every_game
@pytest.mark.parametrize("rule", GAME_RULES, ids=lambda rule: rule.__name__)
def test_every_game_keeps_every_rule(spec: str, rule: GameRule) -> None:
    """In a variant of a game, whose code is the same, with fewer games."""
    rule(compiled_game(spec), few(4 if ":" in spec else 10, 3))


@every_game
def test_returns_add_up_to_nothing_and_an_end_has_no_plays(spec: str) -> None:
    game = compiled_game(spec)
    for end in ends(game, few(50, 5)):
        assert math.isclose(sum(game.returns(end)), 0, abs_tol=1e-9)
        assert game.plays(end) == []


@every_game
def test_plays_are_read_in_any_case(spec: str) -> None:
    game = compiled_game(spec)
    for state, _, _ in walk(game, 1):
        for play in game.plays(state):
            assert game.parse_play(state, f"  {str(play).upper()} ".lower()) == play


@every_game
def test_text_that_is_no_play_is_refused(spec: str) -> None:
    game = compiled_game(spec)
    state = game.deal(1)
    for text in ("", "x", "7 7 7", "guard>9=king", "Zz x Qq", "guard>2=guard", ">", "=", "💥"):
        with pytest.raises((IllegalPlay, BadText)):
            game.parse_play(state, text)


@every_game
def test_bad_positions_are_refused_in_one_line(spec: str) -> None:
    game = compiled_game(spec)
    for text in ("nonsense", "a=b", "turn=1; turn=1", "turn=99", "turn", "=", "turn=-1"):
        with pytest.raises(BadText) as caught:
            game.parse_position(text)
        assert "\n" not in str(caught.value)


@every_game
def test_compiled_pairs_are_the_pairs_played_through_views(spec: str) -> None:
    """The compiled arena and the slow one, over views and checked plays, agree to the bit."""
    game = compiled_game(spec)
    players = [make_strategy("random") for _ in range(game.players)]
    fast = CompiledPairs(game, players, 5, 0)
    slow = PythonPairs(game, players, 5, game.traits.unit)
    n = pairs_of(game, 40)
    for compiled, python in zip(fast.play(3, n), slow.play(3, n), strict=True):
        assert np.array_equal(compiled, python)


@every_game
def test_a_batch_does_not_depend_on_how_it_is_cut(spec: str) -> None:
    game = compiled_game(spec)
    whole = random_games(game, 10, seed=4)
    parts = [random_games(game, 5, seed=4), random_games(game, 5, seed=4, start=5)]
    assert np.array_equal(whole.returns, np.concatenate([part.returns for part in parts]))
    assert np.array_equal(whole.plies, np.concatenate([part.plies for part in parts]))


# -- hidden information --------------------------------------------------------------------


class Spy(Strategy):
    """A strategy that says `fair` and decides by everything in the state it gets."""

    name = "spy"
    title = "peeks if it can"

    def sit(self, game: Any, seat: int, rng: Any) -> Player:
        return SpyingPlayer()


class SpyingPlayer(Player):
    def choose(self, view: View[Any]) -> Any:
        plays = view.plays()
        return plays[zlib.crc32(view.state.tobytes()) % len(plays)]


@every_hidden_game
def test_a_fair_player_decides_alike_whatever_is_hidden(spec: str) -> None:
    game = compiled_game(spec)
    # One that would use anything it can see finds nothing to use.
    for strategy in (make_strategy("random"), Spy()):
        leaks = find_leaks(tables(game, few(200, 20)), strategy)
        assert leaks.tried and leaks.changed == {}


@every_hidden_game
def test_a_player_that_peeks_is_caught(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same test, with a table that leaks: whole states instead of views."""
    game = compiled_game(spec)

    def careless(table: Table, seat: int, knows: Knows = Knows.FAIR) -> View[Any]:
        return View(game, seat, table.state, ())

    monkeypatch.setattr(Table, "view", careless)
    assert "play" in find_leaks(tables(game, few(400, 100)), Spy()).changed


# -- files -----------------------------------------------------------------------------------


def playthrough(spec: str) -> str:
    """A random game as text: positions, legal plays, what each seat sees, and the end."""
    game = compiled_game(spec)
    lines = [f"# {spec}, seed 1. Made by: python -m tests.games.write_data"]
    state = game.deal(1)
    for state, play, after in walk(game, 1):
        mover = game.mover(state)
        plays = [str(option) for option in game.plays(state)]
        shown = ", ".join(plays[:40]) + (" …" if len(plays) > 40 else "")
        lines += ["", f"position: {game.position(state)}"]
        if game.traits.hidden:
            for seat in range(game.players):
                lines.append(f"seat {seat + 1} sees: {game.position(game.view(state, seat).state)}")
        lines.append(
            f"{'chance' if mover == CHANCE else f'seat {mover + 1}'}, {len(plays)}: {shown}"
        )
        lines += [f"play: {play}", f"told: {game.presenter.narrate(state, play, after, None)}"]
        state = after
    lines += ["", f"position: {game.position(state)}", f"returns: {list(game.returns(state))}"]
    return "\n".join([*lines, f"outcome: {game.presenter.outcome(state)}", ""])


@pytest.mark.parametrize("name", list(games()))
def test_a_playthrough_is_as_it_was(name: str) -> None:
    """A change of the rules shows here as a difference that can be read."""
    file = DATA / "playthroughs" / f"{name}.txt"
    assert file.exists(), "make it with: python -m tests.games.write_data"
    assert playthrough(name) == file.read_text(encoding="utf-8")


def perft(game: CompiledGame, state: Any, depth: int) -> int:
    """How many sequences of plays of this length there are, or of less if they end."""
    if depth == 0 or game.is_over(state):
        return 1
    codes = game.kernels.legal(state)
    if depth == 1:
        return len(codes)
    total = 0
    for play in game.plays(state):
        total += perft(game, game.after(state, play), depth - 1)
    return total


def divided(spec: str, seed: int, depth: int) -> dict[str, int]:
    game = compiled_game(spec)
    state = game.deal(seed)
    return {
        str(play): perft(game, game.after(state, play), depth - 1) for play in game.plays(state)
    }


PERFT = sorted((DATA / "perft").glob("*.txt"))


@pytest.mark.parametrize("file", PERFT, ids=lambda file: file.stem)
def test_perft_counts(file: Path) -> None:
    """Counts by first play, so that a difference says where to look."""
    expected: dict[tuple[str, int, int], dict[str, int]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line:
            continue
        if line.startswith("game "):
            words = line.split(" ")
            current = expected.setdefault((words[1], int(words[3]), int(words[5])), {})
        else:
            play, _, count = line.rpartition(": ")
            current[play] = int(count)
    assert expected
    for (spec, seed, depth), counts in expected.items():
        if sum(counts.values()) <= few(10**6, 3000):
            assert divided(spec, seed, depth) == counts


def test_every_game_has_its_perft_counts() -> None:
    assert {file.stem for file in PERFT} == set(games())


def test_traits_are_frozen() -> None:
    for cls in games().values():
        with pytest.raises(dataclasses.FrozenInstanceError):
            cls.traits.hidden = not cls.traits.hidden  # type: ignore[misc]
