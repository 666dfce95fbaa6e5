"""What may be asked for by HTTP: games and strategies of the catalogue by their names, and budgets
that keep a table going. Nothing here opens a file, whatever a text names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from kibitz.core.code_file import is_file
from kibitz.core.errors import BadText
from kibitz.core.game import Game
from kibitz.core.options import Option
from kibitz.core.registry import (
    catalogue_game,
    catalogue_strategy,
    games,
    libraries,
    split_spec,
    strategies,
    strategies_for,
)
from kibitz.core.strategy import Knows, Strategy
from kibitz.strategies.common.levels import adviser_for, levels_for, opponent_of
from kibitz.table.record import PERSON, Record

MOST: Mapping[str, float] = {
    "simulations": 20_000, "worlds": 2_000, "seconds": 5, "depth": 6, "cards": 6, "width": 2_000,
    "c": 100, "bias": 100,
}  # fmt: skip
"""What an option of a strategy may be at most: a decision is to take seconds."""
TOO_LONG = ("perfect", "full-backtrack")
"""Strategies that look through a whole game, which takes minutes: nobody at a table would wait."""
LEVEL = "level:"
DIGITS = 1000


def web_game(spec: str) -> Game[Any, Any]:
    """A game of the catalogue, by its text."""
    if is_file(split_name(spec)):
        raise BadText("games in files can't be played here: start them with kibitz play")
    name, options = split_spec(spec)
    if name in libraries():  # what their games do when they are loaded nobody here has looked at
        raise BadText(f"games of {name} can't be played here: start them with kibitz play")
    return catalogue_game(name, options)


def web_strategy(spec: str, game: Game[Any, Any]) -> Strategy:
    """A strategy of the catalogue that can play a game, by its text or by a level, within the
    limits of this server."""
    if spec.startswith(LEVEL):
        return opponent_of(game, spec.removeprefix(LEVEL))
    if is_file(split_name(spec)):
        raise BadText("strategies in files can't play here: start them with kibitz play")
    made = catalogue_strategy(spec)
    check_strategy(made)
    made.check_game(game)
    return made


def levels_of(names: Sequence[str], game: Game[Any, Any]) -> list[str | None]:
    """The level of everybody at a table, where a strategy plays as it does at one."""
    known = {str(opponent_of(game, level)): level for level in reversed(levels_for(game))}
    return [known.get(name) for name in names]


def split_name(spec: str) -> str:
    """The name in a text, whatever the rest is."""
    return spec.partition(":")[0]


def check_strategy(strategy: Strategy) -> None:
    """Refuse one that reads files, or that would think for too long."""
    if strategy.files():
        raise BadText(f"{strategy.name} reads a file, which can't be named here")
    if strategy.name in TOO_LONG:
        raise BadText(f"{strategy.name} thinks for minutes; play it with kibitz play")
    for option in strategy.options:
        most, value = MOST.get(option.name), strategy.settings[option.name]
        if most is not None and isinstance(value, (int, float)) and value > most:
            raise BadText(f"{strategy.name}: {option.name} may be at most {most:g} here")


def web_adviser(by: str | None, game: Game[Any, Any]) -> Strategy:
    """Who gives hints: the strongest fair level, unless somebody is named."""
    strategy = adviser_for(game) if by is None else web_strategy(by, game)
    if strategy is None:
        raise BadText(f"nobody can give hints in {game}")
    if strategy.knows is not Knows.FAIR:
        raise BadText(f"{strategy} is {strategy.knows}: hints come from fair strategies only")
    return strategy


def advisers(game: Game[Any, Any]) -> list[str]:
    """Who may be asked for a hint, the usual adviser first."""
    usual = adviser_for(game)
    first = [] if usual is None else [usual.name]
    fair = [name for name in strategies_for(game) if strategies()[name].knows is Knows.FAIR]
    return list(dict.fromkeys([*first, *(name for name in fair if name not in TOO_LONG)]))


def players_of(record: Record) -> list[Strategy | None]:
    """Who plays in a record, which may come from anybody."""
    game = game_of_record(record)
    return [None if name == PERSON else web_strategy(name, game) for name in record.players]


def game_of_record(record: Record) -> Game[Any, Any]:
    """Its game, if the catalogue has it."""
    if is_file(record.game) or record.game not in games():
        raise BadText("its game is not of the catalogue, so it can't be opened here")
    return catalogue_game(record.game, record.options)


def web_seed(text: str) -> int:
    """A seed that somebody chose."""
    number = text.strip().removeprefix("-")
    if not (number.isascii() and number.isdecimal() and len(number) < DIGITS):
        raise BadText("a seed is a whole number")
    return int(text)


# -- as data for the page ----------------------------------------------------------------------


@cache
def catalogue() -> list[dict[str, Any]]:
    """Every game, with whoever can play it."""
    return [_game(name) for name in games()]


def _game(name: str) -> dict[str, Any]:
    game = catalogue_game(name, {})
    players = next((list(o.choices) for o in game.options if o.name == "players"), [game.players])
    return {
        "name": name,
        "title": game.title,
        "label": game.title.partition(":")[0],
        "unit": game.traits.unit,
        "players": players,
        "matches": game.traits.match,
        "options": [_option(option) for option in game.options],
        "levels": [
            {"name": level, "strategy": spec, "about": catalogue_strategy(spec).title_in(game)}
            for level, spec in levels_for(game).items()
        ],
        "strategies": [
            _strategy(each, game) for each in strategies_for(game) if each not in TOO_LONG
        ],
    }


def _strategy(name: str, game: Game[Any, Any]) -> dict[str, Any]:
    cls = strategies()[name]
    adviser = adviser_for(game)
    return {
        "name": name,
        "title": cls.title_in(game),
        "knows": str(cls.knows),
        "advises": adviser is not None and adviser.name == name,
        "options": [_option(option) for option in cls.options if not option.file],
    }


def _option(option: Option) -> dict[str, Any]:
    kinds = {bool: "yes/no", int: "whole number", float: "number", str: "text"}
    kind = "choice" if option.choices else kinds[type(option.default)]
    shown: dict[str, Any] = {"name": option.name, "kind": kind}
    if option.choices:
        shown["choices"] = list(option.choices)
    elif kind in ("whole number", "number"):
        shown["least"] = -option.most if option.least is None else option.least
        shown["most"] = min(option.most, MOST.get(option.name, option.most))
    return {**shown, "default": option.default, "about": option.help}
