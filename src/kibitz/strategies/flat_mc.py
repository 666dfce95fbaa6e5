"""Flat Monte Carlo: many worlds, in each of which every play is played out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from kibitz.core.errors import UnsuitableGame
from kibitz.core.game import Game
from kibitz.core.options import Option
from kibitz.core.registry import strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.strategies.common.base import need_cards
from kibitz.strategies.common.opponent_models import (
    BELIEF,
    NOISE,
    ROLLOUT,
    belief_numbers,
    check_models,
    rollout_policy,
    world_sampler,
)
from kibitz.strategies.common.sampling_player import is_plain
from kibitz.strategies.common.worlds_strategy import EARLY, WorldsStrategy

if TYPE_CHECKING:
    from kibitz.search.fast.flat_monte_carlo import FlatOptions


@strategy
class FlatMonteCarlo(WorldsStrategy):
    """Flat Monte Carlo: worlds, in each of which every play is played out."""

    name: ClassVar[str] = "flat-mc"
    trusted: ClassVar[bool] = True
    title: ClassVar[str] = "deals the unseen cards, plays each world to the end"
    quick: ClassVar[str] = "worlds=20"
    options: ClassVar[tuple[Option, ...]] = (
        Option("worlds", 200, "how often the unseen cards are dealt", least=1, most=1_000_000),
        EARLY,
        ROLLOUT,
        Option("follow", 0.8, "share of rollout plays that follow it", least=0, most=1),
        BELIEF,
        NOISE,
    )

    def check_game(self, game: Game[Any, Any]) -> None:
        need_cards(self, game, hidden=True, instead="mcts")
        if is_plain(game):
            raise UnsuitableGame(
                f"flat-mc plays compiled games, and {game.name} is plain Python; try ismcts"
            )
        check_models(self.settings, game)

    def search(self) -> Any:
        from kibitz.search.fast import flat_monte_carlo as flat

        return flat

    def slots(self, game: CompiledGame) -> dict[str, Any]:
        return {
            "game": game.kernels,
            "worlds": world_sampler(game, self.settings["belief"]),
            "rollout": rollout_policy(game, self.settings["rollout"]),
        }

    def search_options(self, game: CompiledGame) -> FlatOptions:
        from kibitz.search.fast.flat_monte_carlo import FlatOptions

        s = self.settings
        follow = 0.0 if s["rollout"] == "uniform" else s["follow"]
        return FlatOptions(float(s["worlds"]), float(s["early"]), follow)

    def further_numbers(self, game: CompiledGame) -> tuple[float, ...]:
        """The rollout policy has its defaults."""
        return (0.0, *belief_numbers(self.settings, game))
