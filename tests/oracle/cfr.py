"""Counterfactual regret minimization by the book: dictionaries and recursion.

From M. Zinkevich and others, "Regret Minimization in Games with Incomplete Information" (2007),
and O. Tammelin, "Solving Large Imperfect Information Games Using CFR+" (2014). Updates
alternate. All values are those of seat 0 unless said otherwise; what one wins the other loses.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

Policy = Mapping[Hashable, Mapping[str, float]]
"""In each information set, the probability of each play."""
ROUNDING = 1e-12
"""Where plays are equally good, what differs between their regrets is rounding."""


@dataclass
class End:
    value: float


@dataclass
class ChanceNode:
    branches: Sequence[tuple[float, Node]]


@dataclass
class Decision:
    seat: int
    info_set: Hashable
    """The information set: all that the seat has seen."""
    branches: Mapping[str, Node]


Node = End | ChanceNode | Decision


class PlainCfr:
    def __init__(self, root: Node, plus: bool = False) -> None:
        self.root = root
        self.plus = plus
        self.iterations = 0
        self.policy = {
            decision.info_set: {play: 1 / len(decision.branches) for play in decision.branches}
            for decision in decisions(root)
        }
        self.regrets = {
            info_set: dict.fromkeys(plays, 0.0) for info_set, plays in self.policy.items()
        }
        self.policy_sums = {
            info_set: dict.fromkeys(plays, 0.0) for info_set, plays in self.policy.items()
        }

    def iterate(self) -> None:
        self.iterations += 1
        for traverser in (0, 1):
            self.walk(self.root, traverser, 1.0, 1.0)
            for info_set, regrets in self.regrets.items():
                if self.plus:
                    regrets.update({play: max(r, 0.0) for play, r in regrets.items()})
                self.policy[info_set] = normalized(regrets, ROUNDING)

    def walk(self, node: Node, traverser: int, own_reach: float, other_reach: float) -> float:
        """The value of a node to the traverser, which comes there with the probability
        `own_reach`, the opponent and chance with `other_reach`. Its regrets are counted."""
        if isinstance(node, End):
            return node.value if traverser == 0 else -node.value
        if isinstance(node, ChanceNode):
            return sum(
                p * self.walk(below, traverser, own_reach, other_reach * p)
                for p, below in node.branches
            )
        policy = self.policy[node.info_set]
        if node.seat != traverser:
            return sum(
                policy[play] * self.walk(below, traverser, own_reach, other_reach * policy[play])
                for play, below in node.branches.items()
            )
        values = {
            play: self.walk(below, traverser, own_reach * policy[play], other_reach)
            for play, below in node.branches.items()
        }
        value = sum(policy[play] * values[play] for play in values)
        weight = self.iterations if self.plus else 1
        for play in values:
            self.regrets[node.info_set][play] += other_reach * (values[play] - value)
            self.policy_sums[node.info_set][play] += weight * own_reach * policy[play]
        return value

    def average_policy(self) -> Policy:
        return {
            info_set: normalized(policy_sums) for info_set, policy_sums in self.policy_sums.items()
        }


def normalized(numbers: Mapping[str, float], least: float = 0.0) -> dict[str, float]:
    """Each play in proportion to its number if that is above zero; all alike if none is."""
    total = sum(max(number, 0.0) for number in numbers.values())
    if total <= least:
        return {play: 1 / len(numbers) for play in numbers}
    return {play: max(number, 0.0) / total for play, number in numbers.items()}


def decisions(node: Node) -> Iterator[Decision]:
    """All decision nodes at a node and below."""
    if isinstance(node, ChanceNode):
        for _, below in node.branches:
            yield from decisions(below)
    elif isinstance(node, Decision):
        yield node
        for below in node.branches.values():
            yield from decisions(below)


def value(node: Node, policy: Policy) -> float:
    if isinstance(node, End):
        return node.value
    if isinstance(node, ChanceNode):
        return sum(p * value(below, policy) for p, below in node.branches)
    chances = policy[node.info_set]
    return sum(chances[play] * value(below, policy) for play, below in node.branches.items())


def best_response(root: Node, policy: Policy, seat: int) -> float:
    """The most that a seat can win: every pure strategy is tried."""
    own = {
        decision.info_set: list(decision.branches)
        for decision in decisions(root)
        if decision.seat == seat
    }
    won = []
    for plays in product(*own.values()):
        pure = {
            info_set: {play: float(play == chosen) for play in own[info_set]}
            for info_set, chosen in zip(own, plays, strict=True)
        }
        won.append(value(root, {**policy, **pure}))
    return max(won) if seat == 0 else -min(won)
