"""The games of a training: who has them played, and by which numbers.

A part is the same pairs for one strategy after the other, and can be sent to any process. Compiled
strategies are made ready once in a process, and only their numbers change from part to part; all
others play through views, where every play is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.arena.pairs import CompiledPairs
from kibitz.arena.plan import Part
from kibitz.arena.play_part import PATIENCE, all_compiled
from kibitz.arena.python_pairs import PythonPairs
from kibitz.arena.statistics.scores import game_scores
from kibitz.arena.workers import as_done
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.strategy import Strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.training.task import GenomeResult, Seats

CLEAR = 10
"""A win by so many points is a clear one: more of them count no more."""
PIECES = 4
"""Parts of a batch for each process, so that none waits long for the last, and progress is seen."""


@dataclass(frozen=True)
class TrainingPart:
    """Pairs start to start + pairs − 1, by several strategies against one opponent. Can be sent to
    any process."""

    game: Game[Any, Any]
    strategies: tuple[Strategy, ...]
    opponent: Strategy
    seed: int
    start: int
    pairs: int


@dataclass(frozen=True)
class PlayedTraining:
    """What came of a part: for each strategy a row for each pair, as `PlayedPart.results`."""

    results: tuple[np.ndarray, ...]
    failure: str = ""
    """How somebody failed, if somebody did. It is not raised: a cluster would try again."""


def play_training_part(part: TrainingPart) -> PlayedTraining:
    """Play a part."""
    results = []
    for strategy in part.strategies:
        runner = _runner_for(part, strategy)
        results.append(runner.play(part.start, part.pairs)[0])
        if isinstance(runner, PythonPairs) and runner.failures:
            first = runner.failures[0]
            who = (strategy, part.opponent)[first.player]
            return PlayedTraining((), f"{who} fails: {first.reason}")
    return PlayedTraining(tuple(results))


_ready: dict[Any, tuple[Any, CompiledPairs]] = {}
"""The last compiled pair of players, with the kernel of the one that is trained."""


def _runner_for(part: TrainingPart, strategy: Strategy) -> CompiledPairs | PythonPairs:
    game, players = part.game, (strategy, part.opponent)
    if not isinstance(game, CompiledGame) or not all_compiled(
        game, Part(game, players, part.seed, game.traits.unit, None)
    ):
        return PythonPairs(game, players, part.seed, game.traits.unit, None, PATIENCE)
    policy = strategy.policy(game)
    assert policy is not None
    key = game, type(strategy), part.opponent, part.seed, len(policy.numbers), policy.remembers
    choose, runner = _ready.get(key, (None, None))
    if runner is None or choose is not policy.choose:
        _ready.clear()
        runner = CompiledPairs(game, players, part.seed, 0)
        _ready[key] = policy.choose, runner
    if policy.numbers:
        runner.set_numbers(0, policy.numbers)
    return runner


class TrainingGames:
    """Has all games of a training played, by any executor: see `arena.workers`."""

    def __init__(self, seats: Seats, seed: int, executor: Any, width: int) -> None:
        self._seats, self._seed = seats, seed
        self._executor, self._width = executor, width

    def play(
        self,
        strategies: Sequence[Strategy],
        start: int,
        pairs: int,
        progress: Callable[[float], None] = lambda share: None,
    ) -> list[np.ndarray]:
        """The results of each strategy, a row for each pair. Which process played what makes no
        difference. `progress` gets the share that is done."""
        cut = list(self._parts(strategies, start, pairs))
        results: list[dict[int, np.ndarray]] = [{} for _ in strategies]
        parts = [part for _, part in cut]
        done = as_done(self._executor, self._width, play_training_part, parts)
        for count, (number, played) in enumerate(done, 1):
            if played.failure:
                raise KibitzError(played.failure)
            for k, rows in enumerate(played.results, cut[number][0]):
                results[k][parts[number].start] = rows
            progress(count / len(parts))
        return [np.concatenate([own[at] for at in sorted(own)]) for own in results]

    def _parts(
        self, strategies: Sequence[Strategy], start: int, pairs: int
    ) -> Iterator[tuple[int, TrainingPart]]:
        """Some strategies each, or of one strategy some pairs; with the number of the first."""
        pieces = PIECES * self._width
        several = -(-len(strategies) // pieces)
        step = pairs if several > 1 else -(-pairs * len(strategies) // pieces)
        for first in range(0, len(strategies), several):
            own = tuple(strategies[first : first + several])
            for at in range(start, start + pairs, max(step, 1)):
                n = min(step, start + pairs - at)
                game, opponent = self._seats.game, self._seats.opponent
                yield first, TrainingPart(game, own, opponent, self._seed, at, n)


def result_of(results: np.ndarray) -> GenomeResult:
    """What one strategy did against the other."""
    points = game_scores(results, 2)[:, :, 0]
    ahead = float(results[:, [0, 2]].clip(-CLEAR, CLEAR).sum())
    return GenomeResult(int((points == 1).sum()), int((points == 0).sum()), ahead)


def pair_scores(results: np.ndarray) -> np.ndarray:
    """The score of the first strategy in each pair."""
    scores: np.ndarray = game_scores(results, 2)[:, :, 0].mean(axis=1)
    return scores
