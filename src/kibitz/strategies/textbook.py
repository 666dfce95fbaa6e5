"""Minimax and expectiminimax at the table: the textbook searches, for any game with open
cards, one of your own too. Alpha-beta is in `alpha_beta.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from kibitz.explanation import Explanation, Reason
from kibitz.games.face import CompiledGame
from kibitz.model import Chance, Game, Option, Player, Strategy, UnsuitableGame, View
from kibitz.registry import strategy
from kibitz.strategies.base import said

DEPTH = Option(
    "depth", 0, "plies to look ahead, then an evaluation; 0: as far as is quick", least=0, most=1000
)


class TextbookStrategy(Strategy):
    """A search from `search/textbook` by its name, which is the strategy's."""

    options: ClassVar[tuple[Option, ...]] = (DEPTH,)
    depths: ClassVar[Mapping[str, int]] = {"connect-four": 4}
    """Where the whole tree is too large."""
    plays_chance: ClassVar[bool] = False

    def check_game(self, game: Game[Any, Any]) -> None:
        """As the searches themselves check, but without loading them."""
        if game.traits.hidden:
            raise UnsuitableGame(f"{self.name} needs open cards{_hint(game, 'pimc')}")
        if game.players != 2:
            raise UnsuitableGame(f"{self.name} is for two players{_hint(game, 'mcts')}")
        if game.traits.chance is Chance.PLAY and not self.plays_chance:
            raise UnsuitableGame(f"{self.name} knows no chance; try expectiminimax")

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        self.check_game(game)
        return TextbookPlayer(self.name, self.depth(game))

    def depth(self, game: Game[Any, Any]) -> int | None:
        return self.settings["depth"] or self.depths.get(game.name)


def _hint(game: Game[Any, Any], instead: str) -> str:
    """Those play compiled games only."""
    return f"; try {instead}" if isinstance(game, CompiledGame) else ""


@strategy
class Minimax(TextbookStrategy):
    name: ClassVar[str] = "minimax"
    title: ClassVar[str] = "the best play if the other plays his best, all of the tree"


@strategy
class Expectiminimax(TextbookStrategy):
    name: ClassVar[str] = "expectiminimax"
    plays_chance: ClassVar[bool] = True
    title: ClassVar[str] = "minimax with the mean where chance moves"
    options: ClassVar[tuple[Option, ...]] = (
        Option("depth", 5, "plies to look ahead, chance's too; then an evaluation", least=1,
               most=1000),
    )  # fmt: skip


class TextbookPlayer(Player):
    def __init__(self, algorithm: str, depth: int | None) -> None:
        self.algorithm = algorithm
        self.depth = depth

    def choose(self, view: View[Any]) -> Any:
        return self._result(view).best

    def _result(self, view: View[Any]) -> Any:
        from kibitz.search.textbook.algorithms import Settings, run

        return run(self.algorithm, view.game, view.state, Settings(depth=self.depth))

    def explain(self, view: View[Any]) -> Explanation:
        result = self._result(view)
        sign = 1 if view.seat == 0 else -1
        reasons = [
            Reason(play, value, {"value": value})
            for play, known in result.values.items()
            for value in [sign * known.value + 0.0]  # no minus nothing
        ]
        # A search may know of a play only that it is no better: the best one stands first.
        reasons.sort(key=lambda reason: (reason.play != result.best, -reason.score))
        line = " ".join(str(play) for play in result.line)
        worth = f"{sign * result.value + 0.0:g}"
        sentence = f"{said(view, result.best)}: worth {worth} against best play ({line})."
        return Explanation(result.best, "value", tuple(reasons), (), sentence)
