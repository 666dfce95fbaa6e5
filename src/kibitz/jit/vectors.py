"""Eight numbers at once: intrinsics on LLVM's `<8 x float>`, for the eight cards of Love Letter.

Numba turns a loop over eight float32 into scalar code. A value of the type `Vector` lives in one
AVX register instead (in two SSE ones where there is no AVX):

    v = load(array, i)              array[i : i + 8], of a one-dimensional float32 array
    store(array, i, v)
    splat(x)                        x eight times
    one_hot(k)                      1 at lane k, else 0
    v + w, v - w, v * w             lane by lane
    total(v)                        the sum of all lanes
    lower_minus_higher(v)           by lane: what stands before it, less what stands behind it
    any_positive(v)

Interpreted, a vector is a NumPy array; sums are added in the same order as compiled, so that both
give the same bits. `load` and `store` check their index where Numba's bounds checks are on.

Example: of three cards with weights 1, 2 and 4, the middle one has 1 below it and 4 above it:

    >>> weights = np.array([1, 2, 4, 0, 0, 0, 0, 0], np.float32)
    >>> lower_minus_higher.interpreted(weights)[:3].tolist()
    [-6.0, -3.0, 3.0]
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.jit.intrinsics import Intrinsic

LANES = 8


def _intrinsic(name: str, interpreted: Callable[..., Any]) -> Any:
    """The intrinsic of this name in `vector_type.py`, which is imported when Numba is."""

    def make() -> Any:
        return getattr(importlib.import_module("kibitz.jit.vector_type"), name)

    source = Path(__file__).with_name("vector_type.py").read_bytes()
    return Intrinsic(interpreted, make, depends_on=name.encode() + source)


# -- interpreted ------------------------------------------------------------------------


def _load_lanes(array: Any, i: int) -> Any:
    assert 0 <= i <= len(array) - LANES
    return array[i : i + LANES].copy()


def _store_lanes(array: Any, i: int, vector: Any) -> None:
    assert 0 <= i <= len(array) - LANES
    array[i : i + LANES] = vector


def _one_hot_lanes(k: int) -> Any:
    lanes = np.zeros(LANES, np.float32)
    lanes[k] = 1
    return lanes


def _total_of_lanes(vector: Any) -> Any:
    for width in (4, 2, 1):
        vector = vector[:width] + vector[width : 2 * width]
    return vector[0]


def _shifted(vector: Any, by: int) -> Any:
    return np.concatenate((np.zeros(by, np.float32), vector[:-by]))


def _lower_minus_higher_lanes(vector: Any) -> Any:
    sums = vector
    for by in (1, 2, 4):
        sums = sums + _shifted(sums, by)
    return sums + sums - vector - sums[-1]


load = _intrinsic("load", _load_lanes)
store = _intrinsic("store", _store_lanes)
splat = _intrinsic("splat", lambda x: np.full(LANES, x, np.float32))
one_hot = _intrinsic("one_hot", _one_hot_lanes)
total = _intrinsic("total", _total_of_lanes)
lower_minus_higher = _intrinsic("lower_minus_higher", _lower_minus_higher_lanes)
any_positive = _intrinsic("any_positive", lambda vector: bool((vector > 0).any()))
