"""`kibitz replay`: show a recorded game, play by play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.ui.trusted_files import TrustedGameOption, trusted_game


def replay(
    record: Annotated[Path, typer.Argument(help="A file of records, as `kibitz play` writes.")],
    positions: Annotated[
        bool, typer.Option("--positions", help="Also print the position before every play.")
    ] = False,
    named: TrustedGameOption = None,
) -> None:
    """Replay recorded games; every play is checked."""
    from kibitz.table.played import PlayedGame
    from kibitz.table.record import read_records, replay

    records = read_records(record)
    names = [one.game for one in records]
    own = trusted_game(record, named, names, "kibitz", "replay", record, "--game", "…")
    tables = [replay(one, f"{record}, game {i}", own) for i, one in enumerate(records, 1)]
    for number, (one, table) in enumerate(zip(records, tables, strict=True), 1):
        played = PlayedGame.of(one, table)
        print(f"Game {number}: {played.heading}")
        for line in played.lines(positions):
            print(line)
