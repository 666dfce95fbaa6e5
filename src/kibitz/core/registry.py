"""The catalogue of games and strategies.

Each registers itself with `@game` or `@strategy`. The ones that come with Kibitz are found
by looking into the folders `games/` and `strategies/`; other packages name theirs in the
entry points `kibitz.games` and `kibitz.strategies`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from kibitz.core import checks
from kibitz.core.errors import BadText, KibitzError, UnsuitableGame
from kibitz.core.game import Game
from kibitz.core.game_file import is_file, load_game
from kibitz.core.options import Configured, split_options
from kibitz.core.strategy import Strategy

C = TypeVar("C", bound=type[Configured])

_games: dict[str, type[Game[Any, Any]]] = {}
_strategies: dict[str, type[Strategy]] = {}


def game(cls: C) -> C:
    """Class decorator: enter a game into the catalogue."""
    _enter(_games, cls)
    return cls


def strategy(cls: C) -> C:
    """Class decorator: enter a strategy into the catalogue."""
    _enter(_strategies, cls)
    return cls


def _enter(catalogue: dict[str, Any], cls: type[Configured]) -> None:
    known = catalogue.setdefault(cls.name, cls)
    if known.__module__ != cls.__module__:
        raise KibitzError(f"{known.__module__} and {cls.__module__} both define {cls.name!r}")
    catalogue[cls.name] = cls


def games() -> dict[str, type[Game[Any, Any]]]:
    _discover("games")
    return dict(sorted(_games.items()))


def strategies() -> dict[str, type[Strategy]]:
    _discover("strategies")
    return dict(sorted(_strategies.items()))


@cache
def _discover(what: str) -> None:
    package = importlib.import_module(f"kibitz.{what}")
    for module in pkgutil.iter_modules(package.__path__):
        # A game is a folder; its face is light, its kernels are imported at first use.
        if what == "strategies":
            importlib.import_module(f"kibitz.{what}.{module.name}")
        elif module.ispkg:
            importlib.import_module(f"kibitz.{what}.{module.name}.game")
    from importlib.metadata import entry_points

    for point in entry_points(group=f"kibitz.{what}"):
        try:
            point.load()
        except Exception as error:
            raise KibitzError(f"{what} from {point.value} can't be loaded: {error}") from error


def make_game(spec: str) -> Game[Any, Any]:
    """A game from its text, such as `tablic:cards_bonus=none,players=3`, or from a file."""
    if is_file(checks.text(spec, "a game")) and Path(spec).is_file():
        return load_game(spec, {})  # its name may have a colon
    name, options = split_spec(spec)
    if is_file(name):
        return load_game(name, options)
    return catalogue_game(name, options)


def catalogue_game(name: str, options: Mapping[str, Any]) -> Game[Any, Any]:
    """A game that somebody else has named, as in a record: no file is opened for it, and each
    option is a value of its own, whatever its text."""
    return _find("game", games(), name)(**options)


def make_strategy(spec: str) -> Strategy:
    """A strategy from its text, such as `ismcts:simulations=1000`."""
    name, options = split_spec(checks.text(spec, "a strategy"))
    return _find("strategy", strategies(), name)(**options)


def strategies_for(game: Game[Any, Any]) -> list[str]:
    """The names of the strategies that play a game, with their default options."""
    fitting = []
    for name, cls in strategies().items():
        try:
            cls().check_game(game)
        except UnsuitableGame:
            continue
        fitting.append(name)
    return fitting


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    name, _, rest = spec.strip().partition(":")
    return name.strip(), split_options(spec, rest)


def _find(kind: str, known: Mapping[str, Any], name: str) -> Any:
    if name in known:
        return known[name]
    import difflib

    close = difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean {close[0]}?" if close else ""
    raise BadText(f"there is no {kind} {name!r}{hint} (known: {', '.join(known)})")
