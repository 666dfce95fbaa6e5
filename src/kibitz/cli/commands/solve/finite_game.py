"""`kibitz solve` for a finite game with open cards: its value and the line of best play.

Every textbook algorithm that suits the game is run, and their work is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.ui.json_output import print_json
from kibitz.cli.ui.progress import show_progress
from kibitz.cli.ui.search_options import (
    BoundsOption,
    DepthOption,
    JsonOption,
    PositionOption,
    SamplesOption,
    SeedOption,
    WeightsOption,
    report_nodes,
    search_settings,
    start_state,
)
from kibitz.core.errors import BadText
from kibitz.core.game import Game

if TYPE_CHECKING:
    from kibitz.search.textbook.solving import FiniteSolution


def solve(
    game: Game[Any, Any],
    *,
    position: PositionOption = None,
    seed: SeedOption = 0,
    algorithm: Annotated[
        str | None, typer.Option(help="One algorithm instead of all that suit.", show_default=False)
    ] = None,
    all_plays: Annotated[
        bool,
        typer.Option(
            "--all-plays",
            help="The exact value of every legal play, and all that are as good along the line.",
        ),
    ] = False,
    depth: DepthOption = None,
    weights: WeightsOption = None,
    bounds: BoundsOption = None,
    samples: SamplesOption = None,
    nodes: Annotated[
        int, typer.Option(max=1_000_000_000, help="Give up after so many nodes.")
    ] = 1_000_000,
    as_json: JsonOption = False,
) -> None:
    """Solve a finite game with open cards by textbook searches: its value, the line of best play,
    and how many nodes each algorithm took. Ends of a game have their value for seat 1."""
    from kibitz.search.textbook.solving import solve_finite

    state = start_state(game, position, seed, algorithm)
    settings = search_settings(
        depth=depth, weights=weights, bounds=bounds, nodes=nodes, samples=samples, seed=seed
    )
    if all_plays and settings.depth is not None:
        raise BadText("--all-plays needs true values: leave --depth out")
    solution = solve_finite(game, state, settings, algorithm, all_plays, _watching)
    if as_json:
        print_json(solution.document())
    else:
        _show(solution)


@contextmanager
def _watching(name: str) -> Iterator[Callable[[int], None]]:
    """The nodes that an algorithm has entered, on standard error."""
    with show_progress(name) as report:
        yield report_nodes(report)


def _show(solution: FiniteSolution) -> None:
    from rich.console import Console

    from kibitz.cli.ui.tables import table
    from kibitz.search.textbook.solving import ALGORITHMS

    console = Console(highlight=False, markup=False)
    console.print(f"{solution.game.spec}: {solution.verdict()}")
    if seen := solution.seen():
        console.print(seen)
    if solution.line:
        console.print(solution.best_line())
    if plays := solution.plays():
        console.print(f"plays: {', '.join(f'{play} {known}' for play, known in plays.items())}")
    for play, same in zip(solution.line, solution.optimal or (), strict=False):
        others = [other for other in same if other != str(play)]
        console.print(f"  {play}" + (f", as good: {' '.join(others)}" if others else ""))
    shown = table(*ALGORITHMS)
    for run in solution.runs:
        shown.add_row(*run.cells())
    console.print(shown)
