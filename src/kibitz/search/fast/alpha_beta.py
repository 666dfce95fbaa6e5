"""Alpha-beta with a transposition table, compiled, for games with open cards.

The textbook version is `search/textbook/alpha_beta.py`; this one finds the same values.

**What is computed.** V(s), the value of a position to one seat, the *root seat* of the search:

    V(s) = terminal_value(s)                            if the game is over
         = evaluate(s)                                  if s is max_depth plies deep
         = max V(s after play) over all plays           if a seat of its side is to move
         = min V(s after play) over all plays           if any other is

With more than two sides all others play as if they had united against it: "paranoid" (Sturtevant
and Korf 2000). `search` wants a window alpha < beta and is fail-soft (Knuth and Moore 1975,
Marsland 1986): the result v is V(s) if alpha < v < beta, an upper bound of it if v <= alpha, a
lower bound if v >= beta.

**How.** Principal variation search, also called NegaScout (Reinefeld 1983): the first play of a
position is searched with the whole window; of the others it is asked only, by a *scout window* one
wide, whether they are better. One that passes it gets searched again with the whole window. Where
all values are whole, as in Tablić, no value lies inside a window that is 1 wide: it is a null
window. Where they are fractions, a value inside it is exact and needs no second search, so the
result is the same: 1 is a compromise, wider than a null window (1/DENOMINATOR), with fewer cutoffs
and fewer searches again. Before any play of a position is
searched, all are looked up in the transposition table: one that is known to be good enough cuts
the others off. Plays are ordered by the game's `move_order`, and among equal ones by the history
heuristic (Schaeffer 1989): 2^(plies below) for every cutoff that a play of the same kind caused.
Tablić with the deck known has a search of its own: `solvers/tablic/deck_search.py`.

The table has bounds on what is *still* to be won: V(s) - banked(s). So positions that were reached
with different winnings share an entry. Values must be multiples of 1/twin.DENOMINATOR, and below
2²⁷ of them.

**The open-card twin** of a game is a namespace of kernels, the slot `twin`; `open_cards.py` makes
one of any game. A position is stack[d]: an index costs nothing, where a slice would be counted as
one more user of the array.

    STATE, MAX_PLIES, TABLE_ENTRIES, PLAYS_CAPACITY, DENOMINATOR
                                        the dtype of a position, and how large arrays should be
    mover(stack, d), over(stack, d), apply(stack, d, play), team_of(stack, d, seat)
    write(stack, d, plays, start)       write the plays to be searched into the array `plays`, not
                                        before index `start`. (first, end) of them; end is -1 if
                                        the array is too short. What follows `start` is scratch
    move_order(stack, d, play)          the higher, the earlier a play is tried
    history_index(play)                 0 to 63: plays with the same one share their history
    key(stack, d)                       (first, second, holder): see transposition_table.py
    banked(stack, d, seat, weights)     what is won already, whatever comes
    terminal_value(stack, d, seat, weights)
                                        the value of an end, what is banked included
    evaluate(stack, d, seat, weights)   the same where the search must stop before
    child_key_and_value(stack, d, play, banked, seat, weights)
                                        of the position after a play: (whether it is an end, its
                                        key, its terminal value or what is banked then). `banked`
                                        is that of stack[d]; stack[d + 1] may be written over

**Invariants.** With f = frames[d] while position d is being searched:

    f.lower = max(f.best, its first value)      f.lower < f.upper, or the position is done
    f.lower < f.scout <= f.upper                the window of the next play is (lower, scout)
    moves[i].order == SEARCHED                  for the plays i that are done; f.untried others
    frames[d + 1].start >= f.end                the plays of deeper positions follow

**Example.** Take-away: a heap of 4, a play takes 1 or 2, who takes the last one wins (+1 or -1).
From 4 the mover wins by taking 1. `value_plays` finds 1: +1 in 7 nodes, then 2: -1 in 3 more, since
the table has a bound for the heap of 1 by then. The game's kernels, and the nodes one by one, are
in tests/search/fast/test_worked_examples.py.

References: D. Knuth, R. Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6
(1975). A. Reinefeld, "An improvement of the Scout tree-search algorithm", ICCA Journal 6 (1983).
T. Marsland, "A review of game-tree pruning", ICCA Journal 9 (1986). J. Schaeffer, "The history
heuristic and alpha-beta search enhancements in practice", IEEE PAMI 11 (1989). N. Sturtevant,
R. Korf, "On pruning techniques for multi-player games", AAAI (2000).
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.jit.intrinsics import borrowed, prefetch
from kibitz.jit.kernels import Slot, kernel, template
from kibitz.search.fast.transposition_table import (
    GENERATIONS,
    INFINITE,
    first_probe,
    look_up,
    store,
)

twin: Any = Slot("twin")
"""The open-card twin of a game: see above."""

FRAME = np.dtype(
    (
        np.record,
        [
            ("alpha", np.float64),  # the window, for the root seat, narrowed by the table
            ("beta", np.float64),
            ("lower", np.float64),  # the same for who moves; lower rises with every better play
            ("upper", np.float64),
            ("scout", np.float64),  # the next play is searched with the window (lower, scout)
            ("best", np.float64),  # of the plays that are done, for who moves
            ("banked", np.float64),  # what the root seat has won already
            ("first", np.int64),  # the key of the position
            ("second", np.int64),
            ("holder", np.int64),
            ("maximizing", np.int64),  # 1: a seat of the root seat's side moves
            ("start", np.int64),  # its plays are plays[start:end]
            ("end", np.int64),
            ("untried", np.int64),  # how many of them are still to be searched
            ("tried", np.int64),  # the index of the one that is searched now
            ("again", np.int64),  # 1: the scout window was passed, the play is searched again
        ],
    )
)
"""What a recursive search would have as local variables: one for each ply."""
MOVE = np.dtype(
    (
        np.record,
        [
            ("order", np.int64),  # the highest is tried first; SEARCHED if its value is known
            ("first", np.int64),  # the key of the position after the play
            ("second", np.int64),
            ("holder", np.int64),  # ENDED if that is an end
            ("value", np.int64),  # what is banked there, or its value, in 1/DENOMINATOR
        ],
    )
)
"""What is known of a play, at the same index as the play."""
CONTROL = np.dtype(
    (
        np.record,
        [
            ("seat", np.int64),  # the root seat
            ("max_depth", np.int64),  # positions at this index of the stack are evaluated
            ("generation", np.int64),  # of the table: one for each world
            ("nodes", np.int64),  # so far; ends that were seen before they were entered count
            ("node_limit", np.int64),  # at so many nodes the search pauses
            ("depth", np.int64),  # where it did
            ("overflows", np.int64),  # positions with more plays than the arrays have capacity
        ],
    )
)
"""One for each search."""
KINDS = 64
"""Plays are of so many kinds for the history heuristic: see history_index."""


class Workspace(NamedTuple):
    """The arrays of a search. The caller owns them, and uses them again for the next search."""

    stack: Any
    """(plies,) of twin.STATE: the path from the root to the position that is searched."""
    frames: Any
    """(plies,) of FRAME."""
    plays: Any
    """(capacity,) of int64: the plays of all positions on the path."""
    moves: Any
    """(capacity,) of MOVE."""
    table: Any
    """(entries,) of transposition_table.ENTRY. Searches of other threads may share it."""
    history: Any
    """(2, KINDS) of int64: for the others and for the root seat's side, how often plays of a
    kind caused a cutoff, deep ones counted more."""
    weights: Any
    """(any,) of float64: the evaluation's."""
    control: Any
    """(1,) of CONTROL."""


# Every kernel that gets a Workspace begins with `work = borrowed(work)`. Otherwise Numba counts the
# users of all eight arrays at each call: PIMC of Tablić then takes 1.3 times as long.


PAUSED = 2e18
"""The search has used up its nodes; `resume` goes on."""
NEEDS_SEARCH = INFINITE
"""No value: the plays of a position must be searched."""
ENDED = 2
SEARCHED = -(1 << 62)
SHALLOW = 1
"""With so few plies left a search is quicker than the table, and the table stays small."""
MOVE_ORDER = 1 << 40
"""One more in the game's move order counts more than any history."""
NEVER = (1 << 63) - 1
"""So many nodes are never used up."""


@kernel
def new_workspace(
    stack: Any, table: Any, weights: Any, capacity: int, seat: int, max_depth: int
) -> Workspace:
    """Arrays for a search with this stack, table and weights, for so many plays.

    From Python: `new_workspace.function(…)`, for records that compiled code has made come back
    without the attributes of np.record.
    """
    control = np.zeros(1, CONTROL)
    control[0].seat = seat
    control[0].max_depth = max_depth
    control[0].generation = 1
    control[0].node_limit = NEVER
    return Workspace(
        stack,
        np.zeros(len(stack), FRAME),
        np.empty(capacity, np.int64),
        np.empty(capacity, MOVE),
        table,
        np.zeros((2, KINDS), np.int64),
        weights,
        control,
    )


# -- the search ------------------------------------------------------------------------------


@template
def search(work: Workspace, root: int, alpha: float, beta: float) -> float:
    """The value of the position stack[root] to the root seat: exact if it lies between alpha
    and beta, else a bound beyond the one it passes. PAUSED if its nodes are used up."""
    work = borrowed(work)
    control, frame = work.control[0], work.frames[root]
    frame.alpha, frame.beta = alpha, beta
    frame.banked = twin.banked(work.stack, root, control.seat, work.weights)
    frame.first, frame.second, frame.holder = twin.key(work.stack, root)
    value = enter(work, root, 0)
    if value != NEEDS_SEARCH:
        return value
    control.depth = root
    return resume(work, root)


@template
def resume(work: Workspace, root: int) -> float:
    """Search on from where it is, to the end, or until the nodes are used up: PAUSED.

    Written as a loop: a recursion that is read from Numba's cache may crash.
    """
    work = borrowed(work)
    control, frames = work.control[0], work.frames
    d = control.depth
    while True:
        if control.nodes >= control.node_limit:
            control.depth = d
            return PAUSED
        frame = frames[d]
        if frame.untried > 0 and frame.lower < frame.upper:
            if frame.again == 0:
                frame.tried = first_in_order(work.moves, frame.start, frame.end)
            descend(work, d)
            d += 1
            value = enter(work, d, frame.end)
            if value == NEEDS_SEARCH:
                continue
        else:
            value = frame.best if frame.maximizing else -frame.best
            store_result(work, d, value)
        if d == root:
            return value
        d -= 1
        back_up(work, d, value)


@template
def enter(work: Workspace, d: int, capacity_used: int) -> float:
    """The value of a position if it is an end, or if the table knows enough; else
    NEEDS_SEARCH, and its frame is ready. Its key and what is banked stand there already."""
    work = borrowed(work)
    control, frame = work.control[0], work.frames[d]
    control.nodes += 1
    if twin.over(work.stack, d):
        return twin.terminal_value(work.stack, d, control.seat, work.weights)
    if d >= control.max_depth:
        return twin.evaluate(work.stack, d, control.seat, work.weights)
    own = twin.team_of(work.stack, d, control.seat)
    low, high = -INFINITE, INFINITE
    if control.max_depth - d > SHALLOW:
        low, high = known_bounds(work, (frame.first, frame.second, frame.holder), own)
    low, high = low + frame.banked, high + frame.banked
    if low >= frame.beta or low == high:
        return low
    if high <= frame.alpha:
        return high
    start, end = twin.write(work.stack, d, work.plays, capacity_used)
    if end < 0:  # far too many plays to look at
        control.overflows += 1
        return twin.evaluate(work.stack, d, control.seat, work.weights)
    frame.start, frame.end = start, end
    frame.alpha, frame.beta = max(frame.alpha, low), min(frame.beta, high)
    mine = twin.team_of(work.stack, d, twin.mover(work.stack, d)) == own
    frame.maximizing = 1 if mine else 0
    frame.lower = frame.alpha if mine else -frame.beta
    frame.upper = frame.beta if mine else -frame.alpha
    look_at_children(work, d)
    return cut_by_table(work, d, own)


@template
def look_at_children(work: Workspace, d: int) -> None:
    """Of every play the key and the value after it. The table is asked for these entries now:
    memory is slow, and so it has time while the others are looked at."""
    work = borrowed(work)
    control, frame = work.control[0], work.frames[d]
    in_table = control.max_depth - d - 1 > SHALLOW
    for i in range(frame.start, frame.end):
        ended, key, value = twin.child_key_and_value(
            work.stack, d, work.plays[i], frame.banked, control.seat, work.weights
        )
        first, second, holder = key
        move = work.moves[i]
        move.first, move.second = first, second
        move.holder = ENDED if ended else holder
        move.value = in_units(value)
        if not ended and in_table:
            prefetch(work.table, first_probe(work.table, first, second))


@template
def cut_by_table(work: Workspace, d: int, own: int) -> float:
    """Look every play up in the table before any is searched: one may be enough for a cutoff,
    and those whose bounds say all need no search. The value of the position if none is left;
    else NEEDS_SEARCH, and the others have their order (enhanced transposition cutoff)."""
    work = borrowed(work)
    control, frame = work.control[0], work.frames[d]
    in_table = control.max_depth - d - 1 > SHALLOW
    best, untried = -INFINITE, 0
    for i in range(frame.start, frame.end):
        move = work.moves[i]
        low, high = 0.0, 0.0
        if move.holder == ENDED:
            control.nodes += 1
        elif not in_table:
            low, high = -INFINITE, INFINITE
        else:
            low, high = known_bounds(work, (move.first, move.second, move.holder), own)
        value = move.value / twin.DENOMINATOR
        if frame.maximizing:
            least, most = value + low, value + high
        else:
            least, most = -value - high, -value - low
        if least >= frame.upper:
            best, untried = least, 0
            break
        if most <= max(frame.lower, best) or least == most:
            best = max(best, most)
            move.order = SEARCHED
            continue
        history = work.history[frame.maximizing, twin.history_index(work.plays[i])]
        move.order = twin.move_order(work.stack, d, work.plays[i]) * MOVE_ORDER + history
        untried += 1
    if best >= frame.upper or untried == 0:
        value = best if frame.maximizing else -best
        store_result(work, d, value)
        return value
    frame.scout = frame.upper if best <= frame.lower else min(best + 1.0, frame.upper)
    frame.lower = max(frame.lower, best)
    frame.best, frame.untried, frame.again = best, untried, 0
    return NEEDS_SEARCH


@kernel
def first_in_order(moves: Any, start: int, end: int) -> int:
    """Of the plays that are not searched yet."""
    first = start
    for i in range(start + 1, end):
        if moves[i].order > moves[first].order:
            first = i
    return first


@template
def descend(work: Workspace, d: int) -> None:
    """Make the play that is tried, and ask for its value within the scout window."""
    work = borrowed(work)
    frame, child = work.frames[d], work.frames[d + 1]
    move = work.moves[frame.tried]
    work.stack[d + 1] = work.stack[d]
    twin.apply(work.stack, d + 1, work.plays[frame.tried])
    child.alpha = frame.lower if frame.maximizing else -frame.scout
    child.beta = frame.scout if frame.maximizing else -frame.lower
    child.banked = move.value / twin.DENOMINATOR
    child.first, child.second, child.holder = move.first, move.second, move.holder


@template
def back_up(work: Workspace, d: int, value: float) -> None:
    """Take the value of the play that was tried into account; or, if it only passed the scout
    window, have the play searched again with the whole window."""
    work = borrowed(work)
    control, frame = work.control[0], work.frames[d]
    for_mover = value if frame.maximizing else -value
    if for_mover >= frame.scout and frame.scout < frame.upper:
        frame.scout = frame.upper
        frame.again = 1
        return
    frame.best = max(frame.best, for_mover)
    frame.lower = max(frame.lower, for_mover)
    frame.scout = min(frame.lower + 1.0, frame.upper)
    if frame.lower >= frame.upper:
        kind = twin.history_index(work.plays[frame.tried])
        work.history[frame.maximizing, kind] += np.int64(1) << min(control.max_depth - d, 30)
    work.moves[frame.tried].order = SEARCHED
    frame.untried -= 1
    frame.again = 0


# -- the table -------------------------------------------------------------------------------


@template
def known_bounds(work: Workspace, key: tuple[int, int, int], own: int) -> tuple[float, float]:
    """The table's bounds on what is still to be won, for the side `own`."""
    work = borrowed(work)
    return look_up(work.table, work.control[0].generation, key, own, twin.DENOMINATOR)


@template
def store_result(work: Workspace, d: int, value: float) -> None:
    """Put what a search has shown into the table."""
    work = borrowed(work)
    control, frame = work.control[0], work.frames[d]
    plies = control.max_depth - d
    if plies > SHALLOW:
        key = (frame.first, frame.second, frame.holder)
        to_win = in_units(value - frame.banked)
        is_lower, is_upper = value > frame.alpha, value < frame.beta
        store(work.table, control.generation, plies, key, to_win, is_lower, is_upper)


@template
def in_units(value: float) -> int:
    """A value as a whole number of 1/DENOMINATOR."""
    return round(value * twin.DENOMINATOR)


# -- a position's plays ----------------------------------------------------------------------


@template
def value_plays(work: Workspace, plays: Any, wanted: Any, values: Any, world: int) -> None:
    """Write values[i], the value of plays[i] in the position stack[0], for the indexes i that
    are wanted. Worlds that share a table are numbered from 0."""
    work = borrowed(work)
    control = work.control[0]
    control.generation = 1 + world % GENERATIONS
    if control.generation == 1 and world > 0:
        clear(work.table)
    control.node_limit = NEVER
    for i in wanted:
        work.stack[1] = work.stack[0]
        twin.apply(work.stack, 1, plays[i])
        values[i] = search(work, np.int64(1), -INFINITE, INFINITE)


@kernel
def clear(table: Any) -> None:
    """Generation 0 is an empty entry."""
    for i in range(len(table)):
        table[i].holder_1 = 0
