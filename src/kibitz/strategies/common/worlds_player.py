"""The player around a compiled search that values every play in many worlds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol, Self

from kibitz.core.explanation import Explanation, Reason
from kibitz.core.game import View
from kibitz.core.strategy import Policy
from kibitz.games.compiled_game import CompiledGame
from kibitz.strategies.common.base import PolicyPlayer, said, turns_before, without_thinking
from kibitz.strategies.common.beliefs import beliefs_by
from kibitz.strategies.common.measures import Measure
from kibitz.strategies.common.reasons import why

TIMES = 1000
"""An explanation looks into at most so many times the worlds that a decision has."""


class SearchOptions(Protocol):
    """The options of a compiled search, as they stand first in its numbers: a named tuple."""

    @property
    def worlds(self) -> float:
        """How many are drawn for a decision."""

    def _replace(self, *, early: float) -> Self: ...

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[float]: ...


MeasureOf = Callable[[View[Any]], Measure]


class WorldsPlayer(PolicyPlayer):
    """Explains itself by the mean over as many worlds as make the decision stand."""

    def __init__(
        self, game: CompiledGame, policy: Policy, rng: Any, search: Any, sampler: Any,
        measure: MeasureOf, unit: float, options: SearchOptions, most: int,
    ) -> None:  # fmt: skip
        super().__init__(game, policy, rng)
        self.search = search
        self.sampler = sampler
        self.measure = measure
        self.unit = unit
        """What a point of the game is in the search's values."""
        self.options = options
        self.most = most
        """Worlds that an explanation looks into at most."""

    def choose(self, view: View[Any]) -> Any:
        """As the policy does, but by the machine code that explanations need too."""
        import numpy as np

        from kibitz.search.fast.pimc import best_by_mean

        candidates = self._candidates(view)
        if len(candidates) == 1:
            return self.game.name_play(view.state, candidates[0])
        past, codes = turns_before(self.game, view)
        values = np.full((int(self.options.worlds), len(candidates)), np.nan)
        belief = self._belief(view, past, codes)
        self._look(view, past, codes, self.numbers, self.rng, candidates, values, belief)
        return self.game.name_play(view.state, candidates[best_by_mean(values)])

    def explain(self, view: View[Any]) -> Explanation:
        from kibitz.search.fast.sample_size import compare_plays

        measure = self.measure(view)
        candidates = self._candidates(view)
        plays = [self.game.name_play(view.state, code) for code in candidates]
        if len(plays) == 1:
            return without_thinking(view, plays[0], measure.name)
        past, codes = turns_before(self.game, view)
        belief = self._belief(view, past, codes)
        rng = self.rng.copy()  # what a player says changes nothing in what it plays
        # Which plays are eliminated, and when, is decided here.
        numbers = self.numbers.copy()
        numbers[: len(self.options)] = self.options._replace(early=0.0)

        def values(alive: Any, worlds: int) -> Any:
            import numpy as np

            sampled = np.full((worlds, len(alive)), np.nan)
            self._look(view, past, codes, numbers, rng, candidates[alive], sampled, belief)
            return sampled

        first = int(self.options.worlds)
        most = max(first, min(self.most, TIMES * first))
        margin = measure.margin / measure.scale * self.unit
        compared = compare_plays(len(plays), most, margin, values)
        reasons = [self._reason(measure, play, compared, i) for i, play in enumerate(plays)]
        best = plays[compared.best]
        equal = tuple(plays[i] for i in (*compared.equal, *compared.open))
        order = {play: i for i, play in enumerate((best, *equal))}
        reasons.sort(key=lambda reason: (order.get(reason.play, len(order)), -reason.score))
        beliefs = beliefs_by(self.game, self.sampler, view, past, codes, self.numbers, belief, rng)
        worlds = f"{int(compared.worlds[compared.best]):,} worlds".replace(",", " ")
        sentence = f"{said(view, best)}: best over {worlds}; {measure.words(reasons[0].score)}."
        if equal:
            sentence = self._as_good(view, measure, reasons[0], equal, worlds, not compared.open)
        return Explanation(
            best, measure.name, tuple(reasons), beliefs, sentence, equal, measure.margin,
            why(view, best, beliefs), measure.chance,
        )  # fmt: skip

    def _as_good(
        self, view: View[Any], measure: Measure, top: Reason, equal: tuple[Any, ...], worlds: str,
        sure: bool,
    ) -> str:  # fmt: skip
        """The sentence where several plays are as good, or the sample does not separate them."""
        first = f"{said(view, top.play)}: over {worlds} {measure.words(top.score)}"
        others = " or ".join(said(view, play) for play in equal[:2])
        more = f" or {len(equal) - 2} more" if len(equal) > 2 else ""
        if sure:
            return f"{first}; {others}{more} would be equally good, within {measure.margin_text()}."
        return f"{first}; {others}{more} may be as good: so many worlds do not tell them apart."

    def _reason(self, measure: Measure, play: Any, compared: Any, i: int) -> Reason:
        mean, half = compared.means[i] / self.unit, compared.halves[i] / self.unit
        low, high = measure.of(float(mean - half)), measure.of(float(mean + half))
        if measure.chance:
            low, high = max(low, 0.0), min(high, 1.0)
        parts = {"worlds": float(compared.worlds[i]), "low": low, "high": high}
        return Reason(play, measure.of(float(mean)), parts, (low, high))

    # -- the compiled search ---------------------------------------------------------------

    def _candidates(self, view: View[Any]) -> Any:
        """The legal plays; of far too many those that a quick evaluation puts first, which takes
        code of its own."""
        from kibitz.search.fast.forward_pruning import MOST

        candidates = self.game.kernels.legal(view.state)
        if len(candidates) <= MOST:
            return candidates
        return self.search.candidates(view.state, view.seat, self.numbers)

    def _belief(self, view: View[Any], past: Any, codes: Any) -> Any:
        """What the sampler knows of the others' play. Before the first play it is nothing, and
        code that is not called is not compiled."""
        import numpy as np

        belief = np.ones(self.sampler.SIZE)
        if len(past):
            self.sampler.prepare(view.state, view.seat, past, codes, self.numbers, belief)
        return belief

    def _look(
        self, view: View[Any], past: Any, codes: Any, numbers: Any, rng: Any, candidates: Any,
        values: Any, belief: Any,
    ) -> None:  # fmt: skip
        self.search.value_in_worlds(
            view.state, view.seat, past, codes, numbers, rng, candidates, values, belief
        )
