"""Expectiminimax at the table: the textbook's, for any game with open cards."""

from __future__ import annotations

from typing import ClassVar

from kibitz.core.options import Option
from kibitz.core.registry import strategy
from kibitz.strategies.common.textbook_strategy import TextbookStrategy


@strategy
class ExpectiminimaxStrategy(TextbookStrategy):
    """Minimax with the mean where chance moves."""

    name: ClassVar[str] = "expectiminimax"
    trusted: ClassVar[bool] = True
    plays_chance: ClassVar[bool] = True
    advises: ClassVar[bool] = True
    title: ClassVar[str] = "minimax with the mean where chance moves"
    options: ClassVar[tuple[Option, ...]] = (
        Option("depth", 5, "plies to look ahead, chance's too; then an evaluation", least=1,
               most=1000),
    )  # fmt: skip
