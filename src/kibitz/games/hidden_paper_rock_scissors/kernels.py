"""Paper-rock-scissors at once, compiled (from the lecture on search).

Both choose at once, which is to say that the first choice is hidden from the second.
"""

from typing import Any

import numpy as np

from kibitz.games.lab import HIDDEN, NOT_CHOSEN
from kibitz.games.paper_rock_scissors.kernels import value
from kibitz.jit.kernels import kernel
from kibitz.jit.rng import below

STATE = np.dtype((np.record, [("turn", np.int64), ("choice", np.int64, (2,))]))


@kernel
def deal(s: Any, rng: Any, first: int) -> None:
    s[0].turn = first
    s[0].choice[0] = NOT_CHOSEN
    s[0].choice[1] = NOT_CHOSEN


@kernel
def is_valid(s: Any) -> bool:
    x = s[0]
    if not 0 <= x.turn <= 1:
        return False
    mine, his = x.choice[x.turn], x.choice[1 - x.turn]
    if not (HIDDEN <= mine < 3 and HIDDEN <= his < 3):
        return False
    if mine == NOT_CHOSEN:
        return True
    # Who has chosen is not to move, unless both have; then nothing is hidden.
    return bool(mine >= 0 and his >= 0)


@kernel
def is_complete(s: Any) -> bool:
    return bool(s[0].choice[0] != HIDDEN and s[0].choice[1] != HIDDEN)


@kernel
def mover(s: Any) -> int:
    return int(s[0].turn)


@kernel
def over(s: Any) -> bool:
    return bool(s[0].choice[0] != NOT_CHOSEN and s[0].choice[1] != NOT_CHOSEN)


@kernel
def count(s: Any) -> int:
    return 3


@kernel
def nth(s: Any, i: int) -> int:
    return i


@kernel
def apply(s: Any, play: int) -> None:
    s[0].choice[s[0].turn] = play
    s[0].turn = 1 - s[0].turn


@kernel
def returns(s: Any, out: Any) -> None:
    for seat in range(2):
        out[seat] = value(s[0].choice[seat], s[0].choice[1 - seat])


@kernel
def observe(s: Any, seat: int, view: Any) -> None:
    view[0] = s[0]
    if not over(s) and s[0].choice[1 - seat] != NOT_CHOSEN:
        view[0].choice[1 - seat] = HIDDEN


@kernel
def observed_play(s: Any, seat: int, play: int) -> int:
    return play if s[0].turn == seat else -1


@kernel
def redeal(view: Any, seat: int, rng: Any, s: Any) -> bool:
    s[0] = view[0]
    for other in range(2):
        if s[0].choice[other] == HIDDEN:
            s[0].choice[other] = below(rng, 3)
    return True
