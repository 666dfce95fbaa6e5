"""States listed by compiled code: the arrays are those of the textbook version, element by
element."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from kibitz.games.love_letter.cards import unseen
from kibitz.solvers.love_letter import listing
from kibitz.solvers.love_letter.listing import Listing
from kibitz.solvers.love_letter.public_states import (
    PublicState,
    PublicStates,
    only,
    possible,
    start,
)
from kibitz.solvers.love_letter.public_tree import PublicTree, tree_of
from kibitz.solvers.love_letter.state_keys import key_of, state_of
from tests.processes import environment, run
from tests.search.fast.arrays import compiled_only

pytestmark = compiled_only

ANY = 0xFF
EVEN = (1.0,) * 8
TWO_PRIESTS_AND_COUNTESS = start((5, 0, 2, 2, 2, 1, 0, 1), False, EVEN, EVEN)


def random_position(lots: random.Random, deck: int) -> PublicState:
    """With so many cards in the deck; either range may be anything."""
    while True:
        cards = [card for card, n in enumerate(unseen("published", ())) for _ in range(n)]
        drawn = lots.sample(cards, deck + 3)
        counts = tuple(drawn.count(card) for card in range(8))
        sets = (lots.choice((ANY, lots.randrange(1, ANY))) for _ in range(2))
        mine, theirs = possible(counts, *sets)
        if mine and theirs:
            uniform = (bool(lots.getrandbits(1)) or only(each) > 0 for each in (mine, theirs))
            return PublicState(counts, lots.random() < 0.3, mine, theirs, *uniform)


def list_tree(root: PublicState) -> tuple[PublicTree, Any]:
    """All that comes from one state, which has the number 0, and the key of each state."""
    listing = Listing()
    listing.add(PublicState(*root[:6]))
    return listing.tree(), listing.keys


def textbook(roots: Sequence[PublicState]) -> tuple[list[int], PublicStates]:
    states = PublicStates()
    return [states.add(root) for root in roots], states


def check_equal(tree: PublicTree, keys: Any, states: PublicStates) -> None:
    assert [state_of(key) for key in keys.tolist()] == states.states
    for name, array, expected in zip(tree._fields, tree, tree_of(states), strict=True):
        assert array.dtype == expected.dtype, name
        np.testing.assert_array_equal(array, expected, name)


def check_listed(root: PublicState) -> int:
    """How many states there are."""
    _, states = textbook([root])
    tree, keys = list_tree(root)
    check_equal(tree, keys, states)
    return len(keys)


@pytest.mark.parametrize(
    ("deck", "positions"),
    [(1, 90), (2, 90), (3, 60), (4, 30), (5, 12), (6, 5), (7, 2), (8, 1)],
)
def test_random_positions(deck: int, positions: int) -> None:
    lots = random.Random(deck)
    assert sum(check_listed(random_position(lots, deck)) for _ in range(positions)) >= positions


def test_a_whole_round() -> None:
    """Other programs counted 5.5 million public nodes."""
    tree, keys = list_tree(TWO_PRIESTS_AND_COUNTESS)
    check_equal(tree, keys, textbook([TWO_PRIESTS_AND_COUNTESS])[1])
    assert (tree.states[0]["nodes"], tree.states[0]["regrets"]) == (5_542_344, 37_200_373)


def test_arrays_grow_wherever_the_listing_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """From a capacity for the first state on."""
    root = random_position(random.Random(6), 6)
    whole, all_keys = list_tree(root)
    for first in (64, 128):
        monkeypatch.setattr(listing, "FIRST_STATES", first)
        assert len(all_keys) > 4 * first
        tree, keys = list_tree(root)
        np.testing.assert_array_equal(keys, all_keys)
        for array, expected in zip(tree, whole, strict=True):
            np.testing.assert_array_equal(array, expected)


def test_several_roots_share_their_states() -> None:
    """Also when the tree is looked at in between, and when a root has been met before."""
    lots = random.Random(2)
    roots = [random_position(lots, deck) for deck in (3, 5, 4, 2)]
    roots += [textbook(roots[:2])[1].states[-1], roots[0]]
    numbers, states = textbook(roots)
    assert numbers[-2] not in (0, *numbers[:-2]) and numbers[-1] == 0
    compiled = Listing()
    for root, number in zip(roots, numbers, strict=True):
        assert compiled.add(root) == number
        compiled.tree()
    check_equal(compiled.tree(), compiled.keys, states)


@pytest.mark.parametrize("deck", [1, 5, 13])
def test_keys_are_states(deck: int) -> None:
    lots = random.Random(deck)
    for _ in range(100):
        public = random_position(lots, deck)
        assert state_of(key_of(public)) == public


INTERPRETED = """
import random
from tests.solvers.love_letter.test_listing import check_listed, random_position
lots = random.Random(9)
print(sum(check_listed(random_position(lots, deck)) for deck in (1, 1, 2, 3, 4, 5)))
"""


def test_interpreted_it_is_the_same() -> None:
    done = run(["-W", "error", "-c", INTERPRETED], environment(NUMBA_DISABLE_JIT="1"))
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100
