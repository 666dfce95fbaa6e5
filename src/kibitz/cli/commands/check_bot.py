"""`kibitz check-bot`: does a bot keep to the protocol, and what does it get wrong?"""

from __future__ import annotations

from typing import Annotated

import typer

from kibitz.core import registry


def check_bot(
    command: Annotated[str, typer.Argument(help='Such as "./my_engine --flag".')],
    game: Annotated[str, typer.Option(help="A game that it plays.")] = "love-letter",
    games: Annotated[int, typer.Option(help="Games in each seat.", min=1, max=10_000)] = 4,
) -> None:
    """Try a bot, line by line: docs/bots.md. Exit code 1 if something is wrong."""
    from kibitz.interop.bots.check import BotCheck
    from kibitz.interop.bots.log import log_path
    from kibitz.interop.bots.strategy import Bot

    played = registry.make_game(game)
    bot = Bot(command=command.removeprefix("bot:"))
    bot.check_game(played)
    wrong = 0
    for finding in BotCheck(bot.command, played, games).findings():
        wrong += finding.kind == "wrong"
        print(f"{finding.kind:5}  {finding.text}", flush=True)
    print(f"its standard error: {log_path(bot.words)}")
    if wrong:
        raise typer.Exit(1)
