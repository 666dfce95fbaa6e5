"""Play one part of a comparison: what every process and every machine does."""

from __future__ import annotations

from typing import Any

from kibitz.arena.luck import LuckOfGame, luck_module
from kibitz.arena.pairs import CompiledPairs
from kibitz.arena.plan import Part, PlayedPart
from kibitz.arena.python_pairs import PythonPairs
from kibitz.core.game import Game
from kibitz.games.compiled_game import CompiledGame

PATIENCE = 60.0
"""Seconds that a decision may take if nobody says otherwise. Strategies that are trusted are not
watched in our own games: they do end, on a slow machine too."""

_runners: dict[tuple[Any, ...], CompiledPairs] = {}
MOST_RUNNERS = 50
"""So many stay: one may hold tens of megabytes, and who compares many games would fill memory."""


def play_part(part: Part) -> PlayedPart:
    """Play the pairs of a part."""
    return runner_for(part).play_part(part.start, part.n)


def runner_for(part: Part) -> CompiledPairs | PythonPairs:
    """What plays a line-up. A compiled one stays, for the next part."""
    runner = _compiled_runner(part)
    if runner is not None:
        return runner
    luck = LuckOfGame(part.game) if part.less_luck else None
    times = part.limit, PATIENCE
    return PythonPairs(part.game, part.strategies, part.seed, part.unit, *times, luck)


def _compiled_runner(part: Part) -> CompiledPairs | None:
    game = part.game
    if part.limit is not None or not isinstance(game, CompiledGame):
        return None
    key = (game, part.strategies, part.seed, part.unit, part.less_luck)
    if key not in _runners and all_compiled(game, part):
        if len(_runners) >= MOST_RUNNERS:
            del _runners[next(iter(_runners))]  # the oldest
        target = game.target if part.unit == "match" else 0
        luck = luck_module(game) if part.less_luck else None
        _runners[key] = CompiledPairs(game, part.strategies, part.seed, target, luck)
    return _runners.get(key)


def all_compiled(game: Game[Any, Any], part: Part) -> bool:
    """Whether no decision needs checking: those of others are played in Python."""
    return all(s.trusted and s.policy(game) is not None for s in part.strategies)
