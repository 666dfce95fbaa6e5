"""Perfect: two players' Tablić with the deck known, solved; no play is better."""

from __future__ import annotations

from typing import Any, ClassVar

from kibitz.core.errors import UnsuitableGame
from kibitz.core.game import Game
from kibitz.core.limits import check_search
from kibitz.core.options import Option
from kibitz.core.registry import strategy
from kibitz.core.strategy import Knows, Player, Strategy
from kibitz.games.tablic.game import Tablic
from kibitz.strategies.common.base import need_game


@strategy
class Perfect(Strategy):
    """The best play of Tablić there is, with the deck known."""

    name: ClassVar[str] = "perfect"
    trusted: ClassVar[bool] = True
    title: ClassVar[str] = "the best play there is, the deck known"
    knows: ClassVar[Knows] = Knows.OPEN_DECK
    options: ClassVar[tuple[Option, ...]] = (
        Option("memory", 512, "MB for what is known of positions", least=1),
    )

    def check_game(self, game: Game[Any, Any]) -> None:
        need_game(self, game, Tablic)
        if game.players != 2:
            raise UnsuitableGame(f"{self.name} plays for 2 players, not {game.players}")
        check_search(1, self.settings["memory"] << 20)

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        self.check_game(game)
        from kibitz.strategies.tablic.perfect import PerfectPlayer

        return PerfectPlayer(need_game(self, game, Tablic), self.settings["memory"] << 20)
