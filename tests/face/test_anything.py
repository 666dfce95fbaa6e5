"""Anything at all in place of each argument of the face: it works, or is refused in one line."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz

GAME = kibitz.make_game("twenty-one")
PLAYED = kibitz.play(GAME, ["random", "random"])
PLAYERS = ["random", "random"]


class _Own:
    """Of no kind that anybody knows; it can't even be shown."""

    def __repr__(self) -> str:
        raise ZeroDivisionError


ANYTHING: dict[str, Any] = {
    "a number": 7, "a number below zero": -1, "a fraction": 0.5, "not a number": float("nan"),
    "a huge number": 10**400, "one of NumPy's": np.float64(1.5), "an array": np.zeros(3),
    "None": None, "True": True, "Ellipsis": ..., "an empty text": "", "a blank": " ",
    "two lines": "a\nb", "half a letter": "\ud800", "a long text": "x" * 300, "a colon": ":",
    "options of nothing": "a:b=c", "a missing file": "nowhere.py::A", "a folder": ".",
    "a bot of nothing": "bot:", "bytes": b"x", "a list": [], "a list of None": [None],
    "a list of texts": ["x"], "a tuple": (), "a dict": {"a": 1}, "a set": {1, 2},
    "a range": range(3), "a lambda": lambda: 4, "a function of a view": lambda view: "4",
    "a class": int, "a strategy's class": kibitz.Strategy, "a game's class": kibitz.Game,
    "an object of one's own": _Own(), "a module": kibitz, "a game": GAME,
    "a position": GAME.start(),
    "a view": GAME.start().view(), "a strategy": kibitz.make_strategy("random"),
    "a played game": PLAYED, "a record": PLAYED.record, "a result": kibitz.games(),
}  # fmt: skip
GOOD: dict[str, dict[str, Any]] = {
    "compare": {"game": GAME, "players": PLAYERS, "pairs": 1},
    "explain": {"position": GAME.start(), "by": "random"},
    "games": {},
    "graph": {"what": GAME.start().play("6").play("6")},
    "judge": {"view": GAME.start().play("6").play("6").view()},
    "make_game": {"spec": "pig"},
    "make_strategy": {"spec": "random"},
    "play": {"game": GAME, "players": PLAYERS},
    "replay": {"record": PLAYED},
    "review": {"record": PLAYED},
    "review_games": {"records": [PLAYED]},
    "solve": {"what": GAME.start().play("6").play("6")},
    "strategies": {},
}
OPTIONS = {
    "solve": ("all_plays", "depth", "weights", "bounds", "samples", "nodes", "whatever"),
    "review_games": ("precision", "seed", "luck", "game", "hindsight", "number", "whatever"),
}
ARGUMENTS = [
    (name, argument)
    for name in GOOD
    for argument in (*inspect.signature(getattr(kibitz, name)).parameters, *OPTIONS.get(name, ()))
    if argument != "options"
]


def test_no_function_is_left_out() -> None:
    functions = {name for name in dir(kibitz) if inspect.isfunction(getattr(kibitz, name))}
    assert functions == set(GOOD)


def refused_or_done(call: Callable[[], Any]) -> str:
    """What is wrong with how a call ends; nothing if all is well."""
    try:
        call()
    except (kibitz.KibitzError, kibitz.Forfeit) as error:
        text = str(error)
        return "" if text and "\n" not in text and len(text) < 1000 else f"it says {text!r}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


@pytest.mark.parametrize(("name", "argument"), ARGUMENTS)
def test_anything_is_refused_in_one_line(
    name: str, argument: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a text may be taken for the name of a file to write
    function = getattr(kibitz, name)
    wrong = {
        what: said
        for what, thing in ANYTHING.items()
        if (said := refused_or_done(lambda: function(**GOOD[name] | {argument: thing})))  # noqa: B023
    }
    assert wrong == {}
