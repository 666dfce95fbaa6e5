"""Tic-tac-toe compiled. Squares are 0 to 8; a player's marks are a word with a bit for each."""

from typing import Any

import numpy as np

from kibitz.compiled import kernel

STATE = np.dtype((np.record, [("turn", np.int64), ("won", np.int64), ("marks", np.int64, (2,))]))

FULL = 0b111_111_111
LINES = np.array(
    [0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124],
    dtype=np.int64,
)


@kernel
def deal(s: Any, rng: Any, first: int) -> None:
    s[0].turn = first
    s[0].won = -1
    s[0].marks[0] = 0
    s[0].marks[1] = 0


@kernel
def mover(s: Any) -> int:
    return s[0].turn


@kernel
def over(s: Any) -> bool:
    return s[0].won >= 0 or s[0].marks[0] | s[0].marks[1] == FULL


@kernel
def count(s: Any) -> int:
    free = FULL & ~(s[0].marks[0] | s[0].marks[1])
    n = 0
    while free:
        free &= free - 1
        n += 1
    return n


@kernel
def nth(s: Any, i: int) -> int:
    taken = s[0].marks[0] | s[0].marks[1]
    square = 0
    while True:
        if not (taken >> square) & 1:
            if i == 0:
                return square
            i -= 1
        square += 1


@kernel
def has_line(marks: int) -> bool:
    for line in LINES:  # noqa: SIM110  # any() is slower compiled
        if marks & line == line:
            return True
    return False


@kernel
def apply(s: Any, play: int) -> None:
    x = s[0]
    x.marks[x.turn] |= 1 << play
    if has_line(x.marks[x.turn]):
        x.won = x.turn
    x.turn = 1 - x.turn


@kernel
def returns(s: Any, out: Any) -> None:
    won = s[0].won
    for seat in range(2):
        out[seat] = 0.0 if won < 0 else (1.0 if won == seat else -1.0)
