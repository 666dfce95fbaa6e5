"""`kibitz study`: what a lecture claims, measured."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.working import working
from kibitz.model import BadText

STUDIES = ("search",)


def study(
    name: Annotated[str, typer.Argument(help="Which study: search.")],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", help="The folder for the report.", show_default=False),
    ],
    seed: Annotated[int, typer.Option(help="Same seed, same figures.")] = 0,
    quick: Annotated[
        bool, typer.Option("--quick", help="Less of everything: seconds, not a minute.")
    ] = False,
) -> None:
    """Measure what is claimed about game search, and write a report with plots."""
    if name not in STUDIES:
        raise BadText(f"there is no study {name!r} (known: {', '.join(STUDIES)})")
    from kibitz.arena.studies.search import measure
    from kibitz.arena.studies.blocks import prepare
    from kibitz.arena.studies.search_report import write

    prepare(output)
    with working("measuring") as tell:
        paths = write(measure(seed, quick, tell), output)
    for path in paths:
        print(path)
