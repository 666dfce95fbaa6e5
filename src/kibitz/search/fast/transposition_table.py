"""A transposition table for searches with open cards: bounds on what is still to be won.

**Keys.** A key is a tuple (first, second, holder). Positions with the same two words have the same
future, but for their holder: the side, 0 or 1, that has something which can only help it (in
Tablić the last captor, who gets what is left on the table). One entry has the bounds of both
holders. All values are those of one side, `own`. With V(h) what it can still win if h is the
holder:

    V(own) >= V(other)      so a lower bound of V(other) is one of V(own),
                            and an upper bound of V(own) is one of V(other)

**Bounds.** Values are whole numbers of 1/denominator, below 2²⁷ of them. A search that failed high
has a lower bound, one that failed low an upper bound, an exact value is both (T. Marsland 1986).

**Replacement.** A position may stand in PROBES entries. An entry of an older generation is free;
if all are taken, the one with the smallest subtree below it goes (depth-preferred, D. Breuker and
others 1994).

**Threads** share a table without locks (R. Hyatt and T. Mann 2002): `check` is the key XORed with
the data. If two threads write an entry at once, check and data do not fit, and nobody reads it.

Example, side 0 searching, an empty table: `store(table, 1, 5, (7, 9, 0), 3, False, True)` says that
with holder 0 it still wins at most 3, shown by a search of 5 plies. Then
`look_up(table, 1, (7, 9, 0), 0, 1)` is (-INFINITE, 3), and so it is with holder 1, who helps side
0 even less.

References: D. Breuker, J. Uiterwijk, H. van den Herik, "Replacement schemes for transposition
tables", ICCA Journal 17 (1994). R. Hyatt, T. Mann, "A lock-less transposition-table
implementation for parallel search", ICGA Journal 25 (2002).
"""

from typing import Any

import numpy as np

from kibitz.jit.hashing import combine, slot
from kibitz.jit.kernels import kernel

ENTRY = np.dtype(
    (
        np.record,
        [
            ("check", np.int64),  # combine(first, second) ^ holder_0 ^ holder_1
            ("second", np.int64),  # the second word of the key
            ("holder_0", np.int64),  # bounds with holder 0, packed; the lowest byte: plies below
            ("holder_1", np.int64),  # bounds with holder 1, packed; the lowest byte: generation
        ],
    )
)
"""A table is an array of these; its length is a power of two, at least PROBES."""
GENERATIONS = 255
"""Worlds that a table can tell apart, from 1 up; 0 is an empty entry."""
PROBES = 4
"""Entries that a position may stand in; two of them are one line of the processor's cache."""
NO_BOUND = (1 << 27) - 1
"""Above any bound."""
INFINITE = 1e18


@kernel
def first_probe(table: Any, first: int, second: int) -> int:
    """The entry where the search for a position begins."""
    return slot(combine(first, second), len(table) - 1)


@kernel
def look_up(
    table: Any, generation: int, key: tuple[int, int, int], own: int, denominator: int
) -> tuple[float, float]:
    """Lower and upper bound of what the side `own` can still win; infinite if there is none."""
    first, second, holder = key
    combined = combine(first, second)
    start = first_probe(table, first, second)
    for probe in range(PROBES):
        entry = table[start ^ probe]
        with_1 = entry.holder_1
        if with_1 & 255 != generation:  # a new position would have taken it
            break
        if entry.second != second:
            continue
        with_0 = entry.holder_0
        if entry.check ^ with_0 ^ with_1 != combined:
            continue
        here, there = (with_1, with_0) if holder else (with_0, with_1)
        low, high = lower_bound(here), upper_bound(here)
        if holder == own:
            low = max(low, lower_bound(there))
        else:
            high = min(high, upper_bound(there))
        return (
            low / denominator if low > -NO_BOUND else -INFINITE,
            high / denominator if high < NO_BOUND else INFINITE,
        )
    return -INFINITE, INFINITE


@kernel
def lower_bound(word: int) -> int:
    return word >> 36


@kernel
def upper_bound(word: int) -> int:
    return (word << 28) >> 36


@kernel
def pack(low: int, high: int, tag: int) -> int:
    """Two bounds of 28 bits and a byte in one word."""
    return (low << 36) | ((high & 0xFFFFFFF) << 8) | tag


@kernel
def store(
    table: Any, generation: int, plies: int, key: tuple[int, int, int], value: int,
    is_lower: bool, is_upper: bool,
) -> None:  # fmt: skip
    """Put a bound into the table, or a value, which is both. The search below it was so many
    plies deep."""
    first, second, holder = key
    combined = combine(first, second)
    with_0 = pack(-NO_BOUND, NO_BOUND, plies)
    with_1 = pack(-NO_BOUND, NO_BOUND, generation)
    start = first_probe(table, first, second)
    place, fewest = start, 256
    for probe in range(PROBES):
        entry = table[start ^ probe]
        # Read once: another thread may write meanwhile.
        its_0, its_1 = entry.holder_0, entry.holder_1
        if its_1 & 255 != generation:
            place = start ^ probe
            break
        if entry.second == second and entry.check ^ its_0 ^ its_1 == combined:
            place, with_0, with_1 = start ^ probe, its_0, its_1
            break
        if its_0 & 255 < fewest:
            place, fewest = start ^ probe, its_0 & 255
    here = with_1 if holder else with_0
    low, high = lower_bound(here), upper_bound(here)
    if is_lower:
        low = value
    if is_upper:
        high = value
    if holder:
        with_1 = pack(low, high, generation)
    else:
        with_0 = pack(low, high, plies)
    entry = table[place]
    entry.second, entry.holder_0, entry.holder_1 = second, with_0, with_1
    entry.check = combined ^ with_0 ^ with_1
