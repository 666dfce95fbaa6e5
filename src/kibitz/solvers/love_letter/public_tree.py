"""The public states of a round as arrays, for compiled code.

The tree itself is never written down: it has up to 200 million public nodes, but just some ten
thousand different states. A node is a state and an offset into the array of regrets; the
offsets of what follows it differ from its own by numbers that the state knows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kibitz.solvers.love_letter.public_states import (
    LAID,
    OVER,
    PRINCE_ON_OTHER,
    PRINCE_ON_SELF,
    Branch,
    PublicStates,
)

WIDTH = 9
"""Length of a vector by cards; entry 0 is not used."""
ROWS = 16
"""More than the different plays in a state."""
CELLS = ROWS * WIDTH
"""A number for each play and each card retained."""
LEADS = 64
"""Leads by sums of discards are counted from -LEADS to LEADS."""

LOW, HIGH, OPTIONS, FIRST_OPTION, FIRST_REGRET = range(5)
"""Of a hand: its cards, how many options it has, where they and their regrets begin."""
PLAY, ROW, RETAINED, SHOWN, NEXT, OFFSET, SUBGAME, LEAD = range(8)
"""Of a branch. SUBGAME: the row of the subgame that begins there, or -1. LEAD: by how much whoever
plays gains in discards."""


class PublicTree(NamedTuple):
    """One row a public state, unless said otherwise."""

    unseen: Any
    """How many of each card, by card."""
    total: Any
    """Unseen cards in all."""
    protected: Any
    hand_from: Any
    """Where its hands begin in `hands`; the next row's beginning is where they end."""
    hands: Any
    options: Any
    """The cell of each option: row times WIDTH, plus the card that is retained."""
    row_from: Any
    rows: Any
    """The play of each row of cells."""
    branch_from: Any
    branches: Any
    regrets: Any
    """How many regrets the tree below it has, its own included."""
    nodes: Any
    """How many public nodes."""
    subgame: Any
    """Its row among the first states of stand-subgame subgames, or -1."""


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
    rows = _Rows()
    for i in range(number):
        rows.add(states, i, sizes.offsets[i], subgame)
    return PublicTree(
        np.array([(0, *public.unseen) for public in states.states], np.float64),
        np.array([sum(public.unseen) for public in states.states], np.float64),
        np.array([public.protected for public in states.states], np.int64),
        np.array(rows.hand_from, np.int64),
        np.array(rows.hands, np.int64).reshape(-1, 5),
        np.array(rows.options, np.int64),
        np.array(rows.row_from, np.int64),
        np.array(rows.rows, np.int64),
        np.array(rows.branch_from, np.int64),
        np.array(rows.branches, np.int64).reshape(-1, 8),
        np.array(sizes.regrets, np.int64),
        np.array(sizes.nodes, np.int64),
        subgame,
    )


class _Rows:
    """The lists that become arrays."""

    def __init__(self) -> None:
        self.hand_from, self.row_from, self.branch_from = [0], [0], [0]
        self.hands: list[tuple[int, ...]] = []
        self.options: list[int] = []
        self.rows: list[int] = []
        self.branches: list[tuple[int, ...]] = []

    def add(self, states: PublicStates, i: int, offsets: list[int], subgame: Any) -> None:
        plays = sorted({play for hand in states.hands[i] for play, _ in hand.options})
        row = {play: k for k, play in enumerate(plays)}
        regret = 0
        for hand in states.hands[i]:
            several = len(hand.options) if len(hand.options) > 1 else 0
            self.hands.append((hand.low, hand.high, len(hand.options), len(self.options), regret))
            self.options += [row[play] * WIDTH + retained for play, retained in hand.options]
            regret += several
        for branch, offset in zip(states.branches[i], offsets, strict=True):
            lead = lead_of(branch)
            stands = int(subgame[branch.state]) if branch.state != OVER else -1
            self.branches.append(
                (branch.play, row[branch.play], *branch[1:4], offset, stands, lead)
            )
        self.rows += plays
        self.hand_from.append(len(self.hands))
        self.row_from.append(len(self.rows))
        self.branch_from.append(len(self.branches))


def lead_of(branch: Branch) -> int:
    """By how much whoever plays gains in discards: a Prince adds the card that he brings to
    light."""
    more = branch.retained if branch.play == PRINCE_ON_SELF else 0
    return LAID[branch.play] + more - (branch.shown if branch.play == PRINCE_ON_OTHER else 0)


def equivalent_lead(unseen: Any, lead: int) -> int:
    """A lead that is as good as this one: what can't be caught up is all the same, and where no
    two equal cards are left leads decide nothing. `unseen` is by card, from 0."""
    furthest = furthest_lead(unseen)
    return max(-furthest, min(furthest, lead))


def furthest_lead(unseen: Any) -> int:
    """One more is as good as this."""
    return int(unseen @ np.arange(WIDTH)) if unseen.max() > 1 else 0
