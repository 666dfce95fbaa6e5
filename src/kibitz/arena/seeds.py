"""Everything is a function of seeds.

A game has one seed. Its shuffle's stream is stream(seed, 0) and seat n's own stream is
stream(seed, n + 1), n from 0; chance during play has stream(seed, CHANCE_KEY), hints to a
person have streams of their own, so that they change nothing. The seed of game number i of a
series is derived from the series' seed. `pairs.py` does the same in compiled code.
"""

import numpy as np

from kibitz.rng import stream

CHANCE_KEY = 1 << 40
"""Far from the seats and from the rounds of a match, which count from 0."""
HINT_KEY = 1 << 41


def nth_seed(seed: int, i: int) -> int:
    """The seed of number i in a series: a pair of a comparison, a round of a match."""
    return int(stream(seed, i)[0] >> np.uint64(1))


def seat_stream(seed: int, seat: int) -> np.ndarray:
    return stream(seed, seat + 1)


def chance_stream(seed: int) -> np.ndarray:
    return stream(seed, CHANCE_KEY)


def hint_stream(seed: int, turn: int) -> np.ndarray:
    return stream(seed, HINT_KEY, turn)
