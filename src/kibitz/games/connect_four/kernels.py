"""Connect Four compiled. A seat's stones are a word with seven bits for each column, lowest
row first. The seventh bit stays 0, so that no line runs on from one column into the next
(the board of John Tromp's Fhourstones).
"""

from typing import Any

import numpy as np

from kibitz.jit.kernels import kernel
from kibitz.jit.rng import below

STATE = np.dtype((np.record, [("turn", np.int64), ("won", np.int64), ("stones", np.int64, (2,))]))

COLUMNS = 7
HEIGHT = 7  # bits of a column: six rows and the one that stays 0
TOP = 5
BOTTOM = sum(1 << (HEIGHT * column) for column in range(COLUMNS))
FULL = BOTTOM * 0b111_111


def _lines() -> list[int]:
    """All lines of four, each as a word like that of a seat's stones."""
    lines = []
    for column in range(COLUMNS):
        for row in range(HEIGHT - 1):
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(column + right * i, row + up * i) for i in range(4)]
                if all(c < COLUMNS and 0 <= r < HEIGHT - 1 for c, r in cells):
                    lines.append(sum(1 << (HEIGHT * c + r) for c, r in cells))
    return lines


LINES = np.array(_lines(), dtype=np.int64)


@kernel
def deal(s: Any, rng: Any, first: int) -> None:
    s[0].turn = first
    s[0].won = -1
    s[0].stones[0] = 0
    s[0].stones[1] = 0


@kernel
def is_valid(s: Any) -> bool:
    x = s[0]
    mine, his = x.stones[0], x.stones[1]
    if not (0 <= x.turn <= 1 and 0 <= mine <= FULL and 0 <= his <= FULL) or mine & his:
        return False
    taken = mine | his
    if taken & ~FULL or (taken + BOTTOM) & taken & FULL:  # no stone floats
        return False
    ahead = stones_on(x.stones[x.turn], FULL) - stones_on(x.stones[1 - x.turn], FULL)
    # Only who has just played can have four.
    if has_four(x.stones[x.turn]) or not -1 <= ahead <= 0:
        return False
    return x.won == (1 - x.turn if has_four(x.stones[1 - x.turn]) else -1)


@kernel
def mover(s: Any) -> int:
    return int(s[0].turn)


@kernel
def over(s: Any) -> bool:
    return bool(s[0].won >= 0 or s[0].stones[0] | s[0].stones[1] == FULL)


@kernel
def is_open(taken: int, column: int) -> bool:
    return (taken >> (HEIGHT * column + TOP)) & 1 == 0


@kernel
def count(s: Any) -> int:
    taken = s[0].stones[0] | s[0].stones[1]
    n = 0
    for column in range(COLUMNS):
        n += is_open(taken, column)
    return n


@kernel
def nth(s: Any, i: int) -> int:
    taken = s[0].stones[0] | s[0].stones[1]
    column = 0
    while True:
        if is_open(taken, column):
            if i == 0:
                return column
            i -= 1
        column += 1


@kernel
def pick(s: Any, rng: Any) -> int:
    """A random open column: full ones are drawn again, so all open ones are equally likely."""
    taken = s[0].stones[0] | s[0].stones[1]
    column: int = below(rng, COLUMNS)
    while not is_open(taken, column):
        column = below(rng, COLUMNS)
    return column


@kernel
def has_four(stones: int) -> bool:
    for step in (1, HEIGHT - 1, HEIGHT, HEIGHT + 1):
        pairs = stones & (stones >> step)
        if pairs & (pairs >> (2 * step)):
            return True
    return False


@kernel
def apply(s: Any, play: int) -> None:
    x = s[0]
    taken = x.stones[0] | x.stones[1]
    # Adding to the lowest bit of the column carries into its lowest free place.
    bottom = np.int64(1) << (HEIGHT * play)
    stones = x.stones[x.turn] | ((taken + bottom) & ~taken & (bottom * 0b111_111))
    x.stones[x.turn] = stones
    if has_four(stones):
        x.won = x.turn
    x.turn = 1 - x.turn


@kernel
def returns(s: Any, out: Any) -> None:
    won = s[0].won
    for seat in range(2):
        out[seat] = 0.0 if won < 0 else (1.0 if won == seat else -1.0)


@kernel
def move_order(s: Any, play: int) -> int:
    """For searches: the middle first."""
    return COLUMNS - abs(play - COLUMNS // 2)


@kernel
def stones_on(stones: int, line: int) -> int:
    n = 0
    stones &= line
    while stones:
        stones &= stones - 1
        n += 1
    return n


DENOMINATOR = 512
"""All values are multiples of 1/512."""


@kernel
def evaluate(s: Any, seat: int, weights: Any) -> float:
    """For searches that stop before the end: lines with three or two stones of one seat and
    none of the other. Fractions of a power of two, so that sums are exact."""
    value = 0.0
    for line in LINES:
        mine, his = stones_on(s[0].stones[seat], line), stones_on(s[0].stones[1 - seat], line)
        if mine == 0 or his == 0:
            ahead = mine - his
            if abs(ahead) >= 2:
                value += (1.0 if ahead > 0 else -1.0) / (64 if abs(ahead) == 3 else DENOMINATOR)
    return value
