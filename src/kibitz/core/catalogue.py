"""What `kibitz.games()` and `kibitz.strategies()` give: classes by name, and a table of them."""

from __future__ import annotations

from typing import Any, TypeVar

from kibitz.core.game import Game
from kibitz.core.options import Configured
from kibitz.core.shown import Sheet, Shown

T = TypeVar("T", bound=type[Configured])


class Catalogue(Shown, dict[str, T]):
    """Games or strategies by name: a dict of their classes. `make_game` and `make_strategy` make
    one of its name and options.

    Examples
    --------
    >>> import kibitz
    >>> games = kibitz.games()
    >>> "love-letter" in games, games["pig"].name
    (True, 'pig')
    >>> games.rows()[0]["kind"]
    'chance, open'
    """

    def rows(self) -> list[dict[str, Any]]:
        """A row for each, with its options as they are written."""
        return [self._row(cls) for cls in self.values()]

    def _row(self, cls: Any) -> dict[str, Any]:
        fact = {"kind": cls.traits.kind} if issubclass(cls, Game) else {"knows": str(cls.knows)}
        options = ", ".join(option.name for option in cls.options)
        return {"name": cls.name, **fact, "title": cls.title, "options": options}

    def sheet(self) -> Sheet:
        rows = [[str(value) for value in list(row.values())[:3]] for row in self.rows()]
        head = list(self.rows()[0])[:3] if rows else []
        return Sheet("", head, rows, words=(0, 1, 2))
