"""`kibitz study`: what a lecture claims, measured."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

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
    from kibitz.arena.studies.search_report import prepare, write

    prepare(output)
    with _progress() as tell:
        paths = write(measure(seed, quick, tell), output)
    for path in paths:
        print(path)


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """What is measured, on standard error, if somebody looks at it."""
    if not sys.stderr.isatty():
        yield lambda what: None
        return
    from rich.console import Console

    with Console(stderr=True).status("…") as status:
        yield lambda what: status.update(f"{what} …")
