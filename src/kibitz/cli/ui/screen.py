"""What a person sees who has to choose: all of it at once, if the terminal is large enough.

From the top: what happened, the table, a hint, the choices, the prompt. Where the
terminal is too small, the choices go into columns and the hint gets shorter; what happened may
scroll away, the table and the choices may not. A pipe has no last line.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

PROMPT = 1
"""Lines that a prompt takes."""
GAP = 3
"""Blanks between two columns of choices."""
MOST_COLUMNS = 6


Choice = tuple[str, "Text | str"]
"""A number to type, and what it stands for."""


class Advice(Protocol):
    """A hint, which can be shown in several sizes, the longest first."""

    def sizes(self, width: int) -> Sequence[RenderableType]: ...


class Screen:
    """One question on the screen. Lines are counted from the top of the table."""

    def __init__(
        self, console: Console, happened: Sequence[RenderableType], table: RenderableType
    ) -> None:
        from rich.console import Group

        self.console = console
        self.table = table
        self.advice: Advice | None = None
        self.choices: Sequence[Choice] = ()
        self.below = 0
        """Lines since the top of the table."""
        top = Group("", *happened, "") if happened else Group("")
        self.above = self._height(top)
        """Lines of what happened, above it."""
        self.console.print(top)
        self._show_table()

    @property
    def rows(self) -> float:
        """Lines of the terminal."""
        return self.console.height if self.console.is_terminal else math.inf

    # -- what is shown ----------------------------------------------------------------------

    def ask(self, choices: Sequence[Choice]) -> None:
        """Show choices below the table; the hint in between."""
        self.choices = choices
        hint, listed = self._arranged(choices)
        lines = (self._height(hint) + 1 if hint else 0) + self._height(listed) + PROMPT
        if self.below > self._top and self.below + lines > self.rows:
            self._show_table()
        if hint is not None:
            self.console.print(hint)
            self.console.print()
        self.console.print(listed)
        self.advice = None
        self.below += lines

    def fits(self, choices: Sequence[Choice]) -> bool:
        """Whether these can be seen together with the table and the shortest hint."""
        hint, listed = self._arranged(choices)
        lines = (self._height(hint) + 1 if hint else 0) + self._height(listed) + PROMPT
        return self._top + lines <= self.rows and (hint is not None or self.advice is None)

    def print_below(self, what: RenderableType) -> bool:
        """Show something below the prompt; the table and the choices again if they would
        scroll away. False if not all of it fits: then the caller has to `show_again`."""
        lines = self._height(what) + PROMPT
        if self.below + lines > self.rows:
            _, listed = self._arranged(self.choices)
            if self._top + self._height(listed) + lines > self.rows:
                self.console.print(what)
                return False
            self.show_again()
            self.below -= PROMPT
        self.console.print(what)
        self.below += lines
        return True

    def show_again(self) -> None:
        """The table and the choices."""
        self._show_table()
        _, listed = self._arranged(self.choices)
        self.console.print(listed)
        self.below += self._height(listed) + PROMPT

    def _show_table(self) -> None:
        if self.below:
            self.console.print()
            self.above = 0
        self.console.print(self.table)
        self.console.print("")
        self.below = self._top

    @property
    def _top(self) -> int:
        """Lines of the table."""
        return self._height(self.table) + 1

    # -- what fits --------------------------------------------------------------------------

    def _arranged(self, choices: Sequence[Choice]) -> tuple[RenderableType | None, RenderableType]:
        """The hint and the choices. A longer hint is better than fewer columns; if not
        even the shortest one fits, there is none."""
        lists = list(self._in_columns(choices))
        hints: list[RenderableType | None] = [None]
        if self.advice is not None:
            hints = list(self.advice.sizes(self.console.width))
        for above in (self.above, 0):  # what happened can do without a place if it must
            lines_left = self.rows - above - self._top - PROMPT
            for hint in hints:
                for listed in lists:
                    if (self._height(hint) + 1 if hint else 0) + self._height(listed) <= lines_left:
                        return hint, listed
        return None, lists[-1]

    def _in_columns(self, choices: Sequence[Choice]) -> Iterator[RenderableType]:
        """The choices in one column, in two, and so on, as far as the terminal is wide."""
        from rich.table import Table
        from rich.text import Text

        number = max((len(number) for number, _ in choices), default=0)
        cells = [
            Text.assemble("  ", (f"{key:>{number}}", "bold"), ") " if text else "", text)
            for key, text in choices
        ]
        for columns in range(1, MOST_COLUMNS + 1):
            each = math.ceil(len(cells) / columns)
            parts = [cells[i : i + each] for i in range(0, len(cells), each)]
            widths = [max(cell.cell_len for cell in part) for part in parts]
            if columns > 1 and sum(widths) + GAP * (len(parts) - 1) > self.console.width:
                return
            grid = Table.grid(padding=(0, GAP, 0, 0))
            for i in range(each):
                grid.add_row(*(part[i] if i < len(part) else "" for part in parts))
            yield grid

    def _height(self, what: RenderableType) -> int:
        with self.console.capture() as captured:
            self.console.print(what)
        return captured.get().count("\n")
