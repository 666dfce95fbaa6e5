"""Tablić compiled: the rules of RULES.md over one record.

A set of cards is a word with a bit for each card (see cards.py). For captures only ranks
matter, so a set becomes a word of *counts*: thirteen places of four bits. A count is at most
4, which leaves the top bit of each place free to compare two such words in one subtraction.

A play is one number: the captured counts, the played rank, and three flags: the played card
is 10♦ or 2♣; 10♦ is captured; 2♣ is captured. Plays that differ only in interchangeable
suits are the same number (rule 3.7). However many captures a table has, they are generated
into arrays that grow.
"""

from itertools import product
from typing import Any

import numpy as np

from kibitz.compiled import add, grown, kernel, new_set
from kibitz.games.tablic.cards import (
    POINT_RANKS,
    TEN,
    TEN_OF_DIAMONDS,
    TWO,
    TWO_OF_CLUBS,
    VALUES,
)
from kibitz.rng import below, shuffle

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

BONUS_ALWAYS, BONUS_TIE, BONUS_NONE = 0, 1, 2
NEVER = -1

RANK_AT, COUNTS = 52, (1 << 52) - 1
PLAYED_SPECIAL, TAKES_TEN, TAKES_TWO = 1 << 56, 1 << 57, 1 << 58
GUARD_BITS = sum(8 << (4 * rank) for rank in range(13))
ODD_BITS = sum(5 << (4 * rank) for rank in range(13))
BIT_PAIRS = sum(3 << (4 * rank) for rank in range(13))
POINT_CARDS = sum(15 << (4 * rank) for rank in POINT_RANKS)
THE_TEN, THE_TWO = 1 << TEN_OF_DIAMONDS, 1 << TWO_OF_CLUBS
SPECIALS = THE_TEN | THE_TWO
LINEAR, PLACES = 24, 128
"""Up to so many captures a linear search for duplicates beats a hash table."""


def _groups() -> tuple[list[int], list[int]]:
    """All groups of cards that add up to a value, as counts; and where each rank's begin."""
    found: list[int] = []
    starts = [0]
    for value in VALUES:
        own: set[int] = set()

        def extend(rank: int, left: int, counts: int, own: set[int] = own) -> None:
            if left == 0 and counts:
                own.add(counts)
            if rank == 13:
                return
            worth = VALUES[rank]
            for copies in range(5):
                if copies * worth > left:
                    break
                extend(rank + 1, left - copies * worth, counts + (copies << (4 * rank)))

        for low, high in product(range(5), range(5)):  # aces as 1, aces as 11
            rest = value - low - 11 * high
            if low + high <= 4 and rest >= 0:
                extend(1, rest, low + high)
        found += sorted(own, reverse=True)
        starts.append(len(found))
    return found, starts


_FOUND, _STARTS = _groups()
GROUPS = np.array(_FOUND, dtype=np.int64)
GROUPS_FROM = np.array(_STARTS, dtype=np.int64)
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


# -- captures ------------------------------------------------------------------------------


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
def room(found: Any, n: int) -> Any:
    """The array itself, or twice as long if it is full."""
    if n < len(found):
        return found
    longer = np.empty(2 * n, np.int64)
    for i in range(n):
        longer[i] = found[i]
    return longer


@kernel
def captures(counts: int, rank: int, found: Any) -> Any:
    """All sets of table cards that a rank captures, the empty one first. Rule 3.2.

    Every union of disjoint groups, each once: the sets so far, with one group more. Two
    groups can't give the same set in two ways, so the search for duplicates begins with the
    third.
    """
    found[0] = 0
    n = 1
    fitting = 0
    places = found  # a hash table takes over when the sets are many
    hashing = False
    for g in range(GROUPS_FROM[rank], GROUPS_FROM[rank + 1]):
        group = GROUPS[g]
        if not fits(counts, group):
            continue
        fitting += 1
        i = 0
        while i < n:
            larger = found[i] + group
            i += 1
            if not fits(counts, larger):
                continue
            if hashing:
                if not add(places, larger):
                    continue
            elif fitting > 2 and is_among(found, n, larger):
                continue
            found = room(found, n)
            found[n] = larger
            n += 1
            if hashing:
                if 2 * n > len(places):
                    places = grown(places)
            elif n == LINEAR:
                hashing = True
                places = new_set(PLACES)
                for j in range(n):
                    add(places, found[j])
    return found, n


@kernel
def is_among(found: Any, n: int, wanted: int) -> bool:
    for i in range(n):  # noqa: SIM110  # any() is slower compiled
        if found[i] == wanted:
            return True
    return False


@kernel
def splits(counts: int, rank: int) -> bool:
    """Whether a whole set divides into groups that a rank captures. Rule 3.2."""
    if counts == 0:
        return True
    top = 48
    while not (counts >> top) & 15:
        top -= 4
    for g in range(GROUPS_FROM[rank], GROUPS_FROM[rank + 1]):
        group = GROUPS[g]
        if (group >> top) & 15 and fits(counts, group) and splits(counts - group, rank):
            return True
    return False


# -- plays -------------------------------------------------------------------------------


@kernel
def legal(s: Any) -> Any:
    """All legal plays: by hand card (10♦ and 2♣ before their twins), laying it first."""
    x = s[0]
    plays = np.empty(64, np.int64)
    if x.over:
        return plays[:0]
    hand = x.hand[x.turn]
    counts = counts_of(x.table)
    found = np.empty(64, np.int64)
    n = 0
    for rank in range(13):
        suits = (hand >> (4 * rank)) & 15
        if suits == 0:
            continue
        found, sets = captures(counts, rank, found)
        own = (SPECIALS >> (4 * rank)) & 15
        for special in range(1, -1, -1):
            if (suits & own == 0) if special else (suits & ~own == 0):
                continue
            played = (np.int64(rank) << RANK_AT) | (PLAYED_SPECIAL if special else 0)
            for i in range(1 if x.forced and sets > 1 else 0, sets):
                plays = room(plays, n + 3)
                n = with_specials(found[i], x.table, counts, played, plays, n)
    return plays[:n]


@kernel
def pick(s: Any, rng: Any) -> int:
    """A legal play, each with the same probability."""
    plays = legal(s)
    return plays[below(rng, len(plays))]


@kernel
def with_specials(taken: int, table: int, counts: int, played: int, plays: Any, n: int) -> int:
    """Append the ways to take so many of each rank: with 10♦ or without, with 2♣ or without."""
    for ten in range(2):
        if not has_way(taken, table & THE_TEN, counts, TEN, ten):
            continue
        for two in range(2):
            if has_way(taken, table & THE_TWO, counts, TWO, two):
                plays[n] = taken | played | (TAKES_TEN if ten else 0) | (TAKES_TWO if two else 0)
                n += 1
    return n


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
def can_capture(counts: int, rank: int) -> bool:
    for g in range(GROUPS_FROM[rank], GROUPS_FROM[rank + 1]):  # noqa: SIM110  # compiled
        if fits(counts, GROUPS[g]):
            return True
    return False


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


# -- the end -----------------------------------------------------------------------------


@kernel
def finish(x: Any) -> None:
    """What lies on the table goes to the last captor or the dealer. Rules 5.1 to 5.3."""
    x.over = 1
    x.pile[x.dealer if x.to_dealer or x.last < 0 else x.last] |= x.table
    x.table = 0


@kernel
def bits(mask: int) -> int:
    n = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n


@kernel
def card_points(cards: int) -> int:
    """Rules 6.1 and 6.2."""
    return bits(cards & POINT_CARDS) + bits(cards & SPECIALS)


@kernel
def side(x: Any, seat: int) -> int:
    """Partners are one side. Rule 2.4."""
    return seat % 2 if x.players == 4 else seat


@kernel
def points(s: Any, out: Any) -> None:
    """Each seat's points, those of its side. Rules 6.1 to 6.6."""
    x = s[0]
    sides = 2 if x.players == 4 else x.players
    cards = np.zeros(4, np.int64)
    score = np.zeros(4, np.int64)
    for seat in range(x.players):
        cards[side(x, seat)] += bits(x.pile[seat])
        score[side(x, seat)] += card_points(x.pile[seat]) + x.tablas[seat]
    winner = bonus_side(x.bonus, sides, cards, score)
    if winner >= 0:
        score[winner] += 3
    for seat in range(x.players):
        out[seat] = score[side(x, seat)]


@kernel
def bonus_side(bonus: int, sides: int, cards: Any, score: Any) -> int:
    """Who gets three points for cards, or −1. Rules 6.3 to 6.5."""
    if bonus == BONUS_NONE:
        return -1
    best = 0
    for i in range(sides):
        best = max(best, score[i])
    sharing = 0
    most, holder = -1, -1
    for i in range(sides):
        if bonus == BONUS_TIE and score[i] < best:
            continue
        sharing += 1
        if cards[i] == most:
            holder = -1
        elif cards[i] > most:
            most, holder = cards[i], i
    if bonus == BONUS_TIE and sharing < 2:
        return -1
    return holder


@kernel
def returns(s: Any, out: Any) -> None:
    """The points of one's side above those of the others (their mean, with three players)."""
    x = s[0]
    score = np.zeros(4, np.float64)
    points(s, score)
    for seat in range(x.players):
        others = 0.0
        for other in range(x.players):
            if side(x, other) != side(x, seat):
                others += score[other]
        out[seat] = score[seat] - others / (x.players - (2 if x.players == 4 else 1))


@kernel
def next_first(s: Any, rng: Any) -> int:
    """The deal passes to the left, so the next seat begins. Rule 7.3."""
    return (s[0].dealer + 2) % s[0].players


# -- views ---------------------------------------------------------------------------------


@kernel
def observe(s: Any, seat: int, view: Any) -> None:
    """What a seat may know: the other hands and the deck are blank. Rule 8.1."""
    view[0] = s[0]
    v = view[0]
    for other in range(v.players):
        if other != seat:
            v.hand[other] = 0
    for i in range(52):
        v.deck[i] = -1


@kernel
def redeal(view: Any, seat: int, rng: Any, s: Any) -> bool:
    """Fill in a world, each with the same probability. Rule 8.2."""
    s[0] = view[0]
    x = s[0]
    seen = x.table | x.hand[seat]
    for other in range(x.players):
        seen |= x.pile[other]
    # The unseen cards are shuffled at the end of the deck's own array: no scratch needed.
    n = 52
    for card in range(52):
        if not (seen >> card) & 1:
            n -= 1
            x.deck[n] = card
    shuffle(rng, x.deck[n:], 52 - n)
    for other in range(x.players):
        if other != seat:
            for _ in range(x.held[other]):
                x.hand[other] |= np.int64(1) << x.deck[n]
                x.deck[n] = -1
                n += 1
    return n == x.dealt
