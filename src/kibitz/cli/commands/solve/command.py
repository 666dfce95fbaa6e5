"""`kibitz solve`: its options, and which solver gets them.

A game that has a solver of its own names the module (`Game.solver`). An algorithm that is named,
and any other game, goes to the searches in `finite_game.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.ui.search_options import (
    BoundsOption,
    DepthOption,
    GameArgument,
    PositionOption,
    SamplesOption,
    SeedOption,
    WeightsOption,
)

SEARCHES = "kibitz.cli.commands.solve.finite_game"


def solve(
    game: GameArgument,
    position: PositionOption = None,
    seed: SeedOption = 0,
    algorithm: Annotated[
        str | None, typer.Option(help="One algorithm instead of all that suit.", show_default=False)
    ] = None,
    every: Annotated[
        bool,
        typer.Option(
            "--all",
            help="All optimal plays along the line, not just the lowest.",
        ),
    ] = False,
    all_sets: Annotated[
        bool,
        typer.Option(
            "--all-sets",
            help="Love Letter: every set of cards face up that the table and the books do not"
            " have, the smallest first.",
        ),
    ] = False,
    depth: DepthOption = None,
    weights: WeightsOption = None,
    bounds: BoundsOption = None,
    samples: SamplesOption = None,
    nodes: Annotated[
        int, typer.Option(max=1_000_000_000, help="Give up after so many nodes.")
    ] = 1_000_000,
    all_plays: Annotated[
        bool, typer.Option("--all-plays", help="Tablić: the exact value of every legal play.")
    ] = False,
    memory: Annotated[
        int | None,
        typer.Option(help="Tablić: MB for the table of positions.", show_default="512"),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            min=1, help="Tablić, Love Letter: search with so many.", show_default="every core"
        ),
    ] = None,
    face_up: Annotated[
        str | None,
        typer.Option("--face-up", help='Love Letter: the cards, "priest priest countess".'),
    ] = None,
    epsilon: Annotated[
        float | None,
        typer.Option(help="Love Letter: how exactly.", show_default="0.001"),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Love Letter: verify the stored solution, no more.")
    ] = False,
    table: Annotated[
        Path | None,
        typer.Option(
            help="Love Letter: where results go.",
            show_default="with --all-sets one in docs/results",
        ),
    ] = None,
    sets: Annotated[
        int | None,
        typer.Option(min=1, help="Love Letter, --all-sets: at most so many.", show_default="all"),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            help="Love Letter, --all-sets: a Dask scheduler's address.", show_default=False
        ),
    ] = None,
    books: Annotated[
        Path | None,
        typer.Option(
            help="Love Letter, --all-sets: the folder that books go to.",
            show_default="books in the cache folder",
        ),
    ] = None,
    keep: Annotated[
        bool,
        typer.Option(
            "--keep",
            help="Love Letter, --all-sets: keep solutions (gigabytes) beside their books.",
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Solve a game: its value, the best line or play, and what it cost.

    For love-letter, a round of two players: an equilibrium, with bounds for its value.
    """
    from importlib import import_module

    from kibitz.cli.commands.solve.options import SolveOptions, check_taken
    from kibitz.core.registry import make_game

    options = SolveOptions(
        position, seed, algorithm, every, all_sets, depth, weights, bounds, samples, nodes,
        all_plays, memory, threads, face_up, epsilon, check, table, sets, cluster, books, keep,
        as_json,
    )  # fmt: skip
    played = make_game(game)
    solver = import_module(played.solver if played.solver and algorithm is None else SEARCHES)
    check_taken(played, solver.TAKES, options)
    solver.solve(played, options)
