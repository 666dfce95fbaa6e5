"""PIMC and flat Monte Carlo: every play in many worlds, searched or played out."""

from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

from kibitz.core.errors import UnsuitableGame
from kibitz.core.game import Game, View
from kibitz.core.options import Option
from kibitz.core.registry import strategy
from kibitz.core.strategy import Player, Policy
from kibitz.games.compiled_game import CompiledGame
from kibitz.strategies.common.base import PolicyStrategy, games_known_to, need_cards
from kibitz.strategies.common.measures import Measure, measure_of
from kibitz.strategies.common.opponent_models import (
    BELIEF,
    NOISE,
    ROLLOUT,
    belief_numbers,
    check_models,
    rollout_policy,
    world_sampler,
)

if TYPE_CHECKING:
    from kibitz.search.fast.flat_monte_carlo import FlatOptions
    from kibitz.search.fast.pimc import PimcOptions

WORLDS = Option("worlds", 100, "how often the unseen cards are dealt", least=1, most=1_000_000)
EXPLAINED_WORLDS = 10_000
"""Worlds that an explanation looks into at most, however close the best plays are, unless the
game says otherwise."""
TO_THE_END = 60
"""Plies: more than any deal or small game has."""
EARLY = Option("early", True, "give plays up early that are surely not the best")


class WorldsStrategy(PolicyStrategy):
    """What both have in common: `search/fast` module, its slots, and its options."""

    determinizes: ClassVar[bool] = True
    effort: ClassVar[str] = "worlds"

    def search(self) -> Any:
        """The module with `choose` and `value_in_worlds`."""
        raise NotImplementedError

    def slots(self, game: CompiledGame) -> dict[str, Any]:
        """What fills the slots of the compiled search."""
        raise NotImplementedError

    def search_options(self, game: CompiledGame) -> PimcOptions | FlatOptions:
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


@strategy
class Pimc(WorldsStrategy):
    """Perfect-information Monte Carlo: worlds, each searched with open cards."""

    name: ClassVar[str] = "pimc"
    title: ClassVar[str] = "deals the unseen cards, searches each world with open cards"
    quick: ClassVar[str] = "worlds=10"
    options: ClassVar[tuple[Option, ...]] = (
        WORLDS,
        EARLY,
        Option(
            "reply", "auto", "how the others answer in a world: auto is greedy in Tablić",
            choices=("auto", "best", "greedy"),
        ),
        BELIEF,
        NOISE,
        Option("card", 0.25, "Tablić: points that a captured card counts", least=0, most=10),
        Option("table", 0.0, "Tablić: how much the table at a deal's end counts", least=0, most=10),
        Option("depth", 0, "plies that are searched; 0: as many as are quick", least=0, most=60),
    )  # fmt: skip

    def check_game(self, game: Game[Any, Any]) -> None:
        check_models(self.settings, need_cards(self, game, hidden=True, instead="alpha-beta"))
        if self.settings["reply"] == "greedy" and not self._fixed_replies(game):
            known = ", ".join(games_known_to(self.name))
            raise UnsuitableGame(
                f"reply=greedy is for {known}; elsewhere the others play their best"
            )

    def _knowledge(self, game: Game[Any, Any]) -> Any:
        """The game's module for PIMC: `weights(settings)` of the evaluation, `measure(view,
        settings)`, UNIT, and FIXED_REPLIES; None if it has none."""
        module = game.strategy_modules.get(self.name)
        return importlib.import_module(module) if module else None

    def _fixed_replies(self, game: Game[Any, Any]) -> bool:
        """Whether the others can answer by the greedy strategy."""
        return getattr(self._knowledge(game), "FIXED_REPLIES", False)

    def search(self) -> Any:
        from kibitz.search.fast import pimc

        return pimc

    def slots(self, game: CompiledGame) -> dict[str, Any]:
        from kibitz.search.fast.open_cards import open_cards

        worlds = world_sampler(game, self.settings["belief"])
        return {"game": game.kernels, "twin": open_cards(game), "worlds": worlds}

    def further_numbers(self, game: CompiledGame) -> tuple[float, ...]:
        """The weights of the evaluation come first."""
        knowledge = self._knowledge(game)
        weights = knowledge.weights(self.settings) if knowledge else ()
        return (*weights, *belief_numbers(self.settings, game))

    def search_options(self, game: CompiledGame) -> PimcOptions:
        from kibitz.search.fast.pimc import PimcOptions

        s = self.settings
        replying = self._fixed_replies(game) and s["reply"] != "best"
        quick = None if replying else game.search_depth(self.name)  # one reply: a small tree
        return PimcOptions(
            worlds=float(s["worlds"]),
            early=float(s["early"]),
            max_depth=float(s["depth"] or quick or TO_THE_END),
            fixed_replies=float(replying),
        )

    def measure(self, view: View[Any]) -> Measure:
        knowledge = self._knowledge(view.game)
        if knowledge is None:
            return measure_of(view.game)
        measure: Measure = knowledge.measure(view, self.settings)
        return measure

    def unit(self, game: CompiledGame) -> float:
        knowledge = self._knowledge(game)
        return knowledge.UNIT if knowledge else 1.0


@strategy
class FlatMonteCarlo(WorldsStrategy):
    """Flat Monte Carlo: worlds, in each of which every play is played out."""

    name: ClassVar[str] = "flat-mc"
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
        check_models(self.settings, need_cards(self, game, hidden=True, instead="mcts"))

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
