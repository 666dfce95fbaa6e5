"""`kibitz solve`: its options, and which solver they are for.

Love Letter and Tablić have solvers of their own; an algorithm that is named, and any other game,
goes to the searches in `finite_game.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.ui.search_options import (
    BoundsOption,
    DepthOption,
    GameArgument,
    PositionOption,
    SamplesOption,
    SeedOption,
    WeightsOption,
    search_settings,
    start_state,
)
from kibitz.core.errors import BadText

if TYPE_CHECKING:
    from kibitz.cli.commands.solve.love_letter import RoundOptions


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
            help="All optimal plays along the line, not just the lowest; Love Letter: every set of"
            " cards face up that is not in the table, the smallest first.",
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
            show_default="with --all one in docs/results",
        ),
    ] = None,
    sets: Annotated[
        int | None,
        typer.Option(min=1, help="Love Letter, --all: at most so many.", show_default="all"),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(help="Love Letter, --all: a Dask scheduler's address.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Solve a game: its value, the best line or play, and what it cost.

    For love-letter, a round of two players: an equilibrium, with bounds for its value.
    """
    from kibitz.cli.commands.solve.finite_game import solve_game
    from kibitz.cli.commands.solve.love_letter import RoundOptions
    from kibitz.core.registry import make_game

    played = make_game(game)
    exact = algorithm is None  # by the game's own solver, if it has one
    for_search = any(option is not None for option in (depth, weights, bounds, samples))
    for_decks = all_plays or memory is not None
    options = RoundOptions(
        face_up, position, every, epsilon, threads, check, table, sets, cluster, as_json
    )
    if played.name == "love-letter" and exact:
        _solve_love_letter(played, options, for_search or for_decks)
        return
    if check or any(option is not None for option in (face_up, epsilon, table, sets, cluster)):
        raise BadText(
            "--face-up, --epsilon, --check, --table, --sets and --cluster are for love-letter,"
            " without --algorithm"
        )
    state = start_state(played, position, seed)
    if played.name == "tablic" and exact:
        if for_search or every:
            raise BadText(
                "a deck of tablic is solved exactly: give --all-plays, --memory, --threads"
            )
        _solve_tablic(played, state, memory, threads, all_plays, as_json)
        return
    if for_decks or threads is not None:
        raise BadText("--all-plays, --memory and --threads are for tablic, without --algorithm")
    settings = search_settings(
        depth=depth, weights=weights, bounds=bounds, nodes=nodes, samples=samples, seed=seed
    )
    solve_game(played, state, algorithm, settings, every, as_json)


def _solve_love_letter(game: Any, options: RoundOptions, others: bool) -> None:
    from kibitz.cli.commands.solve.love_letter import solve_rounds

    if others:
        raise BadText(
            "love-letter takes --face-up, --position or --all, with --epsilon, --threads,"
            " --check, --table, --sets, --cluster"
        )
    solve_rounds(game, options)


def _solve_tablic(
    game: Any, state: Any, memory: int | None, threads: int | None, all_plays: bool, as_json: bool
) -> None:
    from kibitz.arena.workers import default_jobs
    from kibitz.cli.commands.solve.tablic import MEMORY, solve_deck

    memory = MEMORY if memory is None else memory
    solve_deck(game, state, memory, threads or default_jobs(), all_plays, as_json)
