"""Play one part of a comparison: what every process and every machine does."""

from __future__ import annotations

from typing import Any

from kibitz.arena.corrected_pairs import CorrectedPairs
from kibitz.arena.luck import LuckOfGame
from kibitz.arena.pairs import CompiledPairs
from kibitz.arena.plan import Part, PlayedPart
from kibitz.arena.python_pairs import PythonPairs
from kibitz.core.game import Game
from kibitz.games.compiled_game import CompiledGame
from kibitz.table.table import is_ours

PATIENCE = 60.0
"""Seconds that a decision may take if nobody says otherwise. Our own strategies are not
watched in our own games: they do end, on a slow machine too."""

_runners: dict[tuple[Any, ...], CompiledPairs] = {}


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
        if part.less_luck:
            return _runners.setdefault(key, CorrectedPairs(game, part.strategies, part.seed))
        target = game.target if part.unit == "match" else 0
        _runners[key] = CompiledPairs(game, part.strategies, part.seed, target)
    return _runners.get(key)


def all_compiled(game: Game[Any, Any], part: Part) -> bool:
    """Whether no decision needs checking: those of others are played in Python."""
    return all(is_ours(s) and s.policy(game) is not None for s in part.strategies)
