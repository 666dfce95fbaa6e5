"""Tables as all commands print them."""

from __future__ import annotations

from typing import Any

USUAL = 80
"""Columns of a terminal. In a narrower one there is no room for figures in one piece."""


def table(*columns: str) -> Any:
    """An empty table: the first column on the left, figures on the right. If it is too wide,
    the first column is broken into lines before the figures are."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    wide = Console().width >= USUAL

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for i, column in enumerate(columns):
        side: Any = "left" if i == 0 else "right"
        made.add_column(column, justify=side, overflow="fold", no_wrap=wide and i > 0)
    return made
