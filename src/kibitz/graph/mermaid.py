"""Graphs in Mermaid, which many wikis and code hosts draw by themselves."""

from __future__ import annotations

import json

from kibitz.graph.graph import Kind, Node
from kibitz.graph.look import BEST, FADED, INK, LOOKS, Picture, clean, safe

SHAPES = {
    Kind.PROTAGONIST: ("[/", "\\]"),
    Kind.ANTAGONIST: ("[\\", "/]"),
    Kind.CHANCE: ("((", "))"),
    Kind.END: ("[", "]"),
    Kind.UNSEEN: ("[", "]"),
}

CODES = {"#": "35", '"': "quot", "<": "lt", ">": "gt", "|": "124", "`": "96", "&": "amp"}
"""Letters that mean something, and what stands for them."""


def to_mermaid(picture: Picture) -> str:
    """The graph as a Mermaid flowchart."""
    graph = picture.graph
    # A text in JSON is one in YAML too.
    title = json.dumps(" ".join(clean(picture.title).split()), ensure_ascii=False)
    lines = ["---", f"title: {title}", "---", "flowchart TD"]
    best = picture.line_nodes()
    for node in graph.nodes.values():
        opening, closing = SHAPES[node.kind]
        text = "<br/>".join(_texts(picture, node)) or " "
        lines.append(f'  {_name(node.name)}{opening}"{text}"{closing}')
    for kind, look in LOOKS.items():
        lines.append(f"  classDef is_{kind} fill:{look.fill},stroke:{look.line},color:{INK}")
    lines.append(f"  classDef cut fill:#fafafa,stroke:{FADED},color:{FADED},stroke-dasharray:4")
    lines.append(f"  classDef best stroke:{BEST},stroke-width:4px")
    for node in graph.nodes.values():
        kinds = ["cut" if picture.is_cut(node) else f"is_{node.kind}"]
        kinds += ["best"] if node.name in best else []
        lines += [f"  class {_name(node.name)} {kind}" for kind in kinds]
    for i, (node, edge) in enumerate(graph.edges()):
        cut = picture.is_cut_off(node, edge)
        text = "<br/>".join(_escaped(line) for line in picture.edge_lines(node, edge)) or " "
        arrow = "-.->" if cut else "-->"
        lines.append(f'  {_name(node.name)} {arrow}|"{text}"| {_name(edge.target)}')
        if picture.on_line(node, edge):
            lines.append(f"  linkStyle {i} stroke:{BEST},stroke-width:4px")
    return "\n".join(lines) + "\n"


def _texts(picture: Picture, node: Node) -> list[str]:
    texts = [*picture.caption(node), picture.value(node), picture.window(node)]
    return [_escaped(text) for text in texts if text]


def _escaped(text: str) -> str:
    text = clean(text)
    for letter, code in CODES.items():
        text = text.replace(letter, f"\0{code};")
    return text.replace("\0", "#")


def _name(name: str) -> str:
    """A name that is no word of the language, such as `end`."""
    return f"node_{safe(name)}"
