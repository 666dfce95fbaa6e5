"""Games played to their end: by a rollout policy, or at random and many at a time.

`random_games` is the public batch interface. It plays the random strategy in every seat,
straight on the states: the strategy's decisions do not depend on hidden cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from kibitz.core import checks
from kibitz.core.errors import UnsuitableGame
from kibitz.games.compiled_game import CompiledGame
from kibitz.jit.intrinsics import borrowed, on_stack
from kibitz.jit.kernels import Slot, bind, inlined, kernel, template
from kibitz.jit.rng import fork, stream, unit

game: Any = Slot("game")
lean: Any = Slot("lean")
"""The same rules over what is enough to play on, if the game has such: its `lean_kernels`."""
rollout: Any = Slot("rollout")
"""The rollout policy, a strategy's: `choose`, and `prior(view, seat, play, numbers)`, how good a
play looks at once. It remembers nothing. For searches `play_out`, which plays on from a state to
the returns of its end, by the policy or at random; and STATE, the record of a buffer that it needs.
"""


class RolloutBuffers(NamedTuple):
    """Arrays that `play_out` needs, made once for many rollouts."""

    scratch: Any
    """One record of rollout.STATE."""
    no_past: Any
    no_plays: Any
    """Rollout policies remember nothing: these are empty."""


@inlined
def new_rollout_buffers() -> RolloutBuffers:
    return RolloutBuffers(
        np.zeros(1, rollout.STATE), np.zeros(0, game.STATE), np.zeros(0, np.int64)
    )


@template
def random_policy(view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any) -> int:
    """The random strategy as a policy: the legal plays follow from the view."""
    return game.random_play(view, rng)


@kernel
def no_prior(view: Any, seat: int, play: int, numbers: Any) -> float:
    """To random play all plays look the same."""
    return 0.0


@template
def play_out_by_policy(
    s: Any, buffers: Any, follow: float, numbers: Any, rng: Any, returns: Any
) -> None:
    """Play to the end: each play by the rollout policy with probability `follow`, else at random.
    What the mover sees is written into the buffer; `numbers` are the policy's."""
    s, numbers, rng = borrowed(s), borrowed(numbers), borrowed(rng)
    seen, no_past, no_plays = borrowed(buffers)
    while not game.over(s):
        mover = game.mover(s)
        if mover < 0:
            game.apply(s, game.pick(s, rng))
        elif follow > 0 and (follow >= 1 or unit(rng) < follow):
            game.observe(s, mover, seen)
            game.apply(s, rollout.choose(seen, mover, no_past, no_plays, numbers, rng))
        else:
            game.apply(s, game.random_play(s, rng))
    game.returns(s, returns)


@inlined
def play_out_randomly(
    s: Any, buffers: Any, follow: float, numbers: Any, rng: Any, returns: Any
) -> None:
    """Play to the end at random. The buffer is for a lean record; if there is none, the state is
    played on."""
    light = lean.strip(s, buffers.scratch)
    while not lean.over(light):
        if lean.mover(light) < 0:
            lean.apply(light, lean.pick(light, rng))
        else:
            lean.apply(light, lean.random_play(light, rng))
    lean.returns(light, returns)


@template
def play_many(blank: Any, root: Any, start: int, returns: Any, plies: Any) -> None:
    """Play a game for each row of `returns`. Game i is a function of the root and of i. `blank` is
    a state with nothing but the options."""
    s = on_stack(lean.strip(blank, np.zeros(1, lean.STATE)))
    rng = on_stack(root)
    returns, plies = borrowed(returns), borrowed(plies)
    for i in range(len(plies)):
        fork(root, start + i, rng)
        lean.deal(s, rng, 0)
        n = 0
        while not lean.over(s):
            lean.apply(s, lean.random_play(s, rng))
            n += 1
        lean.returns(s, borrowed(returns[i]))
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
    bind(play_many, lean=game.lean_kernels)(game.blank(), stream(seed), start, returns, plies)
    return Batch(returns, plies)
