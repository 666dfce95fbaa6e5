"""Games played to their end: by a rollout policy, or at random and many at a time.

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
from kibitz.jit.kernels import Slot, bind, kernel, template
from kibitz.jit.rng import fork, stream, unit

game: Any = Slot("game")
rollout: Any = Slot("rollout")
"""The rollout policy, a strategy's: `choose`, and `prior(view, seat, play, numbers)`, how good a
play looks at once. It remembers nothing."""


@template
def random_play(s: Any, rng: Any) -> int:
    """A legal play at random, each as likely, but never the one nobody would make."""
    play = game.pick(s, rng)
    while play == game.NEVER_AT_RANDOM:
        play = game.pick(s, rng)
    return play


@template
def random_policy(view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any) -> int:
    """The random strategy as a policy: the legal plays follow from the view."""
    return random_play(view, rng)


@kernel
def no_prior(view: Any, seat: int, play: int, numbers: Any) -> float:
    """To random play all plays look the same."""
    return 0.0


@template
def play_out(
    s: Any, seen: Any, no_past: Any, no_plays: Any, follow: float, numbers: Any, rng: Any
) -> None:
    """Play to the end: each play by the rollout policy with probability `follow`, else at random.
    What the mover sees is written into `seen`; `numbers` are the policy's."""
    while not game.over(s):
        mover = game.mover(s)
        if mover < 0:
            game.apply(s, game.pick(s, rng))
        elif follow > 0 and (follow >= 1 or unit(rng) < follow):
            game.observe(s, mover, seen)
            game.apply(s, rollout.choose(seen, mover, no_past, no_plays, numbers, rng))
        else:
            game.apply(s, random_play(s, rng))


@template
def play_many(s: Any, root: Any, start: int, returns: Any, plies: Any) -> None:
    """Play a game for each row of `returns`. Game i is a function of the root and of i."""
    rng = np.zeros(1, np.uint64)
    for i in range(len(plies)):
        fork(root, start + i, rng)
        game.deal(s, rng, 0)
        n = 0
        while not game.over(s):
            game.apply(s, random_play(s, rng))
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
