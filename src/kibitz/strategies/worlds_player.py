"""The player around a compiled search that values every play in many worlds."""

from __future__ import annotations

import math
from typing import Any

from kibitz.explanation import Explanation, Reason
from kibitz.games.face import CompiledGame
from kibitz.model import View
from kibitz.strategies.base import PolicyPlayer, said, turns_before, without_thinking
from kibitz.strategies.imagined import beliefs_from, result_in_words
from kibitz.strategy import Policy


class WorldsPlayer(PolicyPlayer):
    """Explains itself by the mean over the worlds it looked into."""

    def __init__(
        self, game: CompiledGame, policy: Policy, rng: Any, search: Any, sampler: Any, unit: float
    ) -> None:
        super().__init__(game, policy, rng)
        self.search = search.look_into_worlds
        self.candidates = search.candidates
        self.sampler = sampler
        self.unit = unit
        """What a point of the game is in the search's values."""

    def explain(self, view: View[Any]) -> Explanation:
        import numpy as np

        found = self.candidates(view.state, view.seat, self.numbers)
        plays = [self.game.name_play(view.state, code) for code in found]
        if len(plays) == 1:
            return without_thinking(view, plays[0], "mean")
        past, codes = turns_before(self.game, view)
        before = self.rng.copy()
        values = np.full((int(self.numbers[0]), len(plays)), np.nan)
        state, seat = view.state, view.seat
        self.search(state, seat, past, codes, self.numbers, self.rng, found, values)
        from kibitz.search.fast.pimc import best_on_average

        best = plays[int(best_on_average(found, values))]
        reasons = [self._reason(play, values[:, i]) for i, play in enumerate(plays)]
        reasons.sort(key=lambda reason: (reason.play != best, -reason.score))
        beliefs = beliefs_from(self.game, self.sampler, view, past, codes, self.numbers, before)
        top = reasons[0]
        words = result_in_words(self.game, top.score)
        looked_at = f"{top.parts['worlds']:.0f} worlds"
        sentence = f"{said(view, best)}: best on average over {looked_at}; {words}."
        return Explanation(best, "mean", tuple(reasons), beliefs, sentence)

    def _reason(self, play: Any, values: Any) -> Reason:
        import numpy as np

        seen = values[~np.isnan(values)] / self.unit
        n = len(seen)
        mean = float(seen.mean())
        half = 1.96 * float(seen.std(ddof=1)) / math.sqrt(n) if n > 1 else 0.0
        return Reason(play, mean, {"worlds": float(n), "low": mean - half, "high": mean + half})
