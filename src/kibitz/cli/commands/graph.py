"""`kibitz graph`: a game as a graph, drawn, and a search on it, step by step."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.ui.progress import show_progress
from kibitz.cli.ui.search_options import (
    BoundsOption,
    DepthOption,
    GameArgument,
    PositionOption,
    SamplesOption,
    SeedOption,
    WeightsOption,
    report_nodes,
    search_settings,
    start_state,
)
from kibitz.core.errors import BadText
from kibitz.core.files import atomic_write


def graph(
    game: GameArgument,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="A file that ends in .dot, .mmd, .svg, .png, .graph, or with --steps .html;"
            " without it DOT is printed.",
            show_default=False,
        ),
    ] = None,
    algorithm: Annotated[
        str | None,
        typer.Option(
            help="Show what it finds: minimax, alpha-beta, expectiminimax, star1, star2, mcts …",
            show_default=False,
        ),
    ] = None,
    merge: Annotated[bool, typer.Option("--merge", help="Draw equal states as one.")] = False,
    steps: Annotated[
        bool,
        typer.Option(
            "--steps", help="One picture for each step; in a .html file one page with a slider."
        ),
    ] = False,
    position: PositionOption = None,
    seed: SeedOption = 0,
    depth: DepthOption = None,
    nodes: Annotated[int, typer.Option(max=100_000, help="Draw no more nodes than this.")] = 2000,
    weights: WeightsOption = None,
    bounds: BoundsOption = None,
    samples: SamplesOption = None,
) -> None:
    """Draw a game as a graph: node kinds, values and the best line."""
    from kibitz.core.registry import make_game
    from kibitz.graph.drawing import SEARCHED, draw_game

    _check(output, steps, algorithm, nodes)
    if algorithm is None:
        given = {"samples": samples, "weights": weights, "bounds": bounds}
        _check_plain({name for name, value in given.items() if value is not None}, depth)
    played = make_game(game)
    settings = search_settings(
        depth=depth, weights=weights, bounds=bounds, nodes=SEARCHED, samples=samples, seed=seed
    )
    with show_progress("drawing") as report:
        drawing = draw_game(
            played,
            start_state(played, position, seed, algorithm),
            algorithm=algorithm,
            merge=merge,
            nodes=nodes,
            settings=replace(settings, watch=report_nodes(report)),
        )
        files = drawing.files(Path("graph.dot") if output is None else output, steps)
    if output is None:
        sys.stdout.write(files[0][1].decode())
        return
    atomic_write(dict(files))
    several = f"{files[0][0]} to {files[-1][0]}: {len(files)} pictures"
    print(f"{drawing.title}\n{output if len(files) == 1 else several}")


def _check(output: Path | None, steps: bool, algorithm: str | None, nodes: int) -> None:
    """Refuse what can't be, before any work is done."""
    from kibitz.graph.drawing import check_file

    if steps and algorithm is not None and output is None:
        raise BadText("--steps needs -o and a file for pictures, such as steps.html")
    check_file(Path("graph.dot") if output is None else output, steps, algorithm is not None, "--")
    if nodes < 1:
        raise BadText(f"--nodes {nodes} is not possible; it is at least 1")


def _check_plain(given: set[str], depth: int | None) -> None:
    """Without an algorithm there is nothing that could use its options."""
    for name in sorted(given):
        raise BadText(f"--{name} needs an --algorithm that uses it")
    if depth is not None and depth < 1:
        raise BadText(f"--depth {depth} is not possible; it is at least 1")
