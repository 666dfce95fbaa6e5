"""A review on the screen: every decision with its loss, what mattered, luck and skill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.cli.ui.tables import table

if TYPE_CHECKING:
    from rich.console import Console

    from kibitz.review.review import Review


def show_review(console: Console, review: Review) -> None:
    """The table of decisions, and the sentences below it."""
    sheet = review.sheet()
    console.print(sheet.title, style="bold", markup=False)
    rows = table(*sheet.head, long="played")
    for i, column in enumerate(rows.columns):
        column.justify = "left" if i in sheet.words else "right"
        column.no_wrap = column.no_wrap and column.header != "best"
    for one, cells in zip(review.decisions, sheet.rows, strict=True):
        rows.add_row(*cells, style="bold" if one in review.mattered else "")
    console.print(rows)
    for note in sheet.notes:
        console.print(note, markup=False)
