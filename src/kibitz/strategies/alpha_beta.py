"""Alpha-beta at the table: compiled for the games of Kibitz, the textbook's for any other."""

from __future__ import annotations

from typing import Any, ClassVar

from kibitz.core.explanation import Explanation, Reason
from kibitz.core.game import Game, View
from kibitz.core.registry import strategy
from kibitz.core.strategy import Player, Policy
from kibitz.games.compiled_game import CompiledGame
from kibitz.strategies.common.base import PolicyPlayer, said, turns_before, without_thinking
from kibitz.strategies.common.measures import end_of, of_best_play, others_as_good
from kibitz.strategies.common.textbook_strategy import TextbookStrategy

TO_THE_END = 60
"""Plies: more than any game has that is searched to its end."""


@strategy
class AlphaBetaStrategy(TextbookStrategy):
    """Alpha-beta, for games without chance and with open cards."""

    name: ClassVar[str] = "alpha-beta"
    trusted: ClassVar[bool] = True
    title: ClassVar[str] = "minimax without what can't matter"
    quick: ClassVar[str] = "depth=4"
    advises: ClassVar[bool] = True

    def policy(self, game: Game[Any, Any]) -> Policy | None:
        self.check_game(game)
        if not isinstance(game, CompiledGame):
            return None
        from kibitz.search.fast import pimc
        from kibitz.search.fast.slots import bind_search

        # The one world there is, searched: no cards are dealt.
        depth = float(self.depth(game) or TO_THE_END)
        options = pimc.PimcOptions(worlds=1.0, early=0.0, max_depth=depth, fixed_replies=0.0)
        return Policy(bind_search(pimc.choose, game, self._slots(game)), tuple(options))

    def _slots(self, game: CompiledGame) -> dict[str, Any]:
        from kibitz.search.fast.open_cards import open_cards
        from kibitz.strategies.common.opponent_models import world_sampler

        worlds = world_sampler(game, "none")
        return {"game": game.kernels, "twin": open_cards(game), "worlds": worlds}

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        policy = self.policy(game)
        if policy is None or not isinstance(game, CompiledGame):
            return super().sit(game, seat, rng)
        from kibitz.search.fast import pimc
        from kibitz.search.fast.slots import bind_search

        search = bind_search(pimc.value_in_worlds, game, self._slots(game))
        return AlphaBetaPlayer(game, policy, rng, search, self.depth(game))


class AlphaBetaPlayer(PolicyPlayer):
    """Compiled alpha-beta; an explanation has the value of every play."""

    def __init__(
        self, game: CompiledGame, policy: Policy, rng: Any, search: Any, depth: int | None
    ) -> None:
        super().__init__(game, policy, rng)
        self.search = search
        self.depth = depth

    def choose(self, view: View[Any]) -> Any:
        """As the policy does, but by the machine code that explanations need too."""
        plays = list(view.plays())
        if len(plays) == 1:
            return plays[0]
        return plays[int(self._values(view, plays).argmax())]

    def _values(self, view: View[Any], plays: list[Any]) -> Any:
        """The exact value of every play: each is searched with all limits open."""
        import numpy as np

        past, codes = turns_before(self.game, view, wanted=False)
        values = np.full((1, len(plays)), np.nan)
        legal = np.array([play.code for play in plays])
        nothing = np.zeros(1)
        self.search(
            view.state, view.seat, past, codes, self.numbers, self.rng, legal, values, nothing
        )
        return values[0]

    def explain(self, view: View[Any]) -> Explanation:
        plays = list(view.plays())
        score_is = of_best_play(self.game, self.depth)
        if len(plays) == 1:
            return without_thinking(view, plays[0], score_is)
        values = self._values(view, plays)
        best = plays[int(values.argmax())]  # of equal ones the first
        reasons = [
            Reason(play, value, {"value": value})
            for play, value in zip(plays, values.tolist(), strict=True)
        ]
        reasons.sort(key=lambda reason: (reason.play != best, -reason.score))
        top = reasons[0].score
        equal = tuple(reason.play for reason in reasons[1:] if reason.score == top)
        end = end_of(self.game, top, 0)
        sentence = (
            f"{said(view, best)}: value {end} to you if the other plays his"
            f" best{others_as_good(len(equal))}."
        )
        return Explanation(best, score_is, tuple(reasons), (), sentence, equal)
