"""The lean record of Love Letter: the same rounds as in the full one, play by play."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kibitz.games.compiled_game import CompiledGame
from kibitz.games.love_letter.state import STATE, copies_in
from kibitz.jit.rng import stream
from tests.games.boards import compiled_game, few

SPECS = [
    "love-letter",
    "love-letter:deck=thesis,tie=none",
    "love-letter:tie=random,face_up='priest, priest, countess'",
    "love-letter:players=3",
    "love-letter:players=4,tie=random",
]


def lean_of(game: CompiledGame, state: Any) -> Any:
    light = np.zeros(1, game.lean_kernels.STATE)
    return game.lean_kernels.strip(state, light)


def strength(spent: int) -> int:
    return sum(card * int(copies_in(spent, card)) for card in range(1, 9))


def assert_same(full: Any, lean: Any) -> None:
    """Every field of the lean record against the full one's, read field by field."""
    x, y = full[0], lean[0]
    shared = set(x.dtype.names) & set(y.dtype.names)
    assert set(y.dtype.names) - shared == {"hands"}
    for name in shared - {"spent"}:
        assert x[name] == y[name], name
    for seat in range(4):
        assert x.hand[seat] == int(y.hands) >> 8 * seat & 255
        assert strength(int(x.spent[seat])) == int(y.spent) >> 8 * seat & 255


def legal(kernels: Any, state: Any) -> list[int]:
    return [int(kernels.nth(state, i)) for i in range(kernels.count(state))]


@pytest.mark.parametrize("spec", SPECS)
def test_rounds_are_the_same_play_by_play(spec: str) -> None:
    game = compiled_game(spec)
    full, lean = game.kernels, game.lean_kernels
    for seed in range(few(400, 15)):
        rngs = stream(seed), stream(seed)
        states = game.blank(), lean_of(game, game.blank())
        for kernels, state, rng in zip((full, lean), states, rngs, strict=True):
            kernels.deal(state, rng, seed % game.players)
        while True:
            assert_same(*states)
            assert_same(states[0], lean_of(game, states[0]))
            assert bool(full.over(states[0])) == bool(lean.over(states[1]))
            if full.over(states[0]):
                break
            assert full.mover(states[0]) == lean.mover(states[1])
            assert legal(full, states[0]) == legal(lean, states[1])
            assert full.legal(states[0]).tolist() == legal(full, states[0])
            play = full.pick(states[0], rngs[0])
            assert play == lean.pick(states[1], rngs[1])
            full.apply(states[0], play)
            lean.apply(states[1], play)
        for name in ("returns", "points"):
            results = np.zeros((2, game.players))
            getattr(full, name)(states[0], results[0])
            getattr(lean, name)(states[1], results[1])
            assert results[0].tolist() == results[1].tolist()
        assert rngs[0] == rngs[1]


def test_the_lean_record_keeps_nothing_that_only_views_need() -> None:
    lean = compiled_game("love-letter").lean_kernels.STATE
    assert not {"first", "face_up", "known", "worlds"} & set(lean.names)
    assert lean.itemsize * 2 < STATE.itemsize


@pytest.mark.parametrize("spec", SPECS)
def test_two_views_have_the_same_key_if_and_only_if_they_are_the_same(spec: str) -> None:
    game = compiled_game(spec)
    kernels, buffer = game.kernels, game.blank()
    rng = stream(3)
    keys: dict[tuple[int, bytes], int] = {}
    for seed in range(few(300, 10)):
        state = game.deal(seed, seed % game.players)
        while True:
            for seat in range(game.players):
                seen = (seat, game.view(state, seat).state.tobytes())
                key = int(kernels.view_key(state, seat, buffer))
                assert keys.setdefault(seen, key) == key
                own = game.view(state, seat).state
                assert int(kernels.view_key(own, seat, buffer)) == key
            if kernels.over(state):
                break
            kernels.apply(state, kernels.pick(state, rng))
    assert len(set(keys.values())) == len(keys)


def test_other_games_are_played_out_on_their_states() -> None:
    for spec in ("tablic", "kuhn-poker"):
        game = compiled_game(spec)
        assert game.lean_kernels is game.kernels
        state = game.deal(1)
        assert game.kernels.strip(state, game.blank()) is state
