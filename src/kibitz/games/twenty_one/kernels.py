"""Twenty-one compiled (from the lab exercise on game graphs). A play is its number."""

from typing import Any

import numpy as np

from kibitz.jit.kernels import kernel

STATE = np.dtype((np.record, [("total", np.int64), ("turn", np.int64)]))

LIMIT = 21
LEAST = 4


@kernel
def deal(s: Any, rng: Any, first: int) -> None:
    s[0].total = 0
    s[0].turn = 0


@kernel
def is_valid(s: Any) -> bool:
    if not (0 <= s[0].total < LIMIT + LEAST + 2 and 0 <= s[0].turn <= 1):
        return False
    # So many numbers of 4 to 6 may have been added.
    for n in range(s[0].turn, LIMIT, 2):  # noqa: SIM110  # any() is slower compiled
        if LEAST * n <= s[0].total <= (LEAST + 2) * n:
            return True
    return False


@kernel
def mover(s: Any) -> int:
    return int(s[0].turn)


@kernel
def over(s: Any) -> bool:
    return bool(s[0].total >= LIMIT)


@kernel
def count(s: Any) -> int:
    return 3


@kernel
def nth(s: Any, i: int) -> int:
    return LEAST + i


@kernel
def apply(s: Any, play: int) -> None:
    s[0].total += play
    s[0].turn = 1 - s[0].turn


@kernel
def returns(s: Any, out: Any) -> None:
    for seat in range(2):
        # The turn has passed on, so it is with the one who did not go over.
        out[seat] = 0.0 if s[0].total == LIMIT else (1.0 if s[0].turn == seat else -1.0)
