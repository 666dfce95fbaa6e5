"""A game graph: a node for each state, and an edge for each play. No cycles."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from numbers import Number
from typing import TYPE_CHECKING, Any

from kibitz.core.errors import BadText
from kibitz.core.game import WIN_OR_LOSE

if TYPE_CHECKING:
    from kibitz.graph.game import GraphGame


LARGEST = 1e300
"""Of the numbers at ends: sums and means of them must be numbers too."""


class Kind(StrEnum):
    """Who moves at a node."""

    PROTAGONIST = "protagonist"
    ANTAGONIST = "antagonist"
    CHANCE = "chance"
    END = "end"
    UNSEEN = "unseen"
    """Not an end, but the graph goes no further."""


@dataclass(slots=True)
class Edge:
    """A play, and the node that it leads to."""

    play: str
    target: str
    chance: float | None = None
    """The probability, if chance moves."""


def lowest_first(edges: list[Edge]) -> list[Edge]:
    """Plays that are numbers by size, others in the order in which they were written."""
    numbers = {edge.play: read_number(edge.play) for edge in edges}
    if any(number is None for number in numbers.values()):
        return edges
    return sorted(edges, key=lambda edge: numbers[edge.play] or 0)


DIGITS = 400
"""Of the largest finite number, and some. Python does not read thousands, which can be zeros."""
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)


def read_number(text: str) -> float | None:
    """A number as a person writes it; None if it is none."""
    text = text.strip().replace("\N{MINUS SIGN}", "-")
    if not _NUMBER.fullmatch(text):
        return None
    number = float(text)
    is_whole = text.lstrip("+-").isdigit() and math.isfinite(number) and len(text) <= DIGITS
    return int(text) if is_whole else number


@dataclass(slots=True)
class Node:
    """A state: who moves, its plays, and the value of an end."""

    name: str
    kind: Kind
    caption: str = ""
    edges: list[Edge] = field(default_factory=list)
    value: float | None = None
    """The number of an end: the higher, the better for the protagonist."""
    label: str | None = None
    """What an end is called."""


@dataclass
class Graph:
    """Nodes by name; the first one is the root."""

    title: str = ""
    nodes: dict[str, Node] = field(default_factory=dict)
    labels: Mapping[str, float] = field(default_factory=lambda: dict(WIN_OR_LOSE))
    bounds: tuple[float, float] = (-math.inf, math.inf)

    @classmethod
    def of(cls, tree: Subtree, title: str = "", labels: Mapping[str, float] = WIN_OR_LOSE) -> Graph:
        """The graph of nested parts: see `protagonist`."""
        graph = cls(title, labels=dict(labels))
        waiting = [("n0", tree)]
        numbers = 1
        for name, part in waiting:
            node = graph.add(Node(name, part.kind, part.caption))
            if part.kind is Kind.END:
                node.value, node.label = graph.read_value(part.value)
            for play, probability, child in part.children:
                node.edges.append(Edge(play, f"n{numbers}", probability))
                waiting.append((f"n{numbers}", child))
                numbers += 1
            node.edges = lowest_first(node.edges)
        graph.check()
        return graph

    @property
    def root(self) -> Node:
        """The first node."""
        return next(iter(self.nodes.values()))

    @property
    def is_complete(self) -> bool:
        """Whether it goes on to the ends everywhere."""
        return all(node.kind is not Kind.UNSEEN for node in self.nodes.values())

    def add(self, node: Node) -> Node:
        """Add a node, which must have a new name."""
        if node.name in self.nodes:
            raise BadText(f"node {node.name} is there twice")
        self.nodes[node.name] = node
        return node

    def edges(self) -> Iterator[tuple[Node, Edge]]:
        """Every edge, with the node that it leaves."""
        for node in self.nodes.values():
            for edge in node.edges:
                yield node, edge

    def read_value(self, value: float | str) -> tuple[float, str | None]:
        """The number of an end, and its label if it has one: from one of the two."""
        if isinstance(value, str):
            if value not in self.labels:
                known = ", ".join(self.labels)
                raise BadText(f"{short(value)} is neither a number nor a label; labels: {known}")
            return self.labels[value], value
        if not abs(value) < math.inf:
            raise BadText(f"an end can't have the value {value}")
        if abs(value) > LARGEST:
            raise BadText(f"an end can't have a value above {LARGEST:g}")
        return value, None

    def game(self, spec: str = "") -> GraphGame:
        """The graph as a game that can be played, searched and compared on."""
        from kibitz.graph.game import game_of

        return game_of(self, spec)

    # -- what a graph must hold ------------------------------------------------------------

    def check(self) -> None:
        """Raise BadText with the reason if this is not the graph of a game."""
        if not self.nodes:
            raise BadText("a graph needs at least one node")
        for node in self.nodes.values():
            try:
                self.check_node(node)
            except BadText as error:
                raise BadText(f"node {node.name}: {error}") from None
        cycle = self.find_cycle()
        if cycle:
            raise BadText(cycle_text(cycle))

    def check_node(self, node: Node) -> None:
        """Refuse a node that contradicts itself."""
        if node.kind is Kind.END:
            if node.edges:
                raise BadText("an end has no plays")
            self._check_value(node)
            return
        if not node.edges and node.kind is not Kind.UNSEEN:
            raise BadText(f"{node.kind} to move, but there are no plays")
        seen = set()
        for edge in node.edges:
            if edge.play in seen:
                raise BadText(f"play {edge.play} is there twice")
            seen.add(edge.play)
            if edge.target not in self.nodes:
                raise BadText(f"play {edge.play} leads to {edge.target}, which is not there")
            if (edge.chance is None) == (node.kind is Kind.CHANCE):
                needs = "needs a" if node.kind is Kind.CHANCE else "has no"
                raise BadText(f"play {edge.play} of {node.kind} {needs} probability")
        if node.kind is Kind.CHANCE:
            chances = [edge.chance or 0 for edge in node.edges]
            for edge, probability in zip(node.edges, chances, strict=True):
                if not 0 < probability <= 1:
                    raise BadText(
                        f"the probability of {edge.play} is {float(probability):g};"
                        " it must be more than 0 and at most 1"
                    )
            if abs(sum(chances) - 1) > 1e-9:
                raise BadText(f"the probabilities add up to {float(sum(chances)):g}, not to 1")

    def _check_value(self, node: Node) -> None:
        if node.value is None or not math.isfinite(node.value):
            raise BadText("an end needs a number or a label")
        low, high = self.bounds
        if not low <= node.value <= high:
            raise BadText(f"{node.value:g} is outside the bounds {low:g} to {high:g}")

    def find_cycle(self) -> list[str]:
        """The names around a cycle, if there is one. Without recursion: graphs may be deep."""
        done: set[str] = set()
        for start in self.nodes:
            path: list[str] = []
            on_path: set[str] = set()
            waiting: list[tuple[str, bool]] = [(start, True)]
            while waiting:
                name, entering = waiting.pop()
                if not entering:
                    done.add(path.pop())
                    on_path.discard(name)
                elif name in on_path:
                    return [*path[path.index(name) :], name]
                elif name not in done:
                    path.append(name)
                    on_path.add(name)
                    waiting.append((name, False))
                    targets = [edge.target for edge in self.nodes[name].edges]
                    waiting += [(target, True) for target in targets]
        return []

    def unreachable(self) -> list[str]:
        """The nodes that no play leads to from the root."""
        reached = {self.root.name}
        waiting = [self.root]
        while waiting:
            for edge in waiting.pop().edges:
                if edge.target not in reached:
                    reached.add(edge.target)
                    waiting.append(self.nodes[edge.target])
        return [name for name in self.nodes if name not in reached]


def cycle_text(names: list[str]) -> str:
    """A cycle in words; of a long one its beginning."""
    shown = names if len(names) <= 9 else [*names[:7], "…", names[-1]]
    return f"a game graph has no cycles, and here is one: {' -> '.join(shown)}"


def short(text: str) -> str:
    """A text in quotes, cut if it is long."""
    return repr(text if len(text) <= 60 else text[:57] + "…")


# -- a tree in a few lines -----------------------------------------------------------------


@dataclass(frozen=True)
class Subtree:
    """A part of a tree: what `protagonist`, `antagonist`, `chance` and `end` make."""

    kind: Kind
    children: tuple[tuple[str, float | None, Subtree], ...] = ()
    value: float | str = 0.0
    caption: str = ""


Child = Subtree | float | str
"""A part, or the value of an end: a number or a label."""


def end(value: float | str, caption: str = "") -> Subtree:
    """An end: a number, or a label such as `won`."""
    return Subtree(Kind.END, value=value, caption=caption)


def protagonist(*children: Child | Mapping[Any, Child], caption: str = "") -> Subtree:
    """The protagonist moves: `protagonist(3, 12, other)` or `protagonist({"left": 3, …})`.

    Plays without names are called 1, 2, 3 and so on.
    """
    plays = tuple((play, None, child) for play, child in _named(children))
    return Subtree(Kind.PROTAGONIST, plays, caption=caption)


def antagonist(*children: Child | Mapping[Any, Child], caption: str = "") -> Subtree:
    """The antagonist moves."""
    plays = tuple((play, None, child) for play, child in _named(children))
    return Subtree(Kind.ANTAGONIST, plays, caption=caption)


def chance(*children: Child | Mapping[Any, Child], caption: str = "", of: Any = None) -> Subtree:
    """Chance moves: all outcomes alike, or with probabilities `of=(0.9, 0.1)`."""
    named = _named(children)
    if not named:
        raise BadText("chance to move, but there are no plays")
    chances = [1 / len(named)] * len(named) if of is None else list(of)
    if len(chances) != len(named):
        raise BadText(f"{len(named)} outcomes, but {len(chances)} probabilities")
    plays = tuple((play, p, child) for (play, child), p in zip(named, chances, strict=True))
    return Subtree(Kind.CHANCE, plays, caption=caption)


def _named(children: tuple[Any, ...]) -> list[tuple[str, Subtree]]:
    if len(children) == 1 and isinstance(children[0], Mapping):
        pairs = [(str(play), child) for play, child in children[0].items()]
    else:
        pairs = [(str(i), child) for i, child in enumerate(children, 1)]
    return [(play, _subtree(child)) for play, child in pairs]


def _subtree(child: Any) -> Subtree:
    kind = type(child)
    if issubclass(kind, Subtree):
        return child
    if not issubclass(kind, (str, Number)):
        raise BadText(f"a play leads to a part, a number or a label, not to a {kind.__name__}")
    return end(child)
