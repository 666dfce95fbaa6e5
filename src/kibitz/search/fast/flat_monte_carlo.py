"""Flat Monte Carlo, compiled: deal the unseen cards many times, try every play in each world,
play to the end by a policy, and choose the play that is best on average.

Plays that are surely not the best are eliminated early, as in `pimc.py`, which it is a sibling
of: there each world is searched, here it is played out.

With N worlds w drawn by `worlds.sample`, the value of a play a is the mean of the returns r of one
game each, in which all seats follow the rollout policy after a:

    V(a) = (1/N) · Σ over w of r(w, a)          the same worlds for all plays: differences vary less

Example: two plays, four worlds, returns (1, −1, 1, 1) and (1, −1, −1, 1): V = 0.5 and 0, and the
difference, which is (0, 0, 2, 0) world by world, is 0.5 with a standard error of 0.5: neither is
eliminated. There is no tree and no bound: the others' plays do not improve with N (see ismcts.py).

Reference: B. Abramson, "Expected-outcome: a general model of static evaluation", IEEE PAMI 12
(1990); for hidden cards, M. Ginsberg, "GIB: imperfect information in a computationally challenging
game", JAIR 14 (2001), who searches each world.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.jit.kernels import Slot, inlined, template
from kibitz.jit.rng import fork
from kibitz.search.fast.forward_pruning import few_by_prior
from kibitz.search.fast.pimc import CHECK_EVERY, all_indexes, best_on_average, not_eliminated
from kibitz.search.fast.rollouts import new_rollout_buffers
from kibitz.search.fast.slots import MOST_SEATS

game: Any = Slot("game")
rollout: Any = Slot("rollout")
"""The rollout policy: see rollouts.py."""
worlds: Any = Slot("worlds")
"""Draws worlds: see worlds.py."""


class FlatOptions(NamedTuple):
    """The search's options. With them a policy's numbers begin, in this order; behind them, from
    ROLLOUT_FROM on, stand the rollout policy's own, and last those of worlds.py."""

    worlds: float
    early: float
    """1 if plays are eliminated early, or 0."""
    follow: float
    """The share of rollout plays that follow the rollout policy; the others are random."""


ROLLOUT_FROM = len(FlatOptions._fields)


@inlined
def read_options(numbers: Any) -> FlatOptions:
    return FlatOptions(numbers[0], numbers[1], numbers[2])


@template
def value_in_worlds(
    view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any, choices: Any,
    values: Any, belief: Any,
) -> int:  # fmt: skip
    """Fill row w of values with what each play brought in world w; NaN where it was eliminated.
    How many games were played out. The belief is what `worlds.prepare` made."""
    dealing = rng.copy()
    fork(rng, 1, dealing)
    fork(rng, 2, rng)
    s = np.zeros(1, game.STATE)
    world = np.zeros(1, game.STATE)
    buffers = new_rollout_buffers()
    out = np.zeros(MOST_SEATS)
    options, own = read_options(numbers), numbers[ROLLOUT_FROM:]
    alive = all_indexes(choices)
    games = 0
    for w in range(len(values)):
        if len(alive) == 1 and w > 0:
            return games
        worlds.sample(view, seat, past, plays, numbers, belief, dealing, world)
        for i in alive:
            s[0] = world[0]
            game.apply(s, choices[i])
            rollout.play_out(s, buffers, options.follow, own, rng, out)
            values[w, i] = out[seat]
            games += 1
        if options.early and (w + 1) % CHECK_EVERY == 0:
            alive = not_eliminated(values[: w + 1], alive)
    return games


@template
def candidates(view: Any, seat: int, numbers: Any) -> Any:
    """The legal plays; if they are far too many, those with the highest prior."""
    return few_by_prior(view, seat, game.legal(view), numbers[ROLLOUT_FROM:])


@template
def choose(view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any) -> int:
    """The policy."""
    choices = candidates(view, seat, numbers)
    if len(choices) == 1:
        return choices[0]
    values = np.full((np.int64(read_options(numbers).worlds), len(choices)), np.nan)
    belief = np.zeros(worlds.SIZE)
    worlds.prepare(view, seat, past, plays, numbers, belief)
    value_in_worlds(view, seat, past, plays, numbers, rng, choices, values, belief)
    return choices[best_on_average(choices, values)]
