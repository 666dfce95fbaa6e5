"""The random strategy: the yardstick for all the others.

Uniform over the legal plays, except that it never plays the Princess in Love Letter.
"""

from __future__ import annotations

from typing import Any, ClassVar

from kibitz.core.explanation import Explanation, Reason
from kibitz.core.game import Game, View
from kibitz.core.registry import strategy
from kibitz.core.strategy import Player, Policy, Strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.strategies.common.base import PROBABILITY, PolicyPlayer, said


@strategy
class Random(Strategy):
    """Any legal play, each as likely."""

    name: ClassVar[str] = "random"
    trusted: ClassVar[bool] = True
    title: ClassVar[str] = "any legal play, each as likely"

    @classmethod
    def title_in(cls, game: Game[Any, Any]) -> str:
        return f"{cls.title}; never {game.never}" if game.never else cls.title

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        policy = self.policy(game)
        if policy is None:
            return PlainRandomPlayer(rng)
        return RandomPlayer(game, policy, rng)

    def policy(self, game: Game[Any, Any]) -> Policy | None:
        if not isinstance(game, CompiledGame):
            return None
        from kibitz.jit.kernels import bind
        from kibitz.search.fast.rollouts import random_policy

        return Policy(bind(random_policy, game=game.kernels))


class PlainRandomPlayer(Player):
    """For games in plain Python."""

    def __init__(self, rng: Any) -> None:
        self._rng = rng

    def choose(self, view: View[Any]) -> Any:
        from kibitz.jit.rng import below

        plays = view.plays()
        return plays[below(self._rng, len(plays))]

    def explain(self, view: View[Any]) -> Explanation:
        return by_lot(view, view.plays(), self.choose(view))


class RandomPlayer(PolicyPlayer):
    """Compiled random play; an explanation says how likely each play was."""

    def explain(self, view: View[Any]) -> Explanation:
        never = self.game.kernels.NEVER_AT_RANDOM
        drawn = [play for play in view.plays() if play.code != never]
        return by_lot(view, drawn, self.choose(view))


def by_lot(view: View[Any], plays: Any, best: Any) -> Explanation:
    """The explanation of a play that was drawn from several."""
    reasons = [Reason(play, 1 / len(plays)) for play in plays]
    reasons.sort(key=lambda reason: reason.play != best)
    sentence = f"{said(view, best)}: by lot, each of the {len(plays)} plays was as likely."
    return Explanation(best, PROBABILITY, tuple(reasons), (), sentence, chance=True)
