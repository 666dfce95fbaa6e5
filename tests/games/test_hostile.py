"""Nothing from outside reaches a kernel unchecked. `KIBITZ_FUZZ_SEED` asks for other calls."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from kibitz.core import checks
from kibitz.core.errors import BadText, BadValue, IllegalPlay, KibitzError
from kibitz.core.game import Play, View
from kibitz.core.strategy import Knows
from kibitz.jit.rng import stream
from kibitz.search.fast.rollouts import random_games
from kibitz.table.table import Table
from tests.games.boards import SPECS, compiled_game, few, walk
from tests.processes import ROOT

SEED = int(os.environ.get("KIBITZ_FUZZ_SEED", "1"))
every_game = pytest.mark.parametrize("spec", SPECS)


def test_whatever_is_handed_in_is_answered_or_refused() -> None:
    """In a process of its own: a crash would end it."""
    command = [sys.executable, "-m", "tests.games.hostile", str(SEED), str(few(8000, 300))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, f"seed {SEED}: {done.stdout}\n{done.stderr[-5000:]}"
    answered, refused = (int(word) for word in done.stdout.split() if word.isdecimal())
    assert answered > refused / 10, "so many refusals that little was tried"


# -- numbers -----------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("first", [-1, 4, 9, 10**9, -(10**9), 2**63, 10**30])
def test_who_begins_is_one_of_the_seats(spec: str, first: int) -> None:
    game = compiled_game(spec)
    for call in (lambda: game.deal(1, first), lambda: Table(game, 64, first)):
        with pytest.raises(
            BadValue, match=f"first=.* seats count from 0 here, to {game.players - 1}"
        ):
            call()


@every_game
@pytest.mark.parametrize("seat", [-1, 4, 99, 10**9, -(10**30)])
def test_a_view_is_that_of_a_seat(spec: str, seat: int) -> None:
    game = compiled_game(spec)
    state, table = game.deal(1), Table(game, 1)
    for call in (
        lambda: game.view(state, seat),
        lambda: table.view(seat),
        lambda: table.view(seat, Knows.OPEN_DECK),
        lambda: game.observed_play(state, seat, game.plays(state)[0]),
        lambda: game.redeal(View(game, seat, state), stream(1)),
    ):
        with pytest.raises(BadValue, match="seats count from 0"):
            call()


def test_any_whole_number_is_a_seed_but_not_of_any_length() -> None:
    game = compiled_game("love-letter")
    calls = game.deal, lambda seed: Table(game, seed), lambda seed: random_games(game, 1, seed)
    for call in calls:
        for seed in (-1, 0, 2**63, -(10**999), 10**1000 - 1):
            call(seed)
        for seed in (10**1000, -(10**5000)):
            with pytest.raises(BadValue, match="a seed is a whole number of at most 1,000 digits"):
                call(seed)


@pytest.mark.parametrize("wrong", [None, 1.0, float("nan"), "1", True, [1], np.bool_(True)])
def test_numbers_are_whole_numbers(wrong: Any) -> None:
    game = compiled_game("kuhn-poker")
    for call in (game.deal, lambda seat: game.view(game.deal(1), seat)):
        with pytest.raises(TypeError, match="must be a whole number, not "):
            call(wrong)


def test_numbers_of_numpy_are_as_good() -> None:
    game = compiled_game("kuhn-poker")
    state = game.deal(np.int64(3), np.uint8(1))  # type: ignore[arg-type]
    assert state.tobytes() == game.deal(3, 1).tobytes()
    assert type(game.view(state, np.int32(1)).seat) is int  # type: ignore[arg-type]
    assert type(Table(game, np.int64(3)).seed) is int  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong", [None, 1, np.zeros(0, np.uint64), np.zeros(2, np.uint64), np.zeros(1), [1], "1"]
)
def test_a_random_stream_is_one(wrong: Any) -> None:
    game = compiled_game("tablic")
    view = game.view(game.deal(1), 0)
    with pytest.raises(TypeError, match="a random stream is what"):
        game.redeal(view, wrong)
    frozen = stream(1)
    frozen.flags.writeable = False
    with pytest.raises(BadValue, match="must be writable"):
        game.redeal(view, frozen)


# -- states ------------------------------------------------------------------------------------


@every_game
def test_all_that_happens_in_a_game_is_sound(spec: str) -> None:
    """Or else it would be refused."""
    game = compiled_game(spec)
    for seed in range(few(40, 4)):
        for state, _, after in walk(game, seed, first=seed % game.players):
            for one in (state, after):
                game.checked(one)
                for seat in range(game.players):
                    view = game.checked(game.view(one, seat).state)
                    game.checked(game.redeal(View(game, seat, view), stream(seed)))
                if hasattr(game.kernels, "observe_open_hands"):
                    game.checked(game.view_open_hands(one, 0).state)


@every_game
def test_every_field_of_a_record_is_looked_at(spec: str) -> None:
    """A number far from any that makes sense is refused in every place but those that hold
    bits for all combinations."""
    game = compiled_game(spec)
    (state, _, _), *_ = walk(game, 3)
    words = len(state.view(np.int64))
    names = [name for name in state.dtype.names for _ in range(state[name].size)]
    assert len(names) == words
    for i in range(words):
        for wild in (-(2**62), 2**62 + 12345):
            spoiled = state.copy()
            spoiled.view(np.int64)[i] = wild
            if names[i] == "worlds":
                game.checked(spoiled)
                continue
            with pytest.raises(BadValue, match="that is no state of"):
                game.plays(spoiled)


@every_game
def test_states_of_other_games_are_refused(spec: str) -> None:
    game = compiled_game(spec)
    for other in SPECS:
        if other != spec and compiled_game(other) != game:
            with pytest.raises(BadValue, match=f"that is no state of {game.name}"):
                game.plays(compiled_game(other).deal(1))


def test_arrays_that_hold_a_state_in_another_way_are_as_good() -> None:
    game = compiled_game("love-letter")
    state = game.deal(1)
    read_only = np.frombuffer(state.tobytes(), state.dtype)
    plain = state.view(np.dtype(state.dtype.descr))  # its records have no attributes
    for same in (read_only, plain, np.repeat(state, 2)[1:]):
        assert game.plays(same) == game.plays(state)
        assert game.position(same) == game.position(state)


@pytest.mark.parametrize(
    "spec", ["love-letter", "tablic", "tablic:players=4", "love-letter:players=4"]
)
def test_a_world_is_dealt_to_the_seat_whose_view_it_is(spec: str) -> None:
    game = compiled_game(spec)
    state = game.deal(1)
    for view in (View(game, 1, game.view(state, 0).state), View(game, 0, state)):
        with pytest.raises(KibitzError, match=r"that is not what seat|leaves out"):
            game.redeal(view, stream(1))


def test_who_does_not_see_the_mover_s_hand_knows_no_plays() -> None:
    """Love Letter: the number of an unknown card is outside of every table."""
    game = compiled_game("love-letter")
    for state, _, _ in walk(game, 1):
        mover = game.mover(state)
        assert game.view(state, mover).plays() == game.plays(state)
        assert game.view(state, 1 - mover).plays() == []


@every_game
def test_a_game_that_is_not_over_has_no_result(spec: str) -> None:
    game = compiled_game(spec)
    with pytest.raises(BadValue, match="is not over"):
        game.returns(game.deal(1))


# -- plays -------------------------------------------------------------------------------------


@every_game
def test_only_legal_plays_lead_anywhere(spec: str) -> None:
    """`after` too, whose kernel checks nothing."""
    game = compiled_game(spec)
    for state, play, _ in walk(game, 2):
        legal = {one.code for one in game.plays(state)}
        kind = type(play)
        for code in (
            -1,
            0,
            1,
            9,
            77,
            2**40,
            2**62,
            2**64,
            *(play.code ^ 1 << i for i in range(60)),
        ):
            if code not in legal:
                with pytest.raises(IllegalPlay):
                    game.after(state, kind(code, "forged"))
        for wrong in (None, 0, "", (0,), Play):
            with pytest.raises((IllegalPlay, BadText)):
                game.after(state, wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("what", "words"),
    [
        (None, "None"), (1, "1"), ("a" * 99, "'" + "a" * 60 + "…'"), (10**99, "a number of more"),
        ([1], "a list"), (np.zeros(1), "a ndarray"), (KibitzError("x"), "a KibitzError"),
        (IllegalPlay("x"), "an IllegalPlay"),
    ],
)  # fmt: skip
def test_anything_is_described_in_few_words(what: Any, words: str) -> None:
    assert checks.brief(what).startswith(words)
    assert len(checks.brief(what)) < 80
