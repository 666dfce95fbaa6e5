"""`kibitz runs`: what a store of comparisons has."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.cli.ui.json_output import print_json
from kibitz.cli.ui.trusted_files import (
    TrustedGameOption,
    trusted_game,
    trusted_players,
)
from kibitz.core.checks import one_line
from kibitz.core.errors import BadText
from kibitz.core.files import is_device
from kibitz.core.registry import split_spec

COLUMNS = ("run", "begun (UTC)", "game", "seed", "unit", "pairs", "clear", "players")

LONG = 18
"""Letters of a player's name that fit in a line of the list."""


def runs(
    store: Annotated[Path, typer.Argument(help="The file that compare --store wrote.")],
    run: Annotated[
        int | None, typer.Argument(help="One run's figures, by its number.", show_default=False)
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option(help="Write the run's games to a file: FILE.csv.", show_default=False),
    ] = None,
    named: TrustedGameOption = None,
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            help="A player of the run that is in a file, if you trust it; may be repeated.",
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """List the runs of a store, show one, or export its games."""
    if export is not None and run is None:
        raise BadText("which run is to be exported? Give its number after the file")
    from kibitz.arena.store.store import Store
    from kibitz.arena.store.stored_run import (
        comparison_of,
        describe_verdict,
        export_games,
        find_run,
        players_in_files,
        verdict_rows,
    )

    with Store(store, create=False) as opened:
        if run is None:
            stored = opened.runs()
            if as_json:
                print_json([asdict(each) for each in stored])
            else:
                _list(stored)
            return
        one = find_run(opened, run)
        if export is not None:
            games = export_games(opened, one, export)
            if is_device(export):  # the games themselves may be on standard output
                print(export, file=sys.stderr)
            elif as_json:
                print_json({"file": str(export), "games": games})
            else:
                print(export)
            return
        game = split_spec(one.plan.game)[0]
        shown = "kibitz", "runs", store, str(run)
        own = trusted_game(store, named, [game], *shown, "--game", "…")
        with_game = ["--game", named] if named else []
        players = trusted_players(store, strategy or [], players_in_files(one), *shown, *with_game)
        figures = comparison_of(opened, one, own, players)
    if as_json:
        document = figures.document()
        if one.until_clear:
            document["until_clear"] = verdict_rows(one)
        print_json(document)
        return
    from kibitz.cli.ui.comparison_tables import show_comparison

    show_comparison(figures)
    for each in verdict_rows(one):
        print(describe_verdict(each))
    about = f"run {one.id}, begun {one.created}, {_about(one.versions)}; {_about(one.machine)}"
    print(one_line(about))


def _list(stored: list[Any]) -> None:
    from rich.console import Console

    from kibitz.cli.ui.tables import table

    if not stored:
        print("no runs")
        return
    # Only where somebody has asked for a clear difference: the players need the width.
    asked = any(run.until_clear for run in stored)
    rows = table(*(name for name in COLUMNS if asked or name != "clear"), long="players")
    for run in stored:
        least, most = min(run.pairs), max(run.pairs)
        pairs = str(most) if least == most else f"{least}–{most}"
        begun = run.created.replace("T", " ")[: len("2026-01-01 12:00")]
        plan = run.plan
        unit = f"{plan.unit}, less luck" if plan.less_luck else plan.unit
        figures = str(plan.seed), unit, pairs, *([_clear(run)] if asked else [])
        rows.add_row(str(run.id), begun, plan.game, *figures, _players(plan.players))
    Console(highlight=False).print(rows)


def _players(names: Sequence[str]) -> str | list[str]:
    """A run's players; if a name is long, each begins a line."""
    if max(map(len, names)) <= LONG:
        return ", ".join(names)
    return [*(f"{name}," for name in names[:-1]), names[-1]]


def _clear(run: Any) -> str:
    """How many of the line-ups that were asked for a clear difference had one."""
    asked = run.until_clear
    if not asked:
        return ""
    clear, decided = (sum(each.better in known for each in asked) for known in ((0, 1), (0, 1, -1)))
    if not decided:
        return "not yet"
    words = f"{clear} of {len(asked)}" if clear else "no"
    if len(asked) == clear == 1:
        words = "yes"
    return words if decided == len(asked) else f"{words}, not all yet"


def _about(what: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in what.items())
