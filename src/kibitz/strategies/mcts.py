"""MCTS: tree search by simulated games, for open cards. See `search/fast/ismcts.py`; games in plain
Python are searched by the textbook's, `search/textbook/mcts.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from kibitz.core.game import Game, View
from kibitz.core.options import Option
from kibitz.core.registry import strategy
from kibitz.strategies.common.base import need_cards
from kibitz.strategies.common.sampling_player import check_plain, is_plain
from kibitz.strategies.common.tree_strategy import BUDGET, PLAIN, TreeStrategy

if TYPE_CHECKING:
    from kibitz.search.fast.ismcts import IsmctsOptions
    from kibitz.search.textbook.result import Result


@strategy
class Mcts(TreeStrategy):
    """Monte Carlo tree search, for open cards."""

    name: ClassVar[str] = "mcts"
    trusted: ClassVar[bool] = True
    title: ClassVar[str] = "tree search by random games, for open cards"
    options: ClassVar[tuple[Option, ...]] = (
        *BUDGET,
        Option("c", 1.4, "how much it explores", least=0, most=100, train=(0, 4)),
    )

    def check_game(self, game: Game[Any, Any]) -> None:
        need_cards(self, game, hidden=False, instead="ismcts")
        if is_plain(game):
            check_plain(self, game, PLAIN)

    def search_plainly(self, view: View[Any], seed: int) -> Result[Any]:
        from kibitz.search.textbook.mcts import mcts

        simulations, c = self.settings["simulations"], self.settings["c"]
        return mcts(view.game, view.state, iterations=simulations, c=c, seed=seed)

    def search_options(self) -> IsmctsOptions:
        from kibitz.search.fast.ismcts import IsmctsOptions

        simulations, c = float(self.settings["simulations"]), self.settings["c"]
        return IsmctsOptions(simulations, c, many_observers=0.0, follow=0.0, bias=0.0)
