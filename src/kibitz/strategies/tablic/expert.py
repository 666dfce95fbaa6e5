"""The expert at Tablić: PIMC to the end of a deal, but the last deal is counted out.

**Before the last deal** it is PIMC (see `search/fast/pimc.py`): each world is searched to the end
of the deal, the others answering by a rule. With two players the rule, and how likely a world is,
follow from who the other seems to be: each type of opponents.py gets as many worlds as it is
likely; BEST is taken for greedy here, for nobody who sees his own hand only plays as well as a
search that sees both.

**The last deal of two players.** The unseen cards are the other's hand. So each play has an exact
result against each type: D(a, BEST) by minimax, D(a, t) against the rule t, both in points ahead at
the end of the game, the bonus counted. With p(t) the probability of a type and u(D) = 1 for a
win, 0 for a draw, -1 for a loss, the value of a play is

    V(a) = Σ p(t) · (u(D(a, t)) + D(a, t) / 10000)

So what counts is to win the game; of plays that win alike, the points. Where minimax is lost
whatever one plays, the other terms decide: the play that wins if the other errs as these types
do. Where several plays win, they decide too.

Without recognition the types have their prior probabilities in the last deal, and before it the
other is taken for greedy.

Reference: R. Bjarnason, A. Fern, P. Tadepalli, "Lower bounding Klondike solitaire with Monte-Carlo
planning", ICAPS (2009), for hindsight optimization, of which averaging exact values over opponents
that are known afterwards is a case: it takes for granted that one learns who the other is before
the next play.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.games.tablic import kernels as game
from kibitz.games.tablic.open_hands import (
    MAX_PLIES,
    PLAYS_CAPACITY,
    POINT,
    STATE,
    TABLE_ENTRIES,
    set_up,
)
from kibitz.jit.kernels import bind, inlined, kernel
from kibitz.jit.rng import fork
from kibitz.search.fast import alpha_beta, pimc
from kibitz.search.fast.alpha_beta import new_workspace
from kibitz.search.fast.pimc import CHECK_EVERY, all_indexes, best_on_average, not_eliminated
from kibitz.search.fast.transposition_table import ENTRY
from kibitz.strategies.tablic.opponents import (
    BEST,
    GREEDY,
    SIZE,
    drawn,
    posterior,
    prepare,
    sample_for,
)
from kibitz.strategies.tablic.reply_twin import answer_as, reply_twin

value_plays = bind(alpha_beta.value_plays, twin=reply_twin)
candidates = bind(pimc.candidates, game=game, twin=reply_twin)
GOLDEN = 0.6180339887498949
"""Multiples of it, without their whole part, are spread evenly between 0 and 1."""
POINTS_COUNT = 1e-4
UNLIKELY = 0.01
"""Types that are less likely are left out: to count against them may take long."""


class ExpertOptions(NamedTuple):
    """The search's options. With them a policy's numbers begin; behind them, from WEIGHTS_FROM on,
    stand the weights of the evaluation."""

    worlds: float
    early: float
    """1 if plays are eliminated early, or 0."""
    recognise: float
    """1 if the other is to be recognised, or 0. It stands at RECOGNISE of opponents.py."""


WEIGHTS_FROM = len(ExpertOptions._fields)


@inlined
def read_options(numbers: Any) -> ExpertOptions:
    return ExpertOptions(numbers[0], numbers[1], numbers[2])


@kernel
def is_counted(view: Any) -> bool:
    """Whether the unseen cards are the other's hand."""
    return view[0].players == 2 and view[0].dealt >= 52


@kernel
def new_search(numbers: Any, seat: int) -> Any:
    """The arrays of a search to the end of the deal."""
    stack = np.zeros(MAX_PLIES + 3, STATE)
    table = np.zeros(TABLE_ENTRIES, ENTRY)
    weights = numbers[WEIGHTS_FROM:]
    return new_workspace(stack, table, weights, PLAYS_CAPACITY, seat, MAX_PLIES)


@kernel
def value_in_worlds(
    view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any, choices: Any,
    values: Any, belief: Any,
) -> int:  # fmt: skip
    """Fill row w of values with the value of each choice in world w. How many positions were
    searched."""
    chances = posterior(belief)
    if is_counted(view):
        by_type = np.zeros((SIZE, len(choices)))
        value_last_deal(view, seat, numbers, choices, chances, by_type)
        values[:] = mixed(by_type, chances)
        return 0
    dealing = rng.copy()
    fork(rng, 1, dealing)
    fork(rng, 2, rng)
    work = new_search(numbers, seat)
    alive = all_indexes(choices)
    world = view.copy()
    options = read_options(numbers)
    recognising = view[0].players == 2 and options.recognise
    for w in range(len(values)):
        if len(alive) == 1 and w > 0:
            break
        kind = drawn(chances, (w + 0.5) * GOLDEN % 1.0) if recognising else BEST
        sample_for(view, seat, past, plays, kind, dealing, world)
        set_up(world, work.stack[0:1])
        answer_as(max(kind, GREEDY), world, seat, work.stack[0:1])
        value_plays(work, choices, alive, values[w], w)
        if options.early and (w + 1) % CHECK_EVERY == 0:
            alive = not_eliminated(values[: w + 1], alive)
    return work.control[0].nodes


@kernel
def value_last_deal(
    view: Any, seat: int, numbers: Any, choices: Any, chances: Any, values: Any
) -> None:
    """Fill values[t, i], in points ahead at the end, with what choice i leads to against type t:
    in the last deal of two players. Types that are too unlikely are left out."""
    work = new_search(numbers, seat)
    world = view.copy()
    game.redeal(view, seat, np.zeros(1, np.uint64), world)  # there is one world only
    for kind in range(SIZE):
        if chances[kind] < UNLIKELY:
            continue
        set_up(world, work.stack[0:1])
        answer_as(kind, world, seat, work.stack[0:1])
        value_plays(work, choices, all_indexes(choices), values[kind], kind)
    values /= POINT


@kernel
def mixed(by_type: Any, chances: Any) -> Any:
    """The value of each play, V(a) above, in the unit of the search's values."""
    values = np.zeros(by_type.shape[1])
    for kind in range(SIZE):
        for i in range(len(values)):
            ahead = by_type[kind, i]
            values[i] += chances[kind] * POINT * (np.sign(ahead) + POINTS_COUNT * ahead)
    return values


@kernel
def choose(view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any) -> int:
    """The policy."""
    choices = candidates(view, seat, numbers)
    if len(choices) == 1:
        return choices[0]
    worlds = 1 if is_counted(view) else np.int64(read_options(numbers).worlds)
    values = np.full((worlds, len(choices)), np.nan)
    belief = np.zeros(SIZE)
    prepare(view, seat, past, plays, numbers, belief)
    value_in_worlds(view, seat, past, plays, numbers, rng, choices, values, belief)
    return choices[best_on_average(choices, values)]
