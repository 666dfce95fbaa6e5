"""Tables as all commands print them."""

from __future__ import annotations

from typing import Any


def table(*columns: str) -> Any:
    """An empty table: the first column on the left, figures on the right."""
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for i, column in enumerate(columns):
        made.add_column(column, justify="left" if i == 0 else "right", overflow="fold")
    return made
