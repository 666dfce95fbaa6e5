"""What ISMCTS and MCTS have in common: see `search/fast/ismcts.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from kibitz.core.game import Game, View
from kibitz.core.options import Option
from kibitz.core.strategy import Player, Policy, Strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.strategies.common.opponent_models import follows_policy, rollout_policy, world_sampler
from kibitz.strategies.common.sampling_player import SamplingPlayer

if TYPE_CHECKING:
    from kibitz.search.fast.ismcts import IsmctsOptions
    from kibitz.search.textbook.result import Result

BUDGET = (
    Option("simulations", 1000, "simulated games for a decision", least=1, most=10_000_000),
    Option("seconds", 0.0, "time for a decision, instead of simulations", least=0, most=3600),
    Option("reuse", False, "grow the tree of the last decision on"),
)
PLAIN: Mapping[str, tuple[Any, ...]] = {"simulations": (), "c": ()}
"""Options that the textbook's search has as well."""


class TreeStrategy(Strategy):
    """ISMCTS or MCTS: the compiled search, its slots, and its options."""

    determinizes: ClassVar[bool] = True
    quick: ClassVar[str] = "simulations=200"
    effort: ClassVar[str] = "simulations"
    advises: ClassVar[bool] = True

    @property
    def reproducible(self) -> bool:  # type: ignore[override]
        return not self.settings["seconds"]

    def search_plainly(self, view: View[Any], seed: int) -> Result[Any]:
        """The textbook's search of a view, for games in plain Python."""
        raise NotImplementedError

    def search_options(self) -> IsmctsOptions:
        """The options as the search takes them."""
        raise NotImplementedError

    def further_numbers(self, game: CompiledGame) -> tuple[float, ...]:
        """The rollout policy's, which has its defaults, and those of the beliefs."""
        return (0.0, 0.0, 0.0)

    def slots(self, game: CompiledGame) -> dict[str, Any]:
        """What fills the slots of the compiled search."""
        from kibitz.search.fast.ismcts import walk_of

        options, rollout = self.search_options(), self.settings.get("rollout", "uniform")
        looked_at = options.many_observers or options.bias or follows_policy(game, rollout)
        unseen = bool(game.lean) and not looked_at
        return {
            "game": game.kernels,
            "walk": walk_of(game, unseen),
            "worlds": world_sampler(game, self.settings.get("belief", "none")),
            "rollout": rollout_policy(game, rollout, played_lean=unseen),
        }

    def policy(self, game: Game[Any, Any]) -> Policy | None:
        """None if it keeps its tree or looks at the clock, which compiled code can't; and in plain
        Python."""
        self.check_game(game)
        if self.settings["seconds"] or self.settings["reuse"]:
            return None
        if not isinstance(game, CompiledGame):
            return None
        from kibitz.search.fast import ismcts
        from kibitz.search.fast.slots import bind_search

        choose = bind_search(ismcts.choose, game, self.slots(game))
        numbers = (*self.search_options(), *self.further_numbers(game))
        return Policy(choose, numbers, remembers=True)

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        self.check_game(game)
        if not isinstance(game, CompiledGame):
            return SamplingPlayer(self.search_plainly, rng, worlds=False)
        from kibitz.strategies.common.tree_player import TreePlayer

        return TreePlayer(
            game, self.slots(game), self.search_options(), self.further_numbers(game), rng,
            seconds=self.settings["seconds"], reuse=self.settings["reuse"],
        )  # fmt: skip
