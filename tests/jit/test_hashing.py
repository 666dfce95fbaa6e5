"""The hash functions of kernels, against the same formulas in Python's whole numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.jit.hashing import combine, find_slot, hash_128, is_due, mix, mix_words, slot

GOLDEN, PRIME, XORSHIFT = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x2545F491
BITS = (1 << 64) - 1

words = st.one_of(st.integers(-(2**63), 2**63 - 1), st.integers(-9, 9))
compiling = settings(deadline=None)  # the first example compiles


def signed(z: int) -> int:
    return z - (1 << 64) if z >> 63 else z


def folded(z: int) -> int:
    return (z & BITS) ^ ((z & BITS) >> 29)


def plain_mix(key: int, word: int) -> int:
    return signed(folded(((key & BITS) ^ (word * GOLDEN & BITS)) * PRIME))


def plain_hash_128(record: Sequence[int]) -> tuple[int, int]:
    first, second = GOLDEN, PRIME
    for word in record:
        first = folded((first ^ (word & BITS)) * PRIME)
        second = folded((second + word) * GOLDEN)
    return signed(first), signed(second)


@compiling
@given(words, words)
def test_mix_is_its_formula(key: int, word: int) -> None:
    assert mix(key, word) == plain_mix(key, word)


@compiling
@given(words, st.lists(words, max_size=9))
def test_mix_words_mixes_one_after_the_other(key: int, record: list[int]) -> None:
    expected = key
    for word in record:
        expected = plain_mix(expected, word)
    assert mix_words(key, np.array(record, np.int64)) == expected


@compiling
@given(st.lists(words, max_size=9))
def test_hash_128_is_its_formula(record: list[int]) -> None:
    assert hash_128(np.array(record, np.int64)) == plain_hash_128(record)


@compiling
@given(words, words)
def test_combine_is_its_formula(first: int, second: int) -> None:
    assert combine(first, second) == signed((first & BITS) ^ (second * XORSHIFT & BITS))


@compiling
@given(words, st.integers(0, 40))
def test_slot_is_its_formula_and_in_the_table(key: int, log: int) -> None:
    z = key * GOLDEN & BITS
    mask = (1 << log) - 1
    assert slot(key, mask) == ((z ^ (z >> 32)) >> 1) & mask
    assert 0 <= slot(key, mask) <= mask


@pytest.mark.parametrize(
    ("computed", "stored"),
    [
        (lambda: mix(0, 1), -752820591229395953),
        (lambda: mix(0x51ED270B, -1), -4423139652582879667),
        (lambda: hash_128(np.arange(4)), (2392580759923721988, -5428050728992009188)),
        (lambda: combine(1, 2), 1250683171),
        (lambda: slot(1, 1023), 726),
    ],
    ids=["mix", "mix a negative word", "hash_128", "combine", "slot"],
)
def test_values_never_change(computed: object, stored: object) -> None:
    """Node counts that were published hang on them."""
    assert callable(computed)
    assert computed() == stored


def test_neighbouring_words_give_different_keys() -> None:
    keys = {int(mix(key, word)) for key in range(100) for word in range(100)}
    assert len(keys) == 10_000
    halves = [hash_128(np.array([a, b])) for a in range(100) for b in range(100)]
    assert all(len({pair[i] for pair in halves}) == 10_000 for i in range(2))


def test_find_slot_wraps_round_and_stops_at_the_key_or_an_empty_slot() -> None:
    keys = np.zeros(8, np.int64)
    colliding = [7, 15, 23]
    for key, expected in zip(colliding, (7, 0, 1), strict=True):
        i = find_slot(keys, key)
        assert (i, keys[i]) == (expected, 0)
        keys[i] = key
    assert [find_slot(keys, key) for key in colliding] == [7, 0, 1]
    assert find_slot(keys, -1) == 2


@given(st.integers(0, 2**40), st.integers(1, 10_000), st.integers(1, 9))
@compiling
def test_is_due_is_its_formula(place: int, time: int, period: int) -> None:
    z = (place * GOLDEN & BITS) ^ (time * 0xD1B54A32D192ED03 & BITS)
    due = ((z * 0xBF58476D1CE4E5B9 & BITS) >> 40) % period == 0
    assert bool(is_due(place, time, period)) == due


def test_one_in_a_period_is_due() -> None:
    due = sum(is_due(place, time, 3) for place in range(100) for time in range(1, 101))
    assert abs(due / 10_000 - 1 / 3) < 0.02
