"""Pictures as files: DOT and Mermaid always, SVG and PNG by Graphviz."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from kibitz.errors import KibitzError
from kibitz.graph.dot import to_dot
from kibitz.graph.look import Picture
from kibitz.graph.mermaid import to_mermaid

FORMATS = (".dot", ".mmd", ".svg", ".png")
GET_GRAPHVIZ = (
    "this needs Graphviz's `dot`, which is not installed; get it with `apt install graphviz`,"
    " `brew install graphviz` or from graphviz.org. .dot and .mmd files need nothing"
)


def draw(picture: Picture, format: str, widths: dict[str, int] | None = None) -> bytes:
    """A picture in a format, which is the ending of a file's name."""
    if format == ".mmd":
        return to_mermaid(picture).encode()
    dot = to_dot(picture, widths)
    if format == ".dot":
        return dot.encode()
    return graphviz(dot, format.removeprefix("."))


def graphviz(dot: str, format: str) -> bytes:
    """What Graphviz makes of a DOT text."""
    program = shutil.which("dot")
    if program is None:
        raise KibitzError(GET_GRAPHVIZ)
    done = subprocess.run([program, f"-T{format}"], input=dot.encode(), capture_output=True)
    if done.returncode or not done.stdout:
        reason = done.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"]
        raise KibitzError(f"Graphviz could not draw this: {reason[0]}")
    return done.stdout


def numbered(path: Path, count: int) -> Iterator[Path]:
    """graph-001.svg, graph-002.svg …: as many names as there are steps."""
    digits = max(3, len(str(count)))
    for i in range(1, count + 1):
        yield path.with_name(f"{path.stem}-{i:0{digits}}{path.suffix}")
