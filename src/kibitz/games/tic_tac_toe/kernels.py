"""Tic-tac-toe compiled. Squares are 0 to 8; a player's marks are a word with a bit for each."""

from typing import Any

import numpy as np

from kibitz.jit.kernels import kernel

STATE = np.dtype((np.record, [("turn", np.int64), ("won", np.int64), ("marks", np.int64, (2,))]))

FULL = 0b111_111_111
LINES = (0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124)
HAS_LINE = np.array([any(m & line == line for line in LINES) for m in range(512)])
COUNT = np.array([m.bit_count() for m in range(512)], dtype=np.int64)
NTH = np.zeros((512, 9), dtype=np.int64)
"""NTH[squares, i]: square number i of a set."""
for _squares in range(512):
    _free = [square for square in range(9) if _squares >> square & 1]
    NTH[_squares, : len(_free)] = _free


@kernel
def deal(s: Any, rng: Any, first: int) -> None:
    s[0].turn = first
    s[0].won = -1
    s[0].marks[0] = 0
    s[0].marks[1] = 0


@kernel
def is_valid(s: Any) -> bool:
    x = s[0]
    if not (0 <= x.turn <= 1 and -1 <= x.won <= 1):
        return False
    if not (0 <= x.marks[0] <= FULL and 0 <= x.marks[1] <= FULL) or x.marks[0] & x.marks[1]:
        return False
    ahead = COUNT[x.marks[x.turn]] - COUNT[x.marks[1 - x.turn]]
    # Only who has just played can have a line.
    if HAS_LINE[x.marks[x.turn]] or not -1 <= ahead <= 0:
        return False
    return x.won == (1 - x.turn if HAS_LINE[x.marks[1 - x.turn]] else -1)


@kernel
def mover(s: Any) -> int:
    return s[0].turn


@kernel
def over(s: Any) -> bool:
    return s[0].won >= 0 or s[0].marks[0] | s[0].marks[1] == FULL


@kernel
def count(s: Any) -> int:
    return COUNT[FULL & ~(s[0].marks[0] | s[0].marks[1])]


@kernel
def nth(s: Any, i: int) -> int:
    return NTH[FULL & ~(s[0].marks[0] | s[0].marks[1]), i]


@kernel
def apply(s: Any, play: int) -> None:
    x = s[0]
    x.marks[x.turn] |= 1 << play
    if HAS_LINE[x.marks[x.turn]]:
        x.won = x.turn
    x.turn = 1 - x.turn


@kernel
def returns(s: Any, out: Any) -> None:
    won = s[0].won
    for seat in range(2):
        out[seat] = 0.0 if won < 0 else (1.0 if won == seat else -1.0)
