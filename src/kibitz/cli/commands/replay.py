"""`kibitz replay`: show a recorded game, play by play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.cli.ui.trusted_files import TrustedGameOption, trusted_game
from kibitz.core.game import Game


def replay(
    record: Annotated[Path, typer.Argument(help="A file of records, as `kibitz play` writes.")],
    positions: Annotated[
        bool, typer.Option("--positions", help="Also print the position before every play.")
    ] = False,
    named: TrustedGameOption = None,
) -> None:
    """Replay recorded games; every play is checked."""
    from kibitz.table.record import PERSON, called, read_records, replay
    from kibitz.table.table import Table

    records = read_records(record)
    names = [one.game for one in records]
    own = trusted_game(record, named, names, "kibitz", "replay", record, "--game", "…")
    tables = [replay(one, f"{record}, game {i}", own) for i, one in enumerate(records, 1)]
    for number, (one, table) in enumerate(zip(records, tables, strict=True), 1):
        game = table.game
        who = ", ".join(f"seat {i} {called(name)}" for i, name in enumerate(one.players, 1))
        print(f"Game {number}: {game}, seed {one.seed}; {who}; seat {one.first} begins")
        # While a game goes on, nobody sees more of it than the person who plays.
        seat = one.players.index(PERSON) if PERSON in one.players and not table.is_over else None
        again = Table(game, one.seed, one.first - 1, one.plays)
        for i, line in enumerate(again.logs[seat or 0], 1):
            print(f"{i:4}  {line}")  # chance began
        shown = len(again.plays)
        while shown < len(table.plays):
            before = again.state if seat is None else again.view(seat).state
            if positions:
                print(f"      {game.position(before)}")
            _show_hand(game, before, again.mover)
            earlier = again.state
            play = game.parse_play(earlier, table.plays[shown])
            again.play(play)
            if seat is None and len(again.plays) == shown + 1:
                lines = [game.narrate(earlier, play, again.state, None)]
            else:
                lines = again.logs[seat or 0][shown:]
            for i, line in enumerate(lines, shown + 1):
                print(f"{i:4}  {line}")
            shown = len(again.plays)
        if not table.is_over:
            print("      not over yet")
            continue
        for holder in range(game.players):
            _show_hand(game, table.state, holder)
        outcome = game.outcome(table.state)
        if not table.logs[0] or outcome.lower() not in table.logs[0][-1].lower():
            print(f"      {outcome}")


def _show_hand(game: Game[Any, Any], state: Any, seat: int) -> None:
    """What a seat holds, if that may be seen."""
    hand = game.held(state, seat)
    if hand:
        print(f"      seat {seat + 1} holds {hand}")
