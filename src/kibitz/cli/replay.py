"""`kibitz replay`: show a recorded game, play by play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.trusting import OwnGame, own_game


def replay(
    record: Annotated[Path, typer.Argument(help="A file of records, as `kibitz play` writes.")],
    positions: Annotated[
        bool, typer.Option("--positions", help="Also print the position before every play.")
    ] = False,
    named: OwnGame = None,
) -> None:
    """Replay recorded games; every play is checked."""
    from kibitz.arena.record import PERSON, read_records, replay
    from kibitz.arena.table import Table

    records = read_records(record)
    names = [one.game for one in records]
    own = own_game(record, named, names, "kibitz", "replay", record, "--game", "…")
    tables = [replay(one, f"{record}, game {i}", own) for i, one in enumerate(records, 1)]
    for number, (one, table) in enumerate(zip(records, tables, strict=True), 1):
        game = table.game
        who = ", ".join(f"seat {i} {name}" for i, name in enumerate(one.players, 1))
        print(f"Game {number}: {game}, seed {one.seed}; {who}; seat {one.first} begins")
        # While a game goes on, nobody sees more of it than the person who plays.
        seat = one.players.index(PERSON) if PERSON in one.players and not table.is_over else None
        again = Table(game, one.seed, one.first - 1, one.plays)
        shown = 0
        while shown < len(table.plays):
            if positions:
                state = again.state if seat is None else again.view(seat).state
                print(f"      {game.position(state)}")
            before = again.state
            play = game.parse_play(again.state, table.plays[shown])
            again.play(play)
            if seat is None and len(again.plays) == shown + 1:
                print(f"{shown + 1:4}  {game.narrate(before, play, again.state, None)}")
            else:
                for i in range(shown, len(again.plays)):
                    print(f"{i + 1:4}  {again.logs[seat or 0][i]}")
            shown = len(again.plays)
        end = game.outcome(table.state) if table.is_over else "not over yet"
        print(f"      {end}")
