"""What a solved position is, whichever solver has solved it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from kibitz.core.game import Game
from kibitz.core.shown import Shown


class Solution(Shown, ABC):
    """A position solved: what `kibitz.solve` gives.

    Each game's solver has a class of its own with what it knows besides. All have `game`,
    `seconds`, a sentence with the result, and the document that `kibitz solve --json` prints.

    Examples
    --------
    >>> import kibitz
    >>> solution = kibitz.solve("twenty-one", algorithm="minimax")
    >>> solution.verdict()
    'seat 2 wins with best play: lost, value -1 for seat 1'
    >>> solution.document()["value"], solution.game
    (-1.0, <TwentyOne twenty-one>)
    """

    game: Game[Any, Any]
    seconds: float

    @abstractmethod
    def verdict(self) -> str:
        """The result in a sentence."""

    @abstractmethod
    def document(self) -> dict[str, Any]:
        """As `kibitz solve --json` prints it."""
