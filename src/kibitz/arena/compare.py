"""Which of these strategies plays better? Round-robin over pairs, with intervals."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from kibitz.arena.match import Match
from kibitz.arena.pairs import CompiledPairs
from kibitz.arena.seeds import nth_seed
from kibitz.arena.statistics import elo, game_scores, score_of
from kibitz.arena.table import play_out
from kibitz.games.face import CompiledGame
from kibitz.model import BadText, Game, Strategy

Progress = Callable[[int], None]
"""Told how many more pairs are done."""


def compare(
    game: Game[Any, Any],
    strategies: Sequence[Strategy],
    pairs: int,
    seed: int = 0,
    unit: str | None = None,
    progress: Progress = lambda done: None,
) -> dict[str, Any]:
    """Play every line-up; the answer is the document of `kibitz compare --json`."""
    unit = check(game, strategies, pairs, unit)
    names = unique_names(strategies)
    lineups = list(combinations(range(len(strategies)), game.players))
    players = [
        {
            "name": name,
            "knows": str(strategy.knows),
            "reproducible": strategy.reproducible,
            "decisions": 0,
            "seconds": 0.0,
        }
        for name, strategy in zip(names, strategies, strict=True)
    ]
    report: dict[str, Any] = {
        "game": str(game), "seed": seed, "unit": unit, "pairs": pairs, "players": players,
        "matches": [],
    }  # fmt: skip
    if game.players > 2:
        report["tables"] = []
    for lineup in lineups:
        runner = _runner(game, [strategies[i] for i in lineup], seed, unit)
        results = _run(runner, pairs, progress)
        for i, made, seconds in zip(lineup, runner.decisions, runner.seconds(), strict=True):
            players[i]["decisions"] += int(made)  # type: ignore[operator]  # a number
            players[i]["seconds"] += seconds  # type: ignore[operator]
        who = [names[i] for i in lineup]
        if game.players == 2:
            report["matches"].append(_match(who, results))
        else:
            report["tables"].append(_table(who, results, game.partners))
        if len(results) < pairs:
            report["interrupted"] = True
            break
    return report


def check(
    game: Game[Any, Any], strategies: Sequence[Strategy], pairs: int, unit: str | None
) -> str:
    """Refuse what can't be compared, before anything is played; the unit that is meant."""
    if pairs < 1:
        raise BadText(f"pairs must be at least 1, not {pairs}")
    if len(strategies) < game.players:
        raise BadText(
            f"{game} has {game.players} players: give at least {game.players} strategies"
            " (the same one may stand twice)"
        )
    for strategy in strategies:
        strategy.check_game(game)
    if unit in (None, game.traits.unit):
        return game.traits.unit
    if unit == "match" and game.traits.match:
        return "match"
    allowed = f"{game.traits.unit}{', match' if game.traits.match else ''}"
    raise BadText(f"{game} is not played by the {unit}; allowed: {allowed}")


def unique_names(strategies: Sequence[Strategy]) -> list[str]:
    """`random`, `random#2`: the same strategy may stand several times."""
    names: list[str] = []
    for strategy in strategies:
        earlier = sum(1 for name in names if name.partition("#")[0] == str(strategy))
        names.append(f"{strategy}#{earlier + 1}" if earlier else str(strategy))
    return names


class PythonPairs:
    """The same as CompiledPairs, through views in Python: for any strategy and game."""

    def __init__(
        self, game: Game[Any, Any], strategies: Sequence[Strategy], seed: int, unit: str
    ) -> None:
        self._game = game
        self._strategies = strategies
        self._seed = seed
        self._unit = unit
        self._seconds = np.zeros(len(strategies))
        self.decisions = np.zeros(len(strategies), np.int64)

    def play(self, start: int, n: int) -> np.ndarray:
        return np.array([list(self._pair(nth_seed(self._seed, start + i))) for i in range(n)])

    def _pair(self, seed: int) -> Iterator[float]:
        n = self._game.players
        for rotation in range(n):
            play = self._match if self._unit == "match" else self._one
            gained = play(rotation, seed)
            for strategy in range(n):
                yield gained[(strategy + rotation) % n]

    def _one(self, rotation: int, seed: int) -> Sequence[float]:
        return self._game.returns(self._play_out(rotation, seed, 0))

    def _match(self, rotation: int, seed: int) -> Sequence[float]:
        match = Match(self._game, seed)
        while not match.is_over:
            match.add(self._play_out(rotation, match.next_seed, match.first))
        return match.score

    def _play_out(self, rotation: int, seed: int, first: int) -> Any:
        n = self._game.players
        order = [(seat - rotation) % n for seat in range(n)]
        table = play_out(self._game, [self._strategies[k] for k in order], seed, first)
        self.decisions[order] += table.decisions
        self._seconds[order] += table.seconds
        return table.state

    def seconds(self) -> list[float]:
        return [float(seconds) for seconds in self._seconds]


def _runner(
    game: Game[Any, Any], strategies: Sequence[Strategy], seed: int, unit: str
) -> CompiledPairs | PythonPairs:
    compiled = all(strategy.policy(game) is not None for strategy in strategies)
    if not isinstance(game, CompiledGame) or not compiled:
        return PythonPairs(game, strategies, seed, unit)
    target = game.target if unit == "match" else 0
    return CompiledPairs(game, strategies, seed, target)


def _run(runner: CompiledPairs | PythonPairs, pairs: int, progress: Progress) -> np.ndarray:
    """All pairs, in chunks of about a third of a second. Ctrl-C keeps what is done."""
    done: list[np.ndarray] = [runner.play(0, 1)]
    progress(1)
    played, chunk = 1, 16
    try:
        while played < pairs:
            n = min(chunk, pairs - played)
            started = time.perf_counter()
            done.append(runner.play(played, n))
            played += n
            progress(n)
            if time.perf_counter() - started < 0.3:
                chunk *= 2
    except KeyboardInterrupt:
        pass
    return np.concatenate(done)


def _match(who: Sequence[str], results: np.ndarray) -> dict[str, Any]:
    points = game_scores(results, 2)
    own = points[:, :, 0]
    score = score_of(own.mean(axis=1))
    in_first_seat = (points[:, 0, 0] + points[:, 1, 1]) / 2
    return {
        "a": who[0],
        "b": who[1],
        "pairs": len(results),
        "wins": int((own == 1).sum()),
        "draws": int((own == 0.5).sum()),
        "losses": int((own == 0).sum()),
        "score": score.mean,
        "ci95": [score.low, score.high],
        "elo": elo(score.mean),
        "first_seat": float(in_first_seat.mean()),
    }


def _table(who: Sequence[str], results: np.ndarray, partners: int) -> dict[str, Any]:
    n = len(who)
    points = game_scores(results, n, partners)
    scores = [score_of(points[:, :, k].mean(axis=1)) for k in range(n)]
    first = np.mean([points[:, rotation, -rotation % n].mean() for rotation in range(n)])
    return {
        "players": list(who),
        "pairs": len(results),
        "games": len(results) * n,
        "wins": {name: int((points[:, :, k] == 1).sum()) for k, name in enumerate(who)},
        "shared": int((points.max(axis=2) < 1).sum()),
        "score": {name: scores[k].mean for k, name in enumerate(who)},
        "ci95": {name: [scores[k].low, scores[k].high] for k, name in enumerate(who)},
        "first_seat": float(first),
    }
