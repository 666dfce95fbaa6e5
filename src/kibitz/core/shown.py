"""Results that show themselves: as text at a prompt, drawn in a notebook, as a data frame.

Whatever has a table to show derives from `Shown` and gives a `Sheet`; so everything looks alike.
What a notebook gets is a piece of HTML, made from a template as every page is.
"""

from __future__ import annotations

import textwrap
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from kibitz.core.checks import one_line, printable
from kibitz.core.errors import KibitzError

WIDTH = 88
"""Columns of a paragraph at a prompt."""
TEMPLATES = "kibitz.report.page"
"""The module that fills templates in. Named, not imported: it stands above this one."""


def piece(template: str, **values: Any) -> str:
    """A piece of HTML for a notebook. Its texts are never taken for markup: names may come from
    users."""
    filled: str = import_module(TEMPLATES).render(template, **values)
    return filled


@dataclass(frozen=True)
class Sheet:
    """A table with a title above it and paragraphs below it. All texts are plain."""

    title: str
    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    notes: Sequence[str] = ()
    words: Collection[int] = (0,)
    """The columns that have words in them, not figures: they begin at the left."""
    bold: int | None = None
    """The row that matters most."""

    def text(self) -> str:
        """For a prompt."""
        lines = [one_line(self.title)] if self.title else []
        cells = [[printable(cell) for cell in row] for row in [self.head, *self.rows]]
        if self.rows:
            widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
            for row in cells:
                placed = (
                    cell.ljust(width) if i in self.words else cell.rjust(width)
                    for i, (cell, width) in enumerate(zip(row, widths, strict=True))
                )
                lines.append("  ".join(placed).rstrip())
        lines += [textwrap.fill(one_line(note), WIDTH) for note in self.notes if note]
        return "\n".join(lines)

    def html(self) -> str:
        """For a notebook."""
        return piece(
            "sheet.html",
            title=one_line(self.title),
            head=[printable(cell) for cell in self.head],
            rows=[[printable(cell) for cell in row] for row in self.rows],
            notes=[one_line(note) for note in self.notes if note],
            words=self.words,
            bold=self.bold,
        )


def text_html(text: str) -> str:
    """Lines as they are at a prompt, for a notebook."""
    return piece("text.html", text="\n".join(printable(line) for line in text.split("\n")))


class Framed(ABC):
    """Something that makes a data frame."""

    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """Rows of plain values, all with the same keys."""

    def to_frame(self) -> Any:
        """The rows as a data frame of pandas, which must be installed."""
        try:
            import pandas
        except ImportError:
            raise KibitzError("a data frame needs pandas: pip install pandas") from None
        return pandas.DataFrame(self.rows())


class Shown(Framed):
    """Something with a table that a person looks at."""

    @abstractmethod
    def sheet(self) -> Sheet:
        """What there is to see."""

    def __repr__(self) -> str:
        return self.sheet().text()

    def _repr_html_(self) -> str:
        return self.sheet().html()
