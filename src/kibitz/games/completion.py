"""The kernels of a game, completed with the defaults for those that it does not write."""

from __future__ import annotations

import importlib
from functools import cache
from types import SimpleNamespace
from typing import Any


@cache
def kernels_in(module: str) -> Any:
    """What a game's module `kernels` has, and the rest of what `face.py` lists."""
    from kibitz.compiled import Kernel, bind
    from kibitz.games import defaults

    own = vars(importlib.import_module(module))
    game = SimpleNamespace(**{name: own[name] for name in own if not name.startswith("_")})
    for name, default in vars(defaults).items():
        if not hasattr(game, name):
            if isinstance(default, Kernel) and name in defaults.NAMES:
                setattr(game, name, bind(default, game=game))
            elif name == "NEVER":
                game.NEVER = default
    return game
