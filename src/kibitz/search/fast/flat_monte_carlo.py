"""Flat Monte Carlo, compiled: deal the unseen cards many times, try every play in each world,
play to the end by a policy, and choose the play that is best on average.

Plays that are surely not the best are eliminated early, as in `pimc.py`, which it is a sibling
of: there each world is searched, here it is played out.
"""

from typing import Any

import numpy as np

from kibitz.jit.kernels import Slot, template
from kibitz.jit.rng import fork
from kibitz.search.fast.forward_pruning import few_by_prior
from kibitz.search.fast.pimc import (
    CHECK_EVERY,
    EARLY,
    WORLDS,
    all_indexes,
    best_on_average,
    not_eliminated,
)
from kibitz.search.fast.rollouts import FOLLOW, OPTIONS, play_out

game: Any = Slot("game")
worlds: Any = Slot("worlds")
"""Draws worlds: see worlds.py."""


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
    seen = np.zeros(1, game.STATE)
    out = np.zeros(4)
    no_past = np.zeros(0, game.STATE)
    no_plays = np.zeros(0, np.int64)
    alive = all_indexes(choices)
    games = 0
    for w in range(len(values)):
        if len(alive) == 1 and w > 0:
            return games
        worlds.sample(view, seat, past, plays, numbers, belief, dealing, world)
        for i in alive:
            s[0] = world[0]
            game.apply(s, choices[i])
            play_out(s, seen, no_past, no_plays, numbers[FOLLOW], numbers[OPTIONS:], rng)
            game.returns(s, out)
            values[w, i] = out[seat]
            games += 1
        if numbers[EARLY] and (w + 1) % CHECK_EVERY == 0:
            alive = not_eliminated(values[: w + 1], alive)
    return games


@template
def candidates(view: Any, seat: int, numbers: Any) -> Any:
    """The legal plays; if they are far too many, the most promising ones."""
    return few_by_prior(view, seat, game.legal(view), numbers)


@template
def choose(view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any) -> int:
    """The policy."""
    choices = candidates(view, seat, numbers)
    if len(choices) == 1:
        return choices[0]
    values = np.full((np.int64(numbers[WORLDS]), len(choices)), np.nan)
    belief = np.zeros(worlds.SIZE)
    worlds.prepare(view, seat, past, plays, numbers, belief)
    value_in_worlds(view, seat, past, plays, numbers, rng, choices, values, belief)
    return choices[best_on_average(choices, values)]
