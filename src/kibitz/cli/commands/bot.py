"""`kibitz bot`: a strategy as an engine for other programs."""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout
from typing import Annotated

import typer

from kibitz.core import registry


def bot(
    strategy: Annotated[str, typer.Argument(help="Such as greedy or ismcts:simulations=500.")],
    game: Annotated[
        str | None,
        typer.Option(help="A game in a file, if it is to play that.", show_default=False),
    ] = None,
) -> None:
    """Play a strategy over lines of JSON on standard input and output: docs/bots.md."""
    from kibitz.interop.bots.engine import BotEngine

    engine = BotEngine(registry.make_strategy(strategy), game)
    # Standard output is for answers alone: whatever else is printed goes to standard error.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        with redirect_stdout(sys.stderr):
            engine.serve(sys.stdin.buffer, out)
