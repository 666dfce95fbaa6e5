"""Random play at full speed: whole games, many at a time.

`random_games` is the public batch interface. It plays the random strategy in every seat,
straight on the states: the strategy's decisions do not depend on hidden cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core import checks
from kibitz.core.errors import UnsuitableGame
from kibitz.games.compiled_game import CompiledGame
from kibitz.jit.kernels import Slot, bind, template
from kibitz.jit.rng import fork, stream

game: Any = Slot("game")


@template
def wander(s: Any, rng: Any) -> int:
    """A legal play at random, each as likely, but never the one nobody would make."""
    play = game.pick(s, rng)
    while play == game.NEVER_AT_RANDOM:
        play = game.pick(s, rng)
    return play


@template
def wandering(view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any) -> int:
    """The random strategy as a policy: the legal plays follow from the view."""
    return wander(view, rng)


@template
def no_promise(view: Any, seat: int, play: int, numbers: Any) -> float:
    """Random play has no first impressions."""
    return 0.0


@template
def play_many(s: Any, root: Any, start: int, returns: Any, plies: Any) -> None:
    """Play a game for each row of `returns`. Game i is a function of the root and of i."""
    rng = np.zeros(1, np.uint64)
    for i in range(len(plies)):
        fork(root, start + i, rng)
        game.deal(s, rng, 0)
        n = 0
        while not game.over(s):
            game.apply(s, wander(s, rng))
            n += 1
        game.returns(s, returns[i])
        plies[i] = n


@dataclass(frozen=True)
class Batch:
    """Many games: what each brought to each seat, and its length in plays."""

    returns: np.ndarray
    plies: np.ndarray


def random_games(game: CompiledGame, n: int, seed: int = 0, start: int = 0) -> Batch:
    """Play games `start` to `start + n − 1` of a seed at random."""
    if not isinstance(game, CompiledGame):
        raise UnsuitableGame(f"random_games needs a compiled game, not {checks.brief(game)}")
    seed, start, n = checks.seed(seed), checks.count(start, "start"), checks.count(n, "n")
    returns = np.zeros((n, game.players))
    plies = np.zeros(n, np.int64)
    bind(play_many, game=game.kernels)(game.blank(), stream(seed), start, returns, plies)
    return Batch(returns, plies)
