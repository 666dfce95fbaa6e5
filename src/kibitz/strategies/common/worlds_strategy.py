"""What PIMC and flat Monte Carlo have in common: every play is valued in many worlds."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

from kibitz.core.game import Game, View
from kibitz.core.options import Option
from kibitz.core.strategy import Player, Policy
from kibitz.games.compiled_game import CompiledGame
from kibitz.strategies.common.base import PolicyStrategy
from kibitz.strategies.common.measures import Measure, measure_of

if TYPE_CHECKING:
    from kibitz.strategies.common.worlds_player import SearchOptions

EXPLAINED_WORLDS = 10_000
"""Worlds that an explanation looks into at most, however close the best plays are, unless the
game says otherwise."""
EARLY = Option("early", True, "give plays up early that are surely not the best")


class WorldsStrategy(PolicyStrategy):
    """PIMC or flat Monte Carlo: a module of `search/fast`, its slots, and its options."""

    determinizes: ClassVar[bool] = True
    effort: ClassVar[str] = "worlds"

    def search(self) -> Any:
        """The module with `choose` and `value_in_worlds`."""
        raise NotImplementedError

    def slots(self, game: CompiledGame) -> dict[str, Any]:
        """What fills the slots of the compiled search."""
        raise NotImplementedError

    def search_options(self, game: CompiledGame) -> SearchOptions:
        """The options as the search takes them."""
        raise NotImplementedError

    def further_numbers(self, game: CompiledGame) -> tuple[float, ...]:
        """Those behind the options: the last two are of the beliefs."""
        raise NotImplementedError

    def numbers(self, game: CompiledGame) -> tuple[float, ...]:
        """All numbers that the compiled policy gets at run time."""
        return (*self.search_options(game), *self.further_numbers(game))

    def policy(self, game: Game[Any, Any]) -> Policy:
        self.check_game(game)
        assert isinstance(game, CompiledGame)
        from kibitz.search.fast.slots import bind_search

        choose = bind_search(self.search().choose, game, self.slots(game))
        return Policy(choose, self.numbers(game), remembers=True)

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        from kibitz.search.fast.slots import bind_search
        from kibitz.strategies.common.worlds_player import WorldsPlayer

        policy = self.policy(game)
        assert isinstance(game, CompiledGame)
        slots = self.slots(game)
        search = SimpleNamespace(
            value_in_worlds=bind_search(self.search().value_in_worlds, game, slots),
            candidates=bind_search(self.search().candidates, game, slots),
        )
        return WorldsPlayer(
            game,
            policy,
            rng,
            search,
            slots["worlds"],
            self.measure,
            self.unit(game),
            self.search_options(game),
            game.explained_worlds.get(self.name, EXPLAINED_WORLDS),
        )

    def measure(self, view: View[Any]) -> Measure:
        """What the mean of the values is to a card player."""
        return measure_of(view.game)

    def unit(self, game: CompiledGame) -> float:
        """What a point of the game is in the search's values."""
        return 1.0
