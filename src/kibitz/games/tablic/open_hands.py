"""Tablić from a position to the end of the deal with all hands open: a small twin of the
game for searches. A test compares it with the rules in `kernels.py`.

The table is packed (see capture_values.py), a hand is a bit for each of up to six cards, so a
position has an exact key of two words, suits left out where they do not matter. What a
position is worth: see open_worth.py.
"""

from typing import Any

import numpy as np

from kibitz.games.tablic.capture_values import (
    cards_of_play,
    greedy_play,
    packed,
    points_of,
    table_after,
    with_specials,
)
from kibitz.games.tablic.captures import COUNTS, captures, groups_on
from kibitz.games.tablic.cards import TEN, TWO
from kibitz.games.tablic.ends import BONUS_TIE, SPECIALS, bits, card_points, side
from kibitz.games.tablic.kernels import PLAYED_SPECIAL, RANK_AT, TAKES_TEN, TAKES_TWO
from kibitz.games.tablic.open_keys import TAKEN_AT, key, key_of_two
from kibitz.games.tablic.open_worth import (
    OTHERS,
    POINT,
    banked,
    card_weight,
    evaluate,
    last_of_two,
    last_play_of_two,
    team_of,
    terminal_value,
)
from kibitz.jit.kernels import kernel

__all__ = [
    "DENOMINATOR",
    "MAX_PLIES",
    "PLAYS_CAPACITY",
    "POINT",
    "STATE",
    "TABLE_ENTRIES",
    "TAKEN_AT",
    "apply",
    "banked",
    "child_key_and_value",
    "evaluate",
    "fix_replies",
    "hand_of",
    "history_index",
    "key",
    "move_order",
    "mover",
    "over",
    "see_deck",
    "set_up",
    "team_of",
    "terminal_value",
    "write",
]  # fmt: skip

STATE = np.dtype(
    (
        np.record,
        [
            ("players", np.int64),
            ("bonus", np.int64),
            ("forced", np.int64),
            ("rest_to", np.int64),  # the seat that gets the last cards; -1: the last captor
            ("dealer", np.int64),
            ("replying", np.int64),  # a bit for each seat that answers by the greedy strategy
            ("ends", np.int64),  # 1: the game ends with the deal
            ("deals", np.int64),  # to come after this one
            ("known", np.int64),  # of these, so many are known: the search goes through them
            ("coming", np.int64, (3, 4)),  # their cards: with one deal to come, two, three
            ("turn", np.int64),
            ("last", np.int64),
            ("table", np.int64),  # packed
            ("left", np.int64, (4,)),  # a bit for each card still held
            ("cards", np.int64, (4,)),  # five bits each: 2·rank, + 1 for 10♦ and 2♣
            ("points", np.int64, (4,)),  # of each side, in the whole game
            ("taken", np.int64, (4,)),  # cards of each side
        ],
    )
)

MAX_PLIES, TABLE_ENTRIES, PLAYS_CAPACITY, DENOMINATOR = 24, 1 << 14, 1 << 13, 1
"""Plies to the end of a deal, entries of a search's table, capacity for plays; values are whole."""


@kernel
def set_up(view: Any, d: Any) -> None:
    """From a state, or a view with open hands."""
    x, y = view[0], d[0]
    y.players = x.players
    y.bonus = x.bonus
    y.forced = x.forced
    y.dealer = x.dealer
    y.replying = 0
    y.rest_to = x.dealer if x.to_dealer else -1
    y.ends = 1 if x.dealt >= 52 else 0
    y.deals = -((x.dealt - 52) // (6 * x.players))  # three players' last deal is shorter
    y.turn = x.turn
    y.last = x.last
    y.table = packed(x.table)
    for seat in range(4):
        y.left[seat] = 0
        y.points[seat] = 0
        y.taken[seat] = 0
        y.cards[seat] = 0
    y.known = 0
    for seat in range(x.players):
        y.cards[seat] = sorted_kinds(x.hand[seat])
        y.left[seat] = (1 << bits(x.hand[seat])) - 1
        y.points[side(x, seat)] += card_points(x.pile[seat]) + x.tablas[seat]
        y.taken[side(x, seat)] += bits(x.pile[seat])


@kernel
def sorted_kinds(hand: int) -> int:
    """The cards of a hand, five bits each, so that equal ones are neighbours."""
    cards = np.int64(0)
    n = 0
    for kind in range(26):
        suits = (hand >> (4 * (kind >> 1))) & 15
        special = suits & (SPECIALS >> (4 * (kind >> 1)))
        for _ in range(bits(special if kind & 1 else suits & ~special)):
            cards |= np.int64(kind) << (5 * n)
            n += 1
    return int(cards)


@kernel
def see_deck(s: Any, d: Any) -> None:
    """The cards of the deals to come are known too: from a state, not a view."""
    x, y = s[0], d[0]
    y.known = y.deals
    at = x.dealt
    for left in range(y.deals - 1, -1, -1):
        packet = 3
        if 52 - at < 6 * x.players:
            packet = (52 - at) // (2 * x.players)
        hands = np.zeros(4, np.int64)
        for _ in range(2):
            for i in range(1, x.players + 1):
                for _ in range(packet):
                    hands[(x.dealer + i) % x.players] |= np.int64(1) << x.deck[at]
                    at += 1
        for seat in range(x.players):
            y.coming[left, seat] = sorted_kinds(hands[seat])


@kernel
def hand_out(y: Any) -> None:
    """The next deal, which is known."""
    y.known -= 1
    y.deals -= 1
    y.ends = 1 if y.deals == 0 else 0
    for seat in range(y.players):
        y.cards[seat] = y.coming[y.deals, seat]
        y.left[seat] = 63 if y.players != 3 or y.deals else 15


@kernel
def fix_replies(d: Any, seat: int) -> None:
    """All other seats answer by the greedy strategy."""
    d[0].replying = 15 & ~(1 << seat)


@kernel
def mover(stack: Any, d: int) -> int:
    return stack[d].turn


@kernel
def over(stack: Any, d: int) -> bool:
    """The deal is over when the seat to move has no card."""
    return stack[d].left[stack[d].turn] == 0


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
            n = leaving(TEN, TAKES_TEN, counts, plays, start, n)
            n = leaving(TWO, TAKES_TWO, counts, plays, start, n)
        if n < 0:
            return 0, -1
    return groups, n


@kernel
def leaving(rank: int, flag: int, counts: int, plays: Any, start: int, n: int) -> int:
    """Add the captures that take as many of a rank, but not its special card. Returns the new
    number of plays, -1 if there is no room."""
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
def hand_of(left: int, cards: int) -> int:
    """A hand as a packed set."""
    hand = np.int64(0)
    while left:
        if left & 1:
            kind = cards & 31
            hand += np.int64(1) << (4 * (kind >> 1))
            if kind & 1:
                hand |= TAKES_TEN if kind >> 1 == TEN else TAKES_TWO
        left >>= 1
        cards >>= 5
    return int(hand)


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


@kernel
def apply(stack: Any, d: int, play: int) -> None:
    y = stack[d]
    me = y.turn
    y.left[me] &= ~(1 << place_of(y, play))
    if play & COUNTS:
        team = me % 2 if y.players == 4 else me
        y.points[team] += points_of(y.table & COUNTS, play)
        y.taken[team] += cards_of_play(play)
        y.last = me
    y.table = table_after(y.table, play)
    y.turn = me + 1 if me + 1 < y.players else 0
    if y.left[y.turn] == 0 and y.known > 0:
        hand_out(y)


@kernel
def child_key_and_value(
    stack: Any, d: int, play: int, won: float, seat: int, weights: Any
) -> tuple[bool, tuple[int, int, int], float]:
    """Without making the play, where two play on with nothing to be guessed."""
    y = stack[d]
    me = y.turn
    other = y.left[1 - me]
    if y.players != 2 or y.bonus == BONUS_TIE or (other == 0 and not (y.ends or y.known)):
        stack[d + 1] = stack[d]
        apply(stack, d + 1, play)
        if over(stack, d + 1):
            return True, (0, 0, 0), terminal_value(stack, d + 1, seat, weights)
        return False, key(stack, d + 1), banked(stack, d + 1, seat, weights)
    left = y.left[me] & ~(1 << place_of(y, play))
    cards = cards_of_play(play)
    last, known, value = y.last, y.known, won
    taken, his = y.taken[0], y.taken[1]
    if cards:
        last = me
        gain = POINT * points_of(y.table & COUNTS, play) + card_weight(y, weights) * cards
        value += gain if me == seat else -weights[OTHERS] * gain
        taken += cards if me == 0 else 0
        his += cards if me == 1 else 0
    table = table_after(y.table, play)
    if other == 0:
        if known == 0:
            return True, (0, 0, 0), value + last_of_two(y, table, last, taken - his, seat, weights)
        left, other, known = 63, 63, known - 1
    elif left == 0 and y.ends and other & (other - 1) == 0 and plain_end(y, weights):
        kind = kind_at(other, y.cards[1 - me])
        end = last_play_of_two(y, table, kind, 1 - me, last, taken - his, seat, weights)
        return True, (0, 0, 0), value + end
    if me == 1:
        left, other = other, left
    return False, key_of_two(y, table, left, other, last, taken, his, known), value


@kernel
def plain_end(y: Any, weights: Any) -> bool:
    """Whether who plays the last card of the game will take what he can."""
    return y.replying == 0 and card_weight(y, weights) >= 0


@kernel
def kind_at(held: int, cards: int) -> int:
    """The card of a hand of one."""
    while held & 1 == 0:
        held >>= 1
        cards >>= 5
    return cards & 31


@kernel
def place_of(y: Any, play: int) -> int:
    """Where in the mover's hand the played card stands."""
    kind = 2 * ((play >> RANK_AT) & 15) + (1 if play & PLAYED_SPECIAL else 0)
    left, cards = y.left[y.turn], y.cards[y.turn]
    i = 0
    while not (left & 1 and cards & 31 == kind):
        left >>= 1
        cards >>= 5
        i += 1
    return i
