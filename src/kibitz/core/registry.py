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
from typing import Any, TypeVar

from kibitz.core import checks
from kibitz.core.catalogue import Catalogue
from kibitz.core.code_file import WITHIN, existing_file, is_file
from kibitz.core.errors import BadText, BadType, KibitzError, UnsuitableGame
from kibitz.core.game import Game
from kibitz.core.game_file import load_game
from kibitz.core.options import Configured, check_name, split_options
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
    check_name(cls)
    known = catalogue.setdefault(cls.name, cls)
    if known.__module__ != cls.__module__:
        raise KibitzError(f"{known.__module__} and {cls.__module__} both define {cls.name!r}")
    catalogue[cls.name] = cls


def games() -> Catalogue[type[Game[Any, Any]]]:
    """Every game that there is, of Kibitz and of other packages. Those of another library, which
    need more than a name, are in `libraries()`.

    Returns
    -------
    Catalogue
        A dict of their classes by name. At a prompt and in a notebook it is a table.

    Examples
    --------
    >>> import kibitz
    >>> kibitz.games()["tablic"].title
    'Tablić: capture table cards that add up to yours'
    """
    return Catalogue((name, cls) for name, cls in _all_games().items() if not cls.rest)


def libraries() -> Catalogue[type[Game[Any, Any]]]:
    """Other libraries whose games can be played: the name of one is followed by a colon and that
    of a game in it, such as `open-spiel:leduc_poker`."""
    return Catalogue((name, cls) for name, cls in _all_games().items() if cls.rest)


def game_class(name: str) -> type[Game[Any, Any]] | None:
    """The class of a game, of a library's too; None if nobody has entered one of that name."""
    return _all_games().get(name)


def _all_games() -> dict[str, type[Game[Any, Any]]]:
    _discover("games")
    return dict(sorted(_games.items()))


def strategies(game: Game[Any, Any] | str | None = None) -> Catalogue[type[Strategy]]:
    """Every strategy that there is, or those that play a game with their default options.

    Parameters
    ----------
    game
        A game, or its text.

    Returns
    -------
    Catalogue
        A dict of their classes by name. At a prompt and in a notebook it is a table.

    Examples
    --------
    >>> import kibitz
    >>> kibitz.strategies("twenty-one")
    name            knows  title
    alpha-beta      fair   minimax without what can't matter
    expectiminimax  fair   minimax with the mean where chance moves
    mcts            fair   tree search by random games, for open cards
    minimax         fair   the best play if the other plays his best, all of the tree
    random          fair   any legal play, each as likely
    """
    _discover("strategies")
    known = Catalogue(sorted(_strategies.items()))
    if game is None:
        return known
    return Catalogue((name, known[name]) for name in strategies_for(game_of(game)))


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
    """A game from its text, or from a file.

    Parameters
    ----------
    spec
        The name, and options if they are not at their default, such as
        `tablic:cards_bonus=none,players=3`; or a file, such as `my_game.py`.

    Returns
    -------
    Game
        The rules with these options. `kibitz.games()` lists the names.

    Examples
    --------
    >>> import kibitz
    >>> kibitz.make_game("tablic:players=3").players
    3
    >>> kibitz.make_game("tablic:players=9")
    Traceback (most recent call last):
        ...
    kibitz.core.errors.BadText: tablic: players=9 is not possible; allowed: 2, 3, 4
    """
    name, options = split_file_spec(checks.text(spec, "a game"))
    return load_game(name, options) if is_file(name) else catalogue_game(name, options)


def catalogue_game(name: str, options: Mapping[str, Any]) -> Game[Any, Any]:
    """A game that somebody else has named, as in a record: no file is opened for it, and each
    option is a value of its own, whatever its text."""
    return _find("game", _all_games(), name)(**options)


def make_strategy(spec: str) -> Strategy:
    """A strategy from its text, or from a file.

    Parameters
    ----------
    spec
        The name, and options if they are not at their default, such as `ismcts:simulations=1000`;
        or a file, such as `my_bot.py`.

    Returns
    -------
    Strategy
        A frozen configuration. `kibitz.strategies()` lists the names.

    Examples
    --------
    >>> import kibitz
    >>> kibitz.make_strategy("ismcts:simulations=1000").knows
    <Knows.FAIR: 'fair'>
    """
    name, options = split_file_spec(checks.text(spec, "a strategy"))
    if not is_file(name):
        return catalogue_strategy(spec)
    from kibitz.core.strategy_file import load_strategy

    return load_strategy(name, options)


def catalogue_strategy(spec: str) -> Strategy:
    """A strategy that somebody else has named, as in a record: no file is run for it. What it
    runs or reads when it sits down, `files_named_by` tells before."""
    name, options = split_spec(spec)
    made: Strategy = _find("strategy", strategies(), name)(**options)
    return made


def files_named_by(spec: str) -> list[str]:
    """The files that a strategy's text names: one that it is in, that it reads or runs. None of
    them is opened."""
    name, _ = split_file_spec(checks.text(spec, "a strategy"))
    return [name] if is_file(name) else catalogue_strategy(spec).files()


def strategy_of(thing: Any) -> Strategy:
    """A strategy from whatever stands for one: a strategy, its text (a name with options, or a
    file such as `my_bot.py`), or a function that takes a view and gives a play or its text.

    >>> strategy_of("greedy:bluff=true")
    <Greedy greedy:bluff=true>
    >>> def first(view):
    ...     return view.plays()[0]
    >>> strategy_of(first)
    <FunctionStrategy first>
    """
    if isinstance(thing, Strategy):
        check_name(thing)
        if not hasattr(thing, "settings"):
            raise BadType(f"{type(thing).__name__}.__init__ must call super().__init__() too")
        return thing
    if isinstance(thing, str):
        return make_strategy(thing)
    if isinstance(thing, type):
        raise BadType(f"{thing.__name__} is a class: give an object of it, {thing.__name__}()")
    if not callable(thing):
        raise BadType(
            "a strategy, its text, or a function of a view is wanted, not " + checks.brief(thing)
        )
    from kibitz.core.function_strategy import FunctionStrategy

    return FunctionStrategy(thing)


def game_of(what: Game[Any, Any] | str) -> Game[Any, Any]:
    """A game that is given by itself or by its text."""
    if isinstance(what, str):
        return make_game(what)
    made: Game[Any, Any] = checks.one_of(what, Game, "a game, or its text,")
    return made


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
    """The name and the options in a text. Of several things in a file the name has one too:
    `my_bot.py::Cautious:depth=3`."""
    name, _, rest = (part.strip() for part in spec.strip().partition(":"))
    if is_file(name) and rest.startswith(":"):
        inner, _, rest = rest[1:].partition(":")
        name += WITHIN + inner.strip()
    option = _rest_option(name) if rest else ""
    return name, {option: rest} if option else split_options(spec, rest)


def _rest_option(name: str) -> str:
    """The option that is all that stands behind the colon; nothing if there are several."""
    catalogues: dict[str, Mapping[str, type[Configured]]]
    catalogues = {"games": _games, "strategies": _strategies}
    for what, known in catalogues.items():
        _discover(what)
        if name in known:
            return known[name].rest
    return ""


def split_file_spec(spec: str) -> tuple[str, dict[str, str]]:
    """The same; but the name of a file that is there may have colons."""
    return (spec, {}) if existing_file(spec) else split_spec(spec)


def _find(kind: str, known: Mapping[str, Any], name: str) -> Any:
    if name in known:
        return known[name]
    import difflib

    close = difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean {close[0]}?" if close else ""
    raise BadText(f"there is no {kind} {checks.brief(name)}{hint} (known: {', '.join(known)})")
