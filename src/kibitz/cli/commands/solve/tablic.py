"""`kibitz solve tablic`: a deck, or any position with all cards known."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.ui.json_output import print_json
from kibitz.cli.ui.progress import show_progress
from kibitz.cli.ui.search_options import (
    JsonOption,
    PositionOption,
    SeedOption,
    ThreadsOption,
    start_state,
)

if TYPE_CHECKING:
    from kibitz.games.tablic.game import Tablic
    from kibitz.solvers.tablic.open_deck import SearchProgress
    from kibitz.solvers.tablic.solution import TablicSolution


def solve(
    game: Tablic,
    *,
    position: PositionOption = None,
    seed: SeedOption = 0,
    all_plays: Annotated[
        bool, typer.Option("--all-plays", help="The exact value of every legal play.")
    ] = False,
    memory: Annotated[
        int | None, typer.Option(help="MB for the table of positions.", show_default="512")
    ] = None,
    threads: ThreadsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Solve a game of two with all cards known, the deck too: its exact value to who moves, and
    the best line. From a shuffle (--seed), or from a position or a deck (--position).

    With --algorithm NAME it is searched as any other game is: see kibitz solve tablic --algorithm
    pimc --help.
    """
    from kibitz.core.limits import cores
    from kibitz.solvers.tablic.open_deck import Stopped
    from kibitz.solvers.tablic.solution import MEMORY, solve_position

    state = start_state(game, position, seed)
    size = MEMORY if memory is None else memory
    try:
        with show_progress(f"solving {game.spec}") as report:
            solution = solve_position(
                game, state, all_plays, size, threads or cores(), _reporter(report)
            )
    except Stopped as stopped:
        _show_bounds(game, stopped.progress, as_json)
        raise typer.Exit(130) from None
    if as_json:
        print_json(solution.document())
    else:
        _show(solution)
    if all_plays and solution.plays is None:
        print("kibitz: stopped before the values of all plays were known", file=sys.stderr)
        raise typer.Exit(130)


def _reporter(report: Callable[[str], None]) -> Callable[[SearchProgress], None]:
    """A callback that reports the bounds so far and the speed."""

    def report_progress(progress: SearchProgress) -> None:
        rate = progress.nodes / max(progress.seconds, 1e-9) / 1e6
        report(
            f"{_bounds(progress)}; {progress.nodes / 1e6:.1f} million nodes, {rate:.2f} million"
            f" a second, {progress.seconds:.0f} s"
        )

    return report_progress


def _bounds(progress: SearchProgress) -> str:
    from kibitz.solvers.tablic.solution import value_text

    low, high = progress.low, progress.high
    if low is None:
        return "nothing known yet" if high is None else f"at most {value_text(high)}"
    return (
        f"at least {value_text(low)}"
        if high is None
        else f"{value_text(low)} to {value_text(high)}"
    )


def _show_bounds(game: Tablic, progress: SearchProgress, as_json: bool) -> None:
    from kibitz.solvers.tablic.solution import value_entry

    exact = progress.low is not None and progress.low == progress.high
    if as_json:
        bounds = [
            None if w is None else value_entry(game, w) for w in (progress.low, progress.high)
        ]
        seconds = round(progress.seconds, 6)
        document = {"bounds": bounds, "nodes": progress.nodes, "seconds": seconds, "exact": exact}
        print_json(document)
    else:
        print(f"{game.spec}: stopped; value for who moves: {_bounds(progress)}")
    missing = "line" if exact else "value"
    print(f"kibitz: stopped before the {missing} was known", file=sys.stderr)


def _show(solution: TablicSolution) -> None:
    from rich.console import Console

    from kibitz.cli.ui.tables import table

    console = Console(highlight=False, markup=False)
    console.print(f"{solution.game.spec}: {solution.verdict()}")
    console.print(f"best line: {', '.join(map(str, solution.line))}")
    if solution.plays is not None:
        shown = table("play", "value")
        for row in solution.ranked():
            shown.add_row(*row)
        console.print(shown)
    console.print(solution.cost())
