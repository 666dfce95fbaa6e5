"""A table of positions for searches with open cards: bounds on what is still to be won.

Positions with the same two words of key have the same future, but for their holder: the side,
0 or 1, that has something which can only help it. One row has the bounds of both, and those of
one holder bound the other's. Threads may share a table: a row that two wrote at once does not
add up. Its length is a power of two, at least PROBES. Values are kept as whole numbers of a
fraction that the game names.
"""

from typing import Any

from kibitz.jit.hashing import combine, slot
from kibitz.jit.kernels import kernel

MIXED, KEY, ZERO, ONE, WORDS = range(5)
"""A row: all words mixed, the second word of the key, and the bounds with holder 0 and with
holder 1. Below the bounds stand the plies to the end, and the stamp of the world."""
STAMPS = 255
"""Worlds that a table can tell apart; 0 is an empty row."""
PROBES = 4
"""Rows that a position may stand in; two of them are one line of the processor's cache."""
NOTHING = (1 << 27) - 1
"""Above any bound: it says nothing."""
FAR = 1e18


@kernel
def place(table: Any, first: int, second: int) -> int:
    """The row where the search for a position begins."""
    return slot(combine(first, second), len(table) - 1)


@kernel
def bounds(
    table: Any, stamp: int, first: int, second: int, holder: int, own: int, fraction: int
) -> tuple[float, float]:
    """What the table has on what is still to be won, for the side `own`."""
    key = combine(first, second)
    start = place(table, first, second)
    for probe in range(PROBES):
        i = start ^ probe
        one = table[i, ONE]
        if one & 255 != stamp:  # a new position would have taken it
            break
        if table[i, KEY] != second:
            continue
        zero = table[i, ZERO]
        if table[i, MIXED] ^ zero ^ one != key:
            continue
        here, there = (one, zero) if holder else (zero, one)
        low, high = low_of(here), high_of(here)
        if holder == own:
            low = max(low, low_of(there))
        else:
            high = min(high, high_of(there))
        return (
            low / fraction if low > -NOTHING else -FAR,
            high / fraction if high < NOTHING else FAR,
        )
    return -FAR, FAR


@kernel
def low_of(word: int) -> int:
    return word >> 36


@kernel
def high_of(word: int) -> int:
    return (word << 28) >> 36


@kernel
def both(low: int, high: int, tag: int) -> int:
    return (low << 36) | ((high & 0xFFFFFFF) << 8) | tag


@kernel
def keep(
    table: Any, stamp: int, plies: int, first: int, second: int, holder: int, found: int,
    at_least: bool, at_most: bool,
) -> None:  # fmt: skip
    """Put a bound, or a value, into the table. Of the rows that a new position may take, it
    takes the one with fewest plies below."""
    zero = both(-NOTHING, NOTHING, plies)
    one = both(-NOTHING, NOTHING, stamp)
    key = combine(first, second)
    start = place(table, first, second)
    i, least = start, 256
    for probe in range(PROBES):
        j = start ^ probe
        # Read once: another thread may write meanwhile.
        its_zero, its_one = table[j, ZERO], table[j, ONE]
        if its_one & 255 != stamp:
            i = j
            break
        if table[j, KEY] == second and table[j, MIXED] ^ its_zero ^ its_one == key:
            i, zero, one = j, its_zero, its_one
            break
        if its_zero & 255 < least:
            i, least = j, its_zero & 255
    here = one if holder else zero
    low, high = low_of(here), high_of(here)
    if at_least:
        low = found
    if at_most:
        high = found
    if holder:
        one = both(low, high, stamp)
    else:
        zero = both(low, high, plies)
    table[i, KEY], table[i, ZERO], table[i, ONE] = second, zero, one
    table[i, MIXED] = key ^ zero ^ one
