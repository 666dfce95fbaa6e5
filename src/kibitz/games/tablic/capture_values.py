"""What a play of Tablić brings at once, and the best capture of a hand.

A capture value is (points, cards), the played card counted, a tabla a point; laying a card has
(0, 0). As one number it is points·weight + cards, so that one comparison decides.

Cards are *packed* here as the captured ones are in a play: counts by rank, with a flag each
for 10♦ and 2♣. So a capture is a subtraction.
"""

from typing import Any

import numpy as np

from kibitz.games.tablic.captures import (
    COUNTS,
    SUM_AT,
    captures,
    counts_of,
    fits,
    groups_on,
    sums_on,
)
from kibitz.games.tablic.cards import (
    PLAYED_SPECIAL,
    POINT_RANKS,
    RANK_AT,
    TAKES_TEN,
    TAKES_TWO,
    TEN,
    TWO,
    VALUES,
)
from kibitz.games.tablic.ends import THE_TEN, THE_TWO
from kibitz.jit.kernels import kernel

POINT_PLACES = sum(15 << (4 * rank) for rank in POINT_RANKS)
EVEN_PLACES = 0x0F0F0F0F0F0F0F0F
EVERY_BYTE = 0x0101010101010101
TAKEN = COUNTS | TAKES_TEN | TAKES_TWO
BUFFER = 100
"""Length of a buffer for sets of cards: enough for nearly every table."""
FEW = 6
"""Up to so many groups, a set that comes twice costs less than looking for duplicates."""
LEXICAL = 64
"""As weight of a point: more than all cards. Points first, then cards."""


@kernel
def size(counts: int) -> int:
    """How many cards counts stand for."""
    pairs = (counts & EVEN_PLACES) + ((counts >> 4) & EVEN_PLACES)
    return ((pairs * EVERY_BYTE) >> 56) & 255


@kernel
def points_of_card(rank: int, special: bool) -> int:
    """Points of one card."""
    return ((POINT_PLACES >> (4 * rank)) & 1) + (1 if special else 0)


@kernel
def points_of(table_counts: int, play: int) -> int:
    """The points that a play brings at once; 0 for laying a card."""
    taken = play & COUNTS
    if taken == 0:
        return 0
    rank = (play >> RANK_AT) & 15
    points = size(taken & POINT_PLACES) + points_of_card(rank, play & PLAYED_SPECIAL != 0)
    points += 1 if play & TAKES_TEN else 0
    points += 1 if play & TAKES_TWO else 0
    return points + (1 if taken == table_counts else 0)


@kernel
def cards_of_play(play: int) -> int:
    taken = play & COUNTS
    return 0 if taken == 0 else size(taken) + 1


@kernel
def tie(play: int) -> int:
    """Of equal plays: the lower rank, 10♦ and 2♣ before their twins, the lower capture."""
    rank = (play >> RANK_AT) & 15
    plain = 0 if play & PLAYED_SPECIAL else 1
    flags = (play >> 57) & 3
    return (((2 * rank + plain) << 2) + flags << 52) + (play & COUNTS)


@kernel
def packed(cards: int) -> int:
    """A set of cards as counts by rank with the flags of 10♦ and 2♣."""
    word = counts_of(cards)
    word |= TAKES_TEN if cards & THE_TEN else 0
    return word | (TAKES_TWO if cards & THE_TWO else 0)


@kernel
def special_in(word: int, rank: int) -> int:
    """The flag of a rank's special card, if a packed set has it; else 0."""
    if rank == TEN:
        return word & TAKES_TEN
    return word & TAKES_TWO if rank == TWO else 0


@kernel
def with_specials(taken: int, table: int) -> int:
    """A capture from a packed table: of the tens and twos it takes the better card first."""
    if table & TAKES_TEN and (taken >> (4 * TEN)) & 15:
        taken |= TAKES_TEN
    if table & TAKES_TWO and (taken >> (4 * TWO)) & 15:
        taken |= TAKES_TWO
    return taken


@kernel
def unions(counts: int, rank: int, buffer: Any, groups: int) -> tuple[int, int]:
    """All sets that a rank captures, from where to where in the buffer (-1: too short).

    As `captures`, but of few groups in any order, and a set may come twice: nobody minds who
    looks for the best.
    """
    n = groups
    for i in range(1, groups):
        if buffer[i] >> SUM_AT == VALUES[rank]:
            if n + 1 >= len(buffer):
                return 0, -1
            buffer[n] = buffer[i] & COUNTS
            n += 1
    if n - groups > FEW:
        return groups, captures(counts, rank, buffer, groups, groups)
    start = n
    buffer[n] = 0
    n += 1
    for g in range(groups, start):
        i = start
        while i < n:
            larger = buffer[i] + buffer[g]
            i += 1
            if fits(counts, larger):
                if n == len(buffer):
                    return 0, -1
                buffer[n] = larger
                n += 1
    return start, n


@kernel
def best_capture_with(
    table: int, rank: int, special: bool, weight: int, buffer: Any, groups: int
) -> tuple[int, int]:
    """The best capture with one card: its value, points·weight + cards, and the play.

    Value 0 if there is none, -1 if the buffer is too short for all captures. Its first places
    are the groups on the table.
    """
    counts = table & COUNTS
    start, n = unions(counts, rank, buffer, groups)
    if n < 0:
        return -1, 0
    own = (rank << RANK_AT) | (PLAYED_SPECIAL if special else 0)
    most, best = 0, own
    for i in range(start + 1, n):
        play = with_specials(buffer[i], table) | own
        value = points_of(counts, play) * weight + cards_of_play(play)
        if value > most or (value == most and tie(play) < tie(best)):
            most, best = value, play
    return most, best


@kernel
def best_of_hand(table: int, hand: int, weight: int, buffer: Any) -> tuple[int, int]:
    """The best capture with any card of a hand (both packed): its value and the play; 0 if
    there is none, -1 if the buffer is too short."""
    most, best = 0, -1
    groups = groups_on(table & COUNTS, hand, buffer)
    if groups < 0:
        return -1, 0
    sums = sums_on(buffer, groups)
    for rank in range(13):
        if not (hand >> (4 * rank)) & 15 or not (sums >> VALUES[rank]) & 1:
            continue
        # The special card of a rank comes before its twins and has a point more.
        value, play = best_capture_with(
            table, rank, special_in(hand, rank) != 0, weight, buffer, groups
        )
        if value < 0:
            return -1, 0
        if value > most:
            most, best = value, play
    return most, best


@kernel
def best_capture(table: int, hand: int, weight: int) -> tuple[int, int]:
    """As best_of_hand, with a buffer as long as it takes."""
    if table & COUNTS == 0:
        return 0, -1
    buffer = np.empty(BUFFER, np.int64)
    most, best = best_of_hand(table, hand, weight, buffer)
    while most < 0:
        buffer = np.empty(4 * len(buffer), np.int64)
        most, best = best_of_hand(table, hand, weight, buffer)
    return most, best


@kernel
def cheapest(hand: int) -> int:
    """The card of a packed hand with fewest points, of these the lowest, as a play that lays
    it."""
    best, least = -1, 99
    for rank in range(13):
        n = (hand >> (4 * rank)) & 15
        special = special_in(hand, rank) != 0
        if n > special and points_of_card(rank, False) < least:
            best, least = rank << RANK_AT, points_of_card(rank, False)
        if special and points_of_card(rank, True) < least:
            best, least = (rank << RANK_AT) | PLAYED_SPECIAL, points_of_card(rank, True)
    return best


@kernel
def greedy_play(table: int, hand: int) -> int:
    """Most points, then most cards; else the cheapest card is laid. Both packed."""
    value, play = best_capture(table, hand, LEXICAL)
    return play if value > 0 else cheapest(hand)


@kernel
def as_card(play: int) -> int:
    """The played card as a packed set of one."""
    rank = (play >> RANK_AT) & 15
    flag = 0
    if play & PLAYED_SPECIAL:
        flag = TAKES_TEN if rank == TEN else TAKES_TWO
    return (1 << (4 * rank)) | flag


@kernel
def table_after(table: int, play: int) -> int:
    """The packed table after a play."""
    taken = play & TAKEN
    return table + as_card(play) if taken == 0 else table - taken
