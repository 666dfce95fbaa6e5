"""Alpha-beta with a transposition table, compiled, for games with open cards.

The textbook version is `search/textbook/alpha_beta.py`; this one finds the same values. Values
are those of one seat; seats of its side maximise, all others minimise (with more than two
sides: as if they had united against it, N. Sturtevant and R. Korf, 2000, "paranoid").

A game for it is a namespace of kernels. The position is stack[d]: an index costs nothing,
where a slice would be counted as one more user of the array.

    mover(stack, d), over(stack, d), apply(stack, d, play), team_of(stack, d, seat)
    write(stack, d, plays, at)      the plays worth looking at, somewhere from place `at` on:
                                    from where to where; -1 if there is no room
    promise(stack, d, play)         the higher, the earlier a play is tried
    habit(play)                     what plays have in common that were good elsewhere
    key(stack, d)                   two words and a holder
    so_far(stack, d, seat, weights) what is won already, whatever comes
    worth(stack, d, seat, weights)  the value of an end, what is won already included
    guess(stack, d, seat, weights)  the same where the search must stop before
    peek(stack, d, play, won, seat, weights)
                                    of the position after a play: whether it is an end, its key,
                                    and worth or so_far, which was `won` before it;
                                    stack[d + 1] is free for it

The table (see transposition_table.py, also for what a holder is) keeps bounds on what is still to
be won, so positions that were reached with different winnings share a row. Values must be
multiples of 1/game.FRACTION, and below 2²⁷ of them.
"""

from typing import Any

import numpy as np

from kibitz.jit.intrinsics import borrowed, prefetch
from kibitz.jit.kernels import Slot, template
from kibitz.search.fast.transposition_table import FAR, STAMPS, bounds, keep, place

game: Any = Slot("game")

PAUSED = 2e18
ALPHA, BETA, FLOOR, CEILING, TOP, BEST, WON, LIMITS = range(8)
FIRST, SECOND, HOLDER, MINE, START, END, LEFT, TRIED, AGAIN, MARKS = range(10)
ORDER, ITS_FIRST, ITS_SECOND, ITS_HOLDER, ITS_VALUE, FACTS = range(6)
"""What is known of a play: when to try it, and of the position after it its key and what is
won; as holder an end has ENDED."""
ENDED = 2
DONE = -(1 << 62)
SHALLOW = 1
"""With so few plies left a search is quicker than the table, and the table stays small."""
HABITS, NODES, UNTIL, DEPTH, NARROW, MASK, SLACK, NOTES = 64, 128, 129, 130, 131, 132, 133, 134
"""Notes of a search: for each kind of play how often it was enough, for foe and friend; the
nodes so far; at how many it pauses; the depth at which it did; how often there was no room; and
which bits of a key's second word matter by no more than how much: without them the table may
have a position of a simpler game."""
MANY = 1 << 40
NEVER = (1 << 63) - 1
"""So many nodes are never used up."""


@template
def known(
    table: Any, stamp: int, first: int, second: int, holder: int, own: int, notes: Any
) -> tuple[float, float]:
    """The bounds on what is still to be won, for the side `own`."""
    low, high = bounds(table, stamp, first, second, holder, own, game.FRACTION)
    if second & notes[MASK]:
        least, most = bounds(table, stamp, first, second & ~notes[MASK], holder, own, game.FRACTION)
        low, high = max(low, least - notes[SLACK]), min(high, most + notes[SLACK])
    return low, high


@template
def search(
    stack: Any, root: int, alpha: float, beta: float, seat: int, weights: Any, deepest: int,
    table: Any, stamp: int, plays: Any, facts: Any, limits: Any, marks: Any, notes: Any,
) -> float:  # fmt: skip
    """The value of the position stack[root] to a seat: exact if it lies between alpha and
    beta, else a bound beyond the one it passes."""
    stack, weights, table = borrowed(stack), borrowed(weights), borrowed(table)
    plays, facts, notes = borrowed(plays), borrowed(facts), borrowed(notes)
    limits, marks = borrowed(limits), borrowed(marks)
    limits[root, ALPHA], limits[root, BETA] = alpha, beta
    limits[root, WON] = game.so_far(stack, root, seat, weights)
    marks[root, FIRST], marks[root, SECOND], marks[root, HOLDER] = game.key(stack, root)
    value = enter(
        stack, root, 0, seat, weights, deepest, table, stamp, plays, facts, limits, marks, notes
    )
    if value != FAR:
        return value
    notes[DEPTH] = root
    return go_on(
        stack, root, seat, weights, deepest, table, stamp, plays, facts, limits, marks, notes
    )


@template
def go_on(
    stack: Any, root: int, seat: int, weights: Any, deepest: int, table: Any, stamp: int,
    plays: Any, facts: Any, limits: Any, marks: Any, notes: Any,
) -> float:  # fmt: skip
    """Search on from where it is, to the end, or until the nodes are used up: PAUSED.

    Written as a loop: a recursion that is read from Numba's cache may crash. Row d of limits
    and marks is what a call for stack[d] would keep; its plays follow those of row d - 1.
    """
    stack, weights, table = borrowed(stack), borrowed(weights), borrowed(table)
    plays, facts, notes = borrowed(plays), borrowed(facts), borrowed(notes)
    limits, marks = borrowed(limits), borrowed(marks)
    d = notes[DEPTH]
    while True:
        if notes[NODES] >= notes[UNTIL]:
            notes[DEPTH] = d
            return PAUSED
        if marks[d, LEFT] > 0 and limits[d, FLOOR] < limits[d, CEILING]:
            if marks[d, AGAIN] == 0:
                marks[d, TRIED] = most_promising(facts, marks[d, START], marks[d, END])
            go_down(stack, d, marks[d, TRIED], plays, facts, limits, marks)
            d += 1
            value = enter(
                stack, d, marks[d - 1, END], seat, weights, deepest, table, stamp, plays, facts,
                limits, marks, notes,
            )  # fmt: skip
            if value == FAR:
                continue
        else:
            value = limits[d, BEST] if marks[d, MINE] else -limits[d, BEST]
            remember(value, d, deepest, table, stamp, limits, marks)
        if d == root:
            return value
        d -= 1
        come_back(value, d, deepest, plays, facts, limits, marks, notes)


@template
def enter(
    stack: Any, d: int, at: int, seat: int, weights: Any, deepest: int, table: Any, stamp: int,
    plays: Any, facts: Any, limits: Any, marks: Any, notes: Any,
) -> float:  # fmt: skip
    """The value of a position if it is plain, or known well enough; else FAR, and all is set
    up for trying its plays. Its key and what is won stand in marks and limits already."""
    notes[NODES] += 1
    if game.over(stack, d):
        return game.worth(stack, d, seat, weights)
    if d >= deepest:
        return game.guess(stack, d, seat, weights)
    own = game.team_of(stack, d, seat)
    low, high = -FAR, FAR
    if deepest - d > SHALLOW:
        low, high = known(
            table, stamp, marks[d, FIRST], marks[d, SECOND], marks[d, HOLDER], own, notes
        )
    won, alpha, beta = limits[d, WON], limits[d, ALPHA], limits[d, BETA]
    low, high = low + won, high + won
    if low >= beta or low == high:
        return low
    if high <= alpha:
        return high
    alpha, beta = max(alpha, low), min(beta, high)
    start, end = game.write(stack, d, plays, at)
    if end < 0:  # far too many plays to look at
        notes[NARROW] += 1
        return game.guess(stack, d, seat, weights)
    mine = game.team_of(stack, d, game.mover(stack, d)) == own
    limits[d, ALPHA], limits[d, BETA] = alpha, beta
    marks[d, MINE] = 1 if mine else 0
    floor, ceiling = (alpha, beta) if mine else (-beta, -alpha)
    for i in range(start, end):
        ended, first, second, holder, value = game.peek(stack, d, plays[i], won, seat, weights)
        facts[i, ITS_FIRST], facts[i, ITS_SECOND] = first, second
        facts[i, ITS_HOLDER] = ENDED if ended else holder
        facts[i, ITS_VALUE] = whole(value)
        if not ended and deepest - d - 1 > SHALLOW:
            prefetch(table, place(table, first, second))
            if second & notes[MASK]:
                prefetch(table, place(table, first, second & ~notes[MASK]))
    best, left = look_ahead(
        stack, d, floor, ceiling, own, deepest - d - 1 > SHALLOW, table, stamp, start, end, mine,
        plays, facts, notes,
    )  # fmt: skip
    if best >= ceiling or left == 0:
        value = best if mine else -best
        remember(value, d, deepest, table, stamp, limits, marks)
        return value
    limits[d, BEST], limits[d, CEILING] = best, ceiling
    limits[d, FLOOR] = max(floor, best)
    limits[d, TOP] = ceiling if best <= floor else min(best + 1.0, ceiling)
    marks[d, START], marks[d, END], marks[d, LEFT], marks[d, AGAIN] = start, end, left, 0
    return FAR


@template
def look_ahead(
    stack: Any, d: int, floor: float, ceiling: float, own: int, deep: bool, table: Any, stamp: int,
    start: int, end: int, mine: bool, plays: Any, facts: Any, notes: Any,
) -> tuple[float, int]:  # fmt: skip
    """Look every play up in the table before any is searched: one may be enough, and those
    that are known well enough need no search. The best of these for who moves, and how many
    others there are, which get their place in the order."""
    best, left = -FAR, 0
    side = HABITS if mine else 0
    for i in range(start, end):
        low, high = 0.0, 0.0
        if facts[i, ITS_HOLDER] == ENDED:
            notes[NODES] += 1
        elif not deep:
            low, high = -FAR, FAR
        else:
            low, high = known(
                table,
                stamp,
                facts[i, ITS_FIRST],
                facts[i, ITS_SECOND],
                facts[i, ITS_HOLDER],
                own,
                notes,
            )
        value = facts[i, ITS_VALUE] / game.FRACTION
        least, most = (value + low, value + high) if mine else (-value - high, -value - low)
        if least >= ceiling:
            return least, 0
        if most <= max(floor, best) or least == most:
            best = max(best, most)
            facts[i, ORDER] = DONE
            continue
        habit = notes[side + game.habit(plays[i])]
        facts[i, ORDER] = game.promise(stack, d, plays[i]) * MANY + habit
        left += 1
    return best, left


@template
def most_promising(facts: Any, start: int, end: int) -> int:
    """Of the plays that were not tried."""
    best = start
    for i in range(start + 1, end):
        if facts[i, ORDER] > facts[best, ORDER]:
            best = i
    return best


@template
def go_down(stack: Any, d: int, i: int, plays: Any, facts: Any, limits: Any, marks: Any) -> None:
    """Make a play, with the limits that its value is asked for."""
    stack[d + 1] = stack[d]
    game.apply(stack, d + 1, plays[i])
    floor, top = limits[d, FLOOR], limits[d, TOP]
    limits[d + 1, ALPHA] = floor if marks[d, MINE] else -top
    limits[d + 1, BETA] = top if marks[d, MINE] else -floor
    limits[d + 1, WON] = facts[i, ITS_VALUE] / game.FRACTION
    marks[d + 1, FIRST], marks[d + 1, SECOND] = facts[i, ITS_FIRST], facts[i, ITS_SECOND]
    marks[d + 1, HOLDER] = facts[i, ITS_HOLDER]


@template
def come_back(
    value: float, d: int, deepest: int, plays: Any, facts: Any, limits: Any, marks: Any, notes: Any
) -> None:
    """Take the value of the play that was tried into account.

    The first play sets the mark; of the others it is enough to know that they miss it. One
    that does not miss it is searched again with all limits.
    """
    found = value if marks[d, MINE] else -value
    if found >= limits[d, TOP] and limits[d, TOP] < limits[d, CEILING]:
        limits[d, TOP] = limits[d, CEILING]
        marks[d, AGAIN] = 1
        return
    limits[d, BEST] = max(limits[d, BEST], found)
    limits[d, FLOOR] = max(limits[d, FLOOR], found)
    limits[d, TOP] = min(limits[d, FLOOR] + 1.0, limits[d, CEILING])
    if limits[d, FLOOR] >= limits[d, CEILING]:
        side = HABITS if marks[d, MINE] else 0
        good = side + game.habit(plays[marks[d, TRIED]])
        notes[good] += np.int64(1) << min(deepest - d, 30)
    facts[marks[d, TRIED], ORDER] = DONE
    marks[d, LEFT] -= 1
    marks[d, AGAIN] = 0


@template
def remember(
    value: float, d: int, deepest: int, table: Any, stamp: int, limits: Any, marks: Any
) -> None:
    """Put what a search has shown into the table."""
    if deepest - d > SHALLOW:
        keep(
            table, stamp, deepest - d, marks[d, FIRST], marks[d, SECOND], marks[d, HOLDER],
            whole(value - limits[d, WON]), value > limits[d, ALPHA], value < limits[d, BETA],
        )  # fmt: skip


@template
def whole(value: float) -> int:
    """A value as a whole number of the game's fractions."""
    return round(value * game.FRACTION)


@template
def value_plays(
    stack: Any, found: Any, wanted: Any, values: Any, seat: int, weights: Any, deepest: int,
    table: Any, world: int, plays: Any, facts: Any, limits: Any, marks: Any, notes: Any,
) -> None:  # fmt: skip
    """The value of each play found[i] in the position stack[0], for the numbers i that are
    wanted. Worlds that share a table are numbered from 0."""
    stamp = 1 + world % STAMPS
    if stamp == 1 and world > 0:
        table[:] = 0
    notes[UNTIL] = NEVER
    for i in wanted:
        stack[1] = stack[0]
        game.apply(stack, 1, found[i])
        values[i] = search(
            stack, np.int64(1), -FAR, FAR, seat, weights, deepest, table, stamp, plays, facts,
            limits, marks, notes,
        )  # fmt: skip
