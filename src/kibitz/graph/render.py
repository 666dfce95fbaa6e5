"""Pictures as files: DOT and Mermaid are texts, SVG and PNG are drawn by Graphviz.

Graphviz comes with pygraphviz; a `dot` on the machine is not used.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from kibitz.core.errors import KibitzError
from kibitz.core.folders import cache_folder
from kibitz.graph.dot import to_dot
from kibitz.graph.look import Picture
from kibitz.graph.mermaid import to_mermaid

FORMATS = (".dot", ".mmd", ".svg", ".png")
SECONDS = 60.0
"""That Graphviz may take for a picture. Most take a tenth of a second; the time grows with the
square of the edges and more, and some graphs of a thousand edges never come to an end."""
CHILD = Path(__file__).with_name("graphviz_child.py")


def draw(picture: Picture, format: str, widths: dict[str, int] | None = None) -> bytes:
    """A picture in a format, which is the ending of a file's name."""
    (drawn,) = draw_all([picture], format, widths)
    return drawn


def draw_all(
    pictures: Iterable[Picture], format: str, widths: dict[str, int] | None = None
) -> list[bytes]:
    """Several pictures, drawn in one go."""
    if format == ".mmd":
        return [to_mermaid(picture).encode() for picture in pictures]
    texts = [to_dot(picture, widths) for picture in pictures]
    if format == ".dot":
        return [text.encode() for text in texts]
    return graphviz(texts, format.removeprefix("."))


def graphviz(texts: Sequence[str], format: str) -> list[bytes]:
    """What Graphviz makes of DOT texts."""
    done = run_graphviz(texts, format)
    if done.returncode == -signal.SIGALRM:
        raise KibitzError(
            f"Graphviz did not finish this picture in {SECONDS:g} seconds: draw less of the game,"
            " with a depth or fewer nodes; a .dot or .mmd file takes no time"
        )
    if done.returncode < 0:
        raise KibitzError(f"Graphviz could not draw this: signal {-done.returncode} ended it")
    if done.returncode:
        raise KibitzError(f"Graphviz could not draw this: {_reason(done.stderr)}")
    return list(parts(done.stdout))


def run_graphviz(texts: Sequence[str], format: str) -> subprocess.CompletedProcess[bytes]:
    """Let a process of its own draw them: see graphviz_child.py."""
    asked = json.dumps({"format": format, "seconds": SECONDS, "texts": texts})
    with TemporaryDirectory(prefix="kibitz-") as folder:
        fonts = Path(folder, "fonts.conf")
        fonts.write_text(_fonts(), encoding="utf-8")
        return subprocess.run(
            [sys.executable, "-P", str(CHILD)],
            input=asked.encode(),
            capture_output=True,
            env=os.environ | {"FONTCONFIG_FILE": str(fonts)},
        )


def _fonts() -> str:
    """Which fonts Graphviz may use: the machine's, and those of matplotlib, because there may be
    no others; then each letter would be an empty box."""
    # A relative name is looked for where fontconfig has its files.
    machine = os.environ.get("FONTCONFIG_FILE") or "fonts.conf"
    matplotlib = find_spec("matplotlib")
    assert matplotlib is not None and matplotlib.origin is not None
    dejavu = Path(matplotlib.origin).with_name("mpl-data") / "fonts" / "ttf"
    lines = [
        '<?xml version="1.0"?>',
        "<fontconfig>",
        f'<include ignore_missing="yes">{escape(machine)}</include>',
        f"<dir>{escape(str(dejavu))}</dir>",
        f"<cachedir>{escape(str(cache_folder() / 'fonts'))}</cachedir>",
        "</fontconfig>",
    ]
    return "\n".join(lines)


def _reason(stderr: bytes) -> str:
    lines = stderr.decode(errors="replace").strip().splitlines() or ["no reason given"]
    return next((line for line in lines if line.startswith("Error: ")), lines[-1])


def parts(output: bytes) -> Iterator[bytes]:
    """The pictures, each after its length."""
    at = 0
    while at < len(output):
        start = at + 8
        at = start + int.from_bytes(output[at:start], "big")
        yield output[start:at]


def numbered(path: Path, count: int) -> Iterator[Path]:
    """graph-001.svg, graph-002.svg …: as many names as there are steps."""
    digits = max(3, len(str(count)))
    for i in range(1, count + 1):
        yield path.with_name(f"{path.stem}-{i:0{digits}}{path.suffix}")
