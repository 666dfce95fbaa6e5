"""Games in files: a plain Python class in a `.py` file, or a graph in a text file."""

from __future__ import annotations

import importlib
import inspect
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from kibitz.core.errors import BadText, KibitzError
from kibitz.core.files import read_file
from kibitz.core.game import Game
from kibitz.core.interrupts import is_interrupt

_PREFIX = "kibitz_file_"
MOST = 16 << 20
"""Bytes of a file that is run."""


def is_file(name: str) -> bool:
    """Whether this names a file: games in the catalogue have neither dots nor slashes."""
    return any(letter in name for letter in "./\\")


def load_game(name: str, options: dict[str, Any]) -> Game[Any, Any]:
    """The game in a file. Its name is the file's, so that a record finds it again."""
    path = Path(name)
    if not path.is_file():
        raise BadText(f"{name} is not a file" if path.exists() else f"there is no file {name}")
    if path.suffix == ".py":
        return _load_class(path)(**options)
    if options:
        raise BadText(f"{name} is a graph, and a graph has no options")
    # By name, because the games' side of the house does not know the graphs' one.
    text = importlib.import_module("kibitz.graph.text")
    game: Game[Any, Any] = text.read_graph(path).game(name)
    return game


def _load_class(path: Path) -> type[Game[Any, Any]]:
    module = _run(path)
    classes = dict.fromkeys(filter(inspect.isclass, vars(module).values()))
    games = [c for c in classes if issubclass(c, Game) and c.__module__ == module.__name__]
    if len(games) != 1:
        names = ", ".join(cls.__name__ for cls in games) or "none"
        raise BadText(f"{path} must have one class derived from kibitz.Game; it has: {names}")
    (cls,) = games
    missing = ", ".join(sorted(cls.__abstractmethods__))
    if missing:
        raise BadText(f"{path}: class {cls.__name__} still needs: {missing}")
    if cls.traits.hidden and (cls.view is Game.view or cls.redeal is Game.redeal):
        raise BadText(f"{path}: {cls.__name__} hides something, so it needs view and redeal too")
    if cls.title == cls.__name__ and (module.__doc__ or "").strip():
        cls.title = (module.__doc__ or "").strip().splitlines()[0]
    cls.name = str(path)
    return cls


def _run(path: Path) -> ModuleType:
    """Run a file as a module. What goes wrong in it is said in one line."""
    module = ModuleType(f"{_PREFIX}{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # dataclasses look their module up
    try:
        exec(compile(read_file(path, MOST), str(path), "exec"), vars(module))
    except SyntaxError as error:
        line = f", line {error.lineno}" if error.lineno else ""
        raise BadText(f"{path}{line}: {error.msg}") from None
    except KibitzError:
        raise
    except BaseException as error:
        if is_interrupt(error):
            raise
        raise BadText(blame(error) or f"{path}: {error}") from None
    return module


def blame(error: BaseException) -> str | None:
    """What a game's file has to do with an error, if one is loaded: the line that it came
    through, or at least the file."""
    files = {module.__file__ for name, module in sys.modules.items() if name.startswith(_PREFIX)}
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename in files:
            return f"{frame.filename}, line {frame.lineno}: {type(error).__name__}: {error}"
    # A wrong thing that a game gave us shows only where we use it.
    return next((f"{file}: {type(error).__name__}: {error}" for file in files), None)
