"""What a bot is told of a view: all that a fair player sees, as text and as data.

Everything here is a function of the view: redealt hidden cards make the same bytes.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.core.checks import plain
from kibitz.core.game import Game, View
from kibitz.games.compiled_game import CompiledGame


def view_message(view: View[Any]) -> dict[str, Any]:
    """The view, for the key `view`."""
    presenter = view.game.presenter
    return {
        "seat": view.seat + 1,
        "text": presenter.text(view),
        "scene": presenter.scene(view).to_json(),
        "fields": fields_of(view),
        **state_message(view.game, view.state),
    }


def state_message(game: Game[Any, Any], state: Any) -> dict[str, Any]:
    """A state with its hidden parts blank: as a line, and as Kibitz's own record of it."""
    said = {"position": game.position(state)}
    if isinstance(game, CompiledGame):
        said["packed"] = base64.b64encode(game.checked(state).tobytes()).decode()
    return said


def since_message(view: View[Any], turns: int, lines: int) -> dict[str, Any]:
    """What has happened since so many turns and lines of the log, for the key `since`."""
    made = [
        {
            "seat": int(view.game.mover(before)) + 1,
            "play": None if play is None else str(play),
            **state_message(view.game, before),
        }
        for before, play in view.past[turns:]
    ]
    return {"log": list(view.log[lines:]), "turns": made}


def fields_of(view: View[Any]) -> dict[str, Any]:
    """The readable fields of a view. Seats count from 1 in them, as everywhere in JSON."""
    fields = {}
    for name in dir(type(view)):
        if isinstance(getattr(type(view), name), property):
            fields[name] = _as_json(getattr(view, name), name in view.seat_fields)
    return fields


def _as_json(what: Any, seats: bool) -> Any:
    what = plain(what)
    if isinstance(what, Mapping):
        return {
            str(key + 1 if seats else key): _as_json(value, False) for key, value in what.items()
        }
    if isinstance(what, Sequence) and not isinstance(what, str):
        return [_as_json(one, seats) for one in what]
    if seats and isinstance(what, int):
        return what + 1
    return what if what is None or isinstance(what, (bool, int, float, str)) else str(what)
