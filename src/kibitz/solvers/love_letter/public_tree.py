"""The public states of a round as arrays, for compiled code.

The tree itself is never written down: it has up to 200 million public nodes, but just some ten
thousand different states. A node is a state and an offset into the array of regrets; the
offsets of what follows it differ from its own by numbers that the state knows.

Cards are *lanes* here, from 0 for the Guard to 7 for the Princess: a vector has a lane for each.
A state has *cells*, one for each play and each card retained: `row * LANES + lane`. Its rows are
the plays that some hand has.

Example: in a state where a Guard may name the Baron or the Prince and nothing else can be played,
`rows` has these two plays, and the cell of naming the Prince and retaining the King is 1 * 8 + 5.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kibitz.jit.vectors import LANES
from kibitz.solvers.love_letter.public_states import (
    LAID,
    OVER,
    PLAY_BARON,
    PLAY_KING,
    PRINCE_ON_OTHER,
    PRINCE_ON_SELF,
    Branch,
    PublicStates,
)

ROWS = 16
"""More than the different plays in a state."""
CELLS = ROWS * LANES
LEADS = 64
"""Leads by sums of discards are counted from -LEADS to LEADS."""

STATE = np.dtype(
    (
        np.record,
        [
            ("regrets", np.int64),
            ("nodes", np.int64),
            ("hand_from", np.int32),
            ("hand_to", np.int32),
            ("row_from", np.int32),
            ("row_to", np.int32),
            ("branch_from", np.int32),
            ("branch_to", np.int32),
            ("subgame", np.int32),
            ("protected", np.int32),
            ("mine", np.int32),
            ("theirs", np.int32),
            ("deep_rows", np.int32),
            ("total", np.float32),
            ("per_draw", np.float32),
            ("per_renewal", np.float32),
        ],
    )
)
"""`regrets`, `nodes`: of the tree below it, its own included, without the subgames that begin
below it. `…_from`, `…_to`: where its hands, rows and branches stand. `subgame`: its row among the
first states of independent subgames, or -1. `mine`, `theirs`: what each may hold, a bit for each
lane. `deep_rows`: a bit for each row behind which the
tree goes on. `total`: unseen cards in all. `per_draw` and `per_renewal`: 1 / (total − 2) and
1 / (total − 3), the chance of one card to be drawn, and to be the one that a Prince brings."""

HAND = np.dtype(
    (
        np.record,
        [
            ("first_option", np.int32),
            ("first_regret", np.int32),
            ("low_weight", np.float32),
            ("high_weight", np.float32),
            ("low", np.uint8),
            ("high", np.uint8),
            ("options", np.uint16),
        ],
    )
)
"""Two cards, as lanes. `low_weight`: the chance to draw `high` with `low` in hand; `high_weight`
the other way round, 0 if the cards are equal. `first_regret` counts from the node's offset."""

BRANCH = np.dtype(
    (
        np.record,
        [
            ("offset", np.int64),
            ("lead", np.int64),
            ("next", np.int32),
            ("subgame", np.int32),
            ("both_known", np.int32),
            ("play", np.uint8),
            ("row", np.uint8),
            ("retained", np.uint8),
            ("shown", np.uint8),
        ],
    )
)
"""A play and what comes of it. `next`: a state, or OVER. `subgame`: the row of the subgame that
begins there, or -1. `lead`: by how much whoever plays gains in discards. `retained`, `shown`:
the card (1 to 8, not a lane) where it is seen, else 0. `both_known`: both hands are public
after it."""


class PublicTree(NamedTuple):
    unseen: Any
    """How many of each card, LANES float32 a state."""
    states: Any
    hands: Any
    options: Any
    """The cell of each option of a hand."""
    rows: Any
    """The play of each row of cells."""
    branches: Any


class TreeSizes(NamedTuple):
    """One entry a state."""

    regrets: list[int]
    nodes: list[int]
    offsets: list[list[int]]
    """Of each branch: where the regrets of what follows it begin."""


def sizes_of(states: PublicStates) -> TreeSizes:
    """How much there is below each state, without the subgames that begin below it."""
    number = len(states.states)
    regrets, nodes = [0] * number, [1] * number
    offsets: list[list[int]] = [[] for _ in range(number)]
    for i in smallest_first(states):
        regrets[i] = sum(len(h.options) for h in states.hands[i] if len(h.options) > 1)
        for branch in states.branches[i]:
            offsets[i].append(regrets[i])
            if branch.state != OVER and not states.states[branch.state].is_subgame:
                regrets[i] += regrets[branch.state]
                nodes[i] += nodes[branch.state]
    return TreeSizes(regrets, nodes, offsets)


def smallest_first(states: PublicStates) -> list[int]:
    return sorted(range(len(states.states)), key=lambda i: sum(states.states[i].unseen))


def tree_of(states: PublicStates) -> PublicTree:
    number = len(states.states)
    subgame = np.full(number, -1, np.int64)
    subgame[[i for i in smallest_first(states) if states.states[i].is_subgame]] = np.arange(
        sum(public.is_subgame for public in states.states)
    )
    sizes = sizes_of(states)
    lists = _TreeLists()
    for i in range(number):
        lists.add(states, i, sizes, subgame)
    return PublicTree(
        np.array([public.unseen for public in states.states], np.float32).ravel(),
        np.array(lists.states, STATE),
        np.array(lists.hands, HAND),
        np.array(lists.options, np.uint8),
        np.array(lists.rows, np.uint8),
        np.array(lists.branches, BRANCH),
    )


class _TreeLists:
    """The lists that become arrays."""

    def __init__(self) -> None:
        self.states: list[tuple[Any, ...]] = []
        self.hands: list[tuple[Any, ...]] = []
        self.options: list[int] = []
        self.rows: list[int] = []
        self.branches: list[tuple[Any, ...]] = []

    def add(self, states: PublicStates, i: int, sizes: TreeSizes, subgame: Any) -> None:
        public = states.states[i]
        begins = len(self.hands), len(self.rows), len(self.branches)
        plays = sorted({play for hand in states.hands[i] for play, _ in hand.options})
        row = {play: k for k, play in enumerate(plays)}
        total = sum(public.unseen)
        self._add_hands(states, i, row, total)
        self.rows += plays
        deep = 0
        for branch, offset in zip(states.branches[i], sizes.offsets[i], strict=True):
            stands = int(subgame[branch.state]) if branch.state != OVER else -1
            both = branch.play in (PLAY_BARON, PLAY_KING) and not public.protected
            if branch.state != OVER and stands < 0 and not both:
                deep |= 1 << row[branch.play]
            self.branches.append(
                (
                    offset, lead_of(branch), branch.state, stands, both,
                    branch.play, row[branch.play], branch.retained, branch.shown,
                )
            )  # fmt: skip
        ends = len(self.hands), len(self.rows), len(self.branches)
        places = [place for pair in zip(begins, ends, strict=True) for place in pair]
        per_draw, per_renewal = (1 / max(total - besides, 1) for besides in (2, 3))
        self.states.append(
            (
                sizes.regrets[i], sizes.nodes[i], *places, subgame[i], public.protected,
                public.mine, public.theirs, deep, total, per_draw, per_renewal,
            )
        )  # fmt: skip

    def _add_hands(self, states: PublicStates, i: int, row: dict[int, int], total: int) -> None:
        unseen = states.states[i].unseen
        regret = 0
        for low, high, options in states.hands[i]:
            if low == high:
                weights = (unseen[low - 1] - 1) / (total - 2), 0.0
            else:
                weights = unseen[high - 1] / (total - 2), unseen[low - 1] / (total - 2)
            number = len(options)
            self.hands.append((len(self.options), regret, *weights, low - 1, high - 1, number))
            self.options += [row[play] * LANES + retained - 1 for play, retained in options]
            regret += number if number > 1 else 0


def lead_of(branch: Branch) -> int:
    """By how much whoever plays gains in discards: a Prince adds the card that he brings to
    light."""
    more = branch.retained if branch.play == PRINCE_ON_SELF else 0
    return LAID[branch.play] + more - (branch.shown if branch.play == PRINCE_ON_OTHER else 0)


def unseen_in(tree: PublicTree, state: int) -> Any:
    """How many of each card, by lane."""
    return tree.unseen[LANES * state : LANES * (state + 1)]


def hands_in(tree: PublicTree, state: int) -> Any:
    place = tree.states[state]
    return tree.hands[place["hand_from"] : place["hand_to"]]


def branches_in(tree: PublicTree, state: int) -> Any:
    place = tree.states[state]
    return tree.branches[place["branch_from"] : place["branch_to"]]


def is_deep(branches: Any) -> Any:
    """Behind which of them the tree goes on."""
    goes_on = (branches["next"] != OVER) & (branches["subgame"] < 0)
    return goes_on & (branches["both_known"] == 0)


def equivalent_lead(unseen: Any, lead: int) -> int:
    """A lead that is as good as this one: what can't be caught up is all the same, and where no
    two equal cards are left leads decide nothing."""
    furthest = furthest_lead(unseen)
    return max(-furthest, min(furthest, lead))


def furthest_lead(unseen: Any) -> int:
    """One more is as good as this. `unseen`: by lane."""
    return int(furthest_leads(unseen))


def furthest_leads(unseen: Any) -> Any:
    """The same for many states. `unseen`: (…, LANES)."""
    sums = (unseen @ np.arange(1, LANES + 1)).astype(np.int64)
    return np.where(unseen.max(-1) > 1, sums, 0)
