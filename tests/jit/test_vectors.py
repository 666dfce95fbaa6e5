"""Eight lanes at once: compiled and interpreted they give the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kibitz.jit.kernels import jit_enabled, kernel
from kibitz.jit.vectors import (
    LANES,
    any_positive,
    load,
    lower_minus_higher,
    one_hot,
    splat,
    store,
    total,
)

LOTS = np.random.default_rng(3)


def numbers() -> Any:
    """Of very different sizes, so that the order of additions matters."""
    return (LOTS.standard_normal(LANES) * 10.0 ** LOTS.integers(-6, 7, LANES)).astype(np.float32)


@kernel
def _arithmetic(left: Any, right: Any, out: Any) -> None:
    a, b = load(left, 0), load(right, 0)
    store(out, 0, a + b)
    store(out, LANES, a - b)
    store(out, 2 * LANES, a * b)
    store(out, 3 * LANES, splat(left[3]) * b)


@kernel
def _one_hot(lane: int, out: Any) -> None:
    store(out, 0, one_hot(lane))


@kernel
def _total(values: Any) -> float:
    return float(total(load(values, 0)))


@kernel
def _lower_minus_higher(values: Any, out: Any) -> None:
    store(out, 0, lower_minus_higher(load(values, 0)))


@kernel
def _any_positive(values: Any) -> bool:
    return bool(any_positive(load(values, 0)))


@kernel
def _load_at(values: Any, i: int, out: Any) -> None:
    store(out, 0, load(values, i))


def test_arithmetic_is_lane_by_lane() -> None:
    for _ in range(50):
        a, b, out = numbers(), numbers(), np.zeros(4 * LANES, np.float32)
        _arithmetic(a, b, out)
        assert out.tobytes() == np.concatenate((a + b, a - b, a * b, a[3] * b)).tobytes()


def test_one_hot_has_a_one_in_its_lane() -> None:
    for lane in range(LANES):
        out = np.zeros(LANES, np.float32)
        _one_hot(lane, out)
        assert out.tolist() == np.eye(LANES)[lane].tolist()


def test_totals_are_those_of_the_interpreted_twin() -> None:
    for _ in range(200):
        values = numbers()
        assert _total(values) == float(total.interpreted(values))
        assert _total(values) == pytest.approx(values.astype(float).sum(), rel=1e-3, abs=1)


def test_what_is_lower_counts_and_what_is_higher_counts_against() -> None:
    for _ in range(200):
        values, out = numbers(), np.zeros(LANES, np.float32)
        _lower_minus_higher(values, out)
        assert out.tobytes() == lower_minus_higher.interpreted(values).tobytes()
    whole = np.arange(1, 9, dtype=np.float32)
    _lower_minus_higher(whole, out)
    assert out.tolist() == [whole[:k].sum() - whole[k + 1 :].sum() for k in range(LANES)]


def test_zero_and_negative_numbers_are_not_positive() -> None:
    for lane in range(LANES):
        values = np.full(LANES, -1, np.float32)
        values[0] = 0
        assert not _any_positive(values)
        values[lane] = 1e-30
        assert _any_positive(values)


def test_loads_begin_anywhere() -> None:
    values, out = np.arange(30, dtype=np.float32), np.zeros(LANES, np.float32)
    for i in range(30 - LANES + 1):
        _load_at(values, i, out)
        assert out.tolist() == values[i : i + LANES].tolist()


@pytest.mark.parametrize("i", [-1, 23, 1000])
def test_an_index_outside_is_refused_where_bounds_are_checked(i: int) -> None:
    from numba import config as typed_config

    config: Any = typed_config  # its stubs do not know it

    if jit_enabled() and not config.BOUNDSCHECK:
        pytest.skip("compiled code checks no index unless NUMBA_BOUNDSCHECK=1: CI has a run so")
    with pytest.raises((IndexError, AssertionError)):
        _load_at(np.zeros(30, np.float32), i, np.zeros(LANES, np.float32))
