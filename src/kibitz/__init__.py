"""Kibitz: a workbench for card games.

>>> import kibitz
>>> game = kibitz.make_game("love-letter")
>>> state = game.deal(seed=1)
>>> game.is_over(state)
False

`kibitz.compare` and `kibitz.play` do what the commands do.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kibitz.model import CHANCE, Chance, Game, Traits
from kibitz.registry import make_game, make_strategy
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
