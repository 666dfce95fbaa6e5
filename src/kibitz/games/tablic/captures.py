"""The captures of Tablić: which sets of table cards a played card can take. Rule 3.2.

Only ranks matter here, so a set of cards is a word of *counts*: thirteen places of four bits.
A count is at most 4, which leaves the top bit of each place free to compare two such words in
one subtraction.
"""

from itertools import product
from typing import Any

import numpy as np

from kibitz.games.tablic.cards import VALUES
from kibitz.jit.hash_set import add, grown, new_set
from kibitz.jit.kernels import kernel

GUARD_BITS = sum(8 << (4 * rank) for rank in range(13))
ODD_BITS = sum(5 << (4 * rank) for rank in range(13))
BIT_PAIRS = sum(3 << (4 * rank) for rank in range(13))
SUM_AT, COUNTS = 52, (1 << 52) - 1
TABLE_VALUES = (1, *VALUES[1:])
"""What a card adds on the table: an ace 1, or 11."""
RANK_OF_VALUE = np.array(
    [VALUES.index(value) if value in VALUES else 1 for value in range(15)], dtype=np.int64
)
"""The rank that captures a value (1 none: the twos stand in)."""
MOST_GROUPS = 32
"""In a division of all 52 cards, which add up to 416 with aces as 11: at most 416 / 14 = 29
groups for a king, and fewer for the others, which capture no cards above their own value."""
LINEAR, PLACES = 24, 128
"""Up to so many captures a linear search for duplicates beats a hash table of so many places."""


def _groups() -> tuple[list[int], list[int]]:
    """All groups of cards that add up to a value, as counts; and where each rank's begin."""
    sets: list[int] = []
    starts = [0]
    for value in VALUES:
        own: set[int] = set()

        def extend(rank: int, left: int, counts: int, own: set[int] = own) -> None:
            if left == 0 and counts:
                own.add(counts)
            if rank == 13:
                return
            value_of_card = VALUES[rank]
            for copies in range(5):
                if copies * value_of_card > left:
                    break
                extend(rank + 1, left - copies * value_of_card, counts + (copies << (4 * rank)))

        for low, high in product(range(5), range(5)):  # aces as 1, aces as 11
            rest = value - low - 11 * high
            if low + high <= 4 and rest >= 0:
                extend(1, rest, low + high)
        sets += sorted(own, reverse=True)
        starts.append(len(sets))
    return sets, starts


_ALL_GROUPS, _STARTS = _groups()
GROUPS = np.array(_ALL_GROUPS, dtype=np.int64)
GROUPS_FROM = np.array(_STARTS, dtype=np.int64)


@kernel
def counts_of(cards: int) -> int:
    """How many cards of each rank a set has."""
    pairs = cards - ((cards >> 1) & ODD_BITS)
    return (pairs & BIT_PAIRS) + ((pairs >> 2) & BIT_PAIRS)


@kernel
def fits(counts: int, group: int) -> bool:
    """Whether the counts have at least what the group needs, rank by rank."""
    return ((counts | GUARD_BITS) - group) & GUARD_BITS == GUARD_BITS


@kernel
def groups_on(counts: int, hand: int, buffer: Any) -> int:
    """All sets of table cards that add up to at most the value of a hand's best card, written
    into the buffer with the sum above the counts (see SUM_AT); how many, or -1 if it is too short.
    Sets with aces stand there once for each sum that they can have. The hand is counts too."""
    most = 14
    while most > 2 and not (hand >> (4 * RANK_OF_VALUE[most])) & 15:
        most -= 1
    buffer[0] = 0
    n = 1
    for rank in range(12, -1, -1):
        copies = (counts >> (4 * rank)) & 15
        end = n
        for k in range(1, copies + 1):
            cards = np.int64(k) << (4 * rank)
            add = k * TABLE_VALUES[rank]
            if add > most:
                break
            for i in range(end):
                total = (buffer[i] >> SUM_AT) + add
                if total > most:
                    continue
                if n + 2 > len(buffer):
                    return -1
                buffer[n] = (buffer[i] & COUNTS) + cards | total << SUM_AT
                n += 1
                if rank == 0 and total + 10 <= most:  # one of the aces as 11
                    buffer[n] = (buffer[i] & COUNTS) + cards | (total + 10) << SUM_AT
                    n += 1
    return n


@kernel
def sums_on(buffer: Any, groups: int) -> int:
    """A bit for each sum that some group has."""
    sums = np.int64(0)
    for i in range(1, groups):
        sums |= np.int64(1) << (buffer[i] >> SUM_AT)
    return int(sums)


@kernel
def next_group(buffer: Any, groups: int, value: int, before: int) -> int:
    """Of the groups of a value the one next below another, or -1."""
    wanted = np.int64(value) << SUM_AT
    best = wanted - 1
    for i in range(1, groups):
        if best < buffer[i] < before:
            best = buffer[i]
    return int(best & COUNTS) if best >= wanted else -1


@kernel
def captures(counts: int, rank: int, sets: Any, groups: int, start: int) -> int:
    """Write all sets that a rank captures into the array, the empty one first; where they end.

    The groups stand in its first places: see `groups_on`. Every union of disjoint groups,
    each once: the sets so far, with one group more. Two groups can't give the same set in two
    ways, so the search for duplicates begins with the third. If the array is too short the answer
    is -1.
    """
    if start == len(sets):
        return -1
    sets[start] = 0
    n = start + 1
    fitting = 0
    places = sets  # a hash table takes over when the sets are many
    hashing = False
    value = VALUES[rank]
    before = np.int64(value + 1) << SUM_AT
    while True:
        group = next_group(sets, groups, value, before)
        if group < 0:
            return n
        before = group | np.int64(value) << SUM_AT
        fitting += 1
        i = start
        while i < n:  # sets that have this group get it once more, if it fits
            larger = sets[i] + group
            i += 1
            if not fits(counts, larger):
                continue
            if hashing:
                if not add(places, larger):
                    continue
            elif fitting > 2 and is_among(sets, start, n, larger):
                continue
            if n == len(sets):
                return -1
            sets[n] = larger
            n += 1
            if hashing:
                if 2 * (n - start) > len(places):
                    places = grown(places)
            elif n - start == LINEAR:
                hashing = True
                places = new_set(PLACES)
                for j in range(start, n):
                    add(places, sets[j])


@kernel
def is_among(sets: Any, start: int, end: int, wanted: int) -> bool:
    for i in range(start, end):  # noqa: SIM110  # any() is slower compiled
        if sets[i] == wanted:
            return True
    return False


@kernel
def first_fitting(left: int, g: int, end: int) -> int:
    """The first of the groups g to end − 1 that is part of a set, with a card of its highest
    rank; end if there is none."""
    top = 48
    while not (left >> top) & 15:
        top -= 4
    while g < end and not ((GROUPS[g] >> top) & 15 and fits(left, GROUPS[g])):
        g += 1
    return g


@kernel
def splits(counts: int, rank: int) -> bool:
    """Whether a whole set divides into groups that a rank captures. Rule 3.2.

    Depth first: some group has a card of the highest rank that is left. GROUPS are in falling
    order, and so may be those of a division, so none before the last one need be tried.
    """
    if counts == 0:
        return True
    end = GROUPS_FROM[rank + 1]
    g = first_fitting(counts, GROUPS_FROM[rank], end)
    if g == end or counts == GROUPS[g]:
        return g < end  # and no array is needed
    chosen = np.empty(MOST_GROUPS, np.int64)  # the groups so far, by their numbers
    n, left = 0, counts
    while True:
        if g < end:
            chosen[n] = g
            n += 1
            left -= GROUPS[g]
            if left == 0:
                return True
        elif n == 0:
            return False
        else:  # none fits: the last one was wrong
            n -= 1
            g = chosen[n]
            left += GROUPS[g]
            g += 1
        g = first_fitting(left, g, end)


@kernel
def can_capture(counts: int, rank: int) -> bool:
    """Whether some cards add up to a rank's value: a bit for each sum that they have."""
    sums = np.int64(1)
    for i in range(13):
        for _ in range((counts >> (4 * i)) & 15):
            more = sums << TABLE_VALUES[i]
            if i == 0:
                more |= sums << 11
            sums |= more & 0x7FFF
    return (sums >> VALUES[rank]) & 1 == 1


@kernel
def clears(counts: int, rank: int) -> bool:
    """Whether a rank captures the whole table: a tabla."""
    if counts == 0:
        return False
    value = VALUES[rank]
    total = 0
    for i in range(13):
        total += TABLE_VALUES[i] * ((counts >> (4 * i)) & 15)
    aces = counts & 15
    while total % value and aces:
        total += 10
        aces -= 1
    if total % value:
        return False
    return total == value or splits(counts, rank)
