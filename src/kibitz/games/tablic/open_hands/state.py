"""The record of Tablić with open hands: set up from a state, dealt, played on."""

from typing import Any

import numpy as np

from kibitz.games.tablic.capture_values import cards_of_play, packed, points_of, table_after
from kibitz.games.tablic.captures import COUNTS
from kibitz.games.tablic.cards import PLAYED_SPECIAL, RANK_AT, TAKES_TEN, TAKES_TWO, TEN
from kibitz.games.tablic.ends import SPECIALS, bits, card_points, side
from kibitz.jit.kernels import kernel

STATE = np.dtype(
    (
        np.record,
        [
            ("players", np.int64),
            ("bonus", np.int64),  # rule 6.3: one of BONUS_…
            ("forced", np.int64),  # rule 3.6: who can capture with a card may not lay it
            ("rest_to", np.int64),  # the seat that gets the last cards; -1: the last captor
            ("dealer", np.int64),
            ("replying", np.int64),  # a bit for each seat that answers by the greedy strategy
            ("ends", np.int64),  # 1: the game ends with this deal
            ("deals", np.int64),  # to come after this one
            ("known", np.int64),  # of these, so many are known: the search goes through them
            ("coming", np.int64, (3, 4)),  # coming[i, seat]: the cards of the deal before i others
            ("turn", np.int64),
            ("last", np.int64),  # the last captor, or -1
            ("table", np.int64),  # packed
            ("left", np.int64, (4,)),  # a bit for each card of `cards` that is still held
            ("cards", np.int64, (4,)),  # the hand as dealt, five bits a card: see sorted_kinds
            ("points", np.int64, (4,)),  # of each side, in the whole game
            ("taken", np.int64, (4,)),  # cards that each side has taken
        ],
    )
)
"""A position. Sides are seats, or with four players the partners: 0 and 1."""


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
def apply(stack: Any, d: int, play: int) -> None:
    y = stack[d]
    me = y.turn
    y.left[me] &= ~(1 << hand_index(y, play))
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
def hand_index(y: Any, play: int) -> int:
    """Where in the mover's hand the played card stands."""
    kind = 2 * ((play >> RANK_AT) & 15) + (1 if play & PLAYED_SPECIAL else 0)
    left, cards = y.left[y.turn], y.cards[y.turn]
    i = 0
    while not (left & 1 and cards & 31 == kind):
        left >>= 1
        cards >>= 5
        i += 1
    return i
