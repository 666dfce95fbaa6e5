"""The expert at Tablić: PIMC that counts the last deal out and recognises how the other plays:
see `strategies/tablic/expert.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from kibitz.core.game import Game, View
from kibitz.core.options import Option
from kibitz.core.registry import strategy
from kibitz.core.strategy import Player, Policy
from kibitz.games.compiled_game import CompiledGame
from kibitz.games.tablic.game import Tablic
from kibitz.strategies.common.base import need_game
from kibitz.strategies.common.measures import Measure
from kibitz.strategies.common.worlds_strategy import EARLY, WorldsStrategy

if TYPE_CHECKING:
    from kibitz.strategies.tablic.expert import ExpertOptions


@strategy
class Expert(WorldsStrategy):
    """PIMC for Tablić, with the last deal counted out."""

    name: ClassVar[str] = "expert"
    trusted: ClassVar[bool] = True
    title: ClassVar[str] = "counts the last deal out, before that searches worlds"
    quick: ClassVar[str] = "worlds=10"
    options: ClassVar[tuple[Option, ...]] = (
        Option("worlds", 100, "how often the unseen cards are dealt", least=1, most=1_000_000),
        EARLY,
        Option("recognise", True, "with two players: find out by which rule the other plays"),
    )

    def check_game(self, game: Game[Any, Any]) -> None:
        need_game(self, game, Tablic)

    def policy(self, game: Game[Any, Any]) -> Policy:
        self.check_game(game)
        from kibitz.strategies.tablic.expert import choose

        return Policy(choose, self.numbers(game), remembers=True)  # type: ignore[arg-type]

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        from kibitz.strategies.tablic import expert, opponents
        from kibitz.strategies.tablic.expert_player import ExpertPlayer

        policy = self.policy(game)
        assert isinstance(game, CompiledGame)
        options = self.search_options(game)
        most = game.explained_worlds.get(self.name, 10_000)
        return ExpertPlayer(
            game, policy, rng, expert, opponents, self.measure, self.unit(game), options, most
        )

    def search_options(self, game: CompiledGame) -> ExpertOptions:
        from kibitz.strategies.tablic.expert import ExpertOptions

        s = self.settings
        return ExpertOptions(float(s["worlds"]), float(s["early"]), float(s["recognise"]))

    def further_numbers(self, game: CompiledGame) -> tuple[float, ...]:
        from kibitz.strategies.tablic.deal_value import CARD, through_the_game

        return through_the_game(CARD, 0.0)

    def measure(self, view: View[Any]) -> Measure:
        from kibitz.strategies.tablic import pimc
        from kibitz.strategies.tablic.deal_value import CARD

        return pimc.measure(view, {"card": CARD})

    def unit(self, game: CompiledGame) -> float:
        from kibitz.strategies.tablic import pimc

        return pimc.UNIT
