"""A two-player round of Love Letter to an equilibrium, with a proof of how good it is.

CFR+ on the public tree. What stands alone is solved first, the smallest first, and then is a
number with bounds. An exact best response for each side bounds the value from both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.solvers.love_letter_states import CARDS, OVER, Public, States, bit, start
from kibitz.solvers.love_letter_sweep import (
    LEARN,
    LOWER,
    MIDDLE,
    RESPOND,
    UPPER,
    begin,
    learn,
    walk,
)
from kibitz.solvers.love_letter_tree import CELLS, LEAD, LEADS, NEXT, WIDTH, Tree, tree_of

EVEN = (1.0,) * 8
DEPTH = 16
"""More than the turns of a round."""
FINER = 4
"""What stands alone is solved so much more exactly."""


def room() -> tuple[Any, ...]:
    """What a walk works in."""
    return (
        np.zeros((DEPTH, 5), np.int64),
        np.zeros((DEPTH, WIDTH)),
        np.zeros((DEPTH, WIDTH)),
        np.zeros((DEPTH, CELLS)),
        np.zeros(WIDTH),
        np.zeros(WIDTH),
        np.zeros(32),
    )


class Policy:
    """Regrets and average play below one state, with a lead and with ranges to begin with."""

    def __init__(self, tree: Tree, alone: Any, state: int, lead: int, priors: Any) -> None:
        self.tree, self.alone = tree, alone
        size = int(tree.regrets[state])
        self.regrets = np.zeros(size, np.float32)
        self.average = np.zeros(size, np.float32)
        self.start = np.array([state, lead], np.int64)
        self.priors = priors  # of the player to move, of the other
        self.iterations = 0
        self.task = np.zeros(2, np.int64)
        self.room = room()
        unseen = tree.unseen[state]
        self._own = [priors[0] * unseen, priors[1] * unseen]
        pairs = np.outer(priors[0] * unseen, priors[1])
        self._weight = (pairs * np.clip(unseen[None, :] - np.eye(WIDTH), 0, None)).sum()

    def learn(self, more: int) -> None:
        self.task[0] = LEARN
        learn(
            self.tree,
            self.alone,
            self.regrets,
            self.average,
            self.task,
            self.start,
            self._modelled,
            self.iterations,
            more,
            self.room,
        )
        self.iterations += more

    @property
    def _modelled(self) -> Any:
        """By whether the mover learns: the other's range."""
        return self.priors

    def response(self, mover: int) -> float:
        """What the best answer to the other's average brings, to the mover or to the other."""
        self.task[0] = RESPOND
        begin(self.start, self._modelled, mover, self.room)
        walk(self.tree, self.alone, self.regrets, self.average, self.task, 0.0, self.room)
        values = self.room[2][0]
        return float((self._own[1 - mover] * values).sum() / self._weight)

    def bounds(self) -> tuple[float, float]:
        """Between these lies the value for the player to move."""
        return -self.response(0), self.response(1)


class Solver:
    """`ranges`: how likely the player to move and the other are to hold each card, Guard first,
    by their own choices so far: the unseen copies of a card count besides."""

    def __init__(
        self,
        unseen: tuple[int, ...],
        protected: bool = False,
        lead: int = 0,
        ranges: tuple[Sequence[float], Sequence[float]] = (EVEN, EVEN),
    ) -> None:
        self.states = States()
        self.ranges = np.zeros((2, WIDTH))
        self.ranges[:, 1:] = ranges
        self.root = self.states.add(start(unseen, protected, *ranges))
        self.lead = lead
        self.tree = tree_of(self.states)
        self.alone = np.zeros((3, int(self.tree.alone.max()) + 1, 2 * LEADS + 1))

    def subgames(self) -> list[tuple[int, list[int]]]:
        """States that stand alone, the smallest first, with the leads they may be met with."""
        publics = self.states.publics
        order = sorted(range(len(publics)), key=lambda i: -sum(publics[i].unseen))
        met = [0] * len(publics)
        mirrored = [0] * len(publics)
        met[self.root] = 1 << (LEADS + self.lead)
        mirrored[self.root] = 1 << (LEADS - self.lead)
        branches, starts = self.tree.branches.tolist(), self.tree.branch_from.tolist()
        for i in order:
            for branch in branches[starts[i] : starts[i + 1]]:
                state, lead = branch[NEXT], branch[LEAD]
                if state != OVER:
                    mirrored[state] |= met[i] << lead if lead >= 0 else met[i] >> -lead
                    met[state] |= mirrored[i] >> lead if lead >= 0 else mirrored[i] << -lead
        found = []
        for i in reversed(order):
            if publics[i].free and i != self.root:
                leads = [k - LEADS for k in range(2 * LEADS + 1) if met[i] >> k & 1]
                found.append((i, leads))
        return found

    def solve_alone(self, state: int, leads: list[int], epsilon: float) -> tuple[int, int]:
        furthest = swing(self.states.publics[state])
        row = int(self.tree.alone[state])
        nodes = iterations = 0
        for lead in sorted({max(-furthest, min(furthest, lead)) for lead in leads}):
            policy = self.policy(state, lead)
            low, high = solve(policy, epsilon)
            some = slice(LEADS + lead, LEADS + lead + 1)
            if lead == -furthest:
                some = slice(0, some.stop)
            if lead == furthest:
                some = slice(some.start, None)
            self.alone[MIDDLE, row, some] = (low + high) / 2
            self.alone[UPPER, row, some] = high
            self.alone[LOWER, row, some] = low
            nodes += int(policy.task[1])
            iterations += policy.iterations
        return nodes, iterations

    def policy(self, state: int, lead: int) -> Policy:
        public = self.states.publics[state]
        priors = np.array([vector(public.mine), vector(public.theirs)])
        if state == self.root:
            priors *= self.ranges
        return Policy(self.tree, self.alone, state, lead, priors)


def swing(public: Public) -> int:
    """A lead further than this is never caught up; 0 where leads decide nothing."""
    if max(public.unseen) < 2:
        return 0
    return sum(card * copies for card, copies in zip(CARDS, public.unseen, strict=True)) + 1


def vector(cards: int) -> Any:
    return np.array([0.0, *(float(cards & bit(card) > 0) for card in CARDS)])


def solve(policy: Policy, epsilon: float, most: int = 4096) -> tuple[float, float]:
    """Iterate until the bounds are so close."""
    more = 16
    low, high = policy.bounds()
    while high - low > 2 * epsilon and policy.iterations < most and len(policy.regrets):
        policy.learn(more)
        more = policy.iterations
        low, high = policy.bounds()
    return low, high
