"""A deal of Tablić with open hands, looked through to its end by plain recursion: what the
compiled search is tested against. Nothing is left out, nothing is remembered.

The rules are the game's own; the value of an end is written here a second time, from the
names of the weights in src/kibitz/games/tablic/open_hands/evaluation.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from kibitz.games.tablic.cards import NAMES, cards_of
from kibitz.games.tablic.game import Tablic
from kibitz.strategies.tablic import greedy
from tests.oracle.tablic import DEALS, SIDES, TABLE_CARDS, TABLE_VALUES, card_points, rank

POINT = 1000
CARD = 0  # and the next three, by how many deals are to come
EMPTY, EACH, ON_TABLE, CLEAR, OTHERS, BONUS = range(4, 10)

Weights = Sequence[float]


@lru_cache(maxsize=1 << 16)
def points_in(cards: int) -> int:
    return sum(card_points(NAMES[card]) for card in cards_of(cards))


@lru_cache(maxsize=1 << 16)
def least_sum(cards: int) -> int:
    return sum(min(TABLE_VALUES[rank(NAMES[card])]) for card in cards_of(cards))


def side_of(game: Tablic, seat: int) -> int:
    return next(i for i, side in enumerate(SIDES[game.players]) if seat + 1 in side)


def deals_to_come(game: Tablic, state: Any) -> int:
    """After the one that is being played."""
    dealt, to_come = TABLE_CARDS, len(DEALS[game.players])
    for each, _ in DEALS[game.players]:
        if dealt < state[0].dealt:
            dealt += each * game.players
            to_come -= 1
    return to_come


def captured(game: Tablic, state: Any) -> tuple[list[int], list[int]]:
    """Points and cards of each side, without the bonus for cards."""
    points = [0] * len(SIDES[game.players])
    cards = [0] * len(points)
    for seat in range(game.players):
        pile = int(state[0].pile[seat])
        points[side_of(game, seat)] += points_in(pile) + int(state[0].tablas[seat])
        cards[side_of(game, seat)] += pile.bit_count()
    return points, cards


def balance(numbers: Sequence[float], side: int, others: float) -> float:
    """The own number against each other side's."""
    own = numbers[side]
    return sum(own - others * number for i, number in enumerate(numbers) if i != side)


def is_end(before: Any, after: Any) -> bool:
    """Whether a play was the last of its deal."""
    return bool(after[0].over or after[0].dealt != before[0].dealt)


def won(game: Tablic, state: Any, to_come: int, seat: int, weights: Weights) -> float:
    """What lies in the piles, in thousandths of a point."""
    points, cards = captured(game, state)
    if state[0].over and weights[BONUS]:
        with_bonus = game.points(state)
        points = [int(with_bonus[side[0] - 1]) for side in SIDES[game.players]]
    mine, others = side_of(game, seat), weights[OTHERS]
    card = weights[CARD + to_come]
    return POINT * balance(points, mine, others) + card * balance(cards, mine, others)


def table_value(game: Tablic, state: Any, seat: int, weights: Weights) -> float:
    """The value of the table between two deals: to who begins the next one."""
    table = int(state[0].table)
    value = weights[EACH] * table.bit_count() + weights[ON_TABLE] * points_in(table)
    if not table:
        value += weights[EMPTY]
    elif least_sum(table) <= 14:
        value += weights[CLEAR]
    first = (int(state[0].dealer) + 1) % game.players
    return value if side_of(game, first) == side_of(game, seat) else -value


def value_after(game: Tablic, before: Any, after: Any, seat: int, weights: Weights) -> float:
    """The value of a deal's end to a seat."""
    value = won(game, after, deals_to_come(game, before), seat, weights)
    return value if after[0].over else value + table_value(game, after, seat, weights)


def moves(game: Tablic, state: Any) -> Iterator[tuple[int, Any]]:
    """Every legal play and the state after it."""
    _, plays, after = game.kernels.expand(state)
    after = after.view(state.dtype)
    return ((play, after[i : i + 1]) for i, play in enumerate(plays.tolist()))


def value(game: Tablic, state: Any, seat: int, weights: Weights, replies: str = "best") -> float:
    """The value of a deal to a seat, if its side plays its best and all others together
    against it; or if all other seats are greedy."""
    mover = int(state[0].turn)
    if replies == "greedy" and mover != seat:
        return after_play(game, state, greedy_move(game, state), seat, weights, replies)
    values = [
        after_play(game, state, after, seat, weights, replies) for _, after in moves(game, state)
    ]
    return max(values) if side_of(game, mover) == side_of(game, seat) else min(values)


def after_play(
    game: Tablic, before: Any, after: Any, seat: int, weights: Weights, replies: str
) -> float:
    if is_end(before, after):
        return value_after(game, before, after, seat, weights)
    return value(game, after, seat, weights, replies)


def greedy_move(game: Tablic, state: Any) -> Any:
    mover = int(state[0].turn)
    play = greedy.choose(state, mover, state[:0], state[:0], state[:0], state[:0])
    return dict(moves(game, state))[play]


def play_values(
    game: Tablic, state: Any, seat: int, weights: Weights, replies: str = "best"
) -> dict[int, float]:
    """The value of each legal play."""
    return {
        play: after_play(game, state, after, seat, weights, replies)
        for play, after in moves(game, state)
    }
