"""What the methods of a compiled game and its presenter are given, checked before they see it.

A parameter's name says what it is: `state` is a valid record, `seat` a seat of the game, `play`
legal where it is made. A game writes its methods without a thought of anything else.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from numbers import Real
from typing import TYPE_CHECKING, Any

from kibitz.core import checks
from kibitz.core.errors import BadType
from kibitz.core.game import View
from kibitz.core.strategy import Knows

if TYPE_CHECKING:
    from kibitz.games.compiled_game import CompiledGame

GUARDED = (
    *("caption", "check_face_up", "deal_deck", "every_deal", "features", "hidden_cards", "label"),
    *("missing", "parse_play", "parse_position", "position", "redeal", "symmetry_key", "team"),
    "view_at_the_end",
)
"""The methods of a game."""
PRESENTED = (
    *("board", "brings", "choices", "describe", "forms", "held", "help_on", "html", "menu"),
    *("narrate", "notes", "outcome", "phrase", "play_of", "scene", "seat_scene", "table"),
    *("text", "typed", "zones"),
)
"""The methods of its presenter."""


def guard_methods(cls: type, names: Iterable[str]) -> None:
    """Guard these methods of a class, as it wrote or inherited them."""
    for name in names:
        setattr(cls, name, guarded(getattr(cls, name)))


def guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    """The method, with what it is given checked by the names of its parameters."""
    signature = inspect.signature(method)
    names = list(signature.parameters)[1:]
    checks = [
        (i, CHECKS[name], "None" in f"{signature.parameters[name]}")
        for i, name in enumerate(names)
        if name in CHECKS
    ]

    @wraps(method)
    def checking(self: Any, *args: Any, **named: Any) -> Any:
        game = getattr(self, "game", self)  # of a presenter, or the game itself
        if named or len(args) != len(names):
            args = signature.bind(self, *args, **named).args[1:]
        checked = list(args)
        for i, check, optional in checks:
            if i < len(checked) and not (optional and checked[i] is None):
                checked[i] = check(game, checked[i], checked[0])
        return method(self, *checked)

    return checking


def _state(game: CompiledGame, what: Any, first: Any) -> Any:
    return game.checked(what)


def _complete(game: CompiledGame, what: Any, first: Any) -> Any:
    return game._require_complete(game.checked(what))


def _view(game: CompiledGame, what: Any, first: Any) -> Any:
    if not isinstance(what, View):
        raise BadType(f"a view is what view() gives, not {checks.brief(what)}")
    state, seat = game.checked(what.state), checks.seat(what.seat, game.players)
    return game.view_class(what.game, seat, state, what.log, what.past)


def _play(game: CompiledGame, what: Any, first: Any) -> Any:
    return game.match_play(first.state if isinstance(first, View) else first, what)


def _plays(game: CompiledGame, what: Any, first: Any) -> Any:
    return [_play(game, one, first) for one in what]


def _cards(game: CompiledGame, what: Any, first: Any) -> list[int]:
    try:
        return [checks.whole_number(card, "a card's number") for card in what]
    except TypeError as error:
        raise BadType(f"cards are a list of numbers: {error}") from None


def _knows(game: CompiledGame, what: Any, first: Any) -> Any:
    return checks.one_of(what, Knows, "what a player knows, such as Knows.FAIR,")


def _text(game: CompiledGame, what: Any, first: Any) -> str:
    if not isinstance(what, str):
        raise BadType(f"that must be a text, not {checks.brief(what)}")
    return what


CHECKS: dict[str, Callable[[CompiledGame, Any, Any], Any]] = {
    "state": _state,
    "position": _state,
    "before": _complete,
    "after": _complete,
    "world": _complete,
    "view": _view,
    "play": _play,
    "plays": _plays,
    "seat": lambda game, what, _: checks.seat(what, game.players),
    "first": lambda game, what, _: checks.seat(what, game.players, "first"),
    "rng": lambda game, what, _: checks.stream(what),
    "cards": _cards,
    "knows": _knows,
    "value": lambda game, what, _: checks.one_of(what, Real, "a number"),
    "text": _text,
    "title": _text,
    "word": _text,
}
