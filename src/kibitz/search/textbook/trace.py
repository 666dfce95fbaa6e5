"""Every step of a search, to be drawn or counted again.

Nodes are numbered in the order in which they are entered. A node says by which play it was
entered from which other node, so a trace fits a tree and a graph with merged states alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from kibitz.search.textbook.result import Counts

NOWHERE = -1
"""The parent of the root."""
UNKNOWN = -9
"""Who moves at a node of which the trace does not say it."""


@dataclass(frozen=True, slots=True)
class Enter:
    """The search comes to a node."""

    node: int
    parent: int
    play: Any
    window: tuple[float, float] | None = None
    """What alpha and beta are, in a search that has them."""
    mover: int | None = UNKNOWN
    """Who moves there, None at an end; a search that samples says so of the nodes it makes."""
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Leaf:
    """The search goes no further here: the node's value."""

    node: int
    value: float
    why: str
    """`end`, or `horizon` where an evaluation stands for the value."""


@dataclass(frozen=True, slots=True)
class Hit:
    """The table knows the node: it is not entered."""

    node: int
    parent: int
    play: Any
    value: float
    relation: str


@dataclass(frozen=True, slots=True)
class Window:
    """Alpha or beta has moved, or at a chance node the bounds on its value."""

    node: int
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Cut:
    """Plays that are not looked at because they can't matter any more."""

    node: int
    plays: tuple[Any, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Skip:
    """Plays that are thrown away unseen: forward pruning."""

    node: int
    plays: tuple[Any, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Leave:
    """The search is done with a node: its value, and how exact that is."""

    node: int
    value: float
    relation: str
    best: Any


@dataclass(frozen=True, slots=True)
class Visit:
    """One more sample has passed through a node: its visits and mean value now."""

    node: int
    visits: int
    mean: float


@dataclass(frozen=True, slots=True)
class Sample:
    """One iteration of a search that samples is done."""

    number: int
    what: str


Event = Enter | Leaf | Hit | Window | Cut | Skip | Leave | Visit | Sample


@dataclass
class Trace:
    """The events so far. A search that is given none records nothing."""

    events: list[Event] = field(default_factory=list)
    _open: list[int] = field(default_factory=list)
    _nodes: int = 0

    @property
    def node(self) -> int:
        """The node that the search is in."""
        return self._open[-1] if self._open else NOWHERE

    def add(self, play: Any, parent: int, mover: int | None = UNKNOWN, caption: str = "") -> int:
        """A new node of a search that samples; its number."""
        self.events.append(Enter(self._nodes, parent, play, None, mover, caption))
        self._nodes += 1
        return self._nodes - 1

    def enter(self, play: Any, window: tuple[float, float] | None = None) -> None:
        """A node below the one that is open; it is open now."""
        self.events.append(Enter(self._nodes, self.node, play, window))
        self._open.append(self._nodes)
        self._nodes += 1

    def leaf(self, value: float, why: str) -> None:
        """The open node is an end, or at the horizon."""
        self.events.append(Leaf(self._open.pop(), value, why))

    def hit(self, play: Any, value: float, relation: str) -> None:
        """A state below the open node was found in the table."""
        self.events.append(Hit(self._nodes, self.node, play, value, relation))
        self._nodes += 1

    def window(self, low: float, high: float) -> None:
        """Alpha and beta at the open node have changed."""
        self.events.append(Window(self.node, low, high))

    def cut(self, plays: Iterable[Any], why: str) -> None:
        """These plays of the open node are not looked at, and why."""
        self.events.append(Cut(self.node, tuple(plays), why))

    def skip(self, plays: Iterable[Any], why: str) -> None:
        """These plays of the open node are left out beforehand, and why."""
        self.events.append(Skip(self.node, tuple(plays), why))

    def leave(self, value: float, relation: str, best: Any) -> None:
        """The search is done with the open node."""
        self.events.append(Leave(self._open.pop(), value, relation, best))

    def visit(self, node: int, visits: int, mean: float) -> None:
        """A tree that grows has been at a node once more."""
        self.events.append(Visit(node, visits, mean))

    def counts(self) -> Counts:
        """What the search has done, counted from the events alone."""
        of = [type(event) for event in self.events]
        leaves = of.count(Leaf) + of.count(Sample)
        return Counts(of.count(Enter), leaves, of.count(Cut), of.count(Hit))
