"""Which independent subgames a solution needs."""

from __future__ import annotations

import random

import pytest

from kibitz.solvers.love_letter.public_states import OVER
from kibitz.solvers.love_letter.public_tree import (
    PublicTree,
    branches_in,
    equivalent_lead,
    unseen_in,
)
from kibitz.solvers.love_letter.subgames import SubgameValues
from tests.search.fast.arrays import compiled_only
from tests.solvers.love_letter.test_listing import list_tree, random_position

pytestmark = compiled_only


def met_below(tree: PublicTree, lead: int) -> set[tuple[int, int]]:
    """All states with all leads of the player to move that can be met, way by way."""
    met, waiting = set(), [(0, lead)]
    while waiting:
        here = waiting.pop()
        if here not in met:
            met.add(here)
            state, lead = here
            waiting += [
                (int(branch["next"]), -(lead + int(branch["lead"])))
                for branch in branches_in(tree, state)
                if branch["next"] != OVER
            ]
    return met


@pytest.mark.parametrize("deck", [1, 2, 3, 4, 5])
def test_subgames_are_those_that_can_be_met(deck: int) -> None:
    lots = random.Random(deck)
    for _ in range(12):
        (tree, _), lead = list_tree(random_position(lots, deck)), lots.randint(-25, 25)
        expected: dict[float, set[tuple[int, int]]] = {}
        for state, met in met_below(tree, lead):
            if state and tree.states[state]["subgame"] >= 0:
                which = state, equivalent_lead(unseen_in(tree, state), met)
                expected.setdefault(tree.states[state]["total"], set()).add(which)
        levels = SubgameValues(tree, 0, lead).levels
        assert levels == [sorted(expected[total]) for total in sorted(expected)]
