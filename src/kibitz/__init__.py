"""Kibitz: a workbench for card games.

>>> import kibitz
>>> position = kibitz.make_game("love-letter").start(seed=7)
>>> position
love-letter: seat 1 to play
Deck ▮▮▮▮▮▮▮▮▮ 9   aside  ▒▒   face up  Guard, Priest, Prince
  seat 2        ▒▒   played: –
▸ seat 1 (you)  Guard 1, Guard 1   played: –
>>> kibitz.explain(position, by="greedy").best
Play('guard>2=handmaid')
>>> after = position.play("guard>2=handmaid")
>>> kibitz.compare("love-letter", ["greedy", "random"], pairs=100).matches[0].wins > 100
True

`explain`, `solve`, `graph`, `compare`, `play`, `replay` and `review` do what the commands of the
same names do; `judge` values the plays of one decision, `review_games` reviews many games. `games`
and `strategies` list what there is, `make_game` and `make_strategy` make one of its text. Your own
derive from `Game` and `Strategy`, or are a function `view -> play`. Seats count from 0 in Python,
and from 1 in everything that is printed.
"""

import os
import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if os.name != "posix":
    # Locks, alarms and forks of POSIX are used in many places: better one line than the traceback
    # of whichever is met first.
    print("kibitz: this needs Linux, macOS or another POSIX system, such as WSL", file=sys.stderr)
    sys.exit(2)

from kibitz.version import __version__

if TYPE_CHECKING:
    from kibitz.arena.comparison import Comparison
    from kibitz.arena.library import compare
    from kibitz.core.catalogue import Catalogue
    from kibitz.core.errors import (
        BadText,
        BadType,
        BadValue,
        IllegalPlay,
        KibitzError,
        Unclear,
        UnsuitableGame,
    )
    from kibitz.core.explanation import Belief, Explanation, Reason
    from kibitz.core.game import CHANCE, Chance, Game, Play, ResultKind, Traits, View
    from kibitz.core.options import Option
    from kibitz.core.position import Position
    from kibitz.core.registry import games, make_game, make_strategy, strategies
    from kibitz.core.solution import Solution
    from kibitz.core.strategy import Knows, Player, Strategy
    from kibitz.graph.drawing import Drawing, graph
    from kibitz.review.judge import judge
    from kibitz.review.judgement import Judgement
    from kibitz.review.own_games import ReviewedGames, review_games
    from kibitz.review.review import Review, review
    from kibitz.solvers.solve import solve
    from kibitz.table.played import PlayedGame, play, replay
    from kibitz.table.record import Record
    from kibitz.table.situation import explain
    from kibitz.table.table import Forfeit

__all__ = [
    "CHANCE",
    "BadText",
    "BadType",
    "BadValue",
    "Belief",
    "Catalogue",
    "Chance",
    "Comparison",
    "Drawing",
    "Explanation",
    "Forfeit",
    "Game",
    "IllegalPlay",
    "Judgement",
    "KibitzError",
    "Knows",
    "Option",
    "Play",
    "PlayedGame",
    "Player",
    "Position",
    "Reason",
    "Record",
    "ResultKind",
    "Review",
    "ReviewedGames",
    "Solution",
    "Strategy",
    "Traits",
    "Unclear",
    "UnsuitableGame",
    "View",
    "__version__",
    "compare",
    "explain",
    "games",
    "graph",
    "judge",
    "make_game",
    "make_strategy",
    "play",
    "replay",
    "review",
    "review_games",
    "solve",
    "strategies",
]

_HOMES = {
    "kibitz.arena.comparison": ("Comparison",),
    "kibitz.arena.library": ("compare",),
    "kibitz.core.catalogue": ("Catalogue",),
    "kibitz.core.errors": (
        *("BadText", "BadType", "BadValue", "IllegalPlay", "KibitzError", "Unclear"),
        "UnsuitableGame",
    ),
    "kibitz.core.explanation": ("Belief", "Explanation", "Reason"),
    "kibitz.core.game": ("CHANCE", "Chance", "Game", "Play", "ResultKind", "Traits", "View"),
    "kibitz.core.options": ("Option",),
    "kibitz.core.position": ("Position",),
    "kibitz.core.registry": ("games", "make_game", "make_strategy", "strategies"),
    "kibitz.core.solution": ("Solution",),
    "kibitz.core.strategy": ("Knows", "Player", "Strategy"),
    "kibitz.graph.drawing": ("Drawing", "graph"),
    "kibitz.review.judge": ("judge",),
    "kibitz.review.judgement": ("Judgement",),
    "kibitz.review.own_games": ("ReviewedGames", "review_games"),
    "kibitz.review.review": ("Review", "review"),
    "kibitz.solvers.solve": ("solve",),
    "kibitz.table.played": ("PlayedGame", "play", "replay"),
    "kibitz.table.record": ("Record",),
    "kibitz.table.situation": ("explain",),
    "kibitz.table.table": ("Forfeit",),
}
"""Where each of them is. It is loaded when it is asked for: all of it takes a second."""
_HOME = {name: module for module, names in _HOMES.items() for name in names}
_FOLDERS = ("games", "strategies", "graph", "review")
"""Functions whose name a folder has too."""


class _Face(ModuleType):
    """This module. Whoever imports something from the folder `games` would put that folder in the
    place of the function `games`: a folder does not take the place of a function here."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _FOLDERS and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Face


def _load(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'kibitz' has no attribute {name!r}")
    attribute = getattr(import_module(_HOME[name]), name)
    if name in _FOLDERS:
        # So that kibitz.games.love_letter is found by its dots too, as `import … as` does.
        attribute.__dict__ = vars(import_module(f"kibitz.{name}"))
    globals()[name] = attribute
    return attribute


if not TYPE_CHECKING:  # which would take it for a promise that there is any name
    __getattr__ = _load


def __dir__() -> list[str]:
    return list(__all__)
