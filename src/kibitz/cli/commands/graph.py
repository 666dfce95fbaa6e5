"""`kibitz graph`: a game as a graph, drawn, and a search on it, step by step."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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

if TYPE_CHECKING:
    from kibitz.graph.drawing import Drawing

MOST_PICTURES = 500
MOST_STEPS = 5000


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
            start_state(played, position, seed),
            algorithm=algorithm,
            merge=merge,
            nodes=nodes,
            settings=replace(settings, watch=report_nodes(report)),
        )
        files = _files(drawing, output, steps)
    if output is None:
        sys.stdout.write(files[0][1].decode())
        return
    atomic_write(dict(files))
    several = f"{files[0][0]} to {files[-1][0]}: {len(files)} pictures"
    print(f"{drawing.title}\n{output if len(files) == 1 else several}")


def _check(output: Path | None, steps: bool, algorithm: str | None, nodes: int) -> None:
    """Refuse what can't be, before any work is done."""
    from kibitz.graph.render import FORMATS

    ending = ".dot" if output is None else output.suffix
    allowed = (*FORMATS, ".graph", ".html")
    if ending not in allowed:
        raise BadText(f"{output} must end in one of {', '.join(allowed)}")
    if steps and algorithm is None:
        raise BadText("--steps needs an --algorithm, such as minimax")
    if steps and (output is None or ending == ".graph"):
        raise BadText("--steps needs -o and a file for pictures, such as steps.html")
    if ending == ".html" and not steps:
        raise BadText("a .html page shows steps: give --steps and an --algorithm too")
    if nodes < 1:
        raise BadText(f"--nodes {nodes} is not possible; it is at least 1")
    if output is not None and not output.parent.is_dir():
        raise BadText(f"there is no folder {output.parent}")


def _check_plain(given: set[str], depth: int | None) -> None:
    """Without an algorithm there is nothing that could use its options."""
    for name in sorted(given):
        raise BadText(f"--{name} needs an --algorithm that uses it")
    if depth is not None and depth < 1:
        raise BadText(f"--depth {depth} is not possible; it is at least 1")


def _files(drawing: Drawing, output: Path | None, steps: bool) -> list[tuple[Path, bytes]]:
    """The files to write: all of them are made before the first is written."""
    from kibitz.graph.page import to_page
    from kibitz.graph.render import draw, draw_all, numbered
    from kibitz.graph.text import write_graph

    path = Path("graph.dot") if output is None else output
    if path.suffix == ".graph":
        if drawing.series is not None and drawing.series.is_sampled:
            raise BadText("a tree of samples has no values at its ends; .graph needs them")
        return [(path, write_graph(drawing.graph).encode())]
    if drawing.series is None or not steps:
        return [(path, draw(drawing.picture(), path.suffix))]
    count = len(drawing.series.steps)
    most = MOST_STEPS if path.suffix == ".html" else MOST_PICTURES
    if count > most:
        raise BadText(
            f"{count} steps are too many ({most} at most): set a depth, or begin later"
            + ("" if path.suffix == ".html" else "; a .html page may have more")
        )
    if path.suffix == ".html":
        return [(path, to_page(drawing.series).encode())]
    pictures = draw_all(drawing.series.pictures(), path.suffix, drawing.series.widths())
    return list(zip(numbered(path, count), pictures, strict=True))
