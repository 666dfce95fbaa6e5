"""PIMC, perfect information Monte Carlo, compiled: deal the unseen cards many times, search
each world with open cards, and choose the play that is best on average.

The textbook version, with its limits, is `search/textbook/pimc.py`.

**What is computed.** From a view n worlds w are drawn (determinizations: the unseen cards dealt as
the rules allow, or by a belief, see worlds.py). V(w, a) is the value of play a in world w with all
cards open, by `alpha_beta.py`. The choice is the play with the highest mean, of equal ones the
first:

    mean(a) = Σ V(w, a) / n

All plays are valued in the *same* worlds, so they are compared by their differences, whose variance
is small: what all plays have in common cancels out.

**Early elimination.** After every CHECK_EVERY worlds, with b the best play so far, D(w) = V(w, a) -
V(w, b), m its mean and s its standard deviation over the n worlds so far, a play a is out if

    m + STANDARD_ERRORS · s / √n < 0

If one play is left, no more worlds are drawn.

**Arrays.** `choices` (k,) of int64: the plays. `values` (n, k) of float64, filled with NaN by the
caller: values[w, i] is V(w, choices[i]), NaN where the play was out. `numbers`: see PimcOptions.
`past` and `plays` are the states and plays before the view, for beliefs; `belief` is what
worlds.prepare made.

Example: values [[0, 1], [1, NaN], [1, NaN]]: the second play was out after the first world. So the
first is chosen, though its mean, 2/3, is below 1.

References: M. Ginsberg, "GIB: imperfect information in a computationally challenging game", JAIR 14
(2001). J. Long, N. Sturtevant, M. Buro, T. Furtak, "Understanding the success of perfect
information Monte Carlo sampling in game tree search", AAAI (2010).
"""

import math
from typing import Any, NamedTuple

import numpy as np

from kibitz.jit.kernels import Slot, inlined, kernel, template
from kibitz.jit.rng import fork
from kibitz.search.fast.alpha_beta import new_workspace, value_plays
from kibitz.search.fast.forward_pruning import MOST, few_by_move_order
from kibitz.search.fast.transposition_table import ENTRY

game: Any = Slot("game")
"""The game with all its rules."""
twin: Any = Slot("twin")
"""Its open-card twin, as alpha_beta.py wants it."""
worlds: Any = Slot("worlds")
"""Draws worlds: see worlds.py."""

CHECK_EVERY = 10
STANDARD_ERRORS = 4.0


class PimcOptions(NamedTuple):
    """The search's options. With them a policy's numbers begin, in this order; behind them, from
    WEIGHTS_FROM on, stand the weights of the evaluation, and last those of worlds.py."""

    worlds: float
    early: float
    """1 if plays are eliminated early, or 0."""
    max_depth: float
    """Plies that are searched."""
    fixed_replies: float
    """1 if the others answer by a fixed strategy, which the twin must have, or 0."""


WEIGHTS_FROM = len(PimcOptions._fields)


@inlined
def read_options(numbers: Any) -> PimcOptions:
    return PimcOptions(numbers[0], numbers[1], numbers[2], numbers[3])


@template
def value_in_worlds(
    view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any, choices: Any,
    values: Any, belief: Any,
) -> int:  # fmt: skip
    """Fill row w of values with the value of each choice in world w. How many positions were
    searched."""
    dealing = rng.copy()
    fork(rng, 1, dealing)
    fork(rng, 2, rng)
    options, weights = read_options(numbers), numbers[WEIGHTS_FROM:]
    max_depth = np.int64(options.max_depth)
    stack = np.zeros(min(max_depth, twin.MAX_PLIES) + 3, twin.STATE)
    table = np.zeros(twin.TABLE_ENTRIES, ENTRY)
    work = new_workspace(stack, table, weights, twin.PLAYS_CAPACITY, seat, max_depth)
    world = view.copy()
    alive = all_indexes(choices)
    for w in range(len(values)):
        if len(alive) == 1 and w > 0:
            return work.control[0].nodes
        worlds.sample(view, seat, past, plays, numbers, belief, dealing, world)
        twin.set_up(world, stack[0:1])
        if options.fixed_replies:
            twin.fix_replies(stack[0:1], seat)
        value_plays(work, choices, alive, values[w], w)
        if options.early and (w + 1) % CHECK_EVERY == 0:
            alive = not_eliminated(values[: w + 1], alive)
    return work.control[0].nodes


@kernel
def all_indexes(choices: Any) -> Any:
    """The index of every play."""
    indexes = np.zeros(len(choices), np.int64)
    for i in range(len(choices)):
        indexes[i] = i
    return indexes


@kernel
def not_eliminated(values: Any, alive: Any) -> Any:
    """The indexes of the plays that may yet be the best: see Early elimination above."""
    n = len(values)
    best = alive[0]
    for i in alive:
        if total(values, i) > total(values, best):
            best = i
    left = np.zeros(len(alive), np.int64)
    count = 0
    for i in alive:
        mean = (total(values, i) - total(values, best)) / n
        squares = 0.0
        for w in range(n):
            difference = values[w, i] - values[w, best] - mean
            squares += difference * difference
        error = math.sqrt(squares / (n - 1) / n)
        if i == best or mean + STANDARD_ERRORS * error >= 0:
            left[count] = i
            count += 1
    return left[:count]


@kernel
def total(values: Any, i: int) -> float:
    result = 0.0
    for w in range(len(values)):
        result += values[w, i]
    return result


@kernel
def best_on_average(choices: Any, values: Any) -> int:
    """The number of the play with the highest mean; of equal ones the first. Plays that were
    eliminated do not count."""
    best, most = -1, 0.0
    for i in range(len(choices)):
        mean, n = 0.0, 0
        eliminated = False
        for w in range(len(values)):
            if not np.isnan(values[w, i]):
                mean += values[w, i]
                n += 1
            elif not np.isnan(values[w]).all():
                eliminated = True
        if not eliminated and (best < 0 or mean / n > most):
            best, most = i, mean / n
    return best


def best_by_mean(values: Any) -> int:
    """The same in NumPy, without a kernel to compile: added up in the same order."""
    drawn = values[~np.isnan(values).all(axis=1)]
    totals = np.cumsum(drawn, axis=0)[-1]
    return int(np.where(np.isnan(totals), -np.inf, totals).argmax())


@template
def candidates(view: Any, seat: int, numbers: Any) -> Any:
    """The legal plays; if they are far too many, the first in move order."""
    choices = game.legal(view)
    if len(choices) > MOST:
        position = np.zeros(1, twin.STATE)
        twin.set_up(view, position)
        choices = few_by_move_order(position, choices)
    return choices


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
