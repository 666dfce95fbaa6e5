"""Counterfactual regret minimization: equilibria of games for two with hidden cards.

Over the flat arrays of `game_tree.py`, so that the kernels know no game. Three kinds:

- `cfr`: M. Zinkevich, M. Johanson, M. Bowling and C. Piccione, "Regret Minimization in Games
  with Incomplete Information" (2007), with alternating updates.
- `cfr+`: O. Tammelin, "Solving Large Imperfect Information Games Using CFR+" (2014): cumulative
  regrets below zero are set to zero, and iteration t counts t times in the average policy.
- `mccfr`: M. Lanctot, K. Waugh, M. Zinkevich and M. Bowling, "Monte Carlo Sampling for Regret
  Minimization in Extensive Games" (2009), external sampling: chance and the opponent are sampled.

In an iteration each seat in turn is the *traverser* i. With h a node, z an end, σ the current
policy, and π_i, π_-i, π_c the reach probabilities by the plays of the traverser, of the
opponent, and by chance:

    v_i(h)    = Σ over z below h of  π_c(z) · π_-i(z) · π_i(h → z) · u_i(z)   counterfactual value
    r(I, a)   = Σ over h in I of  v_i(h·a) − v_i(h)              instantaneous regret
    R(I, a)  += r(I, a)                                          cumulative regret
    σ(I, a)   = max(R(I, a), 0) / Σ over b of max(R(I, b), 0)    regret matching
    S(I, a)  += weight · π_i(I) · σ(I, a)                        cumulative policy

The average policy, S normalized in each information set, tends to an equilibrium. How far it is
from one is its *exploitability*: NashConv / 2, what best responses win above the value of the
game, the mean of both seats.

An example: Kuhn poker, whose value to the first player is −1/18 ≈ −0.0556. In the first
iteration all of R is 0, so both play evenly. With the king facing a bet, the traverser's `bet`
(call) always wins 2 and `pass` (fold) always loses 1, so r > 0 for `bet` and < 0 for `pass`, and
from the second iteration on σ(I, bet) = 1. Seat 0 comes there by its own first play in 1/2:
π_i(I) = 1/2 is counted in S.

The bounds proved in these papers hold for perfect recall and two-player zero-sum games, which
`game_tree.py` checks.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.errors import BadText
from kibitz.core.game import CHANCE, Game, Play, View
from kibitz.jit.kernels import kernel
from kibitz.jit.rng import stream, unit
from kibitz.search.fast.game_tree import GameTree, tree_of

ALGORITHMS = ("cfr", "cfr+", "mccfr")
ROUNDING = 1e-12
"""Positive regrets that add up to less count as none: rounding errors made them."""


class CfrTables(NamedTuple):
    """What CFR learns: float64 arrays of shape (slots,), one number for each play in each
    information set. The kernels write into all of them."""

    policy: Any
    """σ, the current policy. The plays of an information set add up to 1."""
    regrets: Any
    """R, cumulative regrets; with CFR+ never below 0."""
    policy_sums: Any
    """S, the cumulative policy: the average policy before it is normalized."""


# -- vanilla CFR and CFR+: all of the tree ---------------------------------------------------


@kernel
def pass_reach_down(nodes: Any, policy: Any, traverser: int, values: Any) -> None:
    """Write π_-i(h) to `values` for each node, and at each end z the leaf of v_i:
    π_c(z) · π_-i(z) · u_i(z). One pass forwards: parents stand before their children."""
    values[0] = 1.0
    for i in range(len(nodes.owner)):
        children, first = nodes.children[i], nodes.first_child[i]
        if children == 0:
            payoff = nodes.payoff[i] * nodes.chance_reach[i]
            values[i] *= payoff if traverser == 0 else -payoff
        elif nodes.owner[i] == 1 - traverser:
            slot = nodes.slot[i]
            for k in range(children):
                values[first + k] = values[i] * policy[slot + k]
        else:
            for k in range(children):
                values[first + k] = values[i]


@kernel
def pass_values_up(nodes: Any, policy: Any, traverser: int, values: Any, regrets: Any) -> float:
    """Replace the reach in `values` by v_i(h), from the ends to the root, and add the traverser's
    instantaneous regrets to `regrets`. Returns v_i of the root: the value to the traverser."""
    for i in range(len(nodes.owner) - 1, -1, -1):
        children, first = nodes.children[i], nodes.first_child[i]
        if children == 0:
            continue
        total = 0.0
        if nodes.owner[i] == traverser:
            slot = nodes.slot[i]
            for k in range(children):
                total += policy[slot + k] * values[first + k]
            for k in range(children):
                regrets[slot + k] += values[first + k] - total
        else:
            # The opponent's and chance's probabilities are in the values already.
            for k in range(children):
                total += values[first + k]
        values[i] = total
    return values[0]


@kernel
def match_regrets(regrets: Any, start: int, plays: int, policy: Any) -> None:
    """Regret matching in one information set: evenly if no cumulative regret is positive."""
    total = 0.0
    for slot in range(start, start + plays):
        total += max(regrets[slot], 0.0)
    for slot in range(start, start + plays):
        policy[slot] = max(regrets[slot], 0.0) / total if total > ROUNDING else 1.0 / plays


@kernel
def update_policy(
    sets: Any, traverser: int, plus: bool, weight: float, tables: Any, reach: Any
) -> None:
    """Count the traverser's policy in its average, then make the next one from the regrets.

    `reach` has shape (slots,): π_i behind each play. Information sets stand in the order in which
    the seat meets them, so that of the play before is there already.
    """
    policy, regrets, policy_sums = tables
    for i in range(len(sets.seat)):
        if sets.seat[i] != traverser:
            continue
        start, plays, previous = sets.start[i], sets.plays[i], sets.previous[i]
        own_reach = reach[previous] if previous >= 0 else 1.0
        for slot in range(start, start + plays):
            reach[slot] = own_reach * policy[slot]
            policy_sums[slot] += weight * reach[slot]
            if plus:
                regrets[slot] = max(regrets[slot], 0.0)
        match_regrets(regrets, start, plays, policy)


@kernel
def run_cfr(nodes: Any, sets: Any, plus: bool, done: int, iterations: int, tables: Any) -> None:
    """CFR or CFR+: after `done` iterations so many more."""
    values = np.empty(len(nodes.owner))
    reach = np.empty(len(tables.policy))
    for t in range(done + 1, done + iterations + 1):
        for traverser in range(2):
            pass_reach_down(nodes, tables.policy, traverser, values)
            pass_values_up(nodes, tables.policy, traverser, values, tables.regrets)
            update_policy(sets, traverser, plus, t if plus else 1.0, tables, reach)


@kernel
def best_response(nodes: Any, levels: Any, policy: Any, seat: int, response: Any) -> float:
    """The most that a seat can win against the opponent's policy. Its plays are written to
    `response` as probabilities of 1; of equal plays the first.

    Level by level from the deepest: all nodes of an information set lie in one level, so the
    values of its plays are complete before the best one is taken.
    """
    values = np.empty(len(nodes.owner))
    play_values = np.zeros(len(policy))  # Σ over h in I of v(h·a), for each slot
    pass_reach_down(nodes, policy, seat, values)
    for level in range(len(levels) - 2, -1, -1):
        for i in range(levels[level], levels[level + 1]):
            if nodes.owner[i] == seat:
                for k in range(nodes.children[i]):
                    play_values[nodes.slot[i] + k] += values[nodes.first_child[i] + k]
        for i in range(levels[level], levels[level + 1]):
            children, first, slot = nodes.children[i], nodes.first_child[i], nodes.slot[i]
            if nodes.owner[i] == seat:
                best = np.argmax(play_values[slot : slot + children])
                response[slot : slot + children] = 0.0
                response[slot + best] = 1.0
                values[i] = values[first + best]
            elif children > 0:
                values[i] = values[first : first + children].sum()
    return values[0]


# -- MCCFR: external sampling ------------------------------------------------------------------


class SampledTree(NamedTuple):
    """The nodes met in one traversal, in the order of the tree's levels. Shape (N,) each."""

    node: Any
    first_child: Any
    """Where in `node` the sampled children of each begin."""
    value: Any
    """The sampled value to the traverser."""


@kernel
def sample_chance(nodes: Any, i: int, rng: Any) -> int:
    """A child of a chance node."""
    first, children = nodes.first_child[i], nodes.children[i]
    left = unit(rng) * nodes.chance_reach[i]
    for child in range(first, first + children - 1):
        left -= nodes.chance_reach[child]
        if left < 0:
            return child
    return first + children - 1


@kernel
def sample_play(policy: Any, slot: int, plays: int, rng: Any) -> int:
    left = unit(rng)
    for k in range(plays - 1):
        left -= policy[slot + k]
        if left < 0:
            return k
    return plays - 1


@kernel
def sample_tree(nodes: Any, traverser: int, tables: Any, sampled: Any, rng: Any) -> int:
    """Down from the root: all plays of the traverser, one outcome of chance, one play of the
    opponent, whose policy is counted in its average here. How many nodes were met."""
    policy, regrets, policy_sums = tables
    sampled.node[0] = 0
    n, at = 1, 0
    while at < n:
        i = sampled.node[at]
        children, first, slot = nodes.children[i], nodes.first_child[i], nodes.slot[i]
        sampled.first_child[at] = n
        if nodes.owner[i] == CHANCE:
            sampled.node[n] = sample_chance(nodes, i, rng)
            n += 1
        elif children > 0:
            match_regrets(regrets, slot, children, policy)
            if nodes.owner[i] == traverser:
                for k in range(children):
                    sampled.node[n + k] = first + k
                n += children
            else:
                for k in range(children):
                    policy_sums[slot + k] += policy[slot + k]
                sampled.node[n] = first + sample_play(policy, slot, children, rng)
                n += 1
        at += 1
    return n


@kernel
def update_sampled_regrets(nodes: Any, traverser: int, tables: Any, sampled: Any, n: int) -> None:
    """Up again: the probabilities of what was sampled cancel, so the sampled values are plain
    expectations over the traverser's own policy."""
    policy, regrets = tables.policy, tables.regrets
    value, below = sampled.value, sampled.first_child
    for at in range(n - 1, -1, -1):
        i = sampled.node[at]
        children, slot = nodes.children[i], nodes.slot[i]
        if children == 0:
            value[at] = nodes.payoff[i] if traverser == 0 else -nodes.payoff[i]
        elif nodes.owner[i] != traverser:
            value[at] = value[below[at]]
        else:
            total = 0.0
            for k in range(children):
                total += policy[slot + k] * value[below[at] + k]
            for k in range(children):
                regrets[slot + k] += value[below[at] + k] - total
            value[at] = total


@kernel
def run_mccfr(nodes: Any, iterations: int, tables: Any, rng: Any) -> None:
    """MCCFR with external sampling: so many iterations more."""
    size = len(nodes.owner)
    sampled = SampledTree(np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(size))
    for _ in range(iterations):
        for traverser in range(2):
            n = sample_tree(nodes, traverser, tables, sampled, rng)
            update_sampled_regrets(nodes, traverser, tables, sampled, n)


# -- for people --------------------------------------------------------------------------


class PolicyProfile:
    """A policy for both seats: the probability of each play in each information set."""

    def __init__(self, tree: GameTree, policy: np.ndarray) -> None:
        self.tree = tree
        self.policy = policy

    @cached_property
    def value(self) -> float:
        """What seat 0 wins on average if both play it."""
        nodes = self.tree.nodes
        values, regrets = np.empty(len(nodes.owner)), np.zeros(len(self.policy))
        pass_reach_down(nodes, self.policy, 0, values)
        return float(pass_values_up(nodes, self.policy, 0, values, regrets))

    def best_response(self, seat: int) -> tuple[float, PolicyProfile]:
        """The most that a seat can win against the other's policy, and how: the profile with
        its policy replaced."""
        response = self.policy.copy()
        value = best_response(self.tree.nodes, self.tree.levels, self.policy, seat, response)
        return float(value), PolicyProfile(self.tree, response)

    @cached_property
    def nash_conv(self) -> float:
        """What both seats together can gain by best responses; 0 in an equilibrium."""
        return self.best_response(0)[0] + self.best_response(1)[0]

    @property
    def exploitability(self) -> float:
        """NashConv / 2: what a best response wins above the value of the game, the mean of both
        seats."""
        return self.nash_conv / 2

    def information_sets(self) -> Iterator[tuple[View[Any], dict[Play, float]]]:
        """What the seat sees in each information set, and the probability of each play."""
        game, sets = self.tree.game, self.tree.sets
        for i, node in enumerate(self.tree.examples()):
            view = game.view(self.tree.state(node), int(sets.seat[i]))
            probabilities = self.policy[sets.start[i] : sets.start[i] + sets.plays[i]].tolist()
            yield view, dict(zip(view.plays(), probabilities, strict=True))


class Cfr:
    """CFR, CFR+ or MCCFR on a tree, iteration by iteration."""

    def __init__(self, tree: GameTree, algorithm: str = "cfr+", seed: int = 0) -> None:
        if algorithm not in ALGORITHMS:
            raise BadText(f"there is no algorithm {algorithm!r}; known: {', '.join(ALGORITHMS)}")
        self.tree, self.algorithm, self.iterations = tree, algorithm, 0
        even = 1 / np.repeat(tree.sets.plays, tree.sets.plays)
        self.tables = CfrTables(even, np.zeros(tree.slots), np.zeros(tree.slots))
        self._rng = stream(seed)

    @property
    def regrets(self) -> np.ndarray:
        """The cumulative regrets."""
        regrets: np.ndarray = self.tables.regrets
        return regrets

    def run(self, iterations: int) -> None:
        """So many iterations more."""
        tree = self.tree
        if self.algorithm == "mccfr":
            run_mccfr(tree.nodes, iterations, self.tables, self._rng)
        else:
            plus = self.algorithm == "cfr+"
            run_cfr(tree.nodes, tree.sets, plus, self.iterations, iterations, self.tables)
        self.iterations += iterations

    @property
    def average_policy(self) -> PolicyProfile:
        """The average of the policies so far, which tends to an equilibrium. Where nobody has
        come yet it is even."""
        starts, plays = self.tree.sets.start, self.tree.sets.plays
        sums = self.tables.policy_sums
        totals = np.repeat(np.add.reduceat(sums, starts), plays)
        even = 1 / np.repeat(plays, plays)
        return PolicyProfile(self.tree, np.divide(sums, totals, out=even, where=totals > 0))


def equilibrium(
    game: Game[Any, Any],
    iterations: int,
    algorithm: str = "cfr+",
    position: Any = None,
    seed: int = 0,
) -> PolicyProfile:
    """An approximate equilibrium of a game, or of what may follow a position whose left-out cards
    may be anywhere. Its exploitability says how near it is.

    >>> from kibitz.core.registry import make_game
    >>> profile = equilibrium(make_game("kuhn-poker"), 1000)
    >>> round(profile.value, 4), profile.exploitability < 0.001
    (-0.0556, True)
    """
    cfr = Cfr(tree_of(game, position), algorithm, seed)
    cfr.run(iterations)
    return cfr.average_policy
