"""Divisible by four compiled (from the lab exercise on game graphs). A play is its number."""

from typing import Any

import numpy as np

from kibitz.jit.kernels import kernel

STATE = np.dtype((np.record, [("total", np.int64), ("ply", np.int64)]))

PLIES = 3
NUMBERS = np.array([[2, 3, 4], [1, 3, 0], [1, 4, 0]], dtype=np.int64)
LEAST = np.array([0, 2, 3, 4], dtype=np.int64)
MOST = np.array([0, 4, 7, 11], dtype=np.int64)
"""The sums that there can be, by how many numbers are chosen."""


@kernel
def deal(s: Any, rng: Any, first: int) -> None:
    s[0].total = 0
    s[0].ply = 0


@kernel
def is_valid(s: Any) -> bool:
    if not 0 <= s[0].ply <= PLIES:
        return False
    return bool(LEAST[s[0].ply] <= s[0].total <= MOST[s[0].ply])


@kernel
def mover(s: Any) -> int:
    return int(s[0].ply % 2)


@kernel
def over(s: Any) -> bool:
    return bool(s[0].ply == PLIES)


@kernel
def count(s: Any) -> int:
    return 3 if s[0].ply == 0 else 2


@kernel
def nth(s: Any, i: int) -> int:
    return int(NUMBERS[s[0].ply, i])


@kernel
def apply(s: Any, play: int) -> None:
    s[0].total += play
    s[0].ply += 1


@kernel
def returns(s: Any, out: Any) -> None:
    total = s[0].total
    value = 1.0 if total % 4 == 0 else (0.0 if total % 2 == 0 else -1.0)
    out[0] = value
    out[1] = 0.0 - value  # not -value: a draw is 0, not -0
