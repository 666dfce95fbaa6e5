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
from kibitz.core.strategy import Player, Strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.jit.rng import stream
from kibitz.search.fast.rollouts import random_games
from kibitz.table.record import Record, replay
from kibitz.table.table import Table, play_out
from tests.games.boards import SPECS, compiled_game, few, pairs_of, walk

DATA = Path(__file__).parents[1] / "data"
HIDDEN = [spec for spec in SPECS if compiled_game(spec).traits.hidden]
every_game = pytest.mark.parametrize("spec", SPECS)
every_hidden_game = pytest.mark.parametrize("spec", HIDDEN)


def same(one: Any, other: Any) -> bool:
    return bool(one.tobytes() == other.tobytes())


@every_game
def test_a_deal_is_a_function_of_its_seed(spec: str) -> None:
    game = compiled_game(spec)
    assert same(game.deal(3), game.deal(3))
    if game.traits.chance == "deal":
        assert len({game.deal(seed).tobytes() for seed in range(20)}) > 1


@every_game
def test_plays_are_distinct_and_parse_back(spec: str) -> None:
    game = compiled_game(spec)
    for seed in range(few(20, 3)):
        for state, _, _ in walk(game, seed):
            plays = game.plays(state)
            assert plays
            assert len(set(plays)) == len(plays)
            assert len({str(play) for play in plays}) == len(plays)
            for play in plays:
                game.check(state, play)
                assert game.parse_play(state, str(play)) == play
                assert game.parse_play(state, f"  {str(play).upper()} ".lower()) == play


@every_game
def test_text_that_is_no_play_is_refused(spec: str) -> None:
    game = compiled_game(spec)
    state = game.deal(1)
    for text in ("", "x", "7 7 7", "guard>9=king", "Zz x Qq", "guard>2=guard", ">", "=", "💥"):
        with pytest.raises((IllegalPlay, BadText)):
            game.parse_play(state, text)


@every_game
def test_positions_parse_back(spec: str) -> None:
    """Text to state to text is the identity, for states and for what each seat sees."""
    game = compiled_game(spec)
    for seed in range(few(12, 4)):
        states = [state for state, _, _ in walk(game, seed)]
        *_, (_, _, end) = walk(game, seed)
        for state in [*states, end]:
            seen = [game.view(state, seat).state for seat in range(game.players)]
            for one in [state, *seen]:
                text = game.position(one)
                assert game.position(game.parse_position(text)) == text


@every_game
def test_a_position_plays_on_like_the_state_it_came_from(spec: str) -> None:
    game = compiled_game(spec)
    for seed in range(few(10, 2)):
        for state, play, after in walk(game, seed):
            again = game.parse_position(game.position(state))
            assert [str(p) for p in game.plays(again)] == [str(p) for p in game.plays(state)]
            text = game.position(game.after(again, play))
            assert text == game.position(after)


@every_game
def test_bad_positions_are_refused_in_one_line(spec: str) -> None:
    game = compiled_game(spec)
    for text in ("nonsense", "a=b", "turn=1; turn=1", "turn=99", "turn", "=", "turn=-1"):
        with pytest.raises(BadText) as caught:
            game.parse_position(text)
        assert "\n" not in str(caught.value)


@every_game
def test_returns_have_one_value_a_seat_and_add_up_to_nothing(spec: str) -> None:
    game = compiled_game(spec)
    for seed in range(few(50, 5)):
        *_, (_, _, end) = walk(game, seed)
        values = game.returns(end)
        assert len(values) == game.players
        assert math.isclose(sum(values), 0, abs_tol=1e-9)
        assert game.plays(end) == []
        assert game.outcome(end)


@every_game
def test_a_play_leaves_the_state_it_was_made_in_alone(spec: str) -> None:
    game = compiled_game(spec)
    for state, play, _ in walk(game, 5):
        before = state.copy()
        game.apply(state, play)
        assert same(before, state)


@every_game
def test_chances_add_up_to_one(spec: str) -> None:
    game = compiled_game(spec)
    moved = 0
    for seed in range(5):
        for state, _, _ in walk(game, seed):
            if game.mover(state) == CHANCE:
                moved += 1
                assert math.isclose(sum(p for _, p in game.chances(state)), 1)
    assert (moved > 0) == (game.traits.chance == "play")


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


@every_game
def test_a_record_replays_to_the_same_end(spec: str) -> None:
    game = compiled_game(spec)
    for seed in range(few(10, 2)):
        table = play_out(game, [make_strategy("random") for _ in range(game.players)], seed)
        record = Record.of(table, ["random"] * game.players)
        again = replay(Record.model_validate_json(record.model_dump_json()))
        assert same(again.state, table.state)
        assert again.logs == table.logs


# -- hidden information --------------------------------------------------------------------


@every_hidden_game
def test_a_view_does_not_change_when_hidden_cards_are_redealt(spec: str) -> None:
    game = compiled_game(spec)
    varied = 0
    for seed in range(few(40, 4)):
        rng = stream(seed, 5)
        for state, _, _ in walk(game, seed):
            for seat in range(game.players):
                view = game.view(state, seat)
                world = game.redeal(view, rng)
                assert same(game.view(world, seat).state, view.state)
                varied += not same(world, state)
    assert varied


@every_hidden_game
def test_a_redealt_world_is_a_state_that_plays_on(spec: str) -> None:
    """All its cards are there: it has a full text form, and its legal plays are the same."""
    game = compiled_game(spec)
    for seed in range(few(20, 2)):
        rng = stream(seed, 6)
        for state, play, _ in walk(game, seed):
            seat = game.mover(state)
            world = game.redeal(game.view(state, seat), rng)
            text = game.position(world)
            assert game.position(game.parse_position(text)) == text
            assert game.plays(world) == game.plays(state)
            game.after(world, play)


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


def decisions_that_leak(game: CompiledGame, strategy: Strategy, games: int) -> int:
    """How many decisions change when the cards that the player can't see are redealt."""
    leaks = 0
    for seed in range(games):
        rng = stream(seed, 8)
        for state, _, _ in walk(game, seed):
            seat = game.mover(state)
            world = game.redeal(game.view(state, seat), rng)
            chosen = []
            for one in (state, world):
                table = Table(game, seed)
                table.state = one
                player = strategy.sit(game, seat, stream(seed, 9))
                chosen.append(player.choose(table.view(seat, strategy.knows)))
            leaks += chosen[0] != chosen[1]
    return leaks


@every_hidden_game
def test_a_fair_player_decides_alike_whatever_is_hidden(spec: str) -> None:
    game = compiled_game(spec)
    assert decisions_that_leak(game, make_strategy("random"), few(30, 2)) == 0
    # One that would use anything it can see finds nothing to use.
    assert decisions_that_leak(game, Spy(), few(30, 2)) == 0


@every_hidden_game
def test_a_player_that_peeks_is_caught(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same test, with a table that leaks: whole states instead of views."""
    game = compiled_game(spec)
    monkeypatch.setattr(Table, "view", lambda table, seat, knows: View(game, seat, table.state, ()))
    assert decisions_that_leak(game, Spy(), few(60, 20)) > 0


@every_hidden_game
def test_a_log_never_tells_what_a_view_hides(spec: str) -> None:
    """Play on in a redealt world that looks the same: until something is shown, so does the log."""
    game = compiled_game(spec)
    for seed in range(few(30, 3)):
        rng = stream(seed, 3)
        for state, play, after in walk(game, seed):
            for seat in range(game.players):
                if seat == game.mover(state):
                    continue
                world = game.redeal(game.view(state, seat), rng)
                if play not in game.plays(world) or str(play) != _text(game, world, play):
                    continue
                there = game.after(world, play)
                if same(game.view(there, seat).state, game.view(after, seat).state):
                    assert game.narrate(world, play, there, seat) == game.narrate(
                        state, play, after, seat
                    )


def _text(game: CompiledGame, state: Any, play: Any) -> str:
    return next(str(other) for other in game.plays(state) if other == play)


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
        lines += [f"play: {play}", f"told: {game.narrate(state, play, after, None)}"]
        state = after
    lines += ["", f"position: {game.position(state)}", f"returns: {list(game.returns(state))}"]
    return "\n".join([*lines, f"outcome: {game.outcome(state)}", ""])


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
