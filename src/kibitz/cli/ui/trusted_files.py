"""Records and stores may name files. Somebody else may have written them, so such a file is
opened only if the user names it too."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.core import registry
from kibitz.core.code_file import is_file
from kibitz.core.errors import BadText
from kibitz.core.game import Game
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
    """A strategy that is recorded. If it is in a file or reads one, the user has to name it too:
    then his own is taken, which may have moved."""
    files = registry.files_named_by(recorded)
    if files and given is None:
        name = registry.split_spec(recorded)[0]
        runs = not is_file(name) and registry.strategies()[name].stays
        how = "is in" if is_file(name) else "runs" if runs else "reads"
        _refuse(source, f"its strategy {how} a file", files[0], recorded, command)
    if given is None:
        return registry.catalogue_strategy(recorded)
    own = registry.make_strategy(given)
    if not same_strategy(str(own), recorded):
        raise BadText(f"{source}: it says who plays, {recorded}: leave out {given}")
    return own


def trusted_players(
    source: Path, given: Sequence[str], recorded: Sequence[str], *command: str | Path
) -> dict[str, Strategy]:
    """The players of a stored run that are in files, by their texts there: the user has to name
    each of them too."""
    own = {_moved(str(made)): made for made in map(registry.make_strategy, given)}
    players = {}
    for spec in recorded:
        if _moved(spec) not in own:
            typed = [part for each in recorded for part in ("--strategy", each)]
            _refuse(source, "a player is in a file", spec, "", (*command, *typed))
        players[spec] = own[_moved(spec)]
    return players


def same_strategy(own: str, recorded: str) -> bool:
    """Whether two texts name one strategy, whose file may have moved."""
    return _moved(own) == _moved(recorded)


def _moved(spec: str) -> str:
    """A strategy's text without the folder of the file that it is in."""
    name, options = registry.split_spec(spec)
    if not is_file(name):
        return str(registry.catalogue_strategy(spec))
    return str((Path(name).name, options))


def _refuse(source: Path, what: str, file: str, word: str, command: tuple[str | Path, ...]) -> None:
    typed = shlex.join(word if part == "…" else str(part) for part in command)
    raise BadText(f"{source}: {what}, {file}; if you trust that file, name it: {typed}")
