"""Draw the diagrams of docs/architecture.md: `python docs/pictures/diagrams.py`.

The house is drawn from the imports in the code, by Graphviz as game graphs are; what happens
between parts, from the lists below. Neither needs the network, here or where it is looked at.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from textwrap import wrap

import kibitz
from kibitz.graph.render import graphviz

HERE = Path(__file__).parent
SOURCE = Path(kibitz.__file__).parent
BLUE, INK, PAPER = "#d3e7f5", "#333333", "#ffffff"

# -- the house ------------------------------------------------------------------------------


def parts() -> dict[str, str]:
    """The folders of the package, each with what it is."""
    return {
        file.parent.name: (ast.get_docstring(ast.parse(file.read_text())) or "").split("\n\n")[0]
        for file in sorted(SOURCE.glob("*/__init__.py"))
    }


def imports(part: str) -> set[str]:
    """The other parts that a part imports, anywhere in it."""
    imported = set()
    for file in (SOURCE / part).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("kibitz."):
                imported.add((node.module or "").split(".")[1])
    return imported & parts().keys() - {part}


def arrows() -> Iterator[tuple[str, str]]:
    """Who imports whom, without what follows from the other arrows."""
    direct = {part: imports(part) for part in parts()}
    core = {"core", "jit"}  # which import each other: one box

    def below(part: str) -> set[str]:
        inner = direct[part] - core
        return inner.union(*map(below, inner))

    for part, targets in direct.items():
        if part in core:
            continue
        further = set().union(*(below(other) for other in targets - core))
        nearest = targets - core - further
        yield from ((part, target) for target in sorted(nearest or {"core"}))


def house() -> str:
    """The DOT text of the house."""
    about = parts()
    lines = [
        "digraph house {",
        f'  graph [rankdir=TB, ranksep=0.35, nodesep=0.3, bgcolor="{PAPER}"];',
        f'  node [shape=box, style="filled,rounded", fillcolor="{BLUE}", color="#0072B2",'
        ' fontname="Helvetica", fontsize=11, margin="0.12,0.06"];',
        f'  edge [color="{INK}", arrowsize=0.7];',
    ]
    for part in about:
        if part != "jit":
            names = ["core", "jit"] if part == "core" else [part]
            lines.append(f'  "{part}" [label=<{"<br/>".join(box(n, about[n]) for n in names)}>];')
    lines += [f'  "{one}" -> "{other}";' for one, other in arrows()]
    return "\n".join([*lines, "}"])


def box(name: str, about: str) -> str:
    text = "<br/>".join(escape(line) for line in wrap(about.split(". ")[0].rstrip("."), 36))
    return f'<b>{name}</b><br/><font point-size="9">{text}</font>'


# -- who asks whom ---------------------------------------------------------------------------

TURN = (
    ("table", "game", "player"),
    (
        ("table", "game", "view(state, seat)"),
        ("game", "", "the kernel observe blanks what is hidden"),
        ("game", "table", "view: blanked state and log"),
        ("table", "player", "choose(view)"),
        ("player", "table", "play"),
        ("table", "game", "match_play(state, play)"),
        ("game", "", "one of its own legal plays, or refused"),
        ("game", "table", "that play"),
        ("table", "game", "after(state, play)"),
        ("game", "table", "the next state"),
    ),
)
SEARCH = (
    ("search", "game", "trace", "replay"),
    (
        ("search", "game", "turn(state)"),
        ("game", "search", "who moves, where plays lead; or a value"),
        ("search", "trace", "enter, leaf, window, cut, leave"),
        ("trace", "replay", "the same events, laid over a graph"),
        ("replay", "", "marks on nodes and edges, step by step"),
    ),
)
APART, DOWN, TOP = 260, 34, 64
"""Between two columns and two rows, and above the first row."""


def sequence(who: Sequence[str], steps: Sequence[tuple[str, str, str]]) -> str:
    """Columns for those who take part; an arrow for each step, or a note if it goes nowhere."""
    at = {name: 90 + APART * i for i, name in enumerate(who)}
    width, height = max(at.values()) + 170, TOP + DOWN * len(steps) + 16
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" font-family="Helvetica, Arial, sans-serif"'
        f' font-size="13" fill="{INK}">',
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8"'
        f' markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="{INK}"/></marker></defs>',
    ]
    for name, x in at.items():
        lines += [
            f'<line x1="{x}" y1="40" x2="{x}" y2="{height - 8}" stroke="#999999"'
            ' stroke-dasharray="4 4"/>',
            f'<rect x="{x - 55}" y="10" width="110" height="30" rx="6" fill="{BLUE}"'
            ' stroke="#0072B2"/>',
            f'<text x="{x}" y="30" text-anchor="middle" font-weight="bold">{escape(name)}</text>',
        ]
    for row, (one, other, text) in enumerate(steps):
        lines += step(at, one, other, text, TOP + DOWN * row + 12)
    return "\n".join([*lines, "</svg>", ""])


def step(at: dict[str, int], one: str, other: str, text: str, y: int) -> list[str]:
    if not other:
        wide = 7 * len(text) + 16
        left = at[one] - wide // 2
        return [
            f'<rect x="{left}" y="{y - 18}" width="{wide}" height="24" fill="#fff6d8"'
            ' stroke="#c9b458"/>',
            f'<text x="{at[one]}" y="{y - 2}" text-anchor="middle">{escape(text)}</text>',
        ]
    middle = (at[one] + at[other]) // 2
    back = ' stroke-dasharray="6 3"' if at[other] < at[one] else ""
    return [
        f'<line x1="{at[one]}" y1="{y}" x2="{at[other]}" y2="{y}" stroke="{INK}"{back}'
        ' marker-end="url(#tip)"/>',
        f'<text x="{middle}" y="{y - 5}" text-anchor="middle">{escape(text)}</text>',
    ]


def main() -> None:
    (drawn,) = graphviz([house()], "svg")
    (HERE / "house.svg").write_bytes(drawn)
    (HERE / "turn.svg").write_text(sequence(*TURN), encoding="utf-8")
    (HERE / "search.svg").write_text(sequence(*SEARCH), encoding="utf-8")


if __name__ == "__main__":
    main()
