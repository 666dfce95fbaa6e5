"""Games in files: a plain Python class in a `.py` file, or a graph in a text file."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from kibitz.core.code_file import (
    WITHIN,
    CodeFile,
    classes_in,
    digest_of,
    file_content,
    finish_class,
    pick,
)
from kibitz.core.errors import BadText
from kibitz.core.game import Game

WANTED = "a class derived from kibitz.Game"


def load_game(name: str, options: dict[str, Any]) -> Game[Any, Any]:
    """The game in a file. Its name is the file's, so that a record finds it again."""
    if Path(name.partition(WITHIN)[0]).suffix == ".py":
        return _load_class(name)(**options)
    content = file_content(name)
    if options:
        raise BadText(f"{name} is a graph, and a graph has no options")
    # By name, because the games' side of the house does not know the graphs' one.
    text = importlib.import_module("kibitz.graph.text")
    game: Game[Any, Any] = text.read_graph(Path(name)).game(name)
    game.source_file, game.source_digest = name, digest_of(content)
    return game


def _load_class(name: str) -> type[Game[Any, Any]]:
    file = CodeFile.read(name)
    module = file.run()
    picked: type[Game[Any, Any]] = pick(file, classes_in(module, Game), WANTED)
    cls = finish_class(file, picked, module)
    if cls.traits.hidden and (cls.view is Game.view or cls.redeal is Game.redeal):
        raise BadText(
            f"{file.path}: {cls.__name__} hides something, so it needs view and redeal too"
        )
    return cls
