"""Hints for a person who plays: what a strategy would do with what the person sees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kibitz.cli.working import thinking
from kibitz.model import Game, KibitzError, Knows, UnsuitableGame, View
from kibitz.registry import make_strategy
from kibitz.strategies.levels import adviser_for

if TYPE_CHECKING:
    from rich.console import Console

    from kibitz.explanation import Explanation

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

    def show(self, console: Console, view: View[Any], rng: Any) -> None:
        """A hint from the person's own view. It has random numbers of its own, and who gives
        it sits down anew each time: so it changes nothing in the game."""
        if self.strategy is None:
            console.print("Nobody can give hints in this game.")
            return
        try:
            with thinking(f"{self.strategy} is thinking"):
                told = self.strategy.sit(view.game, view.seat, rng).explain(view)
        except KibitzError as error:
            console.print(f"No hint: {error}", markup=False)
            return
        console.print(f"[bold]Hint[/] by {self.strategy}; score: {told.score}")
        _show_best(console, view, told)
        _show_beliefs(console, view, told)
        console.print(" ".join([told.sentence, *told.why]), markup=False)
        console.print()


def _show_best(console: Console, view: View[Any], told: Explanation) -> None:
    from rich.table import Table

    from kibitz.cli.explaining import scores, within

    reasons = told.reasons[:BEST]
    rows = Table.grid(padding=(0, 2))
    for reason, score in zip(reasons, scores(told), strict=False):
        mark = "▸" if reason.play == told.best else "=" if reason.play in told.equal else " "
        rows.add_row(
            f"{mark} {view.game.describe(view, reason.play)}", score + within(told, reason)
        )
    rows.columns[1].justify = "right"
    console.print(rows)


def _show_beliefs(console: Console, view: View[Any], told: Explanation) -> None:
    from kibitz.cli.explaining import show_belief
    from kibitz.strategies.imagined import by_counting

    note = "" if told.beliefs else "by counting"
    for belief in told.beliefs or by_counting(view):
        show_belief(console, belief, note)
