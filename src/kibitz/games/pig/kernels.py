"""Pig compiled. The plays are roll (0) and hold (1); where chance moves, the faces 1 to 6."""

from typing import Any

import numpy as np

from kibitz.jit.kernels import kernel

STATE = np.dtype(
    (
        np.record,
        [
            ("target", np.int64),
            ("turn", np.int64),  # at the end: the winner
            ("rolling", np.int64),  # 1: the die is in the air
            ("total", np.int64),  # of the turn
            ("score", np.int64, (2,)),
        ],
    )
)

ROLL, HOLD = 0, 1
CHANCE = -1
MOST = 1 << 60
"""Scores stay below: nobody must hold, so they have no bound of their own."""


@kernel
def deal(s: Any, rng: Any, first: int) -> None:
    s[0].turn = first
    s[0].rolling = 0
    s[0].total = 0
    s[0].score[0] = 0
    s[0].score[1] = 0


@kernel
def is_valid(s: Any) -> bool:
    x = s[0]
    if not (0 <= x.turn <= 1 and 0 <= x.rolling <= 1 and 0 <= x.total < MOST):
        return False
    if not (0 <= x.score[0] < MOST and 0 <= x.score[1] < MOST):
        return False
    if max(x.score[0], x.score[1]) < x.target:
        return True
    return x.rolling == 0 and x.total == 0 and x.score[x.turn] >= x.target > x.score[1 - x.turn]


@kernel
def mover(s: Any) -> int:
    return CHANCE if s[0].rolling else s[0].turn


@kernel
def over(s: Any) -> bool:
    return bool(max(s[0].score[0], s[0].score[1]) >= s[0].target)


@kernel
def count(s: Any) -> int:
    if s[0].rolling:
        return 6
    return 2 if s[0].total > 0 else 1


@kernel
def nth(s: Any, i: int) -> int:
    return i + 1 if s[0].rolling else i


@kernel
def apply(s: Any, play: int) -> None:
    x = s[0]
    if x.rolling:
        x.rolling = 0
        if play == 1:
            x.total = 0
            x.turn = 1 - x.turn
        else:
            x.total += play
    elif play == ROLL:
        x.rolling = 1
    else:
        x.score[x.turn] += x.total
        x.total = 0
        if x.score[x.turn] < x.target:
            x.turn = 1 - x.turn


@kernel
def returns(s: Any, out: Any) -> None:
    for seat in range(2):
        out[seat] = 1.0 if s[0].score[seat] >= s[0].target else -1.0
