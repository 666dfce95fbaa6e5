"""What a play of Tablić brings at once, and the best capture of a hand.

A play is worth (points, cards), the played card counted, a tabla a point; laying a card is
(0, 0). As one number a worth is points·weight + cards, so that one comparison decides.

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
from kibitz.games.tablic.cards import POINT_RANKS, TEN, TWO, VALUES
from kibitz.games.tablic.ends import THE_TEN, THE_TWO
from kibitz.games.tablic.kernels import PLAYED_SPECIAL, RANK_AT, TAKES_TEN, TAKES_TWO
from kibitz.jit.kernels import kernel

POINT_PLACES = sum(15 << (4 * rank) for rank in POINT_RANKS)
EVEN_PLACES = 0x0F0F0F0F0F0F0F0F
EVERY_BYTE = 0x0101010101010101
TAKEN = COUNTS | TAKES_TEN | TAKES_TWO
ROOM = 100
FEW = 6
LEXICAL = 64
"""A point is worth more than all cards: points first, then cards."""


@kernel
def size(counts: int) -> int:
    """How many cards counts stand for."""
    pairs = (counts & EVEN_PLACES) + ((counts >> 4) & EVEN_PLACES)
    return ((pairs * EVERY_BYTE) >> 56) & 255


@kernel
def card_worth(rank: int, special: bool) -> int:
    """Points of one card."""
    return ((POINT_PLACES >> (4 * rank)) & 1) + (1 if special else 0)


@kernel
def points_of(table_counts: int, play: int) -> int:
    """The points that a play brings at once; 0 for laying a card."""
    taken = play & COUNTS
    if taken == 0:
        return 0
    rank = (play >> RANK_AT) & 15
    points = size(taken & POINT_PLACES) + card_worth(rank, play & PLAYED_SPECIAL != 0)
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
def unions(counts: int, rank: int, room: Any, groups: int) -> tuple[int, int]:
    """All sets that a rank captures, from where to where in room (-1: too short).

    As `captures`, but of few groups in any order, and a set may come twice: nobody minds who
    looks for the best.
    """
    n = groups
    for i in range(1, groups):
        if room[i] >> SUM_AT == VALUES[rank]:
            if n + 1 >= len(room):
                return 0, -1
            room[n] = room[i] & COUNTS
            n += 1
    if n - groups > FEW:
        return groups, captures(counts, rank, room, groups, groups)
    start = n
    room[n] = 0
    n += 1
    for g in range(groups, start):
        i = start
        while i < n:
            larger = room[i] + room[g]
            i += 1
            if fits(counts, larger):
                if n == len(room):
                    return 0, -1
                room[n] = larger
                n += 1
    return start, n


@kernel
def best_taking(
    table: int, rank: int, special: bool, weight: int, room: Any, groups: int
) -> tuple[int, int]:
    """The best capture with one card: its worth, points·weight + cards, and the play.

    Worth 0 if there is none, -1 if there is not room enough for all captures. The first
    places of room are the groups on the table.
    """
    counts = table & COUNTS
    start, n = unions(counts, rank, room, groups)
    if n < 0:
        return -1, 0
    own = (rank << RANK_AT) | (PLAYED_SPECIAL if special else 0)
    most, best = 0, own
    for i in range(start + 1, n):
        play = with_specials(room[i], table) | own
        worth = points_of(counts, play) * weight + cards_of_play(play)
        if worth > most or (worth == most and tie(play) < tie(best)):
            most, best = worth, play
    return most, best


@kernel
def best_of_hand(table: int, hand: int, weight: int, room: Any) -> tuple[int, int]:
    """The best capture with any card of a hand (both packed): its worth and the play; 0 if
    there is none, -1 if there is not room enough."""
    most, best = 0, -1
    groups = groups_on(table & COUNTS, hand, room)
    if groups < 0:
        return -1, 0
    sums = sums_on(room, groups)
    for rank in range(13):
        if not (hand >> (4 * rank)) & 15 or not (sums >> VALUES[rank]) & 1:
            continue
        # The special card of a rank comes before its twins and is worth a point more.
        worth, play = best_taking(table, rank, special_in(hand, rank) != 0, weight, room, groups)
        if worth < 0:
            return -1, 0
        if worth > most:
            most, best = worth, play
    return most, best


@kernel
def best_capture(table: int, hand: int, weight: int) -> tuple[int, int]:
    """As best_of_hand, with as much room as it takes."""
    if table & COUNTS == 0:
        return 0, -1
    room = np.empty(ROOM, np.int64)
    most, best = best_of_hand(table, hand, weight, room)
    while most < 0:
        room = np.empty(4 * len(room), np.int64)
        most, best = best_of_hand(table, hand, weight, room)
    return most, best


@kernel
def cheapest(hand: int) -> int:
    """The card of a packed hand worth fewest points, of these the lowest, as a play that lays
    it."""
    best, least = -1, 99
    for rank in range(13):
        n = (hand >> (4 * rank)) & 15
        special = special_in(hand, rank) != 0
        if n > special and card_worth(rank, False) < least:
            best, least = rank << RANK_AT, card_worth(rank, False)
        if special and card_worth(rank, True) < least:
            best, least = (rank << RANK_AT) | PLAYED_SPECIAL, card_worth(rank, True)
    return best


@kernel
def greedy_play(table: int, hand: int) -> int:
    """Most points, then most cards; else the cheapest card is laid. Both packed."""
    worth, play = best_capture(table, hand, LEXICAL)
    return play if worth > 0 else cheapest(hand)


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
