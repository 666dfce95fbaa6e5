"""Two players' Tablić with all cards known, looked through to its end: no play is left out,
nothing is remembered, nothing is cut off.

It stands here twice: in plain Python, to be read, and compiled, for thousands of positions.
Both play by the game's own kernels, which have an oracle of their own. The value of an end is
written here from the rules: the difference of the players' points, with `cards_bonus=tie` before
the bonus, and then the difference of their cards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.games.tablic import kernels
from kibitz.games.tablic.capture_values import cards_of_play
from kibitz.games.tablic.cards import NAMES, cards_of
from kibitz.games.tablic.game import Tablic
from kibitz.games.tablic.kernels import apply, write_plays
from kibitz.jit.kernels import kernel
from tests.oracle.tablic import card_points

Value = tuple[int, int]
POINTS = np.array([card_points(name) for name in NAMES])
POINT = 1000
NONE, TIE, ALWAYS = range(3)
BONUSES = {"none": NONE, "tie": TIE, "always": ALWAYS}
DEEPEST, WIDEST, FAR = 24, 1 << 14, 1 << 40


def end_value(game: Tablic, state: Any, seat: int) -> Value:
    """Points and, where they count, cards: the seat's less the other's."""
    x = state[0]
    bonus = game.settings["cards_bonus"]
    points, cards = [0, 0], [0, 0]
    for i in (0, 1):
        pile = [NAMES[card] for card in cards_of(int(x.pile[i]))]
        points[i] = sum(map(card_points, pile)) + int(x.tablas[i])
        cards[i] = len(pile)
    if bonus == "always" and cards[0] != cards[1]:
        points[0 if cards[0] > cards[1] else 1] += 3
    other = 1 - seat
    return points[seat] - points[other], cards[seat] - cards[other] if bonus == "tie" else 0


def children(game: Tablic, state: Any) -> list[tuple[int, Any]]:
    """Every legal play, and the state after it."""
    pairs = []
    for play in game.kernels.legal(state).tolist():
        after = state.copy()
        game.kernels.apply(after, play)
        pairs.append((play, after))
    return pairs


def value(game: Tablic, state: Any, seat: int) -> Value:
    """The value of a position to a seat if both play their best."""
    if state[0].over:
        return end_value(game, state, seat)
    values = [value(game, after, seat) for _, after in children(game, state)]
    return max(values) if state[0].turn == seat else min(values)


def play_values(game: Tablic, state: Any, quickly: bool = True) -> dict[int, Value]:
    """The value of every legal play to who moves."""
    seat = int(state[0].turn)
    values = {}
    for play, after in children(game, state):
        values[play] = quick_value(game, after, seat) if quickly else value(game, after, seat)
    return values


def quick_value(game: Tablic, state: Any, seat: int, cutting: bool = False) -> Value:
    """The same, compiled; if wanted, with alpha-beta, the larger captures first."""
    stack = np.zeros(DEEPEST, kernels.STATE)
    stack[0] = state[0]
    plays = np.empty((DEEPEST, WIDEST), np.int64)
    value = int(_value(stack, plays, seat, BONUSES[str(game.settings["cards_bonus"])], cutting))
    points = round(value / POINT)
    return points, value - POINT * points


@kernel
def _value(stack: Any, plays: Any, seat: int, bonus: int, cutting: bool) -> int:
    """Minimax as a loop, with a stack."""
    cursors = np.zeros((len(stack), 2), np.int64)  # the next play, the end
    limits = np.zeros((len(stack), 2), np.int64)  # what each side is sure of
    d = 0
    cursors[0, 1] = -1  # not looked at yet
    limits[0, 0], limits[0, 1] = -FAR, FAR
    while True:
        mine = stack[d].turn == seat
        if not stack[d].over and cursors[d, 1] < 0:
            cursors[d, 0], cursors[d, 1] = write_plays(stack[d], plays[d])
            assert cursors[d, 1] > 0
            if cutting:
                _sort(plays[d, cursors[d, 0] : cursors[d, 1]])
            else:
                limits[d, 0], limits[d, 1] = -FAR, FAR
        if not stack[d].over and cursors[d, 0] < cursors[d, 1] and limits[d, 0] < limits[d, 1]:
            stack[d + 1] = stack[d]
            apply(stack[d + 1 : d + 2], plays[d, cursors[d, 0]])
            cursors[d, 0] += 1
            limits[d + 1] = limits[d]
            d += 1
            cursors[d, 1] = -1
            continue
        value = _end(stack[d], seat, bonus) if stack[d].over else limits[d, 0 if mine else 1]
        if d == 0:
            return value
        d -= 1
        if stack[d].turn == seat:
            limits[d, 0] = max(limits[d, 0], value)
        else:
            limits[d, 1] = min(limits[d, 1], value)


@kernel
def _sort(plays: Any) -> None:
    """The larger captures first."""
    for i in range(1, len(plays)):
        j = i
        while j and cards_of_play(plays[j]) > cards_of_play(plays[j - 1]):
            plays[j], plays[j - 1] = plays[j - 1], plays[j]
            j -= 1


@kernel
def _end(x: Any, seat: int, bonus: int) -> int:
    """The same as `end_value`."""
    points, cards = np.int64(0), np.int64(0)
    for i in range(2):
        sign = 1 if i == seat else -1
        points += sign * x.tablas[i]
        for card in range(52):
            if (x.pile[i] >> card) & 1:
                points += sign * POINTS[card]
                cards += sign
    if bonus == ALWAYS and cards:
        points += 3 if cards > 0 else -3
    return int(POINT * points + (cards if bonus == TIE else 0))
