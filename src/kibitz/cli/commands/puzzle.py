"""`kibitz puzzle`: a position in which one play is clearly best, and not the greedy one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.ui.json_output import print_json
from kibitz.core import checks
from kibitz.core.errors import BadText, IllegalPlay

if TYPE_CHECKING:
    from kibitz.review.puzzles import Puzzle

TRIALS = 3
"""How often a person is asked again who typed what is no play."""


def puzzle(
    game: Annotated[str, typer.Argument(help="love-letter or tablic.")],
    seed: Annotated[
        int | None, typer.Option(help="Same seed, same puzzle.", show_default="any one")
    ] = None,
    answer: Annotated[
        str | None, typer.Option(help="Your play, instead of being asked.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The puzzle with its solution.")] = False,
) -> None:
    """Solve a puzzle: its values are exact, and the greedy play is wrong."""
    from kibitz.review.puzzles import choose_puzzle

    chosen = choose_puzzle(game, None if seed is None else checks.seed(seed))
    if as_json:
        print_json(chosen.document())
        return
    given = None if answer is None else chosen.answer(answer)
    _show(chosen)
    if answer is None:
        given = _ask(chosen)
    print()
    if given is not None:
        print(chosen.verdict(given))
    print(chosen.explanation())


def _show(chosen: Puzzle) -> None:
    print(f"{chosen.game}, puzzle {chosen.number}, {chosen.grade}: {chosen.kind}")
    print()
    game, _ = chosen.state()
    print(game.presenter.text(chosen.view()))
    for what, cards in chosen.open_cards().items():
        print(f"{what}: {cards}")
    print()
    print(chosen.question)
    print(f"Plays: {', '.join(sorted(chosen.values))}")


def _ask(chosen: Puzzle) -> str | None:
    """The person's play; None for nobody who answers."""
    from kibitz.cli.ui.prompt import Quit, Undo, read_line

    for _ in range(TRIALS):
        try:
            return chosen.answer(read_line("Your play: "))
        except (BadText, IllegalPlay) as error:
            print(error)
        except (Quit, Undo):
            return None
    return None
