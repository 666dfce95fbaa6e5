"""Tables as all commands print them."""

from __future__ import annotations

from typing import Any

from kibitz.core.checks import printable

USUAL = 80
"""Columns of a terminal. In a narrower one figures are broken into lines."""


def table(*columns: str, long: str = "") -> Any:
    """An empty table: the first column on the left, figures on the right. If it is too wide,
    the long column, the first unless it is named, is broken into lines before the others are."""
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    class Plain(Table):
        """What is in it may come from anywhere: nothing in it is markup, or moves the cursor. A
        cell is a text, or a list of lines."""

        def add_row(self, *cells: Any, **look: Any) -> None:
            lines = ([cell] if isinstance(cell, str) else cell for cell in cells)
            super().add_row(*(escape("\n".join(map(printable, each))) for each in lines), **look)

    wide = Console().width >= USUAL

    made = Plain(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for i, column in enumerate(columns):
        broken = column == (long or columns[0])
        side: Any = "left" if broken or i == 0 else "right"
        made.add_column(column, justify=side, overflow="fold", no_wrap=wide and not broken)
    return made
