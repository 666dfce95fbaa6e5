"""The transposition table of Tablić with the deck known: sixteen bytes an entry, four to a line of
the processor's cache.

**Keys.** All that the future depends on, but for the last captor, in one word:

    bits 4r to 4r + 2       how many cards of rank r lie on the table
    bits 3, 7               whether 10♦ and 2♣ are among them
    bits 11, 15             the number of deals to come
    bits 19, 23, …, 35      1 + the cards that seat 0 has taken, if there is a bonus for cards and
                            it is not decided yet; else 0: the *plain* game
    bits 52 to 57, 58 to 63 which of its cards of the deal seat 0, and seat 1, still holds

Who moves follows from it: both hold equally many where the first seat of the deal moves.

**Bounds** are on what seat 0 still wins, less what seat 1 does, points and bonus: in an entry low
and high with seat 0 as the last captor, then with seat 1, 16 bits each. V(k, h) being the value
with key k and last captor h, they hold for others too:

    V(k, 0) ≥ V(k, 1)                           the rest of the table goes to the last captor
    V(k, h) ≥ V(k', h)                          k as k', but seat 0 has taken more cards
    |V(k, h) - V(plain k, h)| ≤ BONUS           which is all that the bonus can change

The first is seen to when bounds are stored, the others when they are looked up. So all keys that
differ in the cards taken alone have the same places: four entries, one line.

**Replacement.** If all four are taken, the one with the fewest plies to the end goes.

**Threads** share a table without locks (R. Hyatt and T. Mann 2002): `check` is the key XORed with
the bounds. If two write an entry at once the two words do not fit, and nobody reads it.

Example: 3♣ and 10♦ lie there in the last deal, seat 0 holds its cards 0 and 2, seat 1 its card 1,
without a bonus. The key is 1 << 8 | 1 << 36 | 1 << 3 | 0b101 << 52 | 0b10 << 58. That seat 0 wins
at most 1 more if it took last is stored as high; with seat 1 as the last captor it is no more.
"""

from typing import Any

import numpy as np

from kibitz.games.tablic.captures import COUNTS
from kibitz.games.tablic.cards import TAKES_TEN, TAKES_TWO
from kibitz.jit.kernels import inlined, kernel
from kibitz.solvers.tablic.deck_captures import spread

ENTRY = np.dtype(
    (
        np.record,
        [
            ("check", np.int64),  # the key XORed with the bounds
            ("bounds", np.int64),
        ],
    )
)
"""A table is an array of these; its length is a power of two, and it begins with a line."""
WAYS, LINE = 4, 64
"""Entries that a position may stand in, and bytes of a line."""
CLEAN = sum(7 << (4 * rank) for rank in range(13))
TEN_AT, TWO_AT, KNOWN_AT, NEXT_KNOWN_AT, TAKEN_AT = 3, 7, 11, 15, 19
TAKEN = sum(1 << (TAKEN_AT + 4 * i) for i in range(5))
HELD_AT, HELD = 52, 63
TEN_FROM = TAKES_TEN.bit_length() - 1
TWO_FROM = TAKES_TWO.bit_length() - 1
NO_BOUND = (1 << 15) - 1
"""Above any bound."""
UNKNOWN = (-NO_BOUND & 65535) | NO_BOUND << 16 | (-NO_BOUND & 65535) << 32 | NO_BOUND << 48
"""No bounds at all."""


def new_table(rows: int) -> Any:
    """An empty table that begins where a line does."""
    raw = np.zeros(rows * ENTRY.itemsize + LINE, np.uint8)
    start = -raw.ctypes.data % LINE
    return raw[start : start + rows * ENTRY.itemsize].view(ENTRY)


# -- keys ------------------------------------------------------------------------------------


@inlined
def make_key(table: int, held_0: int, held_1: int, known: int, taken: int) -> int:
    """The key of a packed table, two hands, and so many deals to come; `taken` is 1 + the cards
    of seat 0, or 0."""
    return (
        (table & COUNTS)
        | ((table >> TEN_FROM) & 1) << TEN_AT
        | ((table >> TWO_FROM) & 1) << TWO_AT
        | (known & 1) << KNOWN_AT
        | (known >> 1) << NEXT_KNOWN_AT
        | held_0 << HELD_AT
        | np.int64(held_1) << (HELD_AT + 6)
        | taken_bits(taken)
    )


@inlined
def taken_bits(taken: int) -> int:
    """Five bits, four apart."""
    if taken == 0:
        return 0
    apart = (taken & 1) | (taken & 2) << 3 | (taken & 4) << 6 | (taken & 8) << 9
    return (apart | (taken & 16) << 12) << TAKEN_AT


@inlined
def taken_of(key: int) -> int:
    """1 + the cards of seat 0, or 0."""
    apart = key >> TAKEN_AT
    low = (apart & 1) | (apart >> 3) & 2 | (apart >> 6) & 4
    return low | (apart >> 9) & 8 | (apart >> 12) & 16


@inlined
def table_of(key: int) -> int:
    """The packed table."""
    return (key & CLEAN) | ((key >> TEN_AT) & 1) << TEN_FROM | ((key >> TWO_AT) & 1) << TWO_FROM


@inlined
def known_of(key: int) -> int:
    """Deals to come."""
    return (key >> KNOWN_AT) & 1 | ((key >> NEXT_KNOWN_AT) & 1) << 1


@inlined
def held_of(key: int, seat: int) -> int:
    return (key >> (HELD_AT + 6 * seat)) & HELD


@kernel
def plies_of(key: int) -> int:
    """Plies to the end."""
    plies = 12 * known_of(key)
    held = (key >> HELD_AT) & (HELD << 6 | HELD)
    while held:
        held &= held - 1
        plies += 1
    return plies


# -- bounds ----------------------------------------------------------------------------------


@inlined
def low_of(word: int, holder: int) -> int:
    """The lower bound with this last captor."""
    return (word << (48 - 32 * holder)) >> 48


@inlined
def high_of(word: int, holder: int) -> int:
    return (word << (32 - 32 * holder)) >> 48


@inlined
def first_way(key: int, mask: int) -> int:
    """The first of the entries that a key may stand in; the table has mask + 1 lines."""
    return spread(key & ~TAKEN, mask) * WAYS


@inlined
def plain_bounds(table: Any, at: int, key: int) -> int:
    """The bounds of this very key, from the entries at this place; UNKNOWN if there are none."""
    found = np.int64(UNKNOWN)
    for i in range(WAYS):
        word = table[at + i].bounds
        if table[at + i].check ^ word == key:
            found = word
    return int(found)


@kernel
def bounds_of(table: Any, at: int, key: int, holder: int, bonus: int) -> tuple[int, int]:
    """Lower and upper bound, with those that other keys give."""
    low, high = -NO_BOUND, NO_BOUND
    for i in range(WAYS):
        word = table[at + i].bounds
        other = table[at + i].check ^ word
        if (other ^ key) & ~TAKEN:
            continue
        if other & TAKEN == 0 and key & TAKEN:
            low = max(low, low_of(word, holder) - bonus)
            high = min(high, high_of(word, holder) + bonus)
            continue
        # The bits of the cards taken stand in their order, so keys compare as numbers do.
        if other & TAKEN <= key & TAKEN:
            low = max(low, low_of(word, holder))
        if other & TAKEN >= key & TAKEN:
            high = min(high, high_of(word, holder))
    return low, high


@kernel
def store(table: Any, at: int, key: int, holder: int, low: int, high: int) -> None:
    """Put bounds into one of the entries at this place."""
    place, word, fewest = at, np.int64(UNKNOWN), 1 << 8
    for i in range(WAYS):
        its_word = table[at + i].bounds  # read once: another thread may write meanwhile
        its_key = table[at + i].check ^ its_word
        if its_key == key:
            place, word = at + i, its_word
            break
        plies = plies_of(its_key)  # none if it is empty
        if plies < fewest:
            place, fewest = at + i, plies
    low_0, high_0 = low_of(word, 0), high_of(word, 0)
    low_1, high_1 = low_of(word, 1), high_of(word, 1)
    if holder == 0:
        high_0 = min(high_0, high)
        low_0 = max(low_0, low)
        high_1 = min(high_1, high)
    else:
        low_1 = max(low_1, low)
        high_1 = min(high_1, high)
        low_0 = max(low_0, low)
    word = (low_0 & 65535) | (high_0 & 65535) << 16 | (low_1 & 65535) << 32 | high_1 << 48
    table[place].bounds = word
    table[place].check = word ^ key
