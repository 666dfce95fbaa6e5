"""Tablić compiled: the rules of RULES.md over one record.

A set of cards is a word with a bit for each card (see cards.py). A play is one number: the
captured cards as counts (see captures.py), the played rank, and three flags: the played card
is 10♦ or 2♣; 10♦ is captured; 2♣ is captured. Plays that differ only in interchangeable
suits are the same number (rule 3.7).
"""

from typing import Any

import numpy as np

from kibitz.games.tablic.captures import (
    COUNTS,
    GUARD_BITS,
    can_capture,
    captures,
    counts_of,
    fits,
    groups_on,
    splits,
)
from kibitz.games.tablic.cards import (
    PLAYED_SPECIAL,
    RANK_AT,
    TAKES_TEN,
    TAKES_TWO,
    TEN,
    TEN_OF_DIAMONDS,
    TWO,
    TWO_OF_CLUBS,
)
from kibitz.games.tablic.ends import SPECIALS, THE_TEN, THE_TWO, finish, next_first, points, returns
from kibitz.games.tablic.validity import is_complete, is_valid
from kibitz.games.tablic.views import observe, observe_open_hands, redeal, reshuffle
from kibitz.jit.kernels import kernel
from kibitz.jit.rng import below, shuffle

__all__ = [
    "STATE",
    "can_capture",
    "counts_of",
    "is_complete",
    "is_valid",
    "next_first",
    "observe",
    "observe_open_hands",
    "points",
    "redeal",
    "reshuffle",
    "returns",
    "splits",
]

STATE = np.dtype(
    (
        np.record,
        [
            ("players", np.int64),
            ("bonus", np.int64),  # rule 6.3: one of BONUS_…
            ("forced", np.int64),  # rule 3.6
            ("to_dealer", np.int64),  # rule 5.3
            ("dealer", np.int64),
            ("turn", np.int64),
            ("over", np.int64),
            ("last", np.int64),  # the last captor, or −1
            ("table", np.int64),
            ("dealt", np.int64),  # how many cards of the deck have been dealt
            ("hand", np.int64, (4,)),
            ("held", np.int64, (4,)),  # how many cards: known of every hand
            ("pile", np.int64, (4,)),
            ("tablas", np.int64, (4,)),
            ("deck", np.int64, (52,)),
        ],
    )
)

NEVER_AT_RANDOM = -1

THREES = GUARD_BITS // 8 * 3
"""Added to counts, it sets the top bit of a place that has more than four."""
LOWEST = np.array(
    [
        [sum(1 << b for b in [b for b in range(4) if nibble >> b & 1][:k]) for k in range(5)]
        for nibble in range(16)
    ],
    dtype=np.int64,
)
"""LOWEST[suits, k]: the first k of a rank's suits."""


# -- dealing -----------------------------------------------------------------------------


@kernel
def deal(s: Any, rng: Any, first: int) -> None:
    """Shuffle, four cards to the table, the first deal. Rules 2.1 to 2.5."""
    x = s[0]
    for card in range(52):
        x.deck[card] = card
    shuffle(rng, x.deck, 52)
    lay_out(s, first)


@kernel
def lay_out(s: Any, first: int) -> None:
    """Start a game from the deck in dealing order."""
    x = s[0]
    x.dealer = (first - 1) % x.players
    x.turn = first
    x.over = 0
    x.last = -1
    x.table = 0
    for i in range(4):
        x.table |= np.int64(1) << x.deck[i]
        x.hand[i] = 0
        x.held[i] = 0
        x.pile[i] = 0
        x.tablas[i] = 0
    x.dealt = 4
    hand_out(x)


@kernel
def hand_out(x: Any) -> None:
    """One deal, in two packets each. Rules 2.2 to 2.5."""
    packet = 3
    if 52 - x.dealt < 6 * x.players:
        packet = (52 - x.dealt) // (2 * x.players)
    for _ in range(2):
        for i in range(1, x.players + 1):
            seat = (x.dealer + i) % x.players
            for _ in range(packet):
                x.hand[seat] |= np.int64(1) << x.deck[x.dealt]
                x.dealt += 1
            x.held[seat] += packet


# -- plays -------------------------------------------------------------------------------


@kernel
def legal(s: Any) -> Any:
    """All legal plays: by hand card (10♦ and 2♣ before their twins), laying it first."""
    plays = np.empty(100, np.int64)
    start, end = write_plays(s[0], plays)
    while end < 0:  # until all of them fit
        plays = np.empty(4 * len(plays), np.int64)
        start, end = write_plays(s[0], plays)
    return plays[start:end]


@kernel
def write(s: Any, plays: Any) -> tuple[int, int]:
    """The legal plays, written into an array."""
    return write_plays(s[0], plays)


@kernel
def write_plays(x: Any, plays: Any) -> tuple[int, int]:
    """Write the legal plays into an array; from where to where, or -1 if it is too short."""
    hand = x.hand[x.turn]
    counts = counts_of(x.table)
    groups = groups_on(counts, counts_of(hand), plays)
    if groups < 0:
        return 0, -1
    n = groups
    for rank in range(13):
        suits = (hand >> (4 * rank)) & 15
        if suits == 0:
            continue
        start = n
        n = captures(counts, rank, plays, groups, start)
        if n < 0:
            return 0, -1
        if x.forced and n > start + 1:
            n -= 1
            plays[start] = plays[n]  # it may not be laid
        if x.table & THE_TEN:
            n = with_special(plays, start, n, counts, TEN, TAKES_TEN)
        if x.table & THE_TWO:
            n = with_special(plays, start, n, counts, TWO, TAKES_TWO)
        special = suits & (SPECIALS >> (4 * rank))
        n = by_hand_card(plays, start, n, rank, special != 0, suits != special)
        if n < 0:
            return 0, -1
    return groups, n


@kernel
def with_special(plays: Any, start: int, end: int, counts: int, rank: int, flag: int) -> int:
    """Where cards of a rank are taken, but not all: without its special card, and with it."""
    n = end
    for i in range(start, end):
        k = (plays[i] >> (4 * rank)) & 15
        if k == 0:
            continue
        if k == (counts >> (4 * rank)) & 15:
            plays[i] |= flag
        elif n >= len(plays):
            return -1
        else:
            plays[n] = plays[i] | flag
            n += 1
    return n


@kernel
def by_hand_card(plays: Any, start: int, end: int, rank: int, special: bool, plain: bool) -> int:
    """Enter the played card: of a rank in hand its special card, a plain one, or each."""
    if end < 0:
        return -1
    n = end
    for i in range(start, end):
        plays[i] |= rank << RANK_AT
        if special and plain:
            if n == len(plays):
                return -1
            plays[n] = plays[i]
            n += 1
        if special:
            plays[i] |= PLAYED_SPECIAL
    return n


@kernel
def pick(s: Any, rng: Any) -> int:
    """A legal play, each with the same probability."""
    plays = legal(s)
    return plays[below(rng, len(plays))]


@kernel
def has_way(taken: int, special: int, counts: int, rank: int, wanted: int) -> bool:
    """Whether so many of a rank can be taken with (wanted = 1) or without its special card."""
    k = (taken >> (4 * rank)) & 15
    if wanted:
        return special != 0 and k > 0
    return special == 0 or k < (counts >> (4 * rank)) & 15


@kernel
def is_legal(s: Any, play: int) -> bool:
    """The same as being in `legal`, without generating it."""
    x = s[0]
    rank = (play >> RANK_AT) & 15
    taken = play & COUNTS
    if play >> 59 != 0 or rank > 12 or (taken | (taken + THREES)) & GUARD_BITS != 0:
        return False  # no play has such a number
    counts = counts_of(x.table)
    suits = (x.hand[x.turn] >> (4 * rank)) & 15
    own = (SPECIALS >> (4 * rank)) & 15
    if (suits & own if play & PLAYED_SPECIAL else suits & ~own) == 0:
        return False
    ten = 1 if play & TAKES_TEN else 0
    two = 1 if play & TAKES_TWO else 0
    if not has_way(taken, x.table & THE_TEN, counts, TEN, ten):
        return False
    if not has_way(taken, x.table & THE_TWO, counts, TWO, two):
        return False
    if taken == 0:
        return not x.forced or not can_capture(counts, rank)
    return fits(counts, taken) and splits(taken, rank)


@kernel
def hand_card(hand: int, play: int) -> int:
    """The card a play uses: of equal ones the first suit."""
    rank = (play >> RANK_AT) & 15
    if play & PLAYED_SPECIAL:
        return TEN_OF_DIAMONDS if rank == TEN else TWO_OF_CLUBS
    suits = (hand & ~SPECIALS) >> (4 * rank)
    suit = 0
    while not (suits >> suit) & 1:
        suit += 1
    return 4 * rank + suit


@kernel
def table_cards(table: int, play: int) -> int:
    """The cards a play takes: of equal ones the first suits."""
    taken = play & COUNTS
    cards = 0
    if play & TAKES_TEN:
        cards |= THE_TEN
        taken -= 1 << (4 * TEN)
    if play & TAKES_TWO:
        cards |= THE_TWO
        taken -= 1 << (4 * TWO)
    table &= ~SPECIALS
    at = 0
    while taken:
        cards |= LOWEST[table & 15, taken & 15] << at
        taken >>= 4
        table >>= 4
        at += 4
    return cards


@kernel
def mover(s: Any) -> int:
    return s[0].turn


@kernel
def over(s: Any) -> bool:
    return s[0].over != 0


@kernel
def apply(s: Any, play: int) -> None:
    """Make a legal play."""
    x = s[0]
    move_cards(s, hand_card(x.hand[x.turn], play), table_cards(x.table, play))


@kernel
def move_cards(s: Any, card: int, taken: int) -> None:
    """Play this very card and take these very cards. Rules 3.4, 3.5, 4.1 and 5."""
    x = s[0]
    me = x.turn
    bit = np.int64(1) << card
    x.hand[me] &= ~bit
    x.held[me] -= 1
    if taken == 0:
        x.table |= bit
    else:
        x.table &= ~taken
        x.pile[me] |= taken | bit
        x.last = me
        if x.table == 0:
            x.tablas[me] += 1
    x.turn = (me + 1) % x.players
    if x.held[x.turn] == 0:
        if x.dealt < 52:
            hand_out(x)
        else:
            finish(x)
