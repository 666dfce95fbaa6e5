"""PIMC, perfect information Monte Carlo, compiled: deal the unseen cards many times, search
each world with open cards, and choose the play that is best on average.

The textbook version, with the paper and its limits, is `search/textbook/pimc.py`. Two things
are different: worlds may be drawn by how likely they are (see `worlds.sample`), and a play
that is surely not the best is given up early: after every CHECK worlds, those whose values
lie below the best one's, world for world, by more than SURE standard errors.
"""

import math
from typing import Any

import numpy as np

from kibitz.jit.kernels import Slot, template
from kibitz.jit.rng import fork
from kibitz.search.fast.alpha_beta import new_workspace, value_plays
from kibitz.search.fast.forward_pruning import MOST, few_by_game
from kibitz.search.fast.transposition_table import ENTRY

full: Any = Slot("full")
"""The game with all its rules."""
game: Any = Slot("game")
"""Its open-card twin, as alpha_beta.py wants it."""
worlds: Any = Slot("worlds")
"""Draws worlds: see worlds.py."""

WORLDS, EARLY, DEEPEST, REPLYING, WEIGHTS_FROM = range(5)
"""Where in the numbers stands how many worlds, whether plays are given up early, how many
plies are searched, whether the others answer by a fixed strategy (if the twin has one), and
the weights of the evaluation."""
CHECK = 10
SURE = 4.0


@template
def look_into_worlds(
    view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any, found: Any,
    values: Any, belief: Any,
) -> int:  # fmt: skip
    """Fill row w of values with what each play is worth in world w; NaN where it was given
    up. How many positions were searched. The belief is what `worlds.prepare` made."""
    dealing = rng.copy()
    fork(rng, 1, dealing)
    fork(rng, 2, rng)
    deepest = np.int64(numbers[DEEPEST])
    weights = numbers[WEIGHTS_FROM:]
    stack = np.zeros(min(deepest, game.MAX_PLIES) + 3, game.STATE)
    table = np.zeros(game.TABLE_ENTRIES, ENTRY)
    work = new_workspace(stack, table, weights, game.PLAYS_CAPACITY, seat, deepest)
    world = view.copy()
    alive = all_of(found)
    for w in range(len(values)):
        if len(alive) == 1 and w > 0:
            return work.control[0].nodes
        worlds.sample(view, seat, past, plays, numbers, belief, dealing, world)
        game.set_up(world, stack[0:1])
        if numbers[REPLYING]:
            game.fix_replies(stack[0:1], seat)
        value_plays(work, found, alive, values[w], w)
        if numbers[EARLY] and (w + 1) % CHECK == 0:
            alive = still_possible(values[: w + 1], alive)
    return work.control[0].nodes


@template
def all_of(found: Any) -> Any:
    """The number of every play."""
    numbers = np.zeros(len(found), np.int64)
    for i in range(len(found)):
        numbers[i] = i
    return numbers


@template
def still_possible(values: Any, alive: Any) -> Any:
    """The plays that may yet be the best, by differences in the same worlds."""
    n = len(values)
    best = alive[0]
    for i in alive:
        if total(values, i) > total(values, best):
            best = i
    keep = np.zeros(len(alive), np.int64)
    kept = 0
    for i in alive:
        mean = (total(values, i) - total(values, best)) / n
        squares = 0.0
        for w in range(n):
            apart = values[w, i] - values[w, best] - mean
            squares += apart * apart
        error = math.sqrt(squares / (n - 1) / n)
        if i == best or mean + SURE * error >= 0:
            keep[kept] = i
            kept += 1
    return keep[:kept]


@template
def total(values: Any, i: int) -> float:
    result = 0.0
    for w in range(len(values)):
        result += values[w, i]
    return result


@template
def best_on_average(found: Any, values: Any) -> int:
    """The number of the play with the highest mean; of equal ones the first. Plays that were
    given up are out."""
    best, most = -1, 0.0
    for i in range(len(found)):
        mean, n = 0.0, 0
        given_up = False
        for w in range(len(values)):
            if not np.isnan(values[w, i]):
                mean += values[w, i]
                n += 1
            elif not np.isnan(values[w]).all():
                given_up = True
        if not given_up and (best < 0 or mean / n > most):
            best, most = i, mean / n
    return best


def best_of(values: Any) -> int:
    """The same in NumPy, for who has nothing else to compile: added up in the same order."""
    looked_into = values[~np.isnan(values).all(axis=1)]
    totals = np.cumsum(looked_into, axis=0)[-1]
    return int(np.where(np.isnan(totals), -np.inf, totals).argmax())


@template
def candidates(view: Any, seat: int, numbers: Any) -> Any:
    """The legal plays; if they are far too many, the most promising ones."""
    found = full.legal(view)
    if len(found) > MOST:
        twin = np.zeros(1, game.STATE)
        game.set_up(view, twin)
        found = few_by_game(twin, found)
    return found


@template
def choose(view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any) -> int:
    """The policy."""
    found = candidates(view, seat, numbers)
    if len(found) == 1:
        return found[0]
    values = np.full((np.int64(numbers[WORLDS]), len(found)), np.nan)
    belief = np.zeros(worlds.SIZE)
    worlds.prepare(view, seat, past, plays, numbers, belief)
    look_into_worlds(view, seat, past, plays, numbers, rng, found, values, belief)
    return found[best_on_average(found, values)]
