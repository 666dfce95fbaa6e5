"""`kibitz study`: what a lecture or a thesis claims or left open, measured."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.working import working
from kibitz.model import BadText

STUDIES = ("search", "love-letter", "tablic")


def study(
    name: Annotated[str, typer.Argument(help="Which study: search, love-letter or tablic.")],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", help="The folder for the report.", show_default=False),
    ],
    seed: Annotated[int, typer.Option(help="Same seed, same figures.")] = 0,
    quick: Annotated[
        bool, typer.Option("--quick", help="Less of everything: a minute at most.")
    ] = False,
    jobs: Annotated[
        int | None,
        typer.Option(help="Processes, for love-letter and tablic.", show_default="every core"),
    ] = None,
) -> None:
    """Measure what is claimed about search or players, and write a report with plots.

    love-letter and tablic keep every game in the folder: started again, they go on.
    """
    if name not in STUDIES:
        raise BadText(f"there is no study {name!r} (known: {', '.join(STUDIES)})")
    with working("measuring") as tell:
        if name == "search":
            paths = _search(output, seed, quick, tell)
        else:
            paths = _players(name, output, seed, quick, jobs, tell)
    for path in paths:
        print(path)


def _search(output: Path, seed: int, quick: bool, tell: Callable[[str], None]) -> list[Path]:
    from kibitz.arena.studies.blocks import prepare
    from kibitz.arena.studies.search import measure
    from kibitz.arena.studies.search_report import write

    prepare(output)
    return write(measure(seed, quick, tell), output)


def _players(
    name: str, output: Path, seed: int, quick: bool, jobs: int | None, tell: Callable[[str], None]
) -> list[Path]:
    from kibitz.arena.studies import love_letter, tablic
    from kibitz.arena.studies.players import Setting
    from kibitz.arena.workers import default_jobs

    command = f"kibitz study {name} -o FOLDER --seed {seed}" + " --quick" * quick
    setting = Setting(name, seed, output, default_jobs() if jobs is None else jobs, tell)
    if name == "love-letter":
        size = love_letter.QUICK if quick else love_letter.FULL
        return love_letter.study_love_letter(setting, size, command)
    return tablic.study_tablic(setting, tablic.QUICK if quick else tablic.FULL, command)
