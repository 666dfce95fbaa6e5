"""Greedy: the best play by what it brings at once. Both theses' own strategy.

Love Letter (thesis LL, 3.2): each play scored by what the opponent may hold. Tablić (thesis
TB): most points, then most cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from kibitz.core.errors import UnsuitableGame
from kibitz.core.game import Game
from kibitz.core.options import Option
from kibitz.core.registry import strategy
from kibitz.strategies.common.base import RuleStrategy


@strategy
class Greedy(RuleStrategy):
    name: ClassVar[str] = "greedy"
    title: ClassVar[str] = "what brings most at once"
    rules: ClassVar[Mapping[str, str]] = {
        "love-letter": "kibitz.strategies.love_letter.greedy",
        "tablic": "kibitz.strategies.tablic.greedy",
    }
    options: ClassVar[tuple[Option, ...]] = (
        Option("bluff", False, "Love Letter: may name a card that it holds itself"),
    )

    def check_game(self, game: Game[Any, Any]) -> None:
        super().check_game(game)
        if self.settings["bluff"] and game.name != "love-letter":
            raise UnsuitableGame(f"{game.name} knows no bluff; it is for love-letter")

    def numbers(self, game: Game[Any, Any]) -> tuple[float, ...]:
        return (float(self.settings["bluff"]),) if game.name == "love-letter" else ()
