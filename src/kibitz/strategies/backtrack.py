"""Backtrack: every play to the end of the deal, with open hands (thesis TB).

The thesis remembers the score of the first play instead of the score at the end; this one
looks to the end.
"""

from __future__ import annotations

from typing import Any, ClassVar

from kibitz.core.errors import UnsuitableGame
from kibitz.core.game import Game
from kibitz.core.options import Option
from kibitz.core.registry import strategy
from kibitz.core.strategy import Knows, Player, Policy
from kibitz.games.tablic.game import Tablic
from kibitz.strategies.common.base import PolicyStrategy, need_game


@strategy
class Backtrack(PolicyStrategy):
    """Every play of Tablić to the end of the deal, with the hands open."""

    name: ClassVar[str] = "backtrack"
    trusted: ClassVar[bool] = True
    title: ClassVar[str] = "every play to the end of the deal, the hands open"
    knows: ClassVar[Knows] = Knows.OPEN_HANDS
    options: ClassVar[tuple[Option, ...]] = (
        Option("reply", "greedy", "how the opponent answers", choices=("greedy", "best")),
        Option(
            "objective", "own", "own points, or their difference", choices=("own", "difference")
        ),
    )

    def check_game(self, game: Game[Any, Any]) -> None:
        need_game(self, game, Tablic)
        if game.players != 2:
            raise UnsuitableGame(f"{self.name} looks at one opponent's hand: 2 players only")

    def policy(self, game: Game[Any, Any]) -> Policy:
        self.check_game(game)
        from kibitz.strategies.tablic.backtrack import BacktrackOptions, choose
        from kibitz.strategies.tablic.deal_value import to_the_end_of_the_deal

        options = BacktrackOptions(greedy_replies=float(self.settings["reply"] == "greedy"))
        return Policy(choose, (*options, *to_the_end_of_the_deal(self.settings["objective"])))

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        from kibitz.strategies.tablic.backtrack import BacktrackPlayer

        return BacktrackPlayer(game, self.policy(game), rng)
