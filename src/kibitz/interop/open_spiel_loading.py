"""A game of OpenSpiel by its text, or one line that says why it can't be had.

OpenSpiel prints each of its errors as well, over many lines: while a game is loaded, nothing gets
to standard error.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from kibitz.core.errors import BadText, UnsuitableGame

NAME = re.compile(r"\w+")
PARAMETER = re.compile(r"\s*\w+\s*=.*")
FILE = re.compile(r"(\w*(?:file|root)\w*)\s*=")
"""A parameter that names a file: a record, which anybody may have written, must open none."""
SOURCE = re.compile(r"^\S+\.(?:cc|h):\d+ ")
_silence = Lock()


def load_spiel(text: str) -> Any:
    """What `pyspiel.load_game` gives, if Kibitz can play it; in turns."""
    try:
        import pyspiel
    except ImportError:
        raise BadText("open-spiel needs OpenSpiel: pip install 'kibitz[spiel]'") from None
    _check_text(text)
    name = text.partition("(")[0]
    _check_name(name, pyspiel)
    try:
        with _silent():
            game = pyspiel.load_game(text)
            kind = game.get_type()
            if kind.dynamics == kind.Dynamics.SIMULTANEOUS:
                game = pyspiel.convert_to_turn_based(game)
    except Exception as error:
        reason = SOURCE.sub("", " ".join(str(error).split()))
        raise BadText(f"open-spiel:{text} can't be loaded: {reason}") from None
    _check_kind(text, game)
    return game


def _check_text(text: str) -> None:
    """Refuse what OpenSpiel would read as something else, or not at all."""
    _, opened, rest = text.partition("(")
    inside = rest.removesuffix(")")
    parts = _parts(inside) if opened else ()
    well = NAME.fullmatch(text.partition("(")[0]) is not None
    well = well and (not opened or rest.endswith(")")) and not _is_unbalanced(inside)
    if not well or not all(PARAMETER.fullmatch(part) for part in parts):
        raise BadText(
            f"open-spiel:{text}: a game is written name or name(key=value,key=value), such as"
            " goofspiel(num_cards=4,imp_info=True)"
        )
    names_file = FILE.search(text)
    if names_file:
        raise BadText(f"open-spiel:{text}: {names_file[1]} names a file, and none is opened")


def _is_unbalanced(text: str) -> bool:
    """Whether brackets are left open, or closed too early."""
    depth = 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return True
    return depth != 0


def _parts(text: str) -> Iterator[str]:
    """What stands between the commas that are in no brackets."""
    depth, part = 0, ""
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            yield part
            part = ""
        else:
            part += letter
    if part.strip():
        yield part


def _check_name(name: str, pyspiel: Any) -> None:
    """Refuse a name that is unknown, among the games in Python too."""
    known = pyspiel.registered_names()
    if name not in known:
        with _silent():
            import open_spiel.python.games  # noqa: F401
        known = pyspiel.registered_names()
    if name not in known:
        import difflib

        close = difflib.get_close_matches(name, known, n=1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise BadText(f"open-spiel: OpenSpiel has no game {name!r}{hint}")
    kind = next(kind for kind in pyspiel.registered_games() if kind.short_name == name)
    if not kind.default_loadable and any(
        FILE.match(key + "=") for key in kind.parameter_specification
    ):
        raise BadText(f"open-spiel:{name}: it reads a file, and none is opened")


def _check_kind(text: str, game: Any) -> None:
    """Refuse what can't be played here, with the reason."""
    kind = game.get_type()
    told = kind.provides_information_state_string or kind.provides_observation_string
    hides = kind.information != kind.Information.PERFECT_INFORMATION
    reasons = {
        "nobody takes turns in a mean-field game": kind.dynamics == kind.Dynamics.MEAN_FIELD,
        "it is for one player": game.num_players() < 2,
        "it draws its lots itself and does not tell them": (
            kind.chance_mode == kind.ChanceMode.SAMPLED_STOCHASTIC
        ),
        "it is not zero-sum, and here what one wins the others lose": (
            kind.utility != kind.Utility.ZERO_SUM
        ),
        "its actions have no numbers": kind.action_structs_only,
        "it does not tell what a player sees": hides and not told,
    }
    for reason, applies in reasons.items():
        if applies:
            raise UnsuitableGame(f"open-spiel:{text} can't be played: {reason}")


@contextmanager
def _silent() -> Iterator[None]:
    """Nothing gets to standard error, whoever writes it there."""
    with _silence:
        kept = os.dup(2)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nowhere, 2)
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            os.close(nowhere)
