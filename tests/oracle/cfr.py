"""Counterfactual regret minimization by the book: dictionaries and recursion.

From M. Zinkevich and others, "Regret Minimization in Games with Incomplete Information" (2007),
and O. Tammelin, "Solving Large Imperfect Information Games Using CFR+" (2014). The seats learn
in turn. All values are those of seat 0 unless said otherwise; what one wins the other loses.
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
class Luck:
    branches: Sequence[tuple[float, Node]]


@dataclass
class Choice:
    seat: int
    seen: Hashable
    """All that the seat has seen: the information set."""
    branches: Mapping[str, Node]


Node = End | Luck | Choice


class PlainCfr:
    def __init__(self, root: Node, plus: bool = False) -> None:
        self.root = root
        self.plus = plus
        self.iterations = 0
        self.policy = {
            choice.seen: {play: 1 / len(choice.branches) for play in choice.branches}
            for choice in choices(root)
        }
        self.regrets = {seen: dict.fromkeys(plays, 0.0) for seen, plays in self.policy.items()}
        self.sums = {seen: dict.fromkeys(plays, 0.0) for seen, plays in self.policy.items()}

    def iterate(self) -> None:
        self.iterations += 1
        for seat in (0, 1):
            self.walk(self.root, seat, 1.0, 1.0)
            for seen, regrets in self.regrets.items():
                if self.plus:
                    regrets.update({play: max(r, 0.0) for play, r in regrets.items()})
                self.policy[seen] = matched(regrets, ROUNDING)

    def walk(self, node: Node, seat: int, own: float, others: float) -> float:
        """The value of a node to the seat, which comes there with the probability `own`, the
        other and chance with `others`. Its regrets are counted."""
        if isinstance(node, End):
            return node.value if seat == 0 else -node.value
        if isinstance(node, Luck):
            return sum(p * self.walk(below, seat, own, others * p) for p, below in node.branches)
        policy = self.policy[node.seen]
        if node.seat != seat:
            return sum(
                policy[play] * self.walk(below, seat, own, others * policy[play])
                for play, below in node.branches.items()
            )
        values = {
            play: self.walk(below, seat, own * policy[play], others)
            for play, below in node.branches.items()
        }
        value = sum(policy[play] * values[play] for play in values)
        weight = self.iterations if self.plus else 1
        for play in values:
            self.regrets[node.seen][play] += others * (values[play] - value)
            self.sums[node.seen][play] += weight * own * policy[play]
        return value

    def average(self) -> Policy:
        return {seen: matched(sums) for seen, sums in self.sums.items()}


def matched(numbers: Mapping[str, float], least: float = 0.0) -> dict[str, float]:
    """Each play in proportion to its number if that is above zero; all alike if none is."""
    total = sum(max(number, 0.0) for number in numbers.values())
    if total <= least:
        return {play: 1 / len(numbers) for play in numbers}
    return {play: max(number, 0.0) / total for play, number in numbers.items()}


def choices(node: Node) -> Iterator[Choice]:
    """All choices at a node and below."""
    if isinstance(node, Luck):
        for _, below in node.branches:
            yield from choices(below)
    elif isinstance(node, Choice):
        yield node
        for below in node.branches.values():
            yield from choices(below)


def value(node: Node, policy: Policy) -> float:
    if isinstance(node, End):
        return node.value
    if isinstance(node, Luck):
        return sum(p * value(below, policy) for p, below in node.branches)
    chances = policy[node.seen]
    return sum(chances[play] * value(below, policy) for play, below in node.branches.items())


def best_reply(root: Node, policy: Policy, seat: int) -> float:
    """The most that a seat can win: every pure strategy is tried."""
    own = {choice.seen: list(choice.branches) for choice in choices(root) if choice.seat == seat}
    won = []
    for plays in product(*own.values()):
        pure = {
            seen: {play: float(play == chosen) for play in own[seen]}
            for seen, chosen in zip(own, plays, strict=True)
        }
        won.append(value(root, {**policy, **pure}))
    return max(won) if seat == 0 else -min(won)
