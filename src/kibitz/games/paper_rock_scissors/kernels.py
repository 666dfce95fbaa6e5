"""Paper-rock-scissors in turn, compiled (from the lab exercise on game graphs).

Paper is 0, rock 1, scissors 2: each beats the next one round.
"""

from typing import Any

import numpy as np

from kibitz.games.lab import NOT_CHOSEN
from kibitz.jit.kernels import kernel

STATE = np.dtype((np.record, [("first", np.int64), ("second", np.int64)]))


@kernel
def deal(s: Any, rng: Any, first: int) -> None:
    s[0].first = NOT_CHOSEN
    s[0].second = NOT_CHOSEN


@kernel
def is_valid(s: Any) -> bool:
    if not (NOT_CHOSEN <= s[0].first < 3 and NOT_CHOSEN <= s[0].second < 3):
        return False
    return bool(s[0].first != NOT_CHOSEN or s[0].second == NOT_CHOSEN)


@kernel
def mover(s: Any) -> int:
    return 1 if s[0].first == NOT_CHOSEN else 0


@kernel
def over(s: Any) -> bool:
    return bool(s[0].second != NOT_CHOSEN)


@kernel
def count(s: Any) -> int:
    return 3


@kernel
def nth(s: Any, i: int) -> int:
    return i


@kernel
def apply(s: Any, play: int) -> None:
    if s[0].first == NOT_CHOSEN:
        s[0].first = play
    else:
        s[0].second = play


@kernel
def value(own: int, other: int) -> float:
    """The value of a choice against another: won 1, drawn 0, lost -1."""
    if own == other:
        return 0.0
    return 1.0 if (own + 1) % 3 == other else -1.0


@kernel
def returns(s: Any, out: Any) -> None:
    out[0] = value(s[0].second, s[0].first)
    out[1] = value(s[0].first, s[0].second)
