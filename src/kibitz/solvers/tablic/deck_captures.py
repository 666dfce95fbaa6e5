"""What each card of a deal can capture from a table, made once for every table of a search.

A *list* has the captures of one table: by the played rank, for every rank that somebody holds in
the deal. Only counts matter here (see games/tablic/captures.py), so it serves all positions with
these ranks on the table. All lists stand one behind the other in `sets`; when that is full it
begins anew.

    list = sets[place:]     ends[0], …, ends[13]   16 bits each, in the first HEAD words
                            captures               of rank r: those from ends[r] to ends[r + 1]

A capture is its counts, with its points (a tabla's too, the special cards' not) from POINTS_AT on,
and the number of its cards from CARDS_AT on. Laying a card is no capture.

Example: 2, 3 and 5 lie on the table, and somebody holds a 5 and a 10. A 5 takes the 5, 2 + 3 or
all three; that is a tabla, a point. So ends[4] = 0, ends[5] = 3, and the last of the three
captures has a 1 at POINTS_AT and a 3 at CARDS_AT. A 10 takes all three: ends[10] = 4.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.games.tablic.capture_values import POINT_PLACES, size
from kibitz.games.tablic.captures import (
    COUNTS,
    LINEAR,
    SUM_AT,
    captures,
    fits,
    groups_on,
    is_among,
    sums_on,
)
from kibitz.games.tablic.cards import VALUES
from kibitz.jit.hashing import GOLDEN
from kibitz.jit.intrinsics import borrowed
from kibitz.jit.kernels import inlined, kernel

PLACE = np.dtype(
    (
        np.record,
        [
            ("key", np.int64),  # the counts and the deal, with a bit so that it is not 0
            ("place", np.int64),  # where in `sets` the list begins
        ],
    )
)
STORE = np.dtype(
    (
        np.record,
        [
            ("used", np.int64),  # words of `sets`
            ("lists", np.int64),  # that stand there
        ],
    )
)
HEAD, FIELD = 4, (1 << 16) - 1
MOST_SETS = FIELD
POINTS_AT, POINTS, CARDS_AT = 52, 31, 57
KNOWN_AT, IN_USE = 52, 1 << 60
INDEX_SIZES = ((12, 12), (24, 17), (36, 19), (48, 20))
"""So many plies, and places of the index: powers of two. For each, so many words of lists:"""
WORDS = 8
_32 = np.uint64(32)


class CaptureLists(NamedTuple):
    """The arrays. One thread's alone."""

    index: Any
    """(a power of two,) of PLACE: a hash table, at most half full."""
    sets: Any
    """(words,) of int64: the lists."""
    scratch: Any
    """(capacity,) of int64: where a list is made."""
    ranks: Any
    """(4,) of int64: by the deals to come, the ranks in both hands of the deal, as counts."""
    store: Any
    """(1,) of STORE."""


def new_lists(ranks: Any, plies: int, capacity: int) -> CaptureLists:
    """No lists, for a position so many plies before the end."""
    size = 1 << next(power for most, power in INDEX_SIZES if plies <= most)
    return CaptureLists(
        np.zeros(size, PLACE),
        np.zeros(max(WORDS * size, 2 * capacity), np.int64),
        np.zeros(capacity, np.int64),
        ranks,
        np.zeros(1, STORE),
    )


@inlined
def spread(key: int, mask: int) -> int:
    """A place in a table of mask + 1 places for a key whose bits all matter: `hashing.slot` takes
    little note of the highest."""
    z = np.uint64(np.int64(key))
    z = (z ^ (z >> _32)) * GOLDEN
    return int(np.int64(z >> _32)) & mask


@inlined
def end_of(sets: Any, place: int, rank: int) -> int:
    """ends[rank] of the list at this place."""
    return (sets[place + (rank >> 2)] >> (16 * (rank & 3))) & FIELD


@kernel
def list_of(lists: CaptureLists, counts: int, known: int) -> int:
    """Where a table's list begins, in a deal with so many to come; -1 if it is far too long."""
    lists = borrowed(lists)
    key = counts | known << KNOWN_AT | IN_USE
    mask = len(lists.index) - 1
    i = spread(key, mask)
    while lists.index[i].key != 0:
        if lists.index[i].key == key:
            return lists.index[i].place
        i = (i + 1) & mask
    return make_list(lists, key, i)


@kernel
def make_list(lists: CaptureLists, key: int, i: int) -> int:
    """The same for a table that has none yet; its key goes to index[i]."""
    lists = borrowed(lists)
    store, scratch = lists.store[0], lists.scratch
    counts, held = key & COUNTS, lists.ranks[(key >> KNOWN_AT) & 3]
    start = groups_on(counts, held, scratch)
    if start < 0:
        return -1
    sums = sums_on(scratch, start)
    ends = np.zeros(4 * HEAD, np.int64)
    n = start
    for rank in range(13):
        if (held >> (4 * rank)) & 15 and (sums >> VALUES[rank]) & 1:
            first = n
            n = unions(counts, rank, scratch, start, first)
            if n < 0:
                return -1
            n -= 1  # the empty one
            scratch[first] = scratch[n]
        ends[rank + 1] = n - start
    words = HEAD + n - start
    if n - start > MOST_SETS or words > len(lists.sets):
        return -1
    if store.used + words > len(lists.sets) or 2 * store.lists > len(lists.index):
        i = begin_anew(lists, key)
    place = store.used
    for word in range(HEAD):
        lists.sets[place + word] = 0
        for j in range(4):
            lists.sets[place + word] |= ends[4 * word + j] << (16 * j)
    for j in range(n - start):
        lists.sets[place + HEAD + j] = counted(counts, scratch[start + j])
    store.used += words
    store.lists += 1
    lists.index[i].key, lists.index[i].place = key, place
    return place


@kernel
def begin_anew(lists: CaptureLists, key: int) -> int:
    """Forget all lists. Where in the index a key belongs now."""
    for i in range(len(lists.index)):
        lists.index[i].key = 0
    lists.store[0].used, lists.store[0].lists = 0, 0
    return spread(key, len(lists.index) - 1)


@inlined
def counted(counts: int, taken: int) -> int:
    """A capture with its points and cards: see above."""
    points = size(taken & POINT_PLACES) + (1 if taken == counts else 0)
    return taken | points << POINTS_AT | size(taken) << CARDS_AT


@kernel
def unions(counts: int, rank: int, sets: Any, groups: int, start: int) -> int:
    """As `captures`, but in no order: that takes less time where there are few."""
    if start == len(sets):
        return -1
    sets[start] = 0
    n = start + 1
    fitting = 0
    for g in range(1, groups):
        if sets[g] >> SUM_AT != VALUES[rank]:
            continue
        if n - start > LINEAR:
            return captures(counts, rank, sets, groups, start)
        fitting += 1
        i = start
        while i < n:  # sets that have this group get it once more, if it fits
            larger = sets[i] + (sets[g] & COUNTS)
            i += 1
            if not fits(counts, larger) or (fitting > 2 and is_among(sets, start, n, larger)):
                continue
            if n == len(sets):
                return -1
            sets[n] = larger
            n += 1
    return n
