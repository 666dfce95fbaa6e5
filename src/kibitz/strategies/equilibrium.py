"""Equilibrium: two players' Love Letter as it was solved, or the rest of a round solved."""

from __future__ import annotations

from typing import Any, ClassVar

from kibitz.core.errors import UnsuitableGame
from kibitz.core.game import Game
from kibitz.core.options import Option
from kibitz.core.registry import make_strategy, strategy
from kibitz.core.strategy import Knows, Player, Strategy
from kibitz.games.love_letter.game import LoveLetter
from kibitz.strategies.common.base import need_game

BEFORE = "flat-mc"


@strategy
class Equilibrium(Strategy):
    name: ClassVar[str] = "equilibrium"
    title: ClassVar[str] = "as in an equilibrium, where one is known or can be found"
    knows: ClassVar[Knows] = Knows.FAIR
    options: ClassVar[tuple[Option, ...]] = (
        Option("cards", 6, "from so many cards in the deck on, solve the rest", least=0, most=7),
        Option(
            "seconds", 0.0, "that this may take, about; 0: as long as it takes", least=0, most=3600
        ),
    )

    @property
    def reproducible(self) -> bool:  # type: ignore[override]
        return not self.settings["seconds"]

    def check_game(self, game: Game[Any, Any]) -> None:
        need_game(self, game, LoveLetter)
        if game.players != 2:
            raise UnsuitableGame(f"{self.name} plays for 2 players, not {game.players}")

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        self.check_game(game)
        from kibitz.strategies.love_letter.equilibrium import EquilibriumPlayer

        before = make_strategy(BEFORE).sit(game, seat, rng)
        cards, seconds = self.settings["cards"], self.settings["seconds"]
        return EquilibriumPlayer(need_game(self, game, LoveLetter), rng, before, cards, seconds)
