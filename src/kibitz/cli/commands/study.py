"""`kibitz study`: what a lecture or a thesis claims or left open, measured."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.ui.progress import show_progress
from kibitz.core.errors import BadText

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
        typer.Option(help="Processes; not for --open.", show_default="every core"),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            help="A Dask scheduler, such as tcp://host:8786; times and memory are measured here.",
            show_default=False,
        ),
    ] = None,
    is_open: Annotated[
        bool, typer.Option("--open", help="For tablic: with the deck known, against perfect play.")
    ] = False,
    shuffles: Annotated[
        int | None,
        typer.Option(
            max=100_000, help="With --open: how many are solved.", show_default="200; 40 if quick"
        ),
    ] = None,
) -> None:
    """Measure what is claimed about search or players, and write a report with plots.

    love-letter and tablic keep every game in the folder: started again, they go on.

    tablic --open solves shuffles in one process, one after the other (on a
    cluster each worker one): what moving first is worth with perfect play, and
    what strategies lose against it. That takes hours; quick, it is about the
    last two deals only.
    """
    if name not in STUDIES:
        raise BadText(f"there is no study {name!r} (known: {', '.join(STUDIES)})")
    if is_open and name != "tablic":
        raise BadText(f"--open is for tablic, not for {name}")
    if is_open and jobs is not None:
        raise BadText("--jobs is not for --open: it works in one process, as it takes times")
    if shuffles is not None and not is_open:
        raise BadText("--shuffles is for tablic --open")
    with show_progress("measuring") as report:
        if is_open:
            paths = _open_deck(output, seed, quick, shuffles, cluster, report)
        elif name == "search":
            paths = _search(output, seed, quick, jobs, cluster, report)
        else:
            paths = _players(name, output, seed, quick, jobs, cluster, report)
    for path in paths:
        print(path)


def _search(
    output: Path,
    seed: int,
    quick: bool,
    jobs: int | None,
    cluster: str | None,
    report: Callable[[str], None],
) -> list[Path]:
    from kibitz.arena.workers import workers
    from kibitz.core.limits import cores
    from kibitz.report.files import prepare_folder
    from kibitz.studies.search.measure import measure
    from kibitz.studies.search.report import write

    number = cores() if jobs is None else jobs
    with workers(number, cluster):
        pass  # what can't be had is an error now, before there is a folder
    prepare_folder(output)
    return write(measure(seed, quick, report, jobs=number, cluster=cluster), output)


def _open_deck(
    output: Path,
    seed: int,
    quick: bool,
    shuffles: int | None,
    cluster: str | None,
    report: Callable[[str], None],
) -> list[Path]:
    from dataclasses import replace

    from kibitz.arena.workers import workers
    from kibitz.studies.open_deck import measure as open_deck
    from kibitz.studies.open_deck.report import study_open_deck

    size = open_deck.QUICK if quick else open_deck.FULL
    command = f"kibitz study tablic --open -o FOLDER --seed {seed}" + " --quick" * quick
    if shuffles is not None:
        size = replace(size, shuffles=shuffles)
        command += f" --shuffles {shuffles}"
    with workers(1, cluster):
        pass  # as above
    return study_open_deck(output, seed, size, command, report, cluster)


def _players(
    name: str,
    output: Path,
    seed: int,
    quick: bool,
    jobs: int | None,
    cluster: str | None,
    report: Callable[[str], None],
) -> list[Path]:
    from kibitz.core.limits import cores
    from kibitz.studies.love_letter.measure import LoveLetterSize
    from kibitz.studies.love_letter.report import study_love_letter
    from kibitz.studies.players.measure import Setting
    from kibitz.studies.tablic.measure import TablicSize
    from kibitz.studies.tablic.report import study_tablic

    command = f"kibitz study {name} -o FOLDER --seed {seed}" + " --quick" * quick
    setting = Setting(name, seed, output, cores() if jobs is None else jobs, report, cluster)
    if name == "love-letter":
        return study_love_letter(setting, LoveLetterSize.of_study(quick), command)
    return study_tablic(setting, TablicSize.of_study(quick), command)
