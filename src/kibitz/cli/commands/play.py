"""`kibitz play`: a person at the table, in the terminal."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from kibitz.cli.ui.prompt import Quit, Undo, read_line
from kibitz.cli.ui.saved_games import (
    MOST_OFFERED,
    SavedGame,
    in_catalogue,
    latest_record,
    new_path,
    unfinished_games,
)
from kibitz.core import registry
from kibitz.core.errors import BadText
from kibitz.core.game import Game
from kibitz.core.strategy import Strategy

if TYPE_CHECKING:
    import click

SEED_BITS = 63
"""Of the seeds that are drawn: nobody finds one by trying all."""


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
        bool | None,
        typer.Option("--hints/--no-hints", help="A hint before each of your choices."),
    ] = None,
    hint_by: Annotated[
        str | None,
        typer.Option(help="The fair strategy that gives hints.", show_default="level hard"),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(help="Where the game is recorded.", show_default="the user's data folder"),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            help="Go on with a recorded game; without a file, with the one you left last.",
            metavar="[FILE]",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Play against a strategy. Quit at any time: every play is saved, and you can go on later.
    Without a game you can choose among those that you left."""
    from kibitz.cli.ui.background import warming_up
    from kibitz.cli.ui.hints import Hints
    from kibitz.cli.ui.session import TerminalSession

    if against is not None and level is not None:
        raise BadText("--against and --level both say who plays: give one of them")
    left = _record_to_resume(
        game, resume, against, any((against, level, seed is not None, record, seat != 1))
    )
    if left is not None:
        if level is not None:
            raise BadText("the record says who plays: leave out --level")
        session = TerminalSession.resume(left, game, against)
        own = session.hints
        if hints is not None or hint_by is not None:
            by = hint_by or (str(own.strategy) if own.strategy else None)
            session.use_hints(Hints(session.game, by, own.always if hints is None else hints))
    else:
        played = registry.make_game(game or "")
        if not 1 <= seat <= played.players:
            raise BadText(f"seat {seat} is not possible; allowed: 1 to {played.players}")
        opponent = _opponent(played, against, level)
        if record is not None and record.exists():
            raise BadText(f"{record} exists already; --resume goes on with a record")
        advice = Hints(played, hint_by, bool(hints))
        number = secrets.randbits(SEED_BITS) if seed is None else seed
        path = record or new_path(played)
        session = TerminalSession.start(played, opponent, seat - 1, number, path, advice)
    with warming_up(session.game, session.opponent, session.hints.strategy):
        session.run()


def _record_to_resume(
    game: str | None, resume: str | None, against: str | None, new: bool
) -> Path | None:
    """The record to go on with; None for a new game. Who asks for nothing special is offered
    what he has left."""
    if resume:
        return Path(resume)
    if resume is not None:
        return latest_record(game, against)
    if new:
        if game is None:
            raise BadText("name the game that you want to play, such as love-letter")
        return None
    left = unfinished_games()
    if game is not None:
        played = registry.make_game(game)
        left = [one for one in left if one.is_of(played)]
        return _offer(left[:MOST_OFFERED], game) if left else None
    left, in_files = in_catalogue(left)
    for one in in_files[:MOST_OFFERED]:
        print(f"You have left {one}\n  go on with: {one.resume_command}")
    if not left:
        raise BadText("give a game to play (kibitz games lists them), or --resume with a record")
    return _offer(left[:MOST_OFFERED], game)


def _offer(left: list[SavedGame], game: str | None) -> Path | None:
    """One of these, or a new game, if one is named."""
    print("You have left:")
    for number, one in enumerate(left, 1):
        print(f"  {number}) {one}")
    which = "Enter" if len(left) == 1 else f"Enter for the first, or 1-{len(left)},"
    other = "n for a new game, " if game is not None else ""
    while True:
        try:
            text = read_line(f"{which} to go on, {other}q to stop: ").lower()
        except Undo:
            continue
        except Quit:
            raise typer.Exit() from None
        if text in ("n", "new") and other:
            return None
        chosen = text or "1"
        if chosen.isdecimal() and len(chosen) < 3 and 1 <= int(chosen) <= len(left):
            return left[int(chosen) - 1].path


def _opponent(game: Game[Any, Any], against: str | None, level: str | None) -> Strategy:
    from kibitz.strategies.common.levels import opponent_of, usual_opponent

    if against is None:
        return usual_opponent(game) if level is None else opponent_of(game, level)
    return registry.make_strategy(against)


class Command(TyperCommand):
    """`--resume` may stand alone: then it has no file."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = [
            "--resume=" if arg == "--resume" and after.startswith("-") else arg
            for arg, after in zip(args, [*args[1:], "-"], strict=False)
        ]
        return super().parse_args(ctx, given)
