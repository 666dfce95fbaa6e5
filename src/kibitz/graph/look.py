"""How graphs look, in every format: shapes, colours, and what is written where.

The colours are those of Okabe and Ito, which colour-blind people can tell apart; every kind
of node has a shape of its own too, so that a print in grey says the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from kibitz.graph.graph import Edge, Graph, Kind, Node
from kibitz.graph.marks import Mark, Marks, Status, number

INK = "#222222"
FADED = "#8a8a8a"
BEST = "#000000"
CURRENT = "#CC79A7"


@dataclass(frozen=True)
class Look:
    """How nodes of one kind look, in pictures and in words."""

    shape: str
    fill: str
    line: str
    sign: str
    text: str


LOOKS = {
    Kind.PROTAGONIST: Look("house", "#d3e7f5", "#0072B2", "▲", "protagonist (MAX)"),
    Kind.ANTAGONIST: Look("invhouse", "#fce3c5", "#D55E00", "▼", "antagonist (MIN)"),
    Kind.CHANCE: Look("ellipse", "#d8efe6", "#009E73", "●", "chance"),
    Kind.END: Look("box", "#ffffff", "#444444", "■", "end"),
    Kind.UNSEEN: Look("box", "#f4f4f4", "#999999", "…", "goes on, not drawn"),
}


@dataclass(frozen=True)
class Picture:
    """A graph with what a search has written on it, ready to be drawn."""

    graph: Graph
    marks: Marks
    title: str = ""
    is_step: bool = False
    """One of several pictures: space is left for what the others have."""
    is_sampled: bool = False
    """Of a search that samples: an end shows how often it was reached."""
    last: Marks | None = None
    """In a series, the marks when all is done: its pictures keep space for them."""

    def mark(self, node: Node) -> Mark:
        """What the search has written on a node."""
        return self.marks.nodes.get(node.name, Mark())

    def is_cut(self, node: Node) -> bool:
        """Whether the search has cut a node off."""
        return self.mark(node).status is Status.CUT

    def on_line(self, node: Node, edge: Edge) -> bool:
        """Whether an edge is on the line of best play."""
        return (node.name, edge.play) in self.marks.line

    def line_nodes(self) -> set[str]:
        """The nodes along the line of best play."""
        names = {name for name, _ in self.marks.line}
        for node, edge in self.graph.edges():
            if self.on_line(node, edge):
                names.add(edge.target)
        return names

    def caption(self, node: Node) -> list[str]:
        """What a node is."""
        lines = node.caption.splitlines()
        if node.kind is Kind.UNSEEN and not self.mark(node).value:
            lines.append("…")
        return lines

    def value(self, node: Node) -> str:
        """The value of a node, as far as it is known: an end always shows its value."""
        if node.kind is Kind.END and node.value is not None:
            value = number(node.value, 12)
            return f"{node.label} = {value}" if node.label else value
        return self.mark(node).value

    def has_window(self, node: Node) -> bool:
        """Whether there is a line for alpha and beta, for bounds or for visits."""
        return node.kind is not Kind.END or self.is_sampled

    def window(self, node: Node) -> str:
        """Alpha and beta, the bounds of a chance node, or the visits."""
        return self.mark(node).window if self.has_window(node) else ""

    def is_cut_off(self, node: Node, edge: Edge) -> bool:
        """Whether nobody went along an edge because it was cut, there or above."""
        return (node.name, edge.play) in self.marks.cuts or self.is_cut(node)

    def edge_lines(self, node: Node, edge: Edge) -> list[str]:
        """What stands on an edge: the play, its probability, and why the branch was cut."""
        lines = [edge.play if edge.chance is None else f"{edge.play}: {probability(edge.chance)}"]
        why = self.marks.cuts.get((node.name, edge.play))
        return [*lines, f"✂ {why}"] if why else lines

    def coming_cut(self, node: Node, edge: Edge) -> str:
        """Why an edge will be cut in a later picture of the series."""
        edge_name = (node.name, edge.play)
        is_cut = edge_name in self.marks.cuts
        return "" if is_cut or self.last is None else self.last.cuts.get(edge_name, "")

    def legend(self) -> list[tuple[str, str]]:
        """Colours and texts that say what is what, of what there is, in a series at the end."""
        if self.last is not None and self.last is not self.marks:
            return replace(self, marks=self.last).legend()
        kinds = {node.kind for node in self.graph.nodes.values()}
        texts = [(LOOKS[k].line, f"{LOOKS[k].sign} {LOOKS[k].text}") for k in Kind if k in kinds]
        if self.marks.line:
            texts.append((BEST, "━ best line"))
        if self.marks.cuts:
            texts.append((FADED, "┄ cut, not looked at"))
        if any(mark.window.startswith("α") for mark in self.marks.nodes.values()):
            texts.append((INK, "α: MAX has this already, β: MIN has this already"))
        if any(mark.window.startswith("[") for mark in self.marks.nodes.values()):
            texts.append((INK, "[ ]: bounds on a chance node"))
        return texts


def clean(text: str) -> str:
    """A text without letters that can't be shown."""
    return "".join(
        c if c.isprintable() else " " if c.isspace() else "\N{REPLACEMENT CHARACTER}" for c in text
    )


def safe(text: str, also: str = "") -> str:
    """A text as an identifier of letters and digits, different for different texts."""
    return "".join(
        letter
        if letter.isascii() and (letter.isalnum() or letter in also)
        else f"_{ord(letter):x}_"
        for letter in text
    )


def edge_id(name: str, play: str) -> str:
    """The id of an edge in an SVG."""
    return f"edge-{safe(name, '.')}-{safe(play, '.')}"


def node_id(name: str) -> str:
    """The id of a node in an SVG."""
    return f"node-{safe(name, '.')}"


def probability(value: float) -> str:
    """A probability as a fraction, if it is a plain one."""
    fraction = Fraction(value).limit_denominator(64)
    if abs(float(fraction) - value) < 1e-12:
        return str(fraction)
    return f"{value:.3g}"
