"""Values of positions with open hands: what is banked, ends of deals, ends of the game.

Values are whole numbers, thousandths of a point (see POINT). To a seat of side a, with P and C the
points and cards of the sides, and f the weight `others`:

    banked    = POINT · (P[a] - f · P[b]) + card · (C[a] - f · C[b])
    card      = the weight `card` by the number of deals to come

With three sides it is the sum over both others. The end of a deal adds `table_value`; the end of
the game adds the last cards on the table and the bonus for most cards.

Example: a card counts 250, f = 1. Who has 5 points and 12 cards against 3 points and 9 cards has
banked 1000 · 2 + 250 · 3 = 2750. If the deal ends there with 7♣ and 10♦ on the table, and the
table's weights are 280 a card, 290 a point and 800 because one card may clear it (7 + 10 = 17 is
more than 14, so none may), it adds 2 · 280 + 2 · 290 = 1140 for who moves first in the next deal.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.games.tablic.capture_values import POINT_PLACES, size
from kibitz.games.tablic.captures import COUNTS, can_capture, clears
from kibitz.games.tablic.cards import TAKES_TEN, TAKES_TWO, TEN
from kibitz.games.tablic.ends import BONUS_ALWAYS, bonus_side
from kibitz.jit.kernels import inlined, kernel

POINT = 1000


class DealWeights(NamedTuple):
    """The weights of a value. Kernels get them as an array: see `numbers`."""

    card: tuple[float, float, float, float]
    """A captured card: in the last deal, with one deal to come, two, three."""
    empty_table: float = 0.0
    """At the end of a deal, to who moves first in the next, like the next three."""
    table_card: float = 0.0
    """Each card on the table."""
    table_point: float = 0.0
    """Each point on it."""
    clearable: float = 0.0
    """That one card may clear it."""
    others: float = 1.0
    """How much the others' points and cards count, as a factor."""
    bonus: float = 1.0
    """1 if the cards bonus counts, or 0."""

    def numbers(self) -> tuple[float, ...]:
        """As they stand in the array, the cards' first."""
        return (*self.card, *self[1:])


@inlined
def read_weights(weights: Any) -> DealWeights:
    """From the array. For the card in hot places see `card_weight`."""
    return DealWeights(
        (weights[0], weights[1], weights[2], weights[3]),
        weights[4], weights[5], weights[6], weights[7], weights[8], weights[9],
    )  # fmt: skip


@kernel
def team_of(stack: Any, d: int, seat: int) -> int:
    return team(stack[d], seat)


@kernel
def team(y: Any, seat: int) -> int:
    return seat % 2 if y.players == 4 else seat


@kernel
def balance(numbers: Any, y: Any, team: int, others: float) -> float:
    """A team's number, once for each other team, less the others', weighted."""
    if y.players != 3:
        return float(numbers[team]) - others * numbers[1 - team]
    teams = 3
    total = 0
    for other in range(teams):
        total += numbers[other]
    return float((teams - 1) * numbers[team]) - others * (total - numbers[team])


@kernel
def banked(stack: Any, d: int, seat: int, weights: Any) -> float:
    """What is won already."""
    y = stack[d]
    return score(y.points, y.taken, y, seat, weights)


@kernel
def card_weight(y: Any, weights: Any) -> float:
    """What a captured card counts in this deal."""
    return weights[0 if y.ends else min(y.deals, 3)]  # these come first


@kernel
def score(points: Any, cards: Any, y: Any, seat: int, weights: Any) -> float:
    own, card, others = team(y, seat), card_weight(y, weights), read_weights(weights).others
    value = POINT * balance(points, y, own, others)
    return value + card * balance(cards, y, own, others) if card else value


@kernel
def terminal_value(stack: Any, d: int, seat: int, weights: Any) -> float:
    """The value of a deal's end to a seat: exact if it ends the game."""
    y = stack[d]
    if y.ends:
        return game_end_value(y, seat, weights)
    return banked(stack, d, seat, weights) + table_value(y, seat, weights)


@kernel
def evaluate(stack: Any, d: int, seat: int, weights: Any) -> float:
    """Where a search must stop within the deal: what is won already."""
    return banked(stack, d, seat, weights)


@kernel
def game_end_value(y: Any, seat: int, weights: Any) -> float:
    """The rest of the table goes to the last captor or the dealer; then the bonus."""
    captor = y.last if y.rest_to < 0 else y.rest_to
    own = team(y, captor if captor >= 0 else y.dealer)
    points = np.empty(4, np.int64)
    cards = np.empty(4, np.int64)
    for i in range(4):
        points[i] = y.points[i]
        cards[i] = y.taken[i]
    points[own] += points_in(y.table)
    cards[own] += size(y.table & COUNTS)
    winner = bonus_side(y.bonus, 2 if y.players == 4 else y.players, cards, points)
    if winner >= 0 and read_weights(weights).bonus:
        points[winner] += 3
    return score(points, cards, y, seat, weights)


@kernel
def two_player_end_gain(
    y: Any, table: int, last: int, ahead: int, seat: int, weights: Any
) -> float:
    """What the end of the game adds for one of two players: the rest of the table, and the
    bonus for most cards, of which the first one is so many ahead."""
    if y.rest_to >= 0 or last < 0:
        last = y.dealer
    rest = size(table & COUNTS)
    gain = POINT * points_in(table) + card_weight(y, weights) * rest
    others, bonus = read_weights(weights).others, read_weights(weights).bonus
    value = gain if last == seat else -others * gain
    if y.bonus == BONUS_ALWAYS and bonus:
        ahead += rest if last == 0 else -rest
        if ahead:
            winner = 0 if ahead > 0 else 1
            value += 3 * POINT if winner == seat else -others * 3 * POINT
    return value


@kernel
def two_player_last_card_gain(
    y: Any, table: int, kind: int, me: int, last: int, ahead: int, seat: int, weights: Any
) -> float:
    """What the last card of the game adds, and the end. If it takes anything, all is his who
    plays it; so all that matters is whether it can, and whether it can take the whole table."""
    rank, counts = kind >> 1, table & COUNTS
    if y.rest_to >= 0:
        last = y.dealer
    cleared = clears(counts, rank)
    if cleared or can_capture(counts, rank):
        last = me
    card = np.int64(1) << (4 * rank)
    if kind & 1:
        card |= TAKES_TEN if rank == TEN else TAKES_TWO
    value = two_player_end_gain(y, table + card, last, ahead, seat, weights)
    if cleared:
        value += POINT if me == seat else -read_weights(weights).others * POINT
    return value


@kernel
def points_in(table: int) -> int:
    """The points of all cards of a packed set."""
    points = size(table & POINT_PLACES)
    points += 1 if table & TAKES_TEN else 0
    return points + (1 if table & TAKES_TWO else 0)


@kernel
def table_value(y: Any, seat: int, weights: Any) -> float:
    """The value of the table at the end of a deal to who moves first in the next one."""
    n = size(y.table & COUNTS)
    each = read_weights(weights)
    value = each.table_card * n + each.table_point * points_in(y.table)
    if n == 0:
        value += each.empty_table
    elif low_sum(y.table) <= 14:
        value += each.clearable
    first = y.dealer + 1 if y.dealer + 1 < y.players else 0
    return value if team(y, first) == team(y, seat) else -value


@kernel
def low_sum(table: int) -> int:
    """The least sum of all cards of a table: aces as 1."""
    total = table & 15
    for rank in range(1, 13):
        value = rank + 1 if rank < 10 else rank + 2
        total += ((table >> (4 * rank)) & 15) * value
    return total
