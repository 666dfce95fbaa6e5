"""What reports of studies are made of: blocks that are written as Markdown and as HTML, and the
page around them, with its pictures in it: no network, readable on a phone."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from kibitz.core.errors import BadText, KibitzError

Drawn = Mapping[str, tuple[bytes, bytes]]
"""Pictures by name: as SVG and as PNG."""

# -- blocks --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heading:
    text: str

    def markdown(self) -> str:
        return f"## {self.text}"

    def html(self, plots: dict[str, str]) -> str:
        return f"<h2>{rich(self.text)}</h2>"


@dataclass(frozen=True)
class Text:
    text: str

    def markdown(self) -> str:
        return self.text

    def html(self, plots: dict[str, str]) -> str:
        return f"<p>{rich(self.text)}</p>"


@dataclass(frozen=True)
class Points:
    """A list with a dot before each text."""

    texts: Sequence[str]

    def markdown(self) -> str:
        return "\n".join(f"- {text}" for text in self.texts)

    def html(self, plots: dict[str, str]) -> str:
        items = "\n".join(f"<li>{rich(text)}</li>" for text in self.texts)
        return f"<ul>\n{items}\n</ul>"


@dataclass(frozen=True)
class Board:
    text: str

    def markdown(self) -> str:
        return f"```\n{self.text}\n```"

    def html(self, plots: dict[str, str]) -> str:
        return f"<pre>{escape(self.text)}</pre>"


@dataclass(frozen=True)
class Table:
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int = 1
    """How many columns, from the left, have words in them."""

    def markdown(self) -> str:
        rule = ["---" if i < self.words else "---:" for i in range(len(self.head))]
        return "\n".join(f"| {' | '.join(row)} |" for row in [self.head, rule, *self.rows])

    def html(self, plots: dict[str, str]) -> str:
        body = "\n".join(f"<tr>{self._cells(row, 'td')}</tr>" for row in self.rows)
        head = f"<tr>{self._cells(self.head, 'th')}</tr>"
        return f'<div class="table"><table>\n{head}\n{body}\n</table></div>'

    def _cells(self, row: Sequence[str], kind: str) -> str:
        marks = [' class="word"' if i < self.words else "" for i in range(len(row))]
        return "".join(
            f"<{kind}{m}>{rich(cell)}</{kind}>" for m, cell in zip(marks, row, strict=True)
        )


@dataclass(frozen=True)
class Plot:
    name: str
    caption: str

    def markdown(self) -> str:
        return f"![{self.caption}]({self.name}.svg)\n\n*{self.caption}*"

    def html(self, plots: dict[str, str]) -> str:
        told = f'<svg role="img" aria-label="{escape(self.caption)}" '
        picture = plots[self.name].replace("<svg ", told, 1)
        return f"<figure>{picture}<figcaption>{rich(self.caption)}</figcaption></figure>"


Block = Heading | Text | Points | Board | Table | Plot


def rich(text: str) -> str:
    """A text for HTML: what follows ^ is raised, what stands in `…` is code."""
    raised = re.sub(
        r"\^(?:\((?P<a>[^)]*)\)|(?P<b>⌈[^⌉]*⌉|⌊[^⌋]*⌋|\w))",
        lambda found: f"<sup>{found['a'] or found['b']}</sup>",
        escape(text, quote=False),
    )
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", raised)


# -- files ---------------------------------------------------------------------------------

STYLE = """
body { margin: 0 auto; padding: 1rem; max-width: 50rem; color: #111; background: #fff;
  font: 1rem/1.5 system-ui, sans-serif; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5rem; } p { max-width: 42rem; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .5rem; border-bottom: 1px solid #ccc; text-align: right; }
td { white-space: nowrap; } th { vertical-align: bottom; border-bottom-color: #111; }
.word { text-align: left; } .word:first-child { position: sticky; left: 0; background: #fff; }
pre { line-height: 1.2; padding: .6rem; border: 1px solid #ccc; width: max-content;
  font-family: monospace; }
code { overflow-wrap: anywhere; } sup { line-height: 0; font-size: .75em; }
ul { max-width: 40rem; padding-left: 1.2rem; } li { margin: .4rem 0; }
figure { margin: 1.5rem 0; } figure svg { width: 100%; max-width: 36rem; height: auto; }
figcaption { font-size: .875rem; color: #333; }
@media (max-width: 40rem) { th, td { padding: .2rem .3rem; } td.word { white-space: normal; }
  td.word:first-child { min-width: 6.5rem; } }
@media print { body { max-width: none; padding: 0; font-size: 10pt; }
  table { font-size: 7.5pt; } th, td { padding: .1rem .3rem; } .table { overflow: visible; }
  figure, pre, tr { break-inside: avoid; } h2 { break-after: avoid; }
  figure svg { max-height: 20cm; } }
"""


def report_files(
    name: str, title: str, parts: Sequence[Block], drawn: Drawn
) -> dict[str, bytes]:  # fmt: skip
    """The report as Markdown and as a page, and its pictures, by file name."""
    inline = {plot: _inline(plot, svg.decode()) for plot, (svg, _) in drawn.items()}
    text = "\n\n".join([f"# {title}", *(part.markdown() for part in parts)]) + "\n"
    body = "\n".join(part.html(inline) for part in parts)
    page = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{title}</h1>\n{body}\n</body>\n</html>\n"
    )
    made = {f"{name}.md": text.encode(), f"{name}.html": page.encode()}
    for plot, (svg, png) in drawn.items():
        made |= {f"{plot}.svg": svg, f"{plot}.png": png}
    return made


def _inline(name: str, svg: str) -> str:
    """An SVG as part of a page: no header, its size left to the page, its ids its own."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r' (width|height)="[^"]*pt"', "", svg, count=2)
    return re.sub(r'( id="|href="#|url\(#)', rf"\1{name}-", svg)


def prepare(folder: Path) -> None:
    """Make the folder, or refuse, before anything is measured."""
    if folder.exists() and not folder.is_dir():
        raise BadText(f"{folder} is a file, not a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise KibitzError(f"{folder}: {error.strerror}") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise KibitzError(f"{folder}: can't be written to")
