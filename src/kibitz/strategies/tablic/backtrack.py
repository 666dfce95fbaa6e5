"""Backtracking to the end of a deal of Tablić, by the open-card search."""

from typing import Any, NamedTuple

import numpy as np

from kibitz.core.explanation import Explanation, Reason
from kibitz.core.game import View
from kibitz.games.tablic import open_hands
from kibitz.games.tablic.capture_values import tie
from kibitz.games.tablic.kernels import legal
from kibitz.games.tablic.open_hands import (
    MAX_PLIES,
    PLAYS_CAPACITY,
    POINT,
    TABLE_ENTRIES,
    fix_replies,
    set_up,
)
from kibitz.jit.kernels import bind, inlined, kernel
from kibitz.search.fast import alpha_beta
from kibitz.search.fast.alpha_beta import new_workspace
from kibitz.search.fast.pimc import all_indexes
from kibitz.search.fast.transposition_table import ENTRY
from kibitz.strategies.common.base import PolicyPlayer, said

SCORE = "points to the end of the deal (cards: thousandths)"
STATE = open_hands.STATE
FEW_PLIES, FEW_PLAYS, FEW_ENTRIES = 12, 1 << 10, 1 << 9
"""Plies of a deal, and smaller arrays: where it is asked in the middle of another search."""
value_plays = bind(alpha_beta.value_plays, twin=open_hands)


class BacktrackOptions(NamedTuple):
    """The search's options. With them a policy's numbers begin; behind them, from WEIGHTS_FROM
    on, stand the weights of the evaluation."""

    greedy_replies: float
    """1 if the opponent answers by the greedy strategy, or 0."""


WEIGHTS_FROM = len(BacktrackOptions._fields)


@inlined
def read_options(numbers: Any) -> BacktrackOptions:
    return BacktrackOptions(numbers[0])


@kernel
def value_all(view: Any, seat: int, numbers: Any, plays_here: Any, values: Any) -> None:
    """The value of each legal play."""
    options, weights = read_options(numbers), numbers[WEIGHTS_FROM:]
    stack = np.zeros(MAX_PLIES + 3, STATE)
    set_up(view, stack[0:1])
    if options.greedy_replies:
        fix_replies(stack[0:1], seat)
    table = np.zeros(TABLE_ENTRIES, ENTRY)
    work = new_workspace(stack, table, weights, PLAYS_CAPACITY, seat, MAX_PLIES)
    value_plays(work, plays_here, all_indexes(plays_here), values, np.int64(0))


@kernel
def choose(view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any) -> int:
    plays_here = legal(view)
    values = np.zeros(len(plays_here))
    value_all(view, seat, numbers, plays_here, values)
    return plays_here[first_best(plays_here, values)]


@kernel
def first_best(plays: Any, values: Any) -> int:
    """The number of the play with the highest value; of equal ones the first."""
    best = 0
    for i in range(1, len(plays)):
        if values[i] > values[best] or (
            values[i] == values[best] and tie(plays[i]) < tie(plays[best])
        ):
            best = i
    return best


@kernel
def backtrack_play(position: Any, weights: Any) -> int:
    """What it plays in a position with open hands, STATE[1], if the other answers greedily."""
    seat = position[0].turn
    stack = np.zeros(FEW_PLIES + 3, STATE)
    stack[0] = position[0]
    stack[0].replying = 15 & ~(1 << seat)
    buffer = np.empty(FEW_PLAYS, np.int64)
    start, end = open_hands.write(stack, 0, buffer, 0)
    if end < 0:
        return -1
    plays_here = buffer[start:end]
    if len(plays_here) == 1:
        return plays_here[0]
    values = np.zeros(len(plays_here))
    table = np.zeros(FEW_ENTRIES, ENTRY)
    work = new_workspace(stack, table, weights, FEW_PLAYS, seat, FEW_PLIES)
    value_plays(work, plays_here, all_indexes(plays_here), values, np.int64(0))
    return plays_here[first_best(plays_here, values)]


class BacktrackPlayer(PolicyPlayer):
    """Compiled backtrack; an explanation has the score of every play."""

    def explain(self, view: View[Any]) -> Explanation:
        best = self.choose(view)
        plays = list(view.plays())
        values = np.zeros(len(plays))
        plays_here = np.array([play.code for play in plays])
        value_all(view.state, view.seat, self.numbers, plays_here, values)
        weights = self.numbers[WEIGHTS_FROM:]
        now = np.zeros(1, STATE)
        set_up(view.state, now)
        start = open_hands.banked(now, 0, view.seat, weights)
        reasons = [
            Reason(play, (value - start) / POINT, in_points(value - start))
            for play, value in zip(plays, values.tolist(), strict=True)
        ]
        reasons.sort(key=lambda reason: (-reason.score, tie(reason.play.code)))
        return Explanation(best, SCORE, tuple(reasons), (), sentence(view, reasons))


def in_points(value: float) -> dict[str, float]:
    """A value to the end of the deal as points and cards."""
    points = round(value / POINT)
    return {"points": float(points), "cards": value - POINT * points}


def sentence(view: View[Any], reasons: list[Reason]) -> str:
    """Why, in a sentence."""
    best = reasons[0]
    points = best.parts["points"]
    return (
        f"{said(view, best.play)}: {points:g} point{'s' * (abs(points) != 1)} by the end of the"
        f" deal{', no other play brings more' if len(reasons) > 1 else ''}."
    )
