"""Play one part of a comparison: what every process and every machine does."""

from __future__ import annotations

from typing import Any

from kibitz.arena.pairs import CompiledPairs
from kibitz.arena.plan import Part, Played
from kibitz.arena.python_pairs import PythonPairs
from kibitz.games.face import CompiledGame
from kibitz.model import Game, Strategy

PATIENCE = 60.0
"""Seconds that a decision may take if nobody says otherwise. Our own compiled strategies are
not watched: they do end, and could not be interrupted."""

_runners: dict[tuple[Any, ...], CompiledPairs | PythonPairs] = {}


def play_part(part: Part) -> Played:
    """Play the pairs of a part."""
    return runner_for(part).play_part(part.start, part.n)


def runner_for(part: Part) -> CompiledPairs | PythonPairs:
    """What plays a line-up. Kept: the next part of it finds everything in place."""
    kinds = (type(part.game), *map(type, part.strategies))
    texts = (str(part.game), *map(str, part.strategies))
    key = (kinds, texts, part.seed, part.unit, part.limit)
    if key not in _runners:
        _runners[key] = _new_runner(part)
    return _runners[key]


def _new_runner(part: Part) -> CompiledPairs | PythonPairs:
    game = part.game
    if part.limit is None and isinstance(game, CompiledGame) and all_compiled(game, part):
        target = game.target if part.unit == "match" else 0
        return CompiledPairs(game, part.strategies, part.seed, target)
    limit = PATIENCE if part.limit is None else part.limit
    return PythonPairs(game, part.strategies, part.seed, part.unit, limit)


def all_compiled(game: Game[Any, Any], part: Part) -> bool:
    return all(is_ours(s) and s.policy(game) is not None for s in part.strategies)


def is_ours(strategy: Strategy) -> bool:
    """Whose compiled decisions need no checking: somebody else's are played in Python."""
    return type(strategy).__module__.split(".")[0] == "kibitz"
