"""The player around the expert at Tablić: it explains the last deal by what it counted there."""

from __future__ import annotations

from typing import Any

from kibitz.core.explanation import Explanation, Reason
from kibitz.core.figures import percent
from kibitz.core.game import View
from kibitz.strategies.common.base import said, turns_before, without_thinking
from kibitz.strategies.common.beliefs import by_counting
from kibitz.strategies.common.reasons import why
from kibitz.strategies.common.worlds_player import WorldsPlayer
from kibitz.strategies.tablic import expert
from kibitz.strategies.tablic.opponents import BEST, SIZE, TYPES, posterior, prepare

SCORE = "chance to win the game, by who the other may be; a tie counts half"
PART = "points ahead against {}"


class ExpertPlayer(WorldsPlayer):
    """As PIMC before the last deal; in it every play has an exact result against each type."""

    def explain(self, view: View[Any]) -> Explanation:
        if not expert.is_counted(view.state):
            return super().explain(view)
        plays = list(view.plays())
        if len(plays) == 1:
            return without_thinking(view, plays[0], SCORE)
        chances, by_type = self._results(view, plays)
        values = expert.mixed(by_type, chances)
        best = int(values.argmax())
        wins = (by_type > 0) + 0.5 * (by_type == 0)
        counted = [kind for kind in range(SIZE) if chances[kind] >= expert.UNLIKELY]
        reasons = []
        for i in sorted(range(len(plays)), key=lambda i: (i != best, -values[i])):
            parts = {PART.format(TYPES[kind]): by_type[kind, i] for kind in counted}
            reasons.append(Reason(plays[i], float(chances @ wins[:, i]), parts))
        equal = tuple(p for i, p in enumerate(plays) if i != best and values[i] == values[best])
        beliefs = by_counting(view)
        kind = BEST if BEST in counted else int(chances.argmax())
        ahead = float(by_type[kind, best])
        sentence = self._sentence(view, plays[best], kind, ahead, reasons[0].score)
        seems = sorted(zip(chances.tolist(), TYPES, strict=True), reverse=True)
        who = ", ".join(f"{name} {percent(chance)}" for chance, name in seems if chance >= 0.005)
        return Explanation(
            plays[best], SCORE, tuple(reasons), beliefs, f"{sentence} Who the other may be: {who}.",
            equal, 0.0, why(view, plays[best], beliefs), True,
        )  # fmt: skip

    def _results(self, view: View[Any], plays: list[Any]) -> tuple[Any, Any]:
        """The probability of each type, and the result of each play against each."""
        import numpy as np

        past, codes = turns_before(self.game, view)
        belief = np.ones(SIZE)
        prepare(view.state, view.seat, past, codes, self.numbers, belief)
        by_type = np.zeros((SIZE, len(plays)))
        choices = np.array([play.code for play in plays])
        chances = posterior(belief)
        expert.value_last_deal(view.state, view.seat, self.numbers, choices, chances, by_type)
        return chances, by_type

    def _sentence(self, view: View[Any], play: Any, kind: int, ahead: float, chance: float) -> str:
        """The other's hand is known by counting."""
        first = f"{said(view, play)}: all cards are counted; against {TYPES[kind]} it"
        figure = f"{abs(ahead):g} point{'s' * (abs(ahead) != 1)}"
        if ahead > 0:
            return f"{first} wins by {figure}."
        result = f"loses by {figure}" if ahead < 0 else "draws"
        return f"{first} {result}, in all it wins with {percent(chance)}."
