"""Random numbers, and the set that kernels use: the parts of the core that have to be right
by arithmetic alone."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.jit.hash_set import add, grown, new_set
from kibitz.jit.hashing import slot
from kibitz.jit.kernels import kernel
from kibitz.jit.rng import below, fork, next_word, shuffle, stream, unit

# -- random numbers --------------------------------------------------------------------

REFERENCE = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]
"""The first outputs of the published splitmix64 for seed 1234567."""

DRAWS = 60_000


@kernel
def draw_many(rng: Any, n: int, out: Any) -> None:
    for i in range(len(out)):
        out[i] = below(rng, n)


@kernel
def shuffle_many(rng: Any, out: Any) -> None:
    """The order of each shuffle of 0 1 2 3, as one number."""
    items = np.zeros(4, np.int64)
    for i in range(len(out)):
        for j in range(4):
            items[j] = j
        shuffle(rng, items, 4)
        out[i] = ((items[0] * 4 + items[1]) * 4 + items[2]) * 4 + items[3]


def assert_uniform(counts: list[int], cells: int) -> None:
    from scipy.stats import chisquare

    assert len(counts) == cells
    assert chisquare(counts).pvalue > 0.001


def test_splitmix64_reference_values() -> None:
    rng = np.array([1234567], np.uint64)
    assert [int(next_word(rng)) for _ in REFERENCE] == REFERENCE


@pytest.mark.parametrize("n", [1, 2, 3, 7, 2**31 + 1])
def test_below_is_uniform_and_in_range(n: int) -> None:
    out = np.empty(DRAWS, np.int64)
    draw_many(stream(20, n), n, out)
    assert 0 <= out.min() <= out.max() < n
    cells = min(n, 8)
    if cells > 1:
        assert_uniform(list(Counter((out * cells // n).tolist()).values()), cells)


@given(st.integers(0, 2**64 - 1), st.integers(1, 2**32 - 1))
def test_below_stays_in_range_from_any_state(state: int, n: int) -> None:
    rng = np.array([state], np.uint64)
    assert all(0 <= below(rng, n) < n for _ in range(5))


@given(st.integers(0, 2**64 - 1))
def test_unit_is_below_one(state: int) -> None:
    assert 0 <= unit(np.array([state], np.uint64)) < 1


def test_unit_is_uniform() -> None:
    rng = stream(4)
    cells = Counter(int(unit(rng) * 10) for _ in range(20_000))
    assert_uniform(list(cells.values()), 10)


@given(st.integers(-(2**70), 2**70), st.integers(0, 2**63 - 1))
def test_stream_of_two_keys_is_a_fork(a: int, b: int) -> None:
    parent, child = stream(a), stream()
    fork(parent, b, child)
    assert child[0] == stream(a, b)[0]
    assert parent[0] == stream(a)[0], "forking does not move the parent"


def test_different_keys_give_different_streams() -> None:
    keys: list[tuple[int, ...]] = [(a, b) for a in range(40) for b in range(40)]
    keys += [(a,) for a in range(-40, 40)]
    keys += [(a, b, c) for a in range(9) for b in range(9) for c in range(9)]
    assert len({int(stream(*key)[0]) for key in keys}) == len(keys)
    assert len({int(next_word(stream(*key))) for key in keys}) == len(keys)


def test_order_of_the_keys_matters() -> None:
    assert stream(1, 2)[0] != stream(2, 1)[0]
    assert stream(1)[0] != stream(1, 0)[0]


def test_shuffle_is_uniform_over_24_orders() -> None:
    out = np.empty(24_000, np.int64)
    shuffle_many(stream(9), out)
    assert_uniform(list(Counter(out.tolist()).values()), 24)


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_shuffle_leaves_the_rest_alone(n: int) -> None:
    items = np.arange(8)
    shuffle(stream(3), items, n)
    assert sorted(items.tolist()) == list(range(8))
    assert items[n:].tolist() == list(range(n, 8))


# -- the set ---------------------------------------------------------------------------

SMALL = 8
LAST = SMALL - 1
COLLIDING = [key for key in range(2000) if slot(key, LAST) == LAST][:12]
"""Keys whose search begins at the last place of a small set: it must wrap round."""


def fill(keys: list[int]) -> Any:
    """A set of the keys, grown as the rule asks: at most half full."""
    slots, known = new_set(SMALL), set[int]()
    for key in keys:
        if 2 * (len(known) + 1) > len(slots):
            slots = grown(slots)
        assert add(slots, key) == (key not in known)
        known.add(key)
        assert not add(slots, key), "it is there now"
    return slots


@settings(deadline=None)  # the first example compiles
@given(
    st.lists(
        st.one_of(
            st.integers(0, 2**63 - 1),
            st.integers(0, 30),
            st.sampled_from(COLLIDING),
            st.integers(0, 2**9 - 1).map(lambda n: n << 54),  # equal in all low bits
        ),
        max_size=120,
    )
)
def test_set_against_pythons(keys: list[int]) -> None:
    slots = fill(keys)
    assert sorted(key for key in slots.tolist() if key != -1) == sorted(set(keys))
    larger = grown(slots)
    assert len(larger) == 2 * len(slots)
    assert all(not add(larger, key) for key in keys)


def test_set_with_colliding_keys_wraps_round() -> None:
    assert len(COLLIDING) == 12
    slots = new_set(SMALL)
    for key in COLLIDING[:4]:
        assert add(slots, key)
    assert sorted(np.flatnonzero(slots != -1).tolist()) == [0, 1, 2, LAST]
    assert all(not add(slots, key) for key in COLLIDING[:4])
    assert sorted(key for key in fill(COLLIDING).tolist() if key != -1) == COLLIDING
