"""What the tests of games share: every game with its variants, and random walks."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from typing import Any

from kibitz.core.game import CHANCE
from kibitz.core.registry import games, make_game
from kibitz.games.compiled_game import CompiledGame
from kibitz.jit.kernels import jit_enabled
from kibitz.jit.rng import below, stream

VARIANTS = [
    "love-letter:players=3",
    "love-letter:players=4,tie=none",
    "love-letter:deck=thesis,tie=random",
    "love-letter:face_up=priest priest countess",
    "tablic:players=3,cards_bonus=tie",
    "tablic:players=4,cards_bonus=none",
    "tablic:forced_capture=true,leftovers=dealer",
    "pig:target=20",
]
SPECS = sorted([*games(), *VARIANTS])


def few(compiled: int, interpreted: int) -> int:
    """How many games to try: fewer interpreted, which is slow, or where CI asks for few."""
    return interpreted if not jit_enabled() or "KIBITZ_FEW_GAMES" in os.environ else compiled


def pairs_of(game: CompiledGame, games: int) -> int:
    """Pairs, at least two, for about so many games: with four players a pair has 24."""
    return few(max(games // math.factorial(game.players), 2), 1)


def compiled_game(spec: str) -> CompiledGame:
    game = make_game(spec)
    assert isinstance(game, CompiledGame)
    return game


def walk(game: CompiledGame, seed: int, first: int = 0) -> Iterator[tuple[Any, Any, Any]]:
    """A random game: each state with the play made in it and the state after."""
    rng = stream(seed, 77)
    state = game.deal(seed, first)
    while not game.is_over(state):
        if game.mover(state) == CHANCE:
            play = game.draw_chance(state, rng)
        else:
            plays = game.plays(state)
            play = plays[below(rng, len(plays))]
        after = game.after(state, play)
        yield state, play, after
        state = after
