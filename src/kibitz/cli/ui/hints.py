"""Hints for a person who plays: what a strategy would do with what the person sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from kibitz.cli.ui.progress import spinner_if_slow
from kibitz.cli.ui.rendering import choice_text
from kibitz.core.errors import KibitzError, UnsuitableGame
from kibitz.core.game import Game, View
from kibitz.core.registry import make_strategy
from kibitz.core.strategy import Knows
from kibitz.strategies.common.levels import adviser_for

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from kibitz.core.explanation import Belief, Explanation

BEST = 3
"""Plays that a hint names."""


class Hints:
    """Who gives hints in a game, and whether before every choice."""

    def __init__(self, game: Game[Any, Any], by: str | None = None, always: bool = False) -> None:
        strategy = adviser_for(game) if by is None else make_strategy(by)
        if strategy is not None:
            strategy.check_game(game)
            if strategy.knows is not Knows.FAIR:
                raise UnsuitableGame(
                    f"{strategy} is {strategy.knows}: hints come from fair strategies only"
                )
        elif always:
            raise UnsuitableGame(f"nobody can give hints in {game}")
        self.strategy = strategy
        self.always = always

    @property
    def recorded(self) -> str | None:
        """Who gives them before every choice, as a record has it."""
        return str(self.strategy) if self.always else None

    def give(self, view: View[Any], rng: Any) -> Hint:
        """A hint from the person's own view. It has random numbers of its own, and who gives
        it sits down anew each time: so it changes nothing in the game."""
        if self.strategy is None:
            return Hint("Nobody can give hints in this game.")
        try:
            with spinner_if_slow(f"{self.strategy} is thinking"):
                explanation = self.strategy.sit(view.game, view.seat, rng).explain(view)
        except KibitzError as error:
            return Hint(f"No hint: {error}")
        return Hint(f"by {self.strategy}; score: {explanation.score}", view, explanation)

    def show(self, console: Console, view: View[Any], rng: Any) -> None:
        """A hint in full."""
        console.print(self.give(view, rng).sizes(console.width)[0])
        console.print()


@dataclass
class Hint:
    """An explanation, shown in as many lines as fit."""

    head: str
    view: View[Any] | None = None
    explanation: Explanation | None = None

    def sizes(self, width: int) -> Sequence[RenderableType]:
        """From all of it down to the best plays alone."""
        from rich.console import Group
        from rich.markup import escape
        from rich.text import Text

        from kibitz.cli.ui.explanations import belief_lines

        if self.view is None or self.explanation is None:
            return [Text(self.head)]
        best, sentence = self._best(), Text(self.explanation.sentence)
        reasons = Text(" ".join([self.explanation.sentence, *self.explanation.why]))
        full_head = f"[bold]Hint[/] {escape(self.head)}"
        short_head = f"{full_head} [dim](h tells all)[/]"
        note = "" if self.explanation.beliefs else "by counting"
        bars = [line for one in self._beliefs for line in belief_lines(one, width, note)]
        lines = [_as_line(belief) for belief in self._beliefs]
        return [
            Group(full_head, best, *bars, reasons),
            Group(full_head, best, *lines, reasons),
            Group(short_head, best, sentence),
            Group(short_head, best),
        ]

    def _best(self) -> RenderableType:
        from rich.table import Table
        from rich.text import Text

        from kibitz.core.reason_cells import format_scores, half_width

        assert self.view is not None and self.explanation is not None
        rows = Table.grid(padding=(0, 2))
        why = self.explanation
        for reason, score in zip(why.reasons[:BEST], format_scores(why), strict=False):
            mark = "▸" if reason.play == why.best else "=" if reason.play in why.equal else " "
            play = choice_text(self.view, reason.play)
            rows.add_row(Text(f"{mark} ").append(play), score + half_width(why, reason))
        rows.columns[1].justify = "right"
        return rows

    @cached_property
    def _beliefs(self) -> Sequence[Belief]:
        from kibitz.strategies.common.beliefs import by_counting

        assert self.view is not None and self.explanation is not None
        return [one for one in self.explanation.beliefs or by_counting(self.view) if one.cards]


def _as_line(belief: Belief) -> RenderableType:
    from rich.markup import escape

    from kibitz.core.figures import percent

    likely = sorted(belief.cards.items(), key=lambda item: -item[1])
    cards = ", ".join(f"{escape(card)} {percent(p)}" for card, p in likely)
    return f"[bold]{escape(belief.place)}[/] {cards}"
