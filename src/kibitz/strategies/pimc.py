"""PIMC: many worlds, in each of which every play is searched with open cards: compiled, see
`search/fast/pimc.py`; in plain Python by the textbook's, `search/textbook/pimc.py`."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, ClassVar

from kibitz.core.errors import UnsuitableGame
from kibitz.core.game import Game, View
from kibitz.core.options import Option
from kibitz.core.registry import strategy
from kibitz.core.strategy import Player, Policy
from kibitz.games.compiled_game import CompiledGame
from kibitz.strategies.common.base import games_known_to, need_cards
from kibitz.strategies.common.measures import Measure, measure_of
from kibitz.strategies.common.opponent_models import (
    BELIEF,
    NOISE,
    UNGUIDED,
    belief_numbers,
    check_models,
    world_sampler,
)
from kibitz.strategies.common.sampling_player import SamplingPlayer, check_plain, is_plain
from kibitz.strategies.common.worlds_strategy import EARLY, WorldsStrategy

if TYPE_CHECKING:
    from kibitz.search.fast.pimc import PimcOptions
    from kibitz.search.textbook.result import Result

TO_THE_END = 60
"""Plies: more than any deal or small game has."""


@strategy
class Pimc(WorldsStrategy):
    """Perfect-information Monte Carlo: worlds, each searched with open cards."""

    name: ClassVar[str] = "pimc"
    trusted: ClassVar[bool] = True
    title: ClassVar[str] = "deals the unseen cards, searches each world with open cards"
    quick: ClassVar[str] = "worlds=10"
    options: ClassVar[tuple[Option, ...]] = (
        Option("worlds", 100, "how often the unseen cards are dealt", least=1, most=1_000_000),
        EARLY,
        Option(
            "reply", "auto", "how the others answer in a world: auto is greedy in Tablić",
            choices=("auto", "best", "greedy"),
        ),
        BELIEF,
        NOISE,
        Option(
            "card", 0.25, "Tablić: points that a captured card counts", least=0, most=10,
            train=(0, 1),
        ),
        Option(
            "table", 0.0, "Tablić: how much the table at a deal's end counts", least=0, most=10,
            train=(0, 1),
        ),
        Option("depth", 0, "plies that are searched; 0: as many as are quick", least=0, most=60),
    )  # fmt: skip

    def check_game(self, game: Game[Any, Any]) -> None:
        need_cards(self, game, hidden=True, instead="mcts")
        if is_plain(game):
            self._check_plain(game)
            return
        check_models(self.settings, game)
        if self.settings["reply"] == "greedy" and not self._fixed_replies(game):
            known = ", ".join(games_known_to(self.name))
            raise UnsuitableGame(
                f"reply=greedy is for {known}; elsewhere the others play their best"
            )

    def _check_plain(self, game: Game[Any, Any]) -> None:
        plain: dict[str, tuple[Any, ...]] = {**UNGUIDED, "worlds": (), "depth": ()}
        check_plain(self, game, plain)
        if game.players != 2:
            raise UnsuitableGame(
                f"pimc searches games in plain Python for two players, and {game.name} has"
                f" {game.players}; try ismcts"
            )

    def policy(self, game: Game[Any, Any]) -> Policy | None:  # type: ignore[override]
        self.check_game(game)
        return None if is_plain(game) else super().policy(game)

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        self.check_game(game)
        if is_plain(game):
            return SamplingPlayer(self._search_plainly, rng, worlds=True)
        return super().sit(game, seat, rng)

    def _search_plainly(self, view: View[Any], seed: int) -> Result[Any]:
        from kibitz.search.textbook.horizon import DepthLimit, Evaluation
        from kibitz.search.textbook.pimc import pimc

        depth = self.settings["depth"] or view.game.search_depth(self.name)
        horizon = DepthLimit(Evaluation(view.game), depth) if depth else None
        return pimc(view, worlds=self.settings["worlds"], horizon=horizon, seed=seed)

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
