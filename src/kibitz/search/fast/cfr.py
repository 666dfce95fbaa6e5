"""Counterfactual regret minimization: equilibria of games for two with hidden cards.

Over the flat arrays of `game_tree.py`, so that the kernels know no game. Three kinds:

- `cfr`: M. Zinkevich and others, "Regret Minimization in Games with Incomplete Information"
  (2007), the seats in turn.
- `cfr+`: O. Tammelin, "Solving Large Imperfect Information Games Using CFR+" (2014): regrets
  below zero are forgotten, and iteration t counts t times in the average.
- `mccfr`: M. Lanctot and others, "Monte Carlo Sampling for Regret Minimization in Extensive
  Games" (2009), external sampling: chance and the other seat are drawn.

The average policy of both seats tends to an equilibrium. How far it is from one is its
*exploitability*: what a best reply wins above the value of the game, the mean of both seats.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from kibitz.core.errors import BadText
from kibitz.core.game import CHANCE, Game, Play, View
from kibitz.jit.kernels import kernel
from kibitz.jit.rng import stream, unit
from kibitz.search.fast.game_tree import (
    BEFORE,
    CHILDREN,
    FIRST,
    LUCK,
    OWNER,
    PAYOFF,
    PLAYS,
    SEAT,
    SLOT,
    START,
    GameTree,
    tree_of,
)

ALGORITHMS = ("cfr", "cfr+", "mccfr")
ROUNDING = 1e-12
"""Regrets that add up to less are none: which play has them, rounding has decided."""


# -- all of the tree ---------------------------------------------------------------------


@kernel
def send_down(nodes: Any, values: Any, policy: Any, seat: int, flow: Any) -> None:
    """Write to each node the probability that it is reached if the seat itself wants to, luck
    left out; to each end its value to the seat times all of that probability."""
    flow[0] = 1.0
    for i in range(len(nodes)):
        children, first = nodes[i, CHILDREN], nodes[i, FIRST]
        if children == 0:
            gain = values[i, PAYOFF] * values[i, LUCK]
            flow[i] *= gain if seat == 0 else -gain
        elif nodes[i, OWNER] == 1 - seat:
            slot = nodes[i, SLOT]
            for k in range(children):
                flow[first + k] = flow[i] * policy[slot + k]
        else:
            for k in range(children):
                flow[first + k] = flow[i]


@kernel
def send_up(nodes: Any, policy: Any, seat: int, flow: Any, regrets: Any) -> float:
    """Add up the values from the ends to the root, and what each play of the seat would have
    gained. The value to the seat."""
    for i in range(len(nodes) - 1, -1, -1):
        children, first = nodes[i, CHILDREN], nodes[i, FIRST]
        if children == 0:
            continue
        total = 0.0
        if nodes[i, OWNER] == seat:
            slot = nodes[i, SLOT]
            for k in range(children):
                total += policy[slot + k] * flow[first + k]
            for k in range(children):
                regrets[slot + k] += flow[first + k] - total
        else:
            for k in range(children):
                total += flow[first + k]
        flow[i] = total
    return flow[0]


@kernel
def match(regrets: Any, start: int, plays: int, policy: Any) -> None:
    """Regret matching: each play by its regret, if that is above zero."""
    total = 0.0
    for slot in range(start, start + plays):
        total += max(regrets[slot], 0.0)
    for slot in range(start, start + plays):
        policy[slot] = max(regrets[slot], 0.0) / total if total > ROUNDING else 1.0 / plays


@kernel
def learn(
    sets: Any, seat: int, plus: bool, weight: float, policy: Any, regrets: Any, average: Any,
    reach: Any,
) -> None:  # fmt: skip
    """Count the seat's policy in its average, then change it by the regrets."""
    for i in range(len(sets)):
        if sets[i, SEAT] != seat:
            continue
        start, plays, before = sets[i, START], sets[i, PLAYS], sets[i, BEFORE]
        mine = reach[before] if before >= 0 else 1.0
        for slot in range(start, start + plays):
            reach[slot] = mine * policy[slot]
            average[slot] += weight * reach[slot]
            if plus:
                regrets[slot] = max(regrets[slot], 0.0)
        match(regrets, start, plays, policy)


@kernel
def iterate(
    nodes: Any, values: Any, sets: Any, plus: bool, start: int, iterations: int, policy: Any,
    regrets: Any, average: Any,
) -> None:  # fmt: skip
    """CFR or CFR+, after `start` iterations so many more."""
    flow = np.empty(len(nodes))
    reach = np.empty(len(policy))
    for t in range(start + 1, start + iterations + 1):
        for seat in range(2):
            send_down(nodes, values, policy, seat, flow)
            send_up(nodes, policy, seat, flow, regrets)
            learn(sets, seat, plus, t if plus else 1.0, policy, regrets, average, reach)


@kernel
def best_reply(
    nodes: Any, values: Any, levels: Any, policy: Any, seat: int, reply: Any
) -> float:  # fmt: skip
    """The most that the seat can win against the other's policy. Its reply is written, of equal
    plays the first."""
    flow = np.empty(len(nodes))
    gains = np.zeros(len(policy))
    send_down(nodes, values, policy, seat, flow)
    for level in range(len(levels) - 2, -1, -1):
        for i in range(levels[level], levels[level + 1]):
            if nodes[i, OWNER] == seat:
                for k in range(nodes[i, CHILDREN]):
                    gains[nodes[i, SLOT] + k] += flow[nodes[i, FIRST] + k]
        for i in range(levels[level], levels[level + 1]):
            children, first, slot = nodes[i, CHILDREN], nodes[i, FIRST], nodes[i, SLOT]
            if nodes[i, OWNER] == seat:
                best = np.argmax(gains[slot : slot + children])
                reply[slot : slot + children] = 0.0
                reply[slot + best] = 1.0
                flow[i] = flow[first + best]
            elif children > 0:
                flow[i] = flow[first : first + children].sum()
    return flow[0]


# -- a part of it, drawn -----------------------------------------------------------------


@kernel
def draw_chance(nodes: Any, values: Any, i: int, rng: Any) -> int:
    """A child of a node where chance moves."""
    first, children = nodes[i, FIRST], nodes[i, CHILDREN]
    left = unit(rng) * values[i, LUCK]
    for child in range(first, first + children - 1):
        left -= values[child, LUCK]
        if left < 0:
            return child
    return first + children - 1


@kernel
def draw_play(policy: Any, slot: int, plays: int, rng: Any) -> int:
    left = unit(rng)
    for k in range(plays - 1):
        left -= policy[slot + k]
        if left < 0:
            return k
    return plays - 1


@kernel
def sample(
    nodes: Any, values: Any, iterations: int, policy: Any, regrets: Any, average: Any, rng: Any
) -> None:
    """External sampling: for each seat in turn, all its plays against one draw of the rest."""
    met = np.zeros(len(nodes), np.int64)
    below = np.zeros(len(nodes), np.int64)  # where in `met` the children of each begin
    worth = np.zeros(len(nodes))
    for _ in range(iterations):
        for seat in range(2):
            met[0] = 0
            n, at = 1, 0
            while at < n:
                i = met[at]
                children, first, slot = nodes[i, CHILDREN], nodes[i, FIRST], nodes[i, SLOT]
                below[at] = n
                if nodes[i, OWNER] == CHANCE:
                    met[n] = draw_chance(nodes, values, i, rng)
                    n += 1
                elif children > 0:
                    match(regrets, slot, children, policy)
                    if nodes[i, OWNER] == seat:
                        for k in range(children):
                            met[n + k] = first + k
                        n += children
                    else:
                        for k in range(children):
                            average[slot + k] += policy[slot + k]
                        met[n] = first + draw_play(policy, slot, children, rng)
                        n += 1
                at += 1
            for at in range(n - 1, -1, -1):
                i = met[at]
                children, slot = nodes[i, CHILDREN], nodes[i, SLOT]
                if children == 0:
                    worth[at] = values[i, PAYOFF] if seat == 0 else -values[i, PAYOFF]
                elif nodes[i, OWNER] != seat:
                    worth[at] = worth[below[at]]
                else:
                    total = 0.0
                    for k in range(children):
                        total += policy[slot + k] * worth[below[at] + k]
                    for k in range(children):
                        regrets[slot + k] += worth[below[at] + k] - total
                    worth[at] = total


# -- for people --------------------------------------------------------------------------


class Profile:
    """A policy for both seats: the probability of each play in each information set."""

    def __init__(self, tree: GameTree, policy: np.ndarray) -> None:
        self.tree = tree
        self.policy = policy

    @cached_property
    def value(self) -> float:
        """What seat 0 wins on average if both keep to it."""
        flow, scratch = np.empty(len(self.tree.nodes)), np.zeros(len(self.policy))
        send_down(self.tree.nodes, self.tree.values, self.policy, 0, flow)
        return float(send_up(self.tree.nodes, self.policy, 0, flow, scratch))

    def best_reply(self, seat: int) -> tuple[float, Profile]:
        """The most that a seat can win against the other's policy, and how: the profile with
        its policy replaced."""
        tree, reply = self.tree, self.policy.copy()
        won = best_reply(tree.nodes, tree.values, tree.levels, self.policy, seat, reply)
        return float(won), Profile(tree, reply)

    @cached_property
    def exploitability(self) -> float:
        """What best replies win above the value of the game, the mean of both seats; 0 in an
        equilibrium."""
        return (self.best_reply(0)[0] + self.best_reply(1)[0]) / 2

    def decisions(self) -> Iterator[tuple[View[Any], dict[Play, float]]]:
        """Each information set: what the seat sees there, and how it plays."""
        game = self.tree.game
        for row, node in zip(self.tree.sets.tolist(), self.tree.examples(), strict=True):
            view = game.view(self.tree.state(node), row[SEAT])
            chances = self.policy[row[START] : row[START] + row[PLAYS]].tolist()
            yield view, dict(zip(view.plays(), chances, strict=True))


class Cfr:
    """Regrets that are learned, iteration by iteration."""

    def __init__(self, tree: GameTree, algorithm: str = "cfr+", seed: int = 0) -> None:
        if algorithm not in ALGORITHMS:
            raise BadText(f"there is no algorithm {algorithm!r}; known: {', '.join(ALGORITHMS)}")
        self.tree, self.algorithm, self.iterations = tree, algorithm, 0
        self.regrets = np.zeros(tree.slots)
        self._policy = 1 / np.repeat(tree.sets[:, PLAYS], tree.sets[:, PLAYS])
        self._sums = np.zeros(tree.slots)
        self._rng = stream(seed)

    def run(self, iterations: int) -> None:
        """So many iterations more."""
        tree, learned = self.tree, (self._policy, self.regrets, self._sums)
        if self.algorithm == "mccfr":
            sample(tree.nodes, tree.values, iterations, *learned, self._rng)
        else:
            plus = self.algorithm == "cfr+"
            begin = self.iterations
            iterate(tree.nodes, tree.values, tree.sets, plus, begin, iterations, *learned)
        self.iterations += iterations

    @property
    def average(self) -> Profile:
        """The average of the policies so far, which tends to an equilibrium."""
        starts, plays = self.tree.sets[:, START], self.tree.sets[:, PLAYS]
        totals = np.repeat(np.add.reduceat(self._sums, starts), plays)
        even = 1 / np.repeat(plays, plays)
        met = totals > 0
        return Profile(self.tree, np.divide(self._sums, totals, out=even, where=met))


def equilibrium(
    game: Game[Any, Any],
    iterations: int,
    algorithm: str = "cfr+",
    position: Any = None,
    seed: int = 0,
) -> Profile:
    """Nearly an equilibrium of a game, or of what may follow a position whose left-out cards
    may be anywhere. Its exploitability says how nearly.

    >>> from kibitz.core.registry import make_game
    >>> profile = equilibrium(make_game("kuhn-poker"), 1000)
    >>> round(profile.value, 4), profile.exploitability < 0.001
    (-0.0556, True)
    """
    learner = Cfr(tree_of(game, position), algorithm, seed)
    learner.run(iterations)
    return learner.average
