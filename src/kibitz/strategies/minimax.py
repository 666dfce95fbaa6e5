"""Minimax at the table: the textbook's, for any game with open cards."""

from __future__ import annotations

from typing import ClassVar

from kibitz.core.registry import strategy
from kibitz.strategies.common.textbook_strategy import TextbookStrategy


@strategy
class MinimaxStrategy(TextbookStrategy):
    """Minimax over the whole tree."""

    name: ClassVar[str] = "minimax"
    trusted: ClassVar[bool] = True
    title: ClassVar[str] = "the best play if the other plays his best, all of the tree"
