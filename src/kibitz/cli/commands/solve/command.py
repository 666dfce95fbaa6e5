"""`kibitz solve`: which solver a game has. Its options are those of that solver's function.

A game that has a solver of its own names the module of its command (`Game.solve_command`). An
algorithm that is named, and any other game, goes to the searches in `finite_game.py`. In each
module there is a function `solve(game, *, …)`: its other arguments are the options of the command,
its text is the help.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, get_type_hints

from typer.core import TyperCommand

from kibitz.cli.ui.search_options import GameArgument
from kibitz.core.errors import BadText
from kibitz.core.game import Game
from kibitz.core.registry import games, make_game

if TYPE_CHECKING:
    import click

SEARCHES = "kibitz.cli.commands.solve.finite_game"
ALGORITHM = "--algorithm"


def solve(game: GameArgument) -> None:
    """Solve a game: its value, the best line or play, and what it cost.

    What can be asked depends on the game, and so do the options:

    kibitz solve twenty-one --help: a finite game with open cards, a graph or a game in Python, by
    textbook searches.

    kibitz solve tablic --help: a game of Tablić with the deck known, exactly.

    kibitz solve love-letter --help: a round of two players to an equilibrium, with bounds for its
    value.
    """


class SolveCommand(TyperCommand):
    """Finds the game, and hands over to the command of its solver."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:  # fmt: skip
        from click.exceptions import NoSuchOption

        from kibitz.cli import guarded

        place = _place_of_game(args)
        if place is None:  # help, or the game is missing
            asked = [arg for arg in args if arg == "--help"]
            return super().make_context(info_name, asked, parent, **extra)
        game: Game[Any, Any] = guarded(make_game)(args[place])
        rest = [*args[:place], *args[place + 1 :]]
        searched = any(arg.partition("=")[0] == ALGORITHM for arg in rest)
        module = SEARCHES if searched or not game.solve_command else game.solve_command
        command = _command_of(module, game)
        try:
            return command.make_context(f"{info_name} {game.spec}", rest, parent, **extra)
        except NoSuchOption as error:
            reason = _whose(error.option_name, game, module, searched)
            if reason is None:
                raise
            raise BadText(reason) from None


def _command_of(module: str, game: Game[Any, Any] | None = None) -> click.Command:
    """The command of a solver for a game; without one, only to look at its options."""
    from kibitz.cli import make_command

    return make_command("solve", _for_game(import_module(module).solve, game))


def _for_game(function: Callable[..., None], game: Game[Any, Any] | None) -> Callable[..., None]:
    """A solver's function without its first argument, the game."""

    def call(**options: Any) -> None:
        function(game, **options)

    made: Any = call
    first, *others = inspect.signature(function).parameters.values()
    made.__wrapped__ = function  # its annotations are texts that are read in its own module
    notes = function.__annotations__
    made.__annotations__ = {name: notes[name] for name in notes if name != first.name}
    made.__annotations__ = types = get_type_hints(made, include_extras=True)
    made.__signature__ = inspect.Signature(
        [one.replace(annotation=types.get(one.name, str)) for one in others]
    )
    made.__doc__ = function.__doc__
    return call


@cache
def options_of(module: str) -> dict[str, bool]:
    """The options of a solver as they are typed, and whether each takes a value."""
    return {
        name: not getattr(option, "is_flag", False)
        for option in _command_of(module).params
        for name in (*option.opts, *option.secondary_opts)
    }


def _solvers() -> dict[str, str]:
    """The module of each game that has a solver of its own."""
    return {name: cls.solve_command for name, cls in games().items() if cls.solve_command}


def _place_of_game(args: list[str]) -> int | None:
    """Where the game stands: it is the first that is no option nor an option's value."""
    place = 0
    while place < len(args):
        if not args[place].startswith("-"):
            return place
        place += 2 if _takes_value(args[place]) else 1
    return None


def _takes_value(option: str) -> bool:
    return any(options_of(module).get(option, False) for module in (SEARCHES, *_solvers().values()))


def _whose(option: str, game: Game[Any, Any], module: str, searched: bool) -> str | None:
    """Why a game's solver does not take an option; None if it is nobody's."""
    own = ", ".join(options_of(module))
    asked = f"{game.name} with {ALGORITHM}" if searched and game.solve_command else game.name
    owners = [name for name, other in _solvers().items() if option in options_of(other)]
    searches = option in options_of(SEARCHES)
    if owners:
        owners += ["finite games"] * searches
        whose = f"{' and '.join(owners)}{f', without {ALGORITHM}' if searched else ''}"
    elif searches:
        whose = f"searches, with {ALGORITHM} NAME"
    else:
        return None
    return f"{asked} takes {own}, not {option}: that is for {whose}"
