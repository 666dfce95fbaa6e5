"""The plays that a search of Tablić with open hands looks at, and in which order."""

from typing import Any

from kibitz.games.tablic.capture_values import (
    cards_of_play,
    greedy_play,
    points_of,
    with_specials,
)
from kibitz.games.tablic.captures import COUNTS, captures, groups_on
from kibitz.games.tablic.cards import PLAYED_SPECIAL, RANK_AT, TAKES_TEN, TAKES_TWO, TEN, TWO
from kibitz.games.tablic.ends import BONUS_TIE
from kibitz.games.tablic.open_hands.state import hand_of
from kibitz.jit.kernels import kernel


@kernel
def write(stack: Any, d: int, plays: Any, at: int) -> tuple[int, int]:
    if at == len(plays):
        return 0, -1
    start, end = write_plays(stack[d], plays[at:])
    return at + start, at + end if end >= 0 else -1


@kernel
def write_plays(y: Any, plays: Any) -> tuple[int, int]:
    """The plays to be searched; from where to where, or -1 if the array is too short.

    Left out: a capture that leaves 10♦ or 2♣ and takes its twin, or that is made with the
    twin of such a card in hand. The other is never worse, unless somebody always replies by
    the greedy strategy: him the better card may lure away from what he should take; or unless
    a tie counts more than a point.
    """
    every = y.replying != 0 or (y.ends and y.bonus == BONUS_TIE)
    left = y.left[y.turn]
    cards = y.cards[y.turn]
    counts = y.table & COUNTS
    if (y.replying >> y.turn) & 1:
        plays[0] = greedy_play(y.table, hand_of(left, cards))
        return 0, 1
    groups = groups_on(counts, hand_of(left, cards), plays)
    if groups < 0:
        return 0, -1
    n = groups
    before = -1
    while left:
        kind = cards & 31
        held = left & 1
        left >>= 1
        cards >>= 5
        if not held or kind == before:
            continue
        before = kind
        rank = kind >> 1
        own = (rank << RANK_AT) | (PLAYED_SPECIAL if kind & 1 else 0)
        start = n
        n = captures(counts, rank, plays, groups, start)
        if n < 0:
            return 0, -1
        captures_here = n > start + 1
        if not every and has_twin(left, cards, kind):
            n = start + 1
        if y.forced and captures_here:  # it may not be laid
            n -= 1
            plays[start] = plays[n]
        for j in range(start, n):
            plays[j] = with_specials(plays[j], y.table) | own
        if every:
            n = add_without_special(TEN, TAKES_TEN, counts, plays, start, n)
            n = add_without_special(TWO, TAKES_TWO, counts, plays, start, n)
        if n < 0:
            return 0, -1
    return groups, n


@kernel
def add_without_special(rank: int, flag: int, counts: int, plays: Any, start: int, n: int) -> int:
    """Add the captures that take as many of a rank, but not its special card. Returns the new
    number of plays, -1 if the array is too short."""
    end = n
    for j in range(start, n):
        play = plays[j]
        if play & flag and (play >> (4 * rank)) & 15 < (counts >> (4 * rank)) & 15:
            if end == len(plays):
                return -1
            plays[end] = play & ~flag
            end += 1
    return end


@kernel
def has_twin(left: int, cards: int, kind: int) -> bool:
    """Whether the special twin of a plain card comes later in a hand."""
    if kind & 1:
        return False
    while left:
        if left & 1 and cards & 31 == kind + 1:
            return True
        left >>= 1
        cards >>= 5
    return False


@kernel
def move_order(stack: Any, d: int, play: int) -> int:
    """Most points first, then most cards."""
    return 64 * points_of(stack[d].table & COUNTS, play) + cards_of_play(play)


@kernel
def history_index(play: int) -> int:
    """Plays share their history by the rank, and by whether they capture."""
    return 2 * ((play >> RANK_AT) & 15) + (1 if play & COUNTS else 0)
