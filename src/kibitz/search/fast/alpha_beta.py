"""Alpha-beta with a transposition table, compiled, for games with open cards.

The textbook version is `search/textbook/alpha_beta.py`; this one finds the same values. Values
are those of one seat; seats of its side maximise, all others minimise (with more than two
sides: as if they had united against it, N. Sturtevant and R. Korf, 2000, "paranoid").

A game for it is a namespace of kernels:

    mover(s), over(s), apply(s, play), team_of(s, seat)
    write(s, plays)                 the plays worth looking at; -1 if there is no room
    promise(s, play)                the higher, the earlier a play is tried
    key(s)                          two words, equal for positions with the same future only
    so_far(s, seat, weights)        what is won already, whatever comes
    worth(s, seat, weights)         the value of an end, what is won already included
    guess(s, seat, weights)         the same where the search must stop before

The table keeps bounds on what is still to be won, so positions that were reached with
different winnings share an entry. Values must be exact in floating point: whole numbers.
"""

from typing import Any

import numpy as np

from kibitz.compiled import Slot, template
from kibitz.number_set import hashed

game: Any = Slot("game")

FAR = 1e18
PROBES = 4
ALPHA, BETA, FLOOR, CEILING, TOP, BEST, WON, LIMITS = range(8)
FIRST, SECOND, MINE, NEXT, END, AGAIN, MARKS = range(7)
HABITS, NODES = 64, 128
"""For each kind of play how often it was enough, for friend and foe; and the nodes."""
MANY = 1 << 40


@template
def find(keys: Any, stamp: int, first: int, second: int) -> int:
    """The place of a position in the table, or of the entry that it may replace."""
    mask = len(keys) - 1
    start = hashed(first ^ (second * 0x2545F491), mask)
    for probe in range(PROBES):
        i = (start + probe) & mask
        if keys[i, 2] != stamp:
            return i
        if keys[i, 0] == first and keys[i, 1] == second:
            return i
    return (start + (second & (PROBES - 1))) & mask


@template
def is_there(keys: Any, i: int, stamp: int, first: int, second: int) -> bool:
    return keys[i, 2] == stamp and keys[i, 0] == first and keys[i, 1] == second


@template
def search(
    stack: Any, root: int, alpha: float, beta: float, seat: int, weights: Any, deepest: int,
    keys: Any, bounds: Any, stamp: int, plays: Any, order: Any, limits: Any, marks: Any,
    habits: Any,
) -> float:  # fmt: skip
    """The value of the position stack[root] to a seat: exact if it lies between alpha and
    beta, else a bound beyond the one it passes.

    Written as a loop: a recursion that is read from Numba's cache may crash. Row d of limits
    and marks is what a call for stack[d] would keep.
    """
    d = root
    limits[d, ALPHA], limits[d, BETA] = alpha, beta
    value = enter(
        stack, d, seat, weights, deepest, keys, bounds, stamp, plays, order, limits, marks, habits
    )
    while True:
        if value == FAR:  # this one has to be searched: its next play
            if marks[d, NEXT] < marks[d, END] and limits[d, FLOOR] < limits[d, CEILING]:
                if marks[d, AGAIN] == 0:
                    bring_best(plays[d], order[d], marks[d, NEXT], marks[d, END])
                go_down(stack, d, plays[d, marks[d, NEXT]], limits, marks)
                d += 1
                value = enter(
                    stack, d, seat, weights, deepest, keys, bounds, stamp, plays, order, limits,
                    marks, habits,
                )  # fmt: skip
                continue
            value = limits[d, BEST] if marks[d, MINE] else -limits[d, BEST]
            keep(keys, bounds, stamp, value, limits[d], marks[d])
        if d == root:
            return value
        d -= 1
        come_back(value, d, deepest, plays, limits, marks, habits)
        value = FAR


@template
def enter(
    stack: Any, d: int, seat: int, weights: Any, deepest: int, keys: Any, bounds: Any,
    stamp: int, plays: Any, order: Any, limits: Any, marks: Any, habits: Any,
) -> float:  # fmt: skip
    """The value of a position if it is plain, or known well enough; else FAR, and all is set
    up for trying its plays."""
    s = stack[d : d + 1]
    habits[NODES] += 1
    if game.over(s):
        return game.worth(s, seat, weights)
    if d >= deepest:
        return game.guess(s, seat, weights)
    limit, mark = limits[d], marks[d]
    limit[WON] = game.so_far(s, seat, weights)
    mark[FIRST], mark[SECOND] = game.key(s)
    place = find(keys, stamp, mark[FIRST], mark[SECOND])
    if is_there(keys, place, stamp, mark[FIRST], mark[SECOND]):
        low, high = bounds[place, 0] + limit[WON], bounds[place, 1] + limit[WON]
        if low >= limit[BETA] or low == high:
            return low
        if high <= limit[ALPHA]:
            return high
        limit[ALPHA], limit[BETA] = max(limit[ALPHA], low), min(limit[BETA], high)
    mine = game.team_of(s, game.mover(s)) == game.team_of(s, seat)
    mark[MINE] = 1 if mine else 0
    mark[NEXT], mark[END] = game.write(s, plays[d])
    if mark[END] < 0:  # far too many plays to look at
        return game.guess(s, seat, weights)
    known = look_ahead(
        stack, d, limit[ALPHA], limit[BETA], seat, weights, mine, keys, bounds, stamp,
        plays[d], order[d], mark[NEXT], mark[END], habits,
    )  # fmt: skip
    if known < FAR:
        keep(keys, bounds, stamp, known, limit, mark)
        return known
    limit[BEST] = -FAR
    limit[FLOOR] = limit[ALPHA] if mine else -limit[BETA]
    limit[CEILING] = limit[BETA] if mine else -limit[ALPHA]
    limit[TOP] = limit[CEILING]
    mark[AGAIN] = 0
    return FAR


@template
def go_down(stack: Any, d: int, play: int, limits: Any, marks: Any) -> None:
    """Make a play, with the limits that its value is asked for."""
    stack[d + 1] = stack[d]
    game.apply(stack[d + 1 : d + 2], play)
    floor, top = limits[d, FLOOR], limits[d, TOP]
    limits[d + 1, ALPHA] = floor if marks[d, MINE] else -top
    limits[d + 1, BETA] = top if marks[d, MINE] else -floor


@template
def come_back(
    value: float, d: int, deepest: int, plays: Any, limits: Any, marks: Any, habits: Any
) -> None:
    """Take the value of the play that was tried into account.

    The first play sets the mark; of the others it is enough to know that they miss it. One
    that does not miss it is searched again with all limits.
    """
    limit, mark = limits[d], marks[d]
    found = value if mark[MINE] else -value
    if found >= limit[TOP] and limit[TOP] < limit[CEILING]:
        limit[TOP] = limit[CEILING]
        mark[AGAIN] = 1
        return
    limit[BEST] = max(limit[BEST], found)
    limit[FLOOR] = max(limit[FLOOR], found)
    limit[TOP] = min(limit[FLOOR] + 1.0, limit[CEILING])
    if limit[FLOOR] >= limit[CEILING]:
        side = HABITS if mark[MINE] else 0
        good = side + game.habit(plays[d, mark[NEXT]])
        habits[good] += np.int64(1) << min(deepest - d, 30)
    mark[NEXT] += 1
    mark[AGAIN] = 0


@template
def look_ahead(
    stack: Any, d: int, alpha: float, beta: float, seat: int, weights: Any, mine: bool,
    keys: Any, bounds: Any, stamp: int, plays: Any, order: Any, start: int, end: int,
    habits: Any,
) -> float:  # fmt: skip
    """Look every play up in the table before any is searched: one of them may be enough, or
    all of them may end the game. The value then; else FAR, and the order to try them in."""
    child = stack[d + 1 : d + 2]
    ends = 0
    best = -FAR if mine else FAR
    side = HABITS if mine else 0
    for i in range(start, end):
        stack[d + 1] = stack[d]
        game.apply(child, plays[i])
        if game.over(child):
            ends += 1
            value = game.worth(child, seat, weights)
            best = max(best, value) if mine else min(best, value)
        else:
            first, second = game.key(child)
            place = find(keys, stamp, first, second)
            if is_there(keys, place, stamp, first, second):
                value = bounds[place, 0 if mine else 1] + game.so_far(child, seat, weights)
                if value >= beta if mine else value <= alpha:
                    return value
            order[i] = game.promise(stack[d : d + 1], plays[i]) * MANY
            order[i] += habits[side + game.habit(plays[i])]
    habits[NODES] += ends
    return best if ends == end - start else FAR


@template
def bring_best(plays: Any, order: Any, i: int, end: int) -> None:
    """Bring the most promising of the plays from i on to place i."""
    best = i
    for j in range(i + 1, end):
        if order[j] > order[best]:
            best = j
    plays[i], plays[best] = plays[best], plays[i]
    order[i], order[best] = order[best], order[i]


@template
def keep(keys: Any, bounds: Any, stamp: int, value: float, limit: Any, mark: Any) -> None:
    """Put what a search has shown into the table: a bound, or the value itself."""
    first, second = mark[FIRST], mark[SECOND]
    place = find(keys, stamp, first, second)
    if not is_there(keys, place, stamp, first, second):
        keys[place, 0], keys[place, 1], keys[place, 2] = first, second, stamp
        bounds[place, 0], bounds[place, 1] = -FAR, FAR
    if value > limit[ALPHA]:
        bounds[place, 0] = value - limit[WON]
    if value < limit[BETA]:
        bounds[place, 1] = value - limit[WON]


@template
def value_plays(
    stack: Any, found: Any, values: Any, seat: int, weights: Any, deepest: int, keys: Any,
    bounds: Any, stamp: int, plays: Any, order: Any, limits: Any, marks: Any, habits: Any,
) -> None:  # fmt: skip
    """The value of each of these plays in the position stack[0]."""
    for i in range(len(found)):
        stack[1] = stack[0]
        game.apply(stack[1:2], found[i])
        values[i] = search(
            stack, np.int64(1), -FAR, FAR, seat, weights, deepest, keys, bounds, stamp, plays,
            order, limits, marks, habits,
        )  # fmt: skip
