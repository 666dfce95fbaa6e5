"""Options that `graph` and the solvers of `solve` share: where a search begins, its settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from kibitz.core.errors import BadText
from kibitz.core.game import Game

GameArgument = Annotated[
    str, typer.Argument(help="Such as twenty-one, a graph's text file, or my_game.py.")
]
PositionOption = Annotated[
    str | None, typer.Option(help="Begin here instead of at the start.", show_default=False)
]
SeedOption = Annotated[int, typer.Option(help="The deal, and the random numbers of a search.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON document.")]
ThreadsOption = Annotated[
    int | None, typer.Option(min=1, help="Search with so many.", show_default="every core")
]
DepthOption = Annotated[
    int | None,
    typer.Option(help="Look no further than so many plays; then evaluate.", show_default=False),
]
WeightsOption = Annotated[
    str | None,
    typer.Option(
        help="Of the evaluation's features, such as threes=0.1,twos=0.02.", show_default=False
    ),
]
BoundsOption = Annotated[
    str | None,
    typer.Option(
        help="Of the ends, for star1 and star2: LOW,HIGH or none. Else those the game knows.",
        show_default=False,
    ),
]
SamplesOption = Annotated[
    int | None,
    typer.Option(
        max=10_000_000, help="Iterations of mcts and ismcts, worlds of pimc.", show_default=False
    ),
]


def start_state(
    game: Game[Any, Any], position: str | None, seed: int, algorithm: str | None = None
) -> Any:
    """The state to begin with."""
    from kibitz.search.textbook.algorithms import first_state

    if position is None:
        return first_state(game, seed, algorithm)
    return game.parse_position(position)


def search_settings(
    *,
    depth: int | None,
    weights: str | None,
    bounds: str | None,
    nodes: int,
    samples: int | None = None,
    seed: int = 0,
) -> Any:
    """The settings of a search, from the texts of the options."""
    from kibitz.search.textbook.algorithms import NO_BOUNDS, Settings

    limits = None
    if bounds == "none":
        limits = NO_BOUNDS
    elif bounds is not None:
        numbers = [_number("bounds", text) for text in bounds.split(",")]
        if len(numbers) != 2:
            raise BadText(f"bounds={bounds} is not possible; write LOW,HIGH or none")
        limits = numbers[0], numbers[1]
    weighed = None
    if weights is not None:
        weighed = {}
        for pair in weights.split(","):
            name, equals, number = pair.partition("=")
            if not equals:
                raise BadText(f"weights are written name=number, not {pair!r}")
            weighed[name.strip()] = _number(name.strip(), number)
    return Settings(depth, weighed, limits, nodes, samples, seed=seed)


def report_nodes(report: Callable[[str], None]) -> Callable[[int], None]:
    """A callback that reports how many nodes a search has entered."""
    return lambda nodes: report(f"{nodes} nodes")


def _number(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise BadText(f"{name}={text} is not a number") from None
    if value - value != 0:
        raise BadText(f"{name}={text} is not a finite number")
    return value
