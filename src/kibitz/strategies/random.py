"""The random strategy: the yardstick for all the others.

Uniform over the legal plays, except that it never plays the Princess in Love Letter.
"""

from __future__ import annotations

from typing import Any, ClassVar

from kibitz.games.face import CompiledGame
from kibitz.model import Game, Player, Strategy, View
from kibitz.registry import strategy


@strategy
class Random(Strategy):
    name: ClassVar[str] = "random"
    title: ClassVar[str] = "any legal play, each as likely; never the Princess"

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        return RandomPlayer(self, game, rng)

    def policy(self, game: Game[Any, Any]) -> Any:
        if not isinstance(game, CompiledGame):
            return None
        from kibitz.compiled import bind
        from kibitz.search.fast.rollouts import wandering

        return bind(wandering, game=game.kernels)


class RandomPlayer(Player):
    def __init__(self, strategy: Random, game: Game[Any, Any], rng: Any) -> None:
        self._policy = strategy.policy(game)
        self._rng = rng

    def choose(self, view: View[Any]) -> Any:
        if self._policy is None:
            from kibitz.rng import below

            plays = view.plays()
            return plays[below(self._rng, len(plays))]
        code = self._policy(view.state, view.seat, self._rng)
        return view.game.name_play(view.state, code)  # type: ignore[attr-defined]
