"""A search step by step: a picture for each step, of the same size."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.graph.graph import Graph
from kibitz.graph.look import Picture
from kibitz.graph.marks import Mark, Marks, Replay
from kibitz.search.textbook.trace import Trace, Visit


@dataclass(frozen=True)
class Step:
    """What one step changes."""

    text: str
    current: str
    changed: dict[str, Mark]
    cuts: dict[tuple[str, str], str]
    line: list[tuple[str, str]]


class Series:
    """All steps of a search on a graph, stored as what each of them changes."""

    def __init__(
        self,
        graph: Graph,
        trace: Trace,
        title: str,
        line: Sequence[Any] = (),
        grow_to: int = 0,
    ) -> None:
        self.title = title
        self.graph = graph
        self.is_sampled = any(isinstance(event, Visit) for event in trace.events)
        replay = Replay(graph, trace, line, grow_to)
        self.steps = [Step("before the search", "", {}, {}, [])]
        for marks in replay.steps():
            changed = {name: copy.copy(marks.nodes.get(name, Mark())) for name in marks.touched}
            marks.touched.clear()
            step = Step(marks.text, marks.current, changed, marks.cuts, list(marks.line))
            self.steps.append(step)
        self.last = replay.marks

    def _picture(self, marks: Marks, title: str = "", is_step: bool = False) -> Picture:
        return Picture(self.graph, marks, title, is_step, self.is_sampled, self.last)

    def pictures(self) -> Iterator[Picture]:
        """One picture a step."""
        marks: dict[str, Mark] = {}
        for i, step in enumerate(self.steps):
            marks = marks | step.changed
            text = f"{i}/{len(self.steps) - 1}: {step.text}"
            now = Marks(marks, step.cuts, step.current, text, step.line)
            yield self._picture(now, self.title, is_step=True)

    def widths(self) -> dict[str, int]:
        """How many letters the longest text on each node has, over all steps."""
        widths = dict.fromkeys(self.graph.nodes, 0)
        for i, step in enumerate(self.steps):
            picture = self._picture(Marks(step.changed), is_step=True)
            for name in widths if i == 0 else step.changed:
                node = self.graph.nodes[name]
                texts = [*picture.caption(node), picture.value(node), picture.window(node)]
                widths[name] = max(widths[name], *map(len, texts))
        return widths

    def final(self) -> Picture:
        """The picture when all is done."""
        return self._picture(self.last, self.title)

    def layout(self) -> Picture:
        """A picture with space for every text of every step, for a page that changes it."""
        return self._picture(Marks(self.last.nodes, self.last.cuts), is_step=True)
