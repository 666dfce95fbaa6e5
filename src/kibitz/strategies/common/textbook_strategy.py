"""What minimax, expectiminimax and alpha-beta have in common: the textbook searches at the table,
for any game with open cards, one of your own too."""

from __future__ import annotations

from typing import Any, ClassVar

from kibitz.core.errors import UnsuitableGame
from kibitz.core.explanation import Explanation, Reason
from kibitz.core.game import Chance, Game, View
from kibitz.core.options import Option
from kibitz.core.strategy import Player, Strategy
from kibitz.strategies.common.base import said
from kibitz.strategies.common.measures import end_of, of_best_play, others_as_good
from kibitz.strategies.common.sampling_player import is_plain

DEPTH = Option(
    "depth", 0, "plies to look ahead, then an evaluation; 0: as far as is quick", least=0, most=1000
)


class TextbookStrategy(Strategy):
    """A search from `search/textbook` by its name, which is the strategy's."""

    options: ClassVar[tuple[Option, ...]] = (DEPTH,)
    plays_chance: ClassVar[bool] = False

    def check_game(self, game: Game[Any, Any]) -> None:
        """As the searches themselves check, but without loading them."""
        if game.traits.hidden:
            instead = "pimc" if game.players == 2 or not is_plain(game) else "ismcts"
            raise UnsuitableGame(f"{self.name} needs open cards; try {instead}")
        if game.players != 2:
            raise UnsuitableGame(f"{self.name} is for two players; try mcts")
        if game.traits.chance is Chance.PLAY and not self.plays_chance:
            raise UnsuitableGame(f"{self.name} knows no chance; try expectiminimax")

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        self.check_game(game)
        return TextbookPlayer(self.name, self.depth(game))

    def depth(self, game: Game[Any, Any]) -> int | None:
        """Plies to look ahead; None: to the end of the game."""
        return self.settings["depth"] or game.search_depth(self.name)


class TextbookPlayer(Player):
    """A textbook search at the table."""

    def __init__(self, algorithm: str, depth: int | None) -> None:
        self.algorithm = algorithm
        self.depth = depth

    def choose(self, view: View[Any]) -> Any:
        return self._result(view).best

    def _result(self, view: View[Any]) -> Any:
        from kibitz.search.textbook.algorithms import Settings, run

        return run(self.algorithm, view.game, view.state, Settings(depth=self.depth))

    def _values(self, view: View[Any], result: Any) -> dict[Any, float]:
        """The exact value of every play. A search may know of a play only that it is no better
        than the best: then the position after it is searched for itself."""
        from kibitz.search.textbook.algorithms import Settings, run

        if self.depth == 1 and any(known.relation != "=" for known in result.values.values()):
            result = run("minimax", view.game, view.state, Settings(depth=1))
        less = None if self.depth is None else self.depth - 1
        return {
            play: known.value
            if known.relation == "="
            else run(
                self.algorithm, view.game, view.game.after(view.state, play), Settings(depth=less)
            ).value
            for play, known in result.values.items()
        }

    def explain(self, view: View[Any]) -> Explanation:
        result = self._result(view)
        sign = 1 if view.seat == 0 else -1
        reasons = [
            Reason(play, value, {"value": value})
            for play, exact in self._values(view, result).items()
            for value in [sign * exact + 0.0]  # no minus nothing
        ]
        reasons.sort(key=lambda reason: (reason.play != result.best, -reason.score))
        equal = tuple(r.play for r in reasons[1:] if r.score == reasons[0].score)
        line = " ".join(str(play) for play in result.line)
        end = end_of(view.game, reasons[0].score, view.seat)
        sentence = (
            f"{said(view, result.best)}: value {end} against best play"
            f" ({line}){others_as_good(len(equal))}."
        )
        score_is = of_best_play(view.game, self.depth)
        return Explanation(result.best, score_is, tuple(reasons), (), sentence, equal)
