"""Greedy: the best play by what it brings at once. Both theses' own strategy.

Love Letter (thesis LL, 3.2): each play scored by what the opponent may hold. Tablić (thesis
TB): most points, then most cards.
"""

from __future__ import annotations

import importlib
from typing import Any, ClassVar

from kibitz.core.errors import UnsuitableGame
from kibitz.core.game import Game
from kibitz.core.options import Option
from kibitz.core.registry import games, strategy
from kibitz.strategies.common.base import RuleStrategy


@strategy
class Greedy(RuleStrategy):
    """What brings most at once, by the game's own rules for it."""

    name: ClassVar[str] = "greedy"
    trusted: ClassVar[bool] = True
    title: ClassVar[str] = "what brings most at once"
    suit_blind: ClassVar[bool] = True
    options: ClassVar[tuple[Option, ...]] = (
        Option("bluff", False, "Love Letter: may name a card that it holds itself"),
    )

    def check_game(self, game: Game[Any, Any]) -> None:
        super().check_game(game)
        if self.settings["bluff"] and not self._bluffs(game):
            known = ", ".join(name for name, cls in games().items() if self._bluffs(cls))
            raise UnsuitableGame(f"{game.name} knows no bluff; it is for {known}")

    def _bluffs(self, game: Game[Any, Any] | type[Game[Any, Any]]) -> bool:
        """Whether the game's rules take the option `bluff`, as their only number: BLUFFS."""
        module = game.strategy_modules.get(self.name)
        return module is not None and getattr(importlib.import_module(module), "BLUFFS", False)

    def numbers(self, game: Game[Any, Any]) -> tuple[float, ...]:
        return (float(self.settings["bluff"]),) if self._bluffs(game) else ()
