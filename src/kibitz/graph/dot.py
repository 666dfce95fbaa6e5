"""Graphs in DOT, the language of Graphviz: one node a line, one edge a line."""

from __future__ import annotations

from html import escape
from math import ceil
from textwrap import wrap

from kibitz.graph.graph import Edge, Node
from kibitz.graph.look import BEST, CURRENT, FADED, INK, LOOKS, Picture, clean, edge_id, node_id

INCHES_A_LETTER = 0.09
STEP_LETTERS = 64
"""In a line that says what a step does: all have the same length, so that nothing jumps."""
WIDE = 30
"""More ends than this make a graph that grows downwards better to read from left to right."""


def to_dot(picture: Picture, widths: dict[str, int] | None = None) -> str:
    """The DOT text. `widths` are letters to keep free for, so that steps do not jump."""
    graph = picture.graph
    ends = sum(not node.edges for node in graph.nodes.values())
    lines = [
        "digraph kibitz {",
        f"  graph [rankdir={'LR' if ends > WIDE else 'TB'}, ordering=out, labelloc=t,"
        f' fontname="Helvetica", nodesep=0.15, ranksep=0.45, label={_title(picture)}];',
        '  node [fontname="Helvetica", fontsize=12, style=filled, margin="0.07,0.04"];',
        f'  edge [fontname="Helvetica", fontsize=11, color="{INK}", arrowsize=0.6];',
    ]
    best = picture.line_nodes()
    for node in graph.nodes.values():
        width = (widths or {}).get(node.name, 0)
        lines.append(f"  {_quoted(node.name)} [{_node(picture, node, node.name in best, width)}];")
    for node, edge in graph.edges():
        ends_ = f"{_quoted(node.name)} -> {_quoted(edge.target)}"
        lines.append(f"  {ends_} [{_edge(picture, node, edge)}];")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _node(picture: Picture, node: Node, is_best: bool, width: int) -> str:
    look = LOOKS[node.kind]
    cut = picture.is_cut(node)
    current = picture.marks.current == node.name
    line = FADED if cut else CURRENT if current else BEST if is_best else look.line
    parts = {
        "shape": look.shape,
        "id": _quoted(node_id(node.name)),
        "label": _label(picture, node),
        "color": f'"{line}"',
        "fillcolor": '"#fafafa"' if cut else f'"{look.fill}"',
        "fontcolor": f'"{FADED if cut else INK}"',
        "penwidth": "4" if current else "3" if is_best else "1.3",
    }
    if cut:
        parts["style"] = '"filled,dashed"'
    if width:
        parts["width"] = f"{width * INCHES_A_LETTER + 0.25:.2f}"
    return ", ".join(f"{key}={value}" for key, value in parts.items())


def _label(picture: Picture, node: Node) -> str:
    """Caption, value and window, one under another. In a series none may be missing."""
    caption = [_html(text) for text in picture.caption(node)]
    if len(caption) > 1:
        # A board: its columns must stand under each other.
        caption = [f'<FONT FACE="Courier">{text}</FONT>' for text in caption]
    value, window = picture.value(node), picture.window(node)
    lines = [*caption]
    if value or picture.is_step:
        lines.append(f"<B>{_html(value)}</B>")
    if window or (picture.is_step and picture.has_window(node)):
        lines.append(f'<FONT POINT-SIZE="9">{_html(window)}</FONT>')
    return f"<{'<BR/>'.join(lines) or ' '}>"


def _edge(picture: Picture, node: Node, edge: Edge) -> str:
    texts = [f"&#160;{_html(text)}&#160;" for text in picture.edge_lines(node, edge)]
    coming = picture.coming_cut(node, edge)
    if coming:
        # In the colour of the paper: it keeps the space for what later pictures say here.
        texts.append(f'<FONT COLOR="white">&#160;{_html(f"✂ {coming}")}&#160;</FONT>')
    parts = {"label": f"<{'<BR/>'.join(texts)}>", "id": _quoted(edge_id(node.name, edge.play))}
    if picture.on_line(node, edge):
        parts |= {"color": f'"{BEST}"', "penwidth": "3.5"}
    elif picture.is_cut_off(node, edge):
        parts |= {"color": f'"{FADED}"', "fontcolor": f'"{FADED}"', "style": "dashed"}
    return ", ".join(f"{key}={value}" for key, value in parts.items())


def _html(text: str) -> str:
    """A text in Graphviz's HTML, where nothing may be empty and spaces must not vanish."""
    html = escape(clean(text)) or " "
    return html.replace(" ", "&#160;") if html != html.strip() or "  " in html else html


def _title(picture: Picture) -> str:
    if not picture.title:
        return '""'
    title = clean(picture.title)
    # Lines of about the same length: the last one is not to be a word alone.
    width = ceil(len(title) / ceil(len(title) / 90)) + 8
    lines = [f"<B>{_html(text)}</B>" for text in wrap(title, width)]
    if picture.is_step:
        texts = [*wrap(clean(picture.marks.text), STEP_LETTERS, max_lines=2), "", ""][:2]
        lines += [
            f'<FONT FACE="Courier">{_html(text.ljust(STEP_LETTERS))}</FONT>' for text in texts
        ]
    legend = [f'<FONT COLOR="{colour}">{_html(text)}</FONT>' for colour, text in picture.legend()]
    rows = ["&#160;&#160;&#160;".join(legend[i : i + 5]) for i in range(0, len(legend), 5)]
    lines += [f'<FONT POINT-SIZE="11">{row}</FONT>' for row in rows]
    return f"<{'<BR/>'.join(lines)}<BR/> >"
