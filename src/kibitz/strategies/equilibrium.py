"""Equilibrium: two players' Love Letter by the book of solved rounds.

Below the book's lines the rest of the round is solved again at the table, safely: see
`solvers/love_letter/book_line.py`. Where there is no book (another deck, a position whose past
nobody knows) it plays as BEFORE does, and solves the rest once few cards are left.
"""

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
    """Plays two players' Love Letter by the book of solved rounds."""

    name: ClassVar[str] = "equilibrium"
    trusted: ClassVar[bool] = True
    title: ClassVar[str] = (
        "as in an equilibrium: by the book of solved rounds, the rest solved at the table"
    )
    knows: ClassVar[Knows] = Knows.FAIR
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "cards",
            6,
            "without a book: from so many cards in the deck on, solve the rest",
            least=0,
            most=7,
        ),
    )

    def check_game(self, game: Game[Any, Any]) -> None:
        need_game(self, game, LoveLetter)
        if game.players != 2:
            raise UnsuitableGame(f"{self.name} plays for 2 players, not {game.players}")

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        self.check_game(game)
        from kibitz.strategies.love_letter.equilibrium import EquilibriumPlayer

        before = make_strategy(BEFORE).sit(game, seat, rng)
        cards = self.settings["cards"]
        return EquilibriumPlayer(need_game(self, game, LoveLetter), rng, before, cards)
