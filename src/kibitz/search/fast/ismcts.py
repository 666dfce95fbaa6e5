"""ISMCTS, information set Monte Carlo tree search, compiled.

P. Cowling, E. Powley and D. Whitehouse, "Information Set Monte Carlo Tree Search", 2012. The
textbook version is `search/textbook/ismcts.py`; `tests/oracle/ismcts.py` is a slow twin that
comes to the same counts. With open cards there is one world, and it is plain MCTS with UCT.

One iteration:

1. *Determinization*: deal the unseen cards as one world, drawn by `worlds.sample`.
2. *Selection*: from the root, while every play that is legal in this world has been tried,
   take the play with the highest upper confidence bound

       X/n + c · (max − min)/2 · √(ln a / n)          (+ b · prior/(n + 1))

   n: visits of the edge, X: sum of the mover's returns over them, a: how often the play was
   available, which in this search takes the place of the visits of the parent; max, min: the
   highest and the lowest of 0 and the mover's returns so far, so that the range never is that of
   wins alone; the last term is progressive bias (G. Chaslot and others 2008), with b = 0 unless
   it is asked for.
   Worked example: n = 10, X = 4, a = 20, c = 0.7, returns from −1 to 1: 0.4 + 0.7 · 0.547 = 0.783.
3. *Expansion*: if a play has not been tried, take one of those at random, and add its edge.
4. *Simulation*: play to the end by the rollout policy.
5. *Backpropagation*: add the result to every edge on the way, each for who chose there.

The tree is one hash table of *edges*: a play at a node, by a key of 64 bits. What a node is, is
the only thing in which the two kinds differ:

- one observer (SO-ISMCTS): the plays since the root, as the seat that searches sees them. The
  others' plays do not depend on what they hold, but for what is legal.
- many observers: what the mover himself sees. So each seat has a tree of its own over its own
  information sets, all grown in the same worlds; the others' plays depend on their cards. As in
  MO-ISMCTS of the same paper, with the mover's hand distinguished too.
"""

from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from kibitz.games.compiled_game import CompiledGame
from kibitz.jit.hashing import find_slot, mix
from kibitz.jit.intrinsics import borrowed, on_stack
from kibitz.jit.kernels import Slot, bind, inlined, kernel, template
from kibitz.jit.rng import below, fork
from kibitz.search.fast.rollouts import RolloutBuffers, new_rollout_buffers
from kibitz.search.fast.slots import MOST_SEATS

game: Any = Slot("game")
walk: Any = Slot("walk")
"""How the worlds are played inside the tree: see `walk_of`."""
worlds: Any = Slot("worlds")
"""Draws worlds: see worlds.py."""
rollout: Any = Slot("rollout")
"""The rollout policy: see rollouts.py. Its `prior(view, seat, play, numbers)` is the bias."""

# -- the tree ------------------------------------------------------------------------------

EDGE = np.dtype(
    (
        np.record,
        [
            ("visits", np.int64),
            ("available", np.int64),  # how often the play was legal at its node; ≥ visits
            ("total", np.float64),  # of the returns to who chose it
            ("squares", np.float64),  # of the same returns, for their standard error
        ],
    )
)


class SearchTree(NamedTuple):
    """A search tree as an open-addressing hash table, at most three quarters full.

    Who grows it owns the arrays; kernels write into them. Edge i is `keys[i]` and `edges[i]`;
    where `keys[i]` is 0 there is none, and `edges[i]` is all zeros.
    """

    keys: Any
    """int64[capacity], a power of two."""
    edges: Any
    """EDGE[capacity]."""
    returns: Any
    """float64[seats, 2]: the lowest and the highest of 0 and the returns that each seat met."""


def new_tree(capacity: int, seats: int) -> SearchTree:
    return SearchTree(np.zeros(capacity, np.int64), np.zeros(capacity, EDGE), np.zeros((seats, 2)))


@kernel
def capacity_for(iterations: int) -> int:
    """The size of a table that so many iterations leave at most half full."""
    size = 64
    while size < 2 * iterations:
        size *= 2
    return size


# -- nodes ---------------------------------------------------------------------------------

ROOT = 0x51ED270B


@kernel
def history_key(plays: Any) -> int:
    """The key of the node that the turns so far lead to."""
    key = ROOT
    for play in plays:
        key = mix(key, play)
    return key


@inlined
def node_seen(node: int, s: Any, mover: int, seen: Any, options: Any) -> int:
    """The key of a node, where the plays lead to one. For the prior, what the mover sees is
    written."""
    if options.bias > 0:
        game.observe(s, mover, seen)
    return game.view_key(s, mover, seen) if options.many_observers else node


@inlined
def node_by_plays(node: int, s: Any, mover: int, seen: Any, options: Any) -> int:
    """The same for one observer and without a prior: nobody looks at the state."""
    return node


@cache
def walk_of(game: CompiledGame, unseen: bool) -> Any:
    """How worlds are played inside the tree: with the game's kernels, or, if no seat looks at them
    there, with those of its lean record."""
    if unseen:
        return SimpleNamespace(**{**vars(game.lean_kernels), "node": node_by_plays})
    return SimpleNamespace(**{**vars(game.kernels), "node": bind(node_seen, game=game.kernels)})


@template
def root_key(view: Any, seat: int, plays: Any, many_observers: float) -> int:
    """The key of the root, as the iterations find it."""
    if many_observers:
        seen = np.zeros(1, game.STATE)
        return game.view_key(view, seat, seen)
    return history_key(plays)


# -- the search ----------------------------------------------------------------------------


class IsmctsOptions(NamedTuple):
    """The search's options. With them a policy's numbers begin, in this order; behind them, from
    ROLLOUT_FROM on, stand the rollout policy's own, and last those of worlds.py."""

    iterations: float
    explore: float
    """c of the bound."""
    many_observers: float
    """1, or 0 with one observer."""
    follow: float
    """The share of rollout plays that follow the rollout policy; the others are random."""
    bias: float
    """b, the weight of the prior."""


ROLLOUT_FROM = len(IsmctsOptions._fields)


@inlined
def read_options(numbers: Any) -> IsmctsOptions:
    return IsmctsOptions(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])


LONGEST = 4096
"""Edges on the way of one iteration."""
WIDTH = 4096
"""Plays of a turn. Where there are more, no tree is of use."""
LOGS = np.log(np.maximum(np.arange(4096), 1))
"""A look-up is quicker than a logarithm."""


class PolicyArguments(NamedTuple):
    """What a policy is asked."""

    view: Any
    seat: int
    past: Any
    plays: Any
    numbers: Any


class IterationPath(NamedTuple):
    """The way of one iteration: the edges, and who chose each."""

    edges: Any
    """int64[LONGEST]: places in the table."""
    choosers: Any
    """int64[LONGEST]: seats."""


class IterationBuffers(NamedTuple):
    """Arrays that an iteration writes into, made once for all of them."""

    state: Any
    """A world: a record of the game's STATE, in an array of one."""
    light: Any
    """The same in a record of walk.STATE, if that is another."""
    seen: Any
    """What the mover sees of it, in an array of one."""
    plays: Any
    """int64[WIDTH]: the legal plays of a turn."""
    result: Any
    """float64[MOST_SEATS]: the returns of an end."""
    rollout: RolloutBuffers


@template
def new_buffers() -> IterationBuffers:
    return IterationBuffers(
        np.zeros(1, game.STATE), np.zeros(1, walk.STATE), np.zeros(1, game.STATE),
        np.zeros(WIDTH, np.int64), np.zeros(MOST_SEATS), new_rollout_buffers(),
    )  # fmt: skip


@template
def grow(
    view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any, iterations: int, tree: Any
) -> int:
    """Add iterations to a tree; how many edges that added. It ends early if the table gets too
    full: a search by time grows an empty tree by as much as it can hold. A tree that is not empty
    must have capacity for all of these iterations, as `TreePlayer` sees to."""
    dealing = rng.copy()
    fork(rng, 1, dealing)
    fork(rng, 2, rng)
    belief = np.zeros(worlds.SIZE)
    worlds.prepare(view, seat, past, plays, numbers, belief)
    path = IterationPath(np.zeros(LONGEST, np.int64), np.zeros(LONGEST, np.int64))
    asked = PolicyArguments(view, seat, past, plays, numbers)
    return iterate(asked, belief, dealing, rng, iterations, tree, path, new_buffers())


@inlined
def iterate(
    asked: PolicyArguments, belief: Any, dealing: Any, rng: Any, iterations: int, tree: Any,
    path: Any, buffers: IterationBuffers,
) -> int:  # fmt: skip
    """The iterations; how many edges they added."""
    # What kernels hand to each other is counted by Numba, which costs more than a step does; so
    # these are owned by the caller, and an iteration is compiled into this loop.
    view, seat, past, plays, numbers = borrowed(asked)
    belief, dealing, rng = borrowed(belief), borrowed(dealing), borrowed(rng)
    tree, path, buffers = borrowed(tree), borrowed(path), borrowed(buffers)
    root, options, own = history_key(plays), read_options(numbers), borrowed(numbers[ROLLOUT_FROM:])
    light = on_stack(buffers.light)
    scratch, no_past, no_plays = buffers.rollout
    for_rollout = RolloutBuffers(on_stack(scratch), no_past, no_plays)
    added = 0
    for _ in range(iterations):
        if 4 * added > 3 * len(tree.keys):
            break
        worlds.sample(view, seat, past, plays, numbers, belief, dealing, buffers.state)
        s = walk.strip(buffers.state, light)
        length, new = descend(root, s, tree, path, buffers, options, own, rng)
        rollout.play_out(s, for_rollout, options.follow, own, rng, buffers.result)
        back_up(tree, path, length, buffers.result)
        added += new
    return added


@inlined
def descend(
    root: int, s: Any, tree: Any, path: Any, buffers: Any, options: IsmctsOptions, numbers: Any,
    rng: Any,
) -> tuple[int, int]:  # fmt: skip
    """Selection and expansion: how many edges the path has, and how many of them are new."""
    plays = buffers.plays
    node, length, new = root, 0, 0
    while new == 0 and length < LONGEST and not walk.over(s):
        mover = walk.mover(s)
        if mover < 0:
            outcome = walk.pick(s, rng)
            node = mix(node, ~outcome)  # never what a play leads to
            walk.apply(s, outcome)
            continue
        node = walk.node(node, s, mover, buffers.seen, options)
        start, end = walk.write(s, plays)
        if end < 0:
            break  # far too many plays: from here on the game is played out
        edge, play, new = select(node, mover, start, end, tree, buffers, options, numbers, rng)
        path.edges[length] = edge
        path.choosers[length] = mover
        length += 1
        node = mix(node, play)
        walk.apply(s, play)
    return length, new


@inlined
def select(
    node: int, mover: int, start: int, end: int, tree: Any, buffers: Any, options: IsmctsOptions,
    numbers: Any, rng: Any,
) -> tuple[int, int, int]:  # fmt: skip
    """Of the plays start to end: an untried one if there is any, whose edge is added, else the
    one with the highest bound. Its edge, the play, and 1 if the edge is new."""
    keys, edges, plays = tree.keys, tree.edges, buffers.plays
    width = options.explore * max(tree.returns[mover, 1] - tree.returns[mover, 0], 0.0) / 2
    bias = options.bias
    untried, fresh = 0, -1
    best, best_play, highest = -1, -1, 0.0
    for i in range(start, end):
        edge = find_slot(keys, mix(node, plays[i]))
        if keys[edge] == 0:
            untried += 1
            if below(rng, untried) == 0:  # each of them with the same probability
                fresh = plays[i]
            continue
        edges[edge].available += 1
        visits, available = edges[edge].visits, edges[edge].available
        log = LOGS[available] if available < len(LOGS) else np.log(available)
        bound = edges[edge].total / visits + width * np.sqrt(log / visits)
        if bias > 0:
            bound += bias * rollout.prior(buffers.seen, mover, plays[i], numbers) / (visits + 1)
        if best < 0 or bound > highest:
            best, best_play, highest = edge, plays[i], bound
    if untried == 0:
        return best, best_play, 0
    key = mix(node, fresh)
    edge = find_slot(keys, key)
    keys[edge] = key
    edges[edge].available = 1
    return edge, fresh, 1


@inlined
def back_up(tree: Any, path: Any, length: int, result: Any) -> None:
    """Backpropagation."""
    for seat in range(len(tree.returns)):
        tree.returns[seat, 0] = min(tree.returns[seat, 0], result[seat])
        tree.returns[seat, 1] = max(tree.returns[seat, 1], result[seat])
    for i in range(length):
        edge = path.edges[i]
        gain = result[path.choosers[i]]
        tree.edges[edge].visits += 1
        tree.edges[edge].total += gain
        tree.edges[edge].squares += gain * gain


@kernel
def robust_child(plays: Any, root: int, tree: Any) -> int:
    """The number of the play with most visits; of equal ones that with the higher mean, then the
    first."""
    best = -1
    most, highest = -1, 0.0
    for i in range(len(plays)):
        edge = find_slot(tree.keys, mix(root, plays[i]))
        visits = tree.edges[edge].visits
        mean = tree.edges[edge].total / visits if visits > 0 else 0.0
        if best < 0 or visits > most or (visits == most and mean > highest):
            best, most, highest = i, visits, mean
    return best


@template
def choose(view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any) -> int:
    """The policy."""
    legal = game.legal(view)
    if len(legal) == 1:
        return legal[0]
    if len(legal) > WIDTH:
        return rollout.choose(view, seat, past[:0], plays[:0], numbers[ROLLOUT_FROM:], rng)
    options = read_options(numbers)
    iterations = np.int64(options.iterations)
    capacity = capacity_for(iterations)
    tree = SearchTree(
        np.zeros(capacity, np.int64), np.zeros(capacity, EDGE), np.zeros((MOST_SEATS, 2))
    )
    grow(view, seat, past, plays, numbers, rng, iterations, tree)
    root = root_key(view, seat, plays, options.many_observers)
    return legal[robust_child(legal, root, tree)]
