"""Graphs as text: a small file that a person can write. `docs/course.md` has the format.

One line a node: its name, a caption in quotes if it should have one, its kind, its plays.

    title: Heads or tails
    start max:         left -> coin, right -> 2
    coin chance:       1/2 heads -> A, 1/2 tails -> lost
    A "the end" min:   3, 12, 8
"""

from __future__ import annotations

import codecs
import re
from dataclasses import replace
from numbers import Integral
from pathlib import Path

from kibitz.core.errors import BadText
from kibitz.core.files import read_file
from kibitz.core.game import WIN_OR_LOSE
from kibitz.graph.graph import Edge, Graph, Kind, Node, cycle_text, lowest_first, read_number, short

KINDS = {
    "max": Kind.PROTAGONIST,
    "protagonist": Kind.PROTAGONIST,
    "min": Kind.ANTAGONIST,
    "antagonist": Kind.ANTAGONIST,
    "chance": Kind.CHANCE,
    "end": Kind.END,
}
INFINITE = float("inf")
MOST = 16 << 20
"""Bytes of a file that is read."""
HEADERS = ("title", "labels", "bounds")
_NODE = re.compile(r'(?P<name>\S+)(?:\s+"(?P<caption>[^"]*)")?\s+(?P<kind>\S+)')
_NAME = re.compile(r"[^\W\d_]\w*")
_LINE_END = re.compile(r"\r\n|\n|\r")
"""Python's own splitlines knows more of them than editors do."""
_WORDS = {kind: word for word, kind in reversed(KINDS.items())}


def read_graph(path: Path) -> Graph:
    """The graph in a file. A bad one is refused with the line and the reason."""
    try:
        content = read_file(path, MOST).removeprefix(codecs.BOM_UTF8)
        text = content.decode()
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise BadText(f"{path}, line {line}: this is not UTF-8 text") from None
    except OSError as error:
        raise BadText(f"{path}: {error.strerror}") from None
    return parse_graph(text, str(path))


def parse_graph(text: str, source: str = "graph") -> Graph:
    """The graph that a text describes."""
    return _Reader(source).read(text)


class _Reader:
    def __init__(self, source: str) -> None:
        self.source = source
        self.graph = Graph()
        self.lines: dict[str, int] = {}
        """In which line each node is."""
        self.plays: dict[str, str] = {}
        self.headers: dict[str, int] = {}
        self.line = 0

    def read(self, text: str) -> Graph:
        try:
            for self.line, line in enumerate(_LINE_END.split(text.rstrip()), 1):
                line = _without_comment(line).strip()
                if any(ord(letter) < 32 and letter != "\t" for letter in line):
                    raise BadText("there is a letter here that is none, such as NUL")
                if line:
                    self.read_line(line)
            if not self.graph.nodes:
                raise BadText("there is no node here; write one, such as: start max: 3, 12, 8")
            for name in list(self.graph.nodes):
                self.line = self.lines[name]
                self.read_plays(self.graph.nodes[name], self.plays[name])
            self.check()
        except BadText as error:
            raise BadText(f"{self.source}, line {self.line}: {error}") from None
        return self.graph

    def read_line(self, line: str) -> None:
        head, colon, rest = _split_at_colon(line)
        if not colon:
            raise BadText("a node is written NAME KIND: plays, such as: start max: 3, 12, 8")
        if head in HEADERS:
            self.read_header(head, rest)
            return
        match = _NODE.fullmatch(head)
        if not match:
            raise BadText(
                f'{head!r} is not NAME KIND or NAME "caption" KIND; kinds: {", ".join(KINDS)}'
            )
        name, kind = match["name"], match["kind"]
        if kind not in KINDS:
            raise BadText(f"there is no kind {kind!r}; kinds: {', '.join(KINDS)}")
        if not _NAME.fullmatch(name):
            raise BadText(f"a name has letters, digits and _, and begins with a letter: {name!r}")
        if name in self.lines:
            raise BadText(f"node {name} is there already, in line {self.lines[name]}")
        caption = match["caption"]
        self.graph.add(Node(name, KINDS[kind], name if caption is None else caption))
        self.lines[name] = self.line
        self.plays[name] = rest

    def read_header(self, head: str, rest: str) -> None:
        if head in self.headers:
            raise BadText(f"{head} is there already, in line {self.headers[head]}")
        self.headers[head] = self.line
        if head == "title":
            self.graph.title = rest
        elif head == "labels":
            self.graph.labels = labels = {}
            for word in rest.replace(",", " ").split():
                name, value = _read_label(word)
                if name in labels:
                    raise BadText(f"label {name} is there twice")
                labels[name] = value
        else:
            numbers = [read_number(word) for word in rest.replace(",", " ").split()]
            finite = [number for number in numbers if number is not None and abs(number) < INFINITE]
            if len(numbers) != 2 or len(finite) != 2:
                raise BadText("bounds are two numbers, such as: bounds: -2 2")
            low, high = finite
            if low > high:
                raise BadText(f"the lower bound {low:g} is over the upper one {high:g}")
            self.graph.bounds = low, high

    def read_plays(self, node: Node, text: str) -> None:
        if node.name in self.graph.labels:
            raise BadText(f"{node.name} is a label, so it can't be a node's name")
        if node.kind is Kind.END:
            node.value, node.label = self.read_end(text)
            return
        items = [item.strip() for item in text.split(",")] if text else []
        for number, item in enumerate(items, 1):
            before, arrow, target = (part.strip() for part in item.rpartition("->"))
            if not target:
                raise BadText(f"play number {number} leads nowhere")
            play, probability = before, None
            if node.kind is Kind.CHANCE:
                play, probability = _read_outcome(before)
            if arrow and not before:
                raise BadText(f"play number {number} has no name before the arrow")
            if "->" in before:
                raise BadText(f"{short(item)} has two arrows")
            play = play or str(number)
            node.edges.append(Edge(play, self.read_target(node, play, target), probability))
        if node.kind is Kind.CHANCE:
            written = sum(edge.chance is not None for edge in node.edges)
            if 0 < written < len(items):
                raise BadText("write the probabilities of all outcomes, or of none")
            if not written:
                for edge in node.edges:
                    edge.chance = 1 / len(items)
        node.edges = lowest_first(node.edges)

    def read_target(self, node: Node, play: str, text: str) -> str:
        """The name of a node; for the value of an end, a new node."""
        if _NAME.fullmatch(text):
            if text in self.lines:
                return text
            if text not in self.graph.labels:
                labels = ", ".join(self.graph.labels)
                raise BadText(
                    f"play {play} leads to {short(text)}: no such node, and no label ({labels})"
                )
        value, label = self.read_end(text)
        name = f"{node.name}.{play}"
        if name not in self.graph.nodes:  # else the play is there twice, which `check` says
            self.graph.add(Node(name, Kind.END, "", value=value, label=label))
            self.lines[name] = self.line
        return name

    def read_end(self, text: str) -> tuple[float, str | None]:
        number = read_number(text)
        return self.graph.read_value(text if number is None else number)

    def check(self) -> None:
        for name, node in self.graph.nodes.items():
            self.line = self.lines[name]
            try:
                self.graph.check_node(node)
            except BadText as error:
                raise BadText(f"node {name}: {error}") from None
        cycle = self.graph.find_cycle()
        if cycle:
            self.line = self.lines[cycle[0]]
            raise BadText(cycle_text(cycle))
        for name in self.graph.unreachable():
            self.line = self.lines[name]
            root = self.graph.root.name
            raise BadText(f"no play leads to node {name} from {root}, the first node")


def _without_comment(line: str) -> str:
    """A # begins a comment, but not within quotes."""
    quoted = False
    for i, letter in enumerate(line):
        quoted ^= letter == '"'
        if letter == "#" and not quoted:
            return line[:i]
    return line


def _split_at_colon(line: str) -> tuple[str, str, str]:
    """What stands before the first colon that is not within quotes, and after it."""
    quoted = False
    for i, letter in enumerate(line):
        quoted ^= letter == '"'
        if letter == ":" and not quoted:
            return line[:i].strip(), ":", line[i + 1 :].strip()
    if quoted:
        raise BadText("a quotation mark is not closed")
    return line, "", ""


def _read_label(word: str) -> tuple[str, float]:
    name, equals, number = word.partition("=")
    value = read_number(number)
    if not equals or value is None or not abs(value) < INFINITE or not _NAME.fullmatch(name):
        raise BadText(f"a label is written name=number, such as won=1, not {short(word)}")
    return name, value


def _read_outcome(text: str) -> tuple[str, float | None]:
    """The name of an outcome and its probability, if it is written."""
    first, *rest = text.split(maxsplit=1) or [""]
    play = rest[0] if rest else ""
    upper, slash, lower = first.partition("/")
    number = read_number(upper)
    percent = first.endswith("%")
    if percent:
        number = read_number(first[:-1])
    if number is None:
        return text, None
    divisor = read_number(lower) if slash else 100 if percent else 1
    if not divisor:
        raise BadText(f"{first} is not a probability")
    return play, number / divisor


def write_graph(graph: Graph) -> str:
    """The text of a graph. What a line of text can't hold is refused; captions are made plain."""
    if not graph.is_complete:
        raise BadText("a graph that does not go on to the ends can't be written as text")
    lines = [f"title: {graph.title}"] if graph.title else []
    if dict(graph.labels) != WIN_OR_LOSE:
        pairs = [f"{name}={_number(number)}" for name, number in graph.labels.items()]
        lines.append(" ".join(["labels:", *pairs]))
    if all(abs(bound) < INFINITE for bound in graph.bounds):
        lines.append(" ".join(["bounds:", *map(_number, graph.bounds)]))
    plain: dict[str, Node] = {}
    for node in graph.nodes.values():
        plain[node.name] = replace(node, caption=_plain(node.caption))
        if not _is_inline(node):
            plays = ", ".join(_write_play(graph, edge) for edge in node.edges)
            head = f'{node.name} "{_plain(node.caption)}" {_WORDS[node.kind]}'
            lines.append(f"{head}: {plays or _value(node)}")
    text = "\n".join(lines) + "\n"
    try:
        same = parse_graph(text) == replace(graph, nodes=plain)
    except BadText as error:
        raise BadText(f"this graph can't be written as text: {error}") from None
    if not same:
        raise BadText("this graph can't be written as text: a play or a name has odd letters")
    return text


def _plain(caption: str) -> str:
    """A caption as a line can hold it."""
    text = caption.replace('"', "'")
    return (
        " ".join(text.split())
        if any(ord(letter) < 32 for letter in text if letter != "\t")
        else text
    )


def _is_inline(node: Node) -> bool:
    """Whether an end was written as a value, so that it has no name of its own."""
    return node.kind is Kind.END and "." in node.name


def _write_play(graph: Graph, edge: Edge) -> str:
    probability = "" if edge.chance is None else f"{_number(edge.chance)} "
    target = graph.nodes[edge.target]
    return f"{probability}{edge.play} -> {_value(target) if _is_inline(target) else edge.target}"


def _value(end: Node) -> str:
    return end.label or _number(end.value or 0)


def _number(value: float) -> str:
    return repr(int(value)) if isinstance(value, Integral) else repr(float(value))
