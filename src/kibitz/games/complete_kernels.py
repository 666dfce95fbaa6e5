"""The kernels of a game, completed with the defaults for those that it does not write."""

from __future__ import annotations

import importlib
from functools import cache
from types import SimpleNamespace
from typing import Any


@cache
def kernels_in(module: str) -> Any:
    """The kernels in a game's module `kernels`, and defaults for those that it does not write."""
    from kibitz.games import default_kernels
    from kibitz.jit.kernels import Kernel, bind

    own = vars(importlib.import_module(module))
    game = SimpleNamespace(**{name: own[name] for name in own if not name.startswith("_")})
    for name, default in vars(default_kernels).items():
        if not hasattr(game, name):
            if isinstance(default, Kernel) and name in default_kernels.NAMES:
                setattr(game, name, bind(default, game=game))
            elif name == "NEVER_AT_RANDOM":
                game.NEVER_AT_RANDOM = default
    return game
