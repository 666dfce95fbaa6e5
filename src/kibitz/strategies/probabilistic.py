"""Probabilistic: a lot, weighted by how good each play looks (thesis LL, 1.1)."""

from __future__ import annotations

from typing import Any, ClassVar

from kibitz.core.game import Game
from kibitz.core.registry import strategy
from kibitz.strategies.common.base import RuleStrategy


@strategy
class Probabilistic(RuleStrategy):
    """Draws a play of Love Letter by lot, weighted by greedy's F."""

    name: ClassVar[str] = "probabilistic"
    trusted: ClassVar[bool] = True
    title: ClassVar[str] = "a lot, weighted by what the opponent may hold"

    def numbers(self, game: Game[Any, Any]) -> tuple[float, ...]:
        return (0.0,)
