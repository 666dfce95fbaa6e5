"""`kibitz play`: a person at the table, in the terminal."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz import registry
from kibitz.model import BadText, Game, Strategy


def play(
    game: Annotated[
        str | None, typer.Argument(help="Such as love-letter or tablic.", show_default=False)
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(help="The strategy in all other seats.", show_default="level medium"),
    ] = None,
    level: Annotated[
        str | None,
        typer.Option(help="easy, medium or hard, instead of a strategy.", show_default=False),
    ] = None,
    seat: Annotated[int, typer.Option(help="Your seat; seat 1 begins.")] = 1,
    seed: Annotated[
        int | None, typer.Option(help="Same seed, same cards.", show_default=False)
    ] = None,
    hints: Annotated[
        bool, typer.Option("--hints", help="A hint before each of your choices.")
    ] = False,
    hint_by: Annotated[
        str | None,
        typer.Option(help="The fair strategy that gives hints.", show_default="level hard"),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(help="Where the game is recorded.", show_default="the user's data folder"),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Go on with a recorded game.", show_default=False)
    ] = None,
) -> None:
    """Play against a strategy. Quit at any time; the record lets you go on later."""
    from kibitz.cli.background import warming_up
    from kibitz.cli.hints import Hints
    from kibitz.cli.session import Session

    if game is None and resume is None:
        raise BadText("give a game to play, or --resume with a record")
    if against is not None and level is not None:
        raise BadText("--against and --level both say who plays: give one of them")
    if resume is not None:
        if level is not None:
            raise BadText("the record says who plays: leave out --level")
        session = Session.resume(resume, game, against)
        session.hints = Hints(session.game, hint_by, hints)
    else:
        played = registry.make_game(game or "")
        if not 1 <= seat <= played.players:
            raise BadText(f"seat {seat} is not possible; allowed: 1 to {played.players}")
        opponent = _opponent(played, against, level)
        if record is not None and record.exists():
            raise BadText(f"{record} exists already; --resume goes on with a record")
        advice = Hints(played, hint_by, hints)
        number = int.from_bytes(os.urandom(4), "little") if seed is None else seed
        path = record or _default_record(played)
        session = Session(played, opponent, seat - 1, number, path, advice)
    with warming_up(session.game, session.opponent, session.hints.strategy):
        session.run()


def _opponent(game: Game[Any, Any], against: str | None, level: str | None) -> Strategy:
    from kibitz.strategies.levels import opponent_of, usual_opponent

    if against is None:
        return usual_opponent(game) if level is None else opponent_of(game, level)
    opponent = registry.make_strategy(against)
    opponent.check_game(game)
    return opponent


def _default_record(game: Game[Any, Any]) -> Path:
    base = os.environ.get("XDG_DATA_HOME")
    folder = (Path(base) if base else Path.home() / ".local" / "share") / "kibitz"
    stamp = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
    return folder / f"{Path(game.name).name}-{stamp}.jsonl"
