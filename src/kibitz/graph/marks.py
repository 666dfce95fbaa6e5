"""What a search has done so far, written on a graph: the trace of a search, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from kibitz.graph.build import kind_of
from kibitz.graph.graph import Edge, Graph, Kind, Node, lowest_first
from kibitz.search.textbook.trace import (
    NOWHERE,
    UNKNOWN,
    Cut,
    Enter,
    Event,
    Hit,
    Leaf,
    Leave,
    Sample,
    Skip,
    Trace,
    Visit,
    Window,
)

INFINITY = float("inf")


class Status(StrEnum):
    """How far a search is with a node."""

    UNTOUCHED = "untouched"
    OPEN = "open"
    """The search is in it, or in a node below."""
    DONE = "done"
    CUT = "cut"


@dataclass
class Mark:
    """What is written on one node."""

    status: Status = Status.UNTOUCHED
    value: str = ""
    window: str = ""


@dataclass
class Marks:
    """All marks at one moment, and what has just happened."""

    nodes: dict[str, Mark] = field(default_factory=dict)
    cuts: dict[tuple[str, str], str] = field(default_factory=dict)
    """Why branches were cut that no other way went along: by node and play. It is never
    changed in place, so that each step may keep it."""
    current: str = ""
    text: str = ""
    line: list[tuple[str, str]] = field(default_factory=list)
    """The line of best play once the search is done: pairs of node and play."""

    touched: set[str] = field(default_factory=set)
    """The nodes that have changed since somebody emptied this."""

    def of(self, name: str) -> Mark:
        """The mark of a node, for writing."""
        self.touched.add(name)
        return self.nodes.setdefault(name, Mark())

    def cut(self, edge: tuple[str, str], why: str) -> None:
        """Note why an edge was cut."""
        self.cuts = {**self.cuts, edge: why}

    def uncut(self, edge: tuple[str, str]) -> None:
        """Take a cut back."""
        if edge in self.cuts:
            self.cuts = {other: why for other, why in self.cuts.items() if other != edge}


def number(value: float, digits: int = 4) -> str:
    """A number for a picture: whole ones in full, others to some digits."""
    if abs(value) == INFINITY:
        return "∞" if value > 0 else "−∞"
    if abs(value) < 1e-12 and digits < 12:
        value = 0  # what is left of a sum of probabilities
    whole = value == int(value) and abs(value) < 1e12
    text = str(int(value)) if whole else f"{float(value):.{digits}g}"
    return text.replace("-", "−")


class Replay:
    """A trace laid over a graph. What the graph does not have is added to it while it has
    fewer than `grow_to` nodes, and else not shown.

    `marks` is what is to be seen now; `steps` goes on from step to step.
    """

    def __init__(
        self, graph: Graph, trace: Trace, line: Sequence[Any] = (), grow_to: int = 0
    ) -> None:
        self.graph = graph
        self.trace = trace
        self.line = [str(play) for play in line]
        self.grow_to = grow_to
        self.marks = Marks(text="before the search")
        self.names: dict[int, str | None] = {NOWHERE: ""}
        """The graph's node for each one of the trace; None if it is not shown."""
        self.followed: set[tuple[str, str]] = set()
        self.paths: dict[str, str] = {}
        """The plays that lead to each node, by the first way to it."""
        for event in trace.events:
            if isinstance(event, (Enter, Hit)):
                self.names[event.node] = self._find(event)
        if grow_to:
            for node in graph.nodes.values():
                node.edges = lowest_first(sorted(node.edges, key=lambda edge: edge.play))

    def _find(self, event: Enter | Hit) -> str | None:
        """The node of the graph that an entered node is."""
        if event.parent == NOWHERE:
            self.paths.setdefault(self.graph.root.name, "")
            return self.graph.root.name
        above = self.names[event.parent]
        if above is None:
            return None
        name = self._child(self.graph.nodes[above], event)
        if name is not None:
            self.paths.setdefault(name, f"{self.paths[above]} {event.play}".strip())
        return name

    def _child(self, parent: Node, event: Enter | Hit) -> str | None:
        for edge in parent.edges:
            if edge.play == str(event.play):
                return edge.target
        if len(self.graph.nodes) >= self.grow_to:
            return None
        assert isinstance(event, Enter), "a table knows only what was entered before"
        kind = Kind.UNSEEN if event.mover == UNKNOWN else kind_of(event.mover)
        node = self.graph.add(Node(f"t{len(self.graph.nodes)}", kind, event.caption))
        parent.edges.append(Edge(str(event.play), node.name))
        return node.name

    def steps(self) -> Iterator[Marks]:
        """The marks after each step. It is one object that changes."""
        shown = [event for event in self._finished() if self._is_shown(event)]
        for group in _grouped(shown):
            texts = [text for event in group if (text := self._apply(event))]
            self.marks.text = "; ".join(texts)
            yield self.marks
        self._finish()
        yield self.marks

    def _finished(self) -> list[Event]:
        """The events but for those of a last search that was stopped in the middle, as
        iterative deepening is when its time is up."""
        events = self.trace.events
        roots = {e.node for e in events if isinstance(e, Enter) and e.parent == NOWHERE}
        for i, event in reversed(list(enumerate(events))):
            if isinstance(event, (Leave, Leaf)) and event.node in roots:
                return events[: i + 1]
        return events

    def _is_shown(self, event: Event) -> bool:
        return isinstance(event, Sample) or self.names[event.node] is not None

    def finish(self) -> Marks:
        """The marks when all is done."""
        for _ in self.steps():
            pass
        return self.marks

    def _apply(self, event: Event) -> str:
        if isinstance(event, Sample):
            return f"sample {event.number}: {event.what}"
        name = self.names[event.node]
        assert name is not None
        mark = self.marks.of(name)
        self.marks.current = name
        match event:
            case Enter():
                if event.parent == NOWHERE:
                    self._begin()
                    mark = self.marks.of(name)
                mark.status = Status.OPEN
                self._follow(event)
                mark.window = "α {} β {}".format(*map(number, event.window)) if event.window else ""
                return f"look at {self._title(name)}" + (f", {mark.window}" if mark.window else "")
            case Leaf():
                mark.status, mark.value = Status.DONE, f"= {number(event.value)}"
                what = "value" if event.why == "end" else "evaluation"
                return f"its {what} is {number(event.value)}"
            case Hit():
                self._follow(event)
                return f"the table knows {self._title(name)}: {self._settle(mark, event)}"
            case Window():
                is_chance = self.graph.nodes[name].kind is Kind.CHANCE
                shape = "[{}, {}]" if is_chance else "α {} β {}"
                mark.window = shape.format(number(event.low), number(event.high))
                return f"{self._title(name)} has {mark.window}"
            case Cut() | Skip():
                for play in map(str, event.plays):
                    if (name, play) not in self.followed:
                        self.marks.cut((name, play), event.why.replace("-", "−"))
                for target in self._targets(name, event.plays):
                    self._cut(target)
                what = "cut" if isinstance(event, Cut) else "left out"
                return f"{what} {', '.join(map(str, event.plays))}: {event.why.replace('-', '−')}"
            case Leave():
                return f"{self._title(name)} is {self._settle(mark, event)}"
            case Visit():
                mark.status = Status.DONE
                mark.value = f"≈ {number(event.mean)}"
                mark.window = f"{event.visits} ×"
                return ""

    def _begin(self) -> None:
        """A search begins, perhaps once more and deeper: earlier results are gone."""
        self.marks.touched |= self.marks.nodes.keys()
        self.marks.nodes.clear()
        self.marks.cuts = {}
        self.followed.clear()

    def _follow(self, event: Enter | Hit) -> None:
        """Somebody goes along an edge, so it is not cut."""
        edge = (self.names[event.parent] or "", str(event.play))
        self.followed.add(edge)
        self.marks.uncut(edge)

    def _settle(self, mark: Mark, event: Leave | Hit) -> str:
        """A node gets its value. States that are merged are met again, and a bound says less
        than the value."""
        mark.status = Status.DONE
        value = f"{event.relation} {number(event.value)}"
        if event.relation == "=" or not mark.value.startswith("="):
            mark.value = value
        return value

    def _cut(self, name: str) -> None:
        """Mark a branch as cut, as far as nothing was seen of it by another way."""
        mark = self.marks.of(name)
        if mark.status is not Status.UNTOUCHED:
            return
        mark.status = Status.CUT
        waiting = [name]
        while waiting:
            for edge in self.graph.nodes[waiting.pop()].edges:
                below = self.marks.of(edge.target)
                if below.status is Status.UNTOUCHED:
                    below.status = Status.CUT
                    waiting.append(edge.target)

    def _fade(self) -> None:
        """What was never looked at, though nobody cut it: after a probe of Star2."""
        unseen = {}
        for node, edge in self.graph.edges():
            seen = self.marks.of(node.name).status is Status.DONE
            if seen and (node.name, edge.play) not in self.followed:
                unseen[node.name, edge.play] = "not needed"
                self._cut(edge.target)
        self.marks.cuts = unseen | self.marks.cuts

    def _targets(self, name: str, plays: tuple[object, ...]) -> list[str]:
        wanted = {str(play) for play in plays}
        return [edge.target for edge in self.graph.nodes[name].edges if edge.play in wanted]

    def _title(self, name: str) -> str:
        node = self.graph.nodes[name]
        caption = " / ".join(node.caption.splitlines())
        if not self.paths[name]:
            return caption or "the root"
        return caption or f"what follows {self.paths[name]}"

    def _finish(self) -> None:
        """Follow the line of best play from the root, as far as it is drawn."""
        name = self.graph.root.name
        for play in self.line:
            targets = self._targets(name, (play,))
            if not targets:
                break
            self.marks.line.append((name, play))
            name = targets[0]
        if not self.grow_to:
            self._fade()
        self.marks.current = ""
        value = self.marks.of(self.graph.root.name).value
        plays = " ".join(play for _, play in self.marks.line)
        self.marks.text = f"done: {value}" + (f", best line {plays}" if plays else "")


def _grouped(events: list[Event]) -> Iterator[list[Event]]:
    """Events that a person sees as one step: an end is entered and valued at once, a cut goes
    with leaving the node, a new window with the value that made it."""
    group: list[Event] = []
    for event in events:
        joins = bool(group) and not isinstance(group[-1], Sample)
        joins = joins and (
            isinstance(event, (Leaf, Window, Visit, Sample))
            or (isinstance(event, Leave) and isinstance(group[-1], (Cut, Window)))
            or (isinstance(event, Cut) and isinstance(group[-1], Window))
        )
        if group and not joins:
            yield group
            group = []
        group.append(event)
    if group:
        yield group
