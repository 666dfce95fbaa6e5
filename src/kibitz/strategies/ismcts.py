"""ISMCTS and MCTS: tree search by simulated games. See `search/fast/ismcts.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from kibitz.core.game import Game
from kibitz.core.options import Option
from kibitz.core.registry import strategy
from kibitz.core.strategy import Player, Policy, Strategy
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

if TYPE_CHECKING:
    from kibitz.search.fast.ismcts import IsmctsOptions

BUDGET = (
    Option("simulations", 1000, "simulated games for a decision", least=1, most=10_000_000),
    Option("seconds", 0.0, "time for a decision, instead of simulations", least=0, most=3600),
    Option("reuse", False, "grow the tree of the last decision on"),
)


class TreeStrategy(Strategy):
    """What both have in common."""

    determinizes: ClassVar[bool] = True
    quick: ClassVar[str] = "simulations=200"
    effort: ClassVar[str] = "simulations"
    advises: ClassVar[bool] = True

    @property
    def reproducible(self) -> bool:  # type: ignore[override]
        return not self.settings["seconds"]

    def search_options(self) -> IsmctsOptions:
        """The options as the search takes them."""
        raise NotImplementedError

    def further_numbers(self, game: CompiledGame) -> tuple[float, ...]:
        """The rollout policy's, which has its defaults, and those of the beliefs."""
        return (0.0, 0.0, 0.0)

    def slots(self, game: CompiledGame) -> dict[str, Any]:
        """What fills the slots of the compiled search."""
        return {
            "game": game.kernels,
            "worlds": world_sampler(game, self.settings.get("belief", "none")),
            "rollout": rollout_policy(game, self.settings["rollout"]),
        }

    def policy(self, game: Game[Any, Any]) -> Policy | None:
        """None if it keeps its tree or looks at the clock, which compiled code can't."""
        self.check_game(game)
        assert isinstance(game, CompiledGame)
        if self.settings["seconds"] or self.settings["reuse"]:
            return None
        from kibitz.search.fast import ismcts
        from kibitz.search.fast.slots import bind_search

        choose = bind_search(ismcts.choose, game, self.slots(game))
        numbers = (*self.search_options(), *self.further_numbers(game))
        return Policy(choose, numbers, remembers=True)

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        from kibitz.strategies.common.tree_player import TreePlayer

        self.check_game(game)
        assert isinstance(game, CompiledGame)
        return TreePlayer(
            game, self.slots(game), self.search_options(), self.further_numbers(game), rng,
            seconds=self.settings["seconds"], reuse=self.settings["reuse"],
        )  # fmt: skip


@strategy
class Ismcts(TreeStrategy):
    """Information-set Monte Carlo tree search, for hidden cards."""

    name: ClassVar[str] = "ismcts"
    title: ClassVar[str] = "tree search over worlds drawn by what is known and how others play"
    options: ClassVar[tuple[Option, ...]] = (
        *BUDGET,
        Option("observers", "many", "whose eyes the tree is seen through", choices=("one", "many")),
        ROLLOUT,
        Option("follow", 0.8, "share of rollout plays that follow it", least=0, most=1),
        BELIEF,
        NOISE,
        Option("bias", 0.0, "weight of the first impression of a play", least=0, most=100),
        Option("c", 0.7, "how much it explores", least=0, most=100),
    )

    def check_game(self, game: Game[Any, Any]) -> None:
        check_models(self.settings, need_cards(self, game, hidden=True, instead="mcts"))

    def search_options(self) -> IsmctsOptions:
        from kibitz.search.fast.ismcts import IsmctsOptions

        s = self.settings
        return IsmctsOptions(
            iterations=float(s["simulations"]),
            explore=s["c"],
            many_observers=float(s["observers"] == "many"),
            follow=0.0 if s["rollout"] == "uniform" else s["follow"],
            bias=s["bias"],
        )

    def further_numbers(self, game: CompiledGame) -> tuple[float, ...]:
        return (0.0, *belief_numbers(self.settings, game))


@strategy
class Mcts(TreeStrategy):
    """Monte Carlo tree search, for open cards."""

    name: ClassVar[str] = "mcts"
    title: ClassVar[str] = "tree search by random games, for open cards"
    options: ClassVar[tuple[Option, ...]] = (
        *BUDGET,
        Option("c", 1.4, "how much it explores", least=0, most=100),
    )

    def check_game(self, game: Game[Any, Any]) -> None:
        need_cards(self, game, hidden=False, instead="ismcts")

    def slots(self, game: CompiledGame) -> dict[str, Any]:
        return {
            "game": game.kernels,
            "worlds": world_sampler(game, "none"),
            "rollout": rollout_policy(game, "uniform"),
        }

    def search_options(self) -> IsmctsOptions:
        from kibitz.search.fast.ismcts import IsmctsOptions

        simulations, c = float(self.settings["simulations"]), self.settings["c"]
        return IsmctsOptions(simulations, c, many_observers=0.0, follow=0.0, bias=0.0)
