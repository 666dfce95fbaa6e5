"""Human Tablić (thesis TB, 3.1): captures like greedy; with nothing to capture, lays what
gives least to cards that are still unseen; and keeps back a capture that can't be lost
(figure 6: with the other queen gone, lay one queen and take two with the other)."""

from typing import Any

import numpy as np

from kibitz.core.explanation import Belief, Reason
from kibitz.core.game import View
from kibitz.games.tablic.capture_values import (
    BUFFER,
    LEXICAL,
    as_card,
    best_capture,
    best_capture_with,
    cards_of_play,
    cheapest,
    packed,
    points_of,
    points_of_card,
    special_in,
)
from kibitz.games.tablic.capture_values import tie as tie
from kibitz.games.tablic.captures import COUNTS, SUM_AT, counts_of, groups_on
from kibitz.games.tablic.cards import DECK, PLAYED_SPECIAL, RANK_AT, RANKS, VALUES
from kibitz.jit.kernels import kernel
from kibitz.strategies.common.base import said

SCORE = "points + cards / 100 at once; laying: less what it gives"
PARTS = ("points", "cards / 100", "laid / 10000", "gift", "kept back")
POINTS, CARDS, LAID, GIFT, HELD_BACK = range(5)
QUARTERS = 4
"""A gift counts a card as a quarter of a point."""
KEEPING = 100.0


@kernel
def unseen_cards(v: Any, seat: int) -> int:
    seen = v.table | v.hand[seat]
    for other in range(v.players):
        seen |= v.pile[other]
    return DECK & ~seen


@kernel
def gift_of(table: int, hidden: int) -> int:
    """What each hidden card would capture from a table, in all, in quarters of a point."""
    buffer = np.empty(BUFFER, np.int64)
    groups = groups_on(table & COUNTS, hidden, buffer)
    while groups < 0:
        buffer = np.empty(4 * len(buffer), np.int64)
        groups = groups_on(table & COUNTS, hidden, buffer)
    total = 0
    for rank in range(13):
        n = (hidden >> (4 * rank)) & 15
        special = special_in(hidden, rank) != 0
        if n > special:
            total += (n - special) * taking(table, rank, False, buffer, groups)
        if special:
            total += taking(table, rank, True, buffer, groups)
    return total


@kernel
def taking(table: int, rank: int, special: bool, buffer: Any, groups: int) -> int:
    """The best of points and quarters of cards that one card captures."""
    value, _ = best_capture_with(table, rank, special, QUARTERS, buffer, groups)
    while value < 0:
        larger = np.empty(4 * len(buffer), np.int64)
        larger[:groups] = buffer[:groups]
        buffer = larger
        value, _ = best_capture_with(table, rank, special, QUARTERS, buffer, groups)
    return value


@kernel
def is_safe(table: int, rank: int, hidden: int) -> bool:
    """Whether no hidden card can capture a card of this rank."""
    buffer = np.empty(BUFFER, np.int64)
    groups = groups_on(table & COUNTS, hidden, buffer)
    while groups < 0:
        buffer = np.empty(4 * len(buffer), np.int64)
        groups = groups_on(table & COUNTS, hidden, buffer)
    for i in range(1, groups):
        if (buffer[i] >> (4 * rank)) & 15:
            for other in range(13):
                if VALUES[other] == buffer[i] >> SUM_AT and (hidden >> (4 * other)) & 15:
                    return False
    return True


@kernel
def held_back_card(table: int, hand: int, hidden: int, forced: int) -> int:
    """The play that lays one of a pair whose capture can't be lost, or -1."""
    if forced:
        return -1
    for rank in range(12, -1, -1):
        n = (hand >> (4 * rank)) & 15
        if n < 2 or (hidden >> (4 * rank)) & 15 or not (table >> (4 * rank)) & 15:
            continue
        play = cheapest((n << (4 * rank)) | special_in(hand, rank))
        if is_safe(table + as_card(play), rank, hidden):
            return play
    return -1


@kernel
def score(view: Any, seat: int, numbers: Any, play: int, parts: Any) -> float:
    v = view[0]
    table, hand, hidden = packed(v.table), packed(v.hand[seat]), packed(unseen_cards(v, seat))
    parts[POINTS] = points_of(counts_of(v.table), play)
    parts[CARDS] = cards_of_play(play) / 100
    if cards_of_play(play) == 0:
        value, _ = best_capture(table, hand, LEXICAL)
        parts[LAID] = -points_of_card((play >> RANK_AT) & 15, play & PLAYED_SPECIAL != 0) / 10000
        if value == 0:
            parts[GIFT] = -gift_of(table + as_card(play), hidden) / QUARTERS
    if play == held_back_card(table, hand, hidden, v.forced):
        parts[HELD_BACK] = KEEPING
    total = 0.0
    for i in range(len(PARTS)):
        total += parts[i]
    return total


@kernel
def choose(view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any) -> int:
    v = view[0]
    hidden = packed(unseen_cards(v, seat))
    return human_play(packed(v.table), packed(v.hand[seat]), hidden, v.forced)


@kernel
def human_play(table: int, hand: int, hidden: int, forced: int) -> int:
    """What it plays from a hand, all packed: hidden are the cards that it has not seen."""
    held_back = held_back_card(table, hand, hidden, forced)
    if held_back >= 0:
        return held_back
    value, play = best_capture(table, hand, LEXICAL)
    return play if value > 0 else least_gift(table, hand, hidden)


@kernel
def least_gift(table: int, hand: int, hidden: int) -> int:
    """The card whose laying gives least; of equal ones the one with fewest points."""
    best, least = -1, 0
    for rank in range(13):
        special = special_in(hand, rank) != 0
        for own in (True, False):
            if not (special if own else (hand >> (4 * rank)) & 15 > special):
                continue
            play = (rank << RANK_AT) | (PLAYED_SPECIAL if own else 0)
            gift = 100 * gift_of(table + as_card(play), hidden) + points_of_card(rank, own)
            if best < 0 or gift < least:
                best, least = play, gift
    return best


# -- in words -----------------------------------------------------------------------------


def beliefs(view: View[Any], numbers: Any) -> tuple[Belief, ...]:
    """How many of each rank are still unseen, as shares."""
    hidden = int(unseen_cards(view.state[0], view.seat))
    total = max(hidden.bit_count(), 1)
    shares = {
        RANKS[rank]: (hidden >> (4 * rank) & 15).bit_count() / total
        for rank in range(13)
        if hidden >> (4 * rank) & 15
    }
    return (Belief("an unseen card", shares),) if shares else ()


def sentence(view: View[Any], reasons: list[Reason]) -> str:
    """Why, in a sentence."""
    best = reasons[0]
    if best.parts.get("kept back"):
        return (
            f"{said(view, best.play)}: its twin takes it back later. The others are all accounted"
            " for, and nothing unseen can take it."
        )
    points, cards = best.parts.get("points", 0), round(100 * best.parts.get("cards / 100", 0))
    if cards:
        what = f"{points:g} point{'s' * (points != 1)} and {cards} cards"
        return f"{said(view, best.play)}: {what} at once."
    return f"{said(view, best.play)}: nothing can be captured, and this gives least to take."
