"""MCTS, ISMCTS and PIMC of the textbook at the table, for games in plain Python.

Of the options of the compiled ones they have the number of samples, and how much the trees explore
or how deep worlds are searched. They take as long as Python does: some hundred samples a second.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from kibitz.core.errors import UnsuitableGame
from kibitz.core.explanation import Explanation, Reason
from kibitz.core.game import Game, View
from kibitz.core.strategy import Player, Strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.strategies.common.base import said, without_thinking
from kibitz.strategies.common.measures import ends_of

if TYPE_CHECKING:
    from kibitz.search.textbook.result import Result

SEEDS = 1 << 31
Search = Callable[[View[Any], int], "Result[Any]"]


def check_plain(
    strategy: Strategy, game: Game[Any, Any], plain: Mapping[str, tuple[Any, ...]]
) -> None:
    """Refuse options that only the compiled search has, and a game that deals no worlds. `plain`
    are those that the textbook's has too: any value, or these."""
    for option in strategy.options:
        value = strategy.settings[option.name]
        allowed = plain.get(option.name, (option.default,))
        if allowed and value != option.default and value not in allowed:
            raise UnsuitableGame(
                f"{strategy.name}: {option.name}={value} is for compiled games, and {game.name} is"
                " plain Python"
            )
    if game.traits.hidden:
        game.check_redeal()


def is_plain(game: Game[Any, Any]) -> bool:
    """Whether a game is in plain Python: then the textbook's search plays it."""
    return not isinstance(game, CompiledGame)


class SamplingPlayer(Player):
    """A search that is made anew for each decision."""

    def __init__(self, search: Search, rng: Any, *, worlds: bool) -> None:
        """`search` gets a view and a seed. Its samples are `worlds` or simulated games."""
        self.search = search
        self.rng = rng
        self.worlds = worlds

    def choose(self, view: View[Any]) -> Any:
        plays = view.plays()
        return plays[0] if len(plays) == 1 else self.search(view, self._seed(self.rng)).best

    @staticmethod
    def _seed(rng: Any) -> int:
        from kibitz.jit.rng import below  # it loads NumPy: not when strategies are only listed

        return int(below(rng, SEEDS))

    def explain(self, view: View[Any]) -> Explanation:
        """By the search that decides, and random numbers of its own."""
        what = "value in the worlds" if self.worlds else "result of the simulated games"
        score = f"mean {what}{ends_of(view.game)}"
        plays = list(view.plays())
        if len(plays) == 1:
            return without_thinking(view, plays[0], score)
        result = self.search(view, self._seed(self.rng.copy()))
        reasons = [self._reason(play, result) for play in plays]
        name = "worlds" if self.worlds else "visits"
        by_visits = {reason.play: -reason.parts[name] for reason in reasons}
        reasons.sort(key=lambda r: (r.play != result.best, by_visits[r.play], -r.score))
        return Explanation(
            result.best, score, tuple(reasons), (), self._sentence(view, reasons, result)
        )

    def _reason(self, play: Any, result: Result[Any]) -> Reason:
        known = result.values.get(play)
        name = "worlds" if self.worlds else "visits"
        if known is None:
            return Reason(play, math.nan, {name: 0.0})
        return Reason(play, known.value, {name: float(known.visits)})

    def _sentence(self, view: View[Any], reasons: list[Reason], result: Result[Any]) -> str:
        top = reasons[0]
        mean = f"{top.score:.3g}"
        if self.worlds:
            return (
                f"{said(view, top.play)}: best on average over {top.parts['worlds']:.0f} worlds,"
                f" each searched with open cards; mean value {mean}."
            )
        tried = round(sum(reason.parts["visits"] for reason in reasons))
        unit = view.game.traits.unit
        return (
            f"{said(view, top.play)}: tried in {top.parts['visits']:.0f} of {tried} simulated"
            f" {unit}s, more often than anything else; mean result {mean}."
        )
