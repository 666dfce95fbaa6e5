"""Full backtrack: the whole game looked through, the deck known, against an opponent whose
strategy is known too: the most that any play can make of the cards."""

from __future__ import annotations

from typing import Any, ClassVar

from kibitz.core.errors import UnsuitableGame
from kibitz.core.explanation import Explanation, Reason
from kibitz.core.game import Game, Play, View
from kibitz.core.interrupts import Interrupted
from kibitz.core.options import Option
from kibitz.core.registry import files_named_by, make_strategy, strategy
from kibitz.core.strategy import Knows, Player, Strategy
from kibitz.games.tablic.game import Tablic
from kibitz.strategies.common.base import need_game, said

GLANCE = 100
"""Positions of each ply that are searched on to value the plays that were not chosen."""
SCORE = "points in the end, less the other's; of the plays not chosen: at least"


@strategy
class FullBacktrack(Strategy):
    """The most that can be made of a game of Tablić against a known opponent."""

    name: ClassVar[str] = "full-backtrack"
    trusted: ClassVar[bool] = True
    title: ClassVar[str] = "every play to the end of the game, the deck and the opponent known"
    knows: ClassVar[Knows] = Knows.OPEN_DECK
    options: ClassVar[tuple[Option, ...]] = (
        Option("against", "greedy", "how the opponent plays; its own options are parted by ;"),
        Option("width", 0, "positions expanded of each ply; 0: all, which is exact", least=0),
    )

    @property
    def _against(self) -> str:
        text: str = self.settings["against"]
        return text.replace(";", ",")

    @property
    def opponent(self) -> Strategy:
        """The strategy that it takes its opponent for."""
        return make_strategy(self._against)

    def files(self) -> list[str]:
        return files_named_by(self._against)

    def check_game(self, game: Game[Any, Any]) -> None:
        tablic = need_game(self, game, Tablic)
        if game.players != 2:
            raise UnsuitableGame(f"{self.name} knows one opponent: 2 players only")
        self.opponent.check_game(game)
        if not self.opponent.suit_blind:
            self._try(tablic)

    def _try(self, game: Tablic) -> None:
        """Raise UnsuitableGame if there is no best play against such an opponent."""
        FullBacktrackPlayer(game, 0, self.opponent, 1).solve(game.deal(0), 1)

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        self.check_game(game)
        return FullBacktrackPlayer(game, seat, self.opponent, self.settings["width"])


class FullBacktrackPlayer(Player):
    """Follows its line, and looks again wherever the opponent does something else."""

    def __init__(self, game: Any, seat: int, opponent: Strategy, width: int) -> None:
        self.game, self.seat = game, seat
        self.opponent, self.width = opponent, width
        self.plan: dict[bytes, tuple[Play, float]] = {}

    def solve(self, state: Any, width: int) -> Any:
        """The best line from a state on, against the opponent."""
        from kibitz.solvers.tablic.best_response import best_against
        from kibitz.solvers.tablic.open_deck import Stopped

        try:
            return best_against(self.game, state, self.seat, self.opponent, width=width)
        except Stopped:
            raise Interrupted from None

    def planned(self, state: Any) -> tuple[Play, float]:
        """What to play, and what it comes to."""
        if state.tobytes() not in self.plan:
            best_line = self.solve(state, self.width)
            ahead = state.copy()
            for play in best_line.line:
                self.plan[ahead.tobytes()] = play, in_points(best_line.value)
                self.game.kernels.apply(ahead, play.code)
        return self.plan[state.tobytes()]

    def choose(self, view: View[Any]) -> Play:
        return self.planned(view.state)[0]

    def explain(self, view: View[Any]) -> Explanation:
        best, value = self.planned(view.state)
        reasons = [Reason(best, value)]
        others = [play for play in view.plays() if play != best]
        reasons += sorted((self._glance(view, p) for p in others), key=lambda r: -r.score)
        return Explanation(best, SCORE, tuple(reasons), (), self._sentence(view, best, value))

    def _glance(self, view: View[Any], play: Play) -> Reason:
        after = view.state.copy()
        self.game.kernels.apply(after, play.code)
        return Reason(play, in_points(self.solve(after, min(self.width or GLANCE, GLANCE)).value))

    def _sentence(self, view: View[Any], best: Play, value: float) -> str:
        points = round(value)
        ahead = (
            f"{abs(points)} point{'s' * (abs(points) != 1)} {'ahead' if points > 0 else 'behind'}"
        )
        end = ahead if points else "with equal points"
        return (
            f"{said(view, best)}: against {self.opponent} the game ends {end}"
            f"{'' if self.width else ', and nothing ends better'}."
        )


def in_points(value: tuple[int, int]) -> float:
    """Points, and a thousandth for each card where cards count."""
    return value[0] + value[1] / 1000
