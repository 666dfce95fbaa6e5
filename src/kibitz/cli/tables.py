"""Tables as all commands print them."""

from __future__ import annotations

from typing import Any

USUAL = 80
"""Columns of a terminal. In a narrower one there is no room for figures in one piece."""


def table(*columns: str, long: str = "") -> Any:
    """An empty table: the first column on the left, figures on the right. If it is too wide,
    the long column, the first unless it is named, is broken into lines before the others are."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    wide = Console().width >= USUAL

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for i, column in enumerate(columns):
        broken = column == (long or columns[0])
        side: Any = "left" if broken or i == 0 else "right"
        made.add_column(column, justify=side, overflow="fold", no_wrap=wide and not broken)
    return made
