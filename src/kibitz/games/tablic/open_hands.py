"""Tablić from a position to the end of the deal with all hands open: a small twin of the
game for searches. A test compares it with the rules in `kernels.py`.

The table is packed (see takings.py), a hand is a bit for each of up to six cards, so a
position has an exact key of two words, suits left out where they do not matter. Values are
whole numbers, thousandths of a point. What a position is worth when the deal ends, and the
game goes on, is a weighted sum: see WEIGHTS.
"""

from typing import Any

import numpy as np

from kibitz.compiled import kernel
from kibitz.games.tablic.captures import COUNTS, captures, groups_on
from kibitz.games.tablic.cards import TEN, TWO
from kibitz.games.tablic.ends import (
    BONUS_NONE,
    BONUS_TIE,
    SPECIALS,
    bits,
    bonus_side,
    card_points,
    side,
)
from kibitz.games.tablic.kernels import (
    PLAYED_SPECIAL,
    RANK_AT,
    TAKES_TEN,
    TAKES_TWO,
)
from kibitz.games.tablic.takings import (
    POINT_PLACES,
    cards_of_play,
    greedy_play,
    packed,
    points_of,
    size,
    table_after,
    with_specials,
)

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

POINT = 1000
CARD, EMPTY, EACH, ON_TABLE, CLEAR, OTHERS, BONUS, WEIGHTS = 0, 4, 5, 6, 7, 8, 9, 10
"""The weights of a value: a captured card (in the last deal, with one deal to come, two,
three); at the end of a deal, to who moves first in the next: an empty table, each card on it,
each point on it, that one card may clear it; how much the others' points count, and whether
the cards bonus does."""
LONGEST, TABLE, WIDTH = 24, 1 << 14, 4096
"""Plies to the end of a deal, places in a search's table, and room for plays."""


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
    for seat in range(x.players):
        n = 0
        for kind in range(26):  # so equal cards are neighbours
            suits = (x.hand[seat] >> (4 * (kind >> 1))) & 15
            special = suits & (SPECIALS >> (4 * (kind >> 1)))
            for _ in range(bits(special if kind & 1 else suits & ~special)):
                y.cards[seat] |= np.int64(kind) << (5 * n)
                n += 1
        y.left[seat] = (1 << n) - 1
        y.points[side(x, seat)] += card_points(x.pile[seat]) + x.tablas[seat]
        y.taken[side(x, seat)] += bits(x.pile[seat])


@kernel
def fix_replies(d: Any, seat: int) -> None:
    """All other seats answer by the greedy strategy."""
    d[0].replying = 15 & ~(1 << seat)


@kernel
def mover(d: Any) -> int:
    return d[0].turn


@kernel
def over(d: Any) -> bool:
    """The deal is over when the seat to move has no card."""
    return d[0].left[d[0].turn] == 0


@kernel
def write(d: Any, plays: Any) -> tuple[int, int]:
    """The plays worth looking at; from where to where, or -1 if there is no room.

    Left out: a capture that leaves 10♦ or 2♣ and takes its twin, or that is made with the
    twin of such a card in hand. The other is never worse, unless somebody always replies by
    the greedy strategy: him the better card may lure away from what he should take; or unless
    a tie is worth more than a point.
    """
    y = d[0]
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
def promise(d: Any, play: int) -> int:
    """How good a play looks: the order in which a search tries them."""
    return 64 * points_of(d[0].table & COUNTS, play) + cards_of_play(play)


@kernel
def habit(play: int) -> int:
    """What plays have in common that were good elsewhere: the rank, and whether it captures."""
    return 2 * ((play >> RANK_AT) & 15) + (1 if play & COUNTS else 0)


@kernel
def apply(d: Any, play: int) -> None:
    y = d[0]
    me = y.turn
    kind = 2 * ((play >> RANK_AT) & 15) + (1 if play & PLAYED_SPECIAL else 0)
    i = 0
    while not ((y.left[me] >> i) & 1 and (y.cards[me] >> (5 * i)) & 31 == kind):
        i += 1
    y.left[me] &= ~(1 << i)
    if play & COUNTS:
        team = me % 2 if y.players == 4 else me
        y.points[team] += points_of(y.table & COUNTS, play)
        y.taken[team] += cards_of_play(play)
        y.last = me
    y.table = table_after(y.table, play)
    y.turn = me + 1 if me + 1 < y.players else 0


@kernel
def team_of(d: Any, seat: int) -> int:
    return seat % 2 if d[0].players == 4 else seat


@kernel
def key(d: Any) -> tuple[int, int]:
    """The position without what was won before, which is counted apart. Exact: two words."""
    y = d[0]
    rest = y.left[0] | y.left[1] << 6 | y.left[2] << 12 | y.left[3] << 18
    if y.ends:
        rest |= (y.last + 1) << 24
    if y.ends and y.bonus != BONUS_NONE:  # the bonus hangs on what was won before
        rest |= y.taken[0] << 27 | y.taken[1] << 33 | y.taken[2] << 39
        if y.bonus == BONUS_TIE:
            rest |= (y.points[0] - y.points[1] + 64) << 45
            rest |= (y.points[1] - y.points[2] + 64) << 52
    return y.table, rest


@kernel
def balance(numbers: Any, d: Any, team: int, others: float) -> float:
    """A team's number, once for each other team, less the others', weighted."""
    teams = 2 if d[0].players == 4 else d[0].players
    total = 0
    for other in range(teams):
        total += numbers[other]
    return float((teams - 1) * numbers[team]) - others * (total - numbers[team])


@kernel
def so_far(d: Any, seat: int, weights: Any) -> float:
    """What is won already."""
    y = d[0]
    return won(y.points, y.taken, d, seat, weights)


@kernel
def won(points: Any, cards: Any, d: Any, seat: int, weights: Any) -> float:
    team = team_of(d, seat)
    card = weights[CARD + (0 if d[0].ends else min(d[0].deals, 3))]
    others = weights[OTHERS]
    return POINT * balance(points, d, team, others) + card * balance(cards, d, team, others)


@kernel
def worth(d: Any, seat: int, weights: Any) -> float:
    """The value of a deal's end to a seat: exact if it ends the game."""
    if d[0].ends:
        return game_end(d, seat, weights)
    return so_far(d, seat, weights) + weigh_end(d, seat, weights)


@kernel
def guess(d: Any, seat: int, weights: Any) -> float:
    """Where a search must stop within the deal: what is won already."""
    return so_far(d, seat, weights)


@kernel
def game_end(d: Any, seat: int, weights: Any) -> float:
    """The rest of the table goes to the last captor or the dealer; then the bonus."""
    y = d[0]
    captor = y.last if y.rest_to < 0 else y.rest_to
    team = team_of(d, captor if captor >= 0 else y.dealer)
    points = np.empty(4, np.int64)
    cards = np.empty(4, np.int64)
    for i in range(4):
        points[i] = y.points[i]
        cards[i] = y.taken[i]
    points[team] += points_in(y.table)
    cards[team] += size(y.table & COUNTS)
    winner = bonus_side(y.bonus, 2 if y.players == 4 else y.players, cards, points)
    if winner >= 0 and weights[BONUS]:
        points[winner] += 3
    return won(points, cards, d, seat, weights)


@kernel
def points_in(table: int) -> int:
    """The points of all cards of a packed set."""
    points = size(table & POINT_PLACES)
    points += 1 if table & TAKES_TEN else 0
    return points + (1 if table & TAKES_TWO else 0)


@kernel
def weigh_end(d: Any, seat: int, weights: Any) -> float:
    """What the table at the end of a deal is worth to who moves first in the next one."""
    y = d[0]
    n = size(y.table & COUNTS)
    value = weights[EACH] * n + weights[ON_TABLE] * points_in(y.table)
    if n == 0:
        value += weights[EMPTY]
    elif low_sum(y.table) <= 14:
        value += weights[CLEAR]
    first = y.dealer + 1 if y.dealer + 1 < y.players else 0
    return value if team_of(d, first) == team_of(d, seat) else -value


@kernel
def low_sum(table: int) -> int:
    """The least sum of all cards of a table: aces as 1."""
    total = table & 15
    for rank in range(1, 13):
        value = rank + 1 if rank < 10 else rank + 2
        total += ((table >> (4 * rank)) & 15) * value
    return total
