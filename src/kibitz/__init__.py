"""Kibitz: a workbench for card games.

>>> import kibitz
>>> game = kibitz.make_game("love-letter")
>>> state = game.deal(seed=1)
>>> game.is_over(state)
False

`kibitz.compare` and `kibitz.play` do what the commands do.
"""

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if os.name != "posix":
    # Locks, alarms and forks of POSIX are used in many places: better one line than the traceback
    # of whichever is met first.
    print("kibitz: this needs Linux, macOS or another POSIX system, such as WSL", file=sys.stderr)
    sys.exit(2)

from kibitz.core.game import CHANCE, Chance, Game, Traits
from kibitz.core.registry import make_game, make_strategy
from kibitz.version import __version__

if TYPE_CHECKING:
    from kibitz.arena.library import compare, play

__all__ = [
    "CHANCE",
    "Chance",
    "Game",
    "Traits",
    "__version__",
    "compare",
    "make_game",
    "make_strategy",
    "play",
]


def __getattr__(name: str) -> Any:
    """The arena is loaded when it is asked for: it takes its time."""
    if name in ("compare", "play"):
        return getattr(import_module("kibitz.arena.library"), name)
    raise AttributeError(f"module 'kibitz' has no attribute {name!r}")
