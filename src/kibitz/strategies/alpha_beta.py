"""Alpha-beta at the table: compiled for the games of Kibitz, the textbook's for any other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from kibitz.explanation import Explanation, Reason
from kibitz.games.face import CompiledGame
from kibitz.model import Game, Player, View
from kibitz.registry import strategy
from kibitz.strategies.base import PolicyPlayer, said, turns_before, without_thinking
from kibitz.strategies.textbook import TextbookStrategy
from kibitz.strategy import Policy


@strategy
class AlphaBeta(TextbookStrategy):
    name: ClassVar[str] = "alpha-beta"
    title: ClassVar[str] = "minimax without what can't matter"
    depths: ClassVar[Mapping[str, int]] = {"connect-four": 9}

    def policy(self, game: Game[Any, Any]) -> Policy | None:
        self.check_game(game)
        if not isinstance(game, CompiledGame):
            return None
        from kibitz.compiled import bind
        from kibitz.search.fast import pimc

        # The one world there is, searched: no cards are dealt.
        depth = float(self.depth(game) or 60)
        return Policy(bind(pimc.choose, **self._slots(game)), (1.0, 0.0, depth, 0.0))

    def _slots(self, game: CompiledGame) -> dict[str, Any]:
        from kibitz.search.fast.open_cards import open_cards
        from kibitz.strategies.models import sampler_for

        worlds = sampler_for(game, "none")
        return {"full": game.kernels, "game": open_cards(game), "worlds": worlds}

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        policy = self.policy(game)
        if policy is None or not isinstance(game, CompiledGame):
            return super().sit(game, seat, rng)
        from kibitz.compiled import bind
        from kibitz.search.fast import pimc

        search = bind(pimc.look_into_worlds, **self._slots(game))
        return AlphaBetaPlayer(game, policy, rng, search)


class AlphaBetaPlayer(PolicyPlayer):
    def __init__(self, game: CompiledGame, policy: Policy, rng: Any, search: Any) -> None:
        super().__init__(game, policy, rng)
        self.search = search

    def explain(self, view: View[Any]) -> Explanation:
        import numpy as np

        plays = list(view.plays())
        if len(plays) == 1:
            return without_thinking(view, plays[0], "value")
        past, codes = turns_before(self.game, view, wanted=False)
        values = np.full((1, len(plays)), np.nan)
        found = np.array([play.code for play in plays])
        self.search(view.state, view.seat, past, codes, self.numbers, self.rng, found, values)
        # As `choose` does it: of equal ones the first.
        best = plays[int(values[0].argmax())]
        reasons = [
            Reason(play, value, {"value": value})
            for play, value in zip(plays, values[0].tolist(), strict=True)
        ]
        reasons.sort(key=lambda reason: (reason.play != best, -reason.score))
        worth = f"{reasons[0].score:.3g}"
        sentence = f"{said(view, best)}: worth {worth} to you if the other plays his best."
        return Explanation(best, "value", tuple(reasons), (), sentence)
