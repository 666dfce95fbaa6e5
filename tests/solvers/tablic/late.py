"""Positions near the end of games of Tablić, for its solvers."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from kibitz.games.tablic.cards import NAMES, cards_of
from kibitz.games.tablic.game import Tablic, TablicPlay
from kibitz.jit.rng import stream
from tests.oracle import tablic


def plies_left(state: Any) -> int:
    return int(52 - state[0].dealt + state[0].held.sum())


def play_on(game: Tablic, state: Any, plies: int, seed: int) -> Iterator[int]:
    """Play at random until so many plies are left; each play, before it is made. Some games
    capture little, so that much lies on the table."""
    rng, source = stream(seed, 3), Random(seed)
    shy = source.random() < 0.4
    while plies_left(state) > plies:
        code = game.kernels.pick(state, rng)
        if shy and code & ((1 << 52) - 1) and source.random() < 0.7:
            continue
        yield code
        game.kernels.apply(state, code)


def positions(game: Tablic, plies: int, n: int) -> Iterator[Any]:
    """So many plies before the end."""
    for seed in range(n):
        state = game.deal(seed)
        for _ in play_on(game, state, plies, seed):
            pass
        yield state


def twins(game: Tablic, plies: int, n: int) -> Iterator[tuple[Any, tablic.Game]]:
    """So many plies before the end: a state, and the same in the oracle's game."""
    for seed in range(n):
        state = game.deal(seed, seed % 2)
        deck = [NAMES[card] for card in state[0].deck]
        options = {k: v for k, v in game.settings.items() if k not in ("players", "target")}
        other = tablic.Game(deck, 2, int(state[0].dealer) + 1, **options)
        for code in play_on(game, state, plies, seed):
            play = game.name_play(state, code)
            assert isinstance(play, TablicPlay)
            other.play(NAMES[play.card], [NAMES[card] for card in cards_of(play.taken)])
        yield state, other
