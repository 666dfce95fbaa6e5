"""Records and stores may name files. Somebody else may have written them, so such a file is
opened only if the user names it too."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.core import registry
from kibitz.core.errors import BadText
from kibitz.core.game import Game
from kibitz.core.game_file import is_file
from kibitz.core.strategy import Strategy

TrustedGameOption = Annotated[
    str | None,
    typer.Option("--game", help="The file that its game is in, if you trust it."),
]


def trusted_game(
    source: Path, given: str | None, recorded: Iterable[str], *command: str | Path
) -> Game[Any, Any] | None:
    """The game that the user names for what is recorded; None if the catalogue has it. The command
    is what to type, with … where the file goes."""
    if given is not None:
        return registry.make_game(given)
    for name in filter(is_file, recorded):
        _refuse(source, "its game is in a file", name, name, command)
    return None


def trusted_strategy(
    source: Path, given: str | None, recorded: str, *command: str | Path
) -> Strategy:
    """A strategy that is recorded. If it reads a file, the user has to name it too."""
    strategy = registry.make_strategy(recorded)
    if given is not None and registry.make_strategy(given) != strategy:
        raise BadText(f"{source}: it says who plays, {recorded}: leave out {given}")
    if strategy.files() and given is None:
        _refuse(source, "its strategy reads a file", strategy.files()[0], recorded, command)
    return strategy


def _refuse(source: Path, what: str, file: str, word: str, command: tuple[str | Path, ...]) -> None:
    typed = shlex.join(word if part == "…" else str(part) for part in command)
    raise BadText(f"{source}: {what}, {file}; if you trust that file, name it: {typed}")
