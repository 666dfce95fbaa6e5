"""The coin game compiled (from the lecture on search). The path is the choices so far."""

from typing import Any

import numpy as np

from kibitz.jit.kernels import kernel

STATE = np.dtype((np.record, [("ply", np.int64), ("path", np.int64, (3,))]))

PLIES = 3
MOVERS = np.array([0, -1, 1, 0], dtype=np.int64)
LEAVES = np.array([2, 4, 7, 4, 6, 0, 5, -2], dtype=np.int64)
"""From left to right: a path read as a binary number is a place here."""


@kernel
def deal(s: Any, rng: Any, first: int) -> None:
    s[0].ply = 0
    for i in range(PLIES):
        s[0].path[i] = 0


@kernel
def is_valid(s: Any) -> bool:
    if not 0 <= s[0].ply <= PLIES:
        return False
    for i in range(PLIES):  # noqa: SIM110  # all() is slower compiled
        if not 0 <= s[0].path[i] <= (1 if i < s[0].ply else 0):
            return False
    return True


@kernel
def mover(s: Any) -> int:
    return int(MOVERS[s[0].ply])


@kernel
def over(s: Any) -> bool:
    return bool(s[0].ply == PLIES)


@kernel
def count(s: Any) -> int:
    return 2


@kernel
def nth(s: Any, i: int) -> int:
    return i


@kernel
def apply(s: Any, play: int) -> None:
    s[0].path[s[0].ply] = play
    s[0].ply += 1


@kernel
def returns(s: Any, out: Any) -> None:
    path = s[0].path
    leaf = LEAVES[4 * path[0] + 2 * path[1] + path[2]]
    out[0] = leaf
    out[1] = -leaf
