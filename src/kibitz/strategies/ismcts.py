"""ISMCTS: tree search by simulated games, for hidden cards. See `search/fast/ismcts.py`; games in
plain Python are searched by the textbook's, `search/textbook/ismcts.py`, which has one observer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from kibitz.core.game import Game, View
from kibitz.core.options import Option
from kibitz.core.registry import strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.strategies.common.base import need_cards
from kibitz.strategies.common.opponent_models import (
    BELIEF,
    NOISE,
    ROLLOUT,
    UNGUIDED,
    belief_numbers,
    check_models,
)
from kibitz.strategies.common.sampling_player import check_plain, is_plain
from kibitz.strategies.common.tree_strategy import BUDGET, PLAIN, TreeStrategy

if TYPE_CHECKING:
    from kibitz.search.fast.ismcts import IsmctsOptions
    from kibitz.search.textbook.result import Result


@strategy
class Ismcts(TreeStrategy):
    """Information-set Monte Carlo tree search, for hidden cards."""

    name: ClassVar[str] = "ismcts"
    trusted: ClassVar[bool] = True
    title: ClassVar[str] = "tree search over worlds drawn by what is known and how others play"
    options: ClassVar[tuple[Option, ...]] = (
        *BUDGET,
        Option("observers", "many", "whose eyes the tree is seen through", choices=("one", "many")),
        ROLLOUT,
        Option("follow", 0.8, "share of rollout plays that follow it", least=0, most=1),
        BELIEF,
        NOISE,
        Option("bias", 0.0, "weight of the first impression of a play", least=0, most=100),
        Option("c", 0.7, "how much it explores", least=0, most=100, train=(0, 2)),
    )

    def check_game(self, game: Game[Any, Any]) -> None:
        need_cards(self, game, hidden=True, instead="mcts")
        if is_plain(game):
            check_plain(self, game, {**PLAIN, **UNGUIDED, "observers": ("one",)})
        else:
            check_models(self.settings, game)

    def search_plainly(self, view: View[Any], seed: int) -> Result[Any]:
        from kibitz.search.textbook.ismcts import ismcts

        simulations, c = self.settings["simulations"], self.settings["c"]
        return ismcts(view, iterations=simulations, c=c, seed=seed)

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
