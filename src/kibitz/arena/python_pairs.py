"""Pairs through views in Python: for any strategy and game, and for code that may fail.

The same pairs, to the bit, as those of `pairs.py`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.arena.match import Match
from kibitz.arena.plan import Failure, Played
from kibitz.arena.seeds import nth_seed
from kibitz.arena.table import Forfeit, Table
from kibitz.interrupts import is_interrupt
from kibitz.model import BadText, Game, Strategy


class PythonPairs:
    """Strategies of one game, ready to play pairs. Whoever fails loses that game."""

    def __init__(
        self,
        game: Game[Any, Any],
        strategies: Sequence[Strategy],
        seed: int,
        unit: str,
        limit: float | None = None,
        patience: float | None = None,
    ) -> None:
        self._game = game
        self._strategies = strategies
        self._seed = seed
        self._unit = unit
        self._times = limit, patience
        self.seconds = np.zeros(len(strategies))
        self.decisions = np.zeros(len(strategies), np.int64)
        self.failures: list[Failure] = []

    def play_part(self, start: int, n: int) -> Played:
        self.failures, before = [], self.seconds.copy()
        results, made = self.play(start, n)
        seconds = tuple((self.seconds - before).tolist())
        return Played(start, results, made, seconds, tuple(self.failures))

    def play(self, start: int, n: int) -> tuple[np.ndarray, np.ndarray]:
        """Pairs start to start + n − 1, a row each: the results, and how many decisions each
        strategy made."""
        results, made = [], []
        for pair in range(start, start + n):
            before = self.decisions.copy()
            results.append(self._pair(pair))
            made.append(self.decisions - before)
        return np.array(results), np.array(made)

    def _pair(self, pair: int) -> list[float]:
        n = self._game.players
        seed = nth_seed(self._seed, pair)
        row: list[float] = []
        for rotation in range(n):
            play = self._match if self._unit == "match" else self._one
            try:
                gained = play(rotation, seed)
            except Forfeit as failed:
                player = (failed.seat - rotation) % n
                self.failures.append(Failure(pair, rotation, player, str(failed)))
                sides = n // self._game.partners  # partners sit opposite each other
                lost = failed.seat % sides
                gained = [-1.0 if seat % sides == lost else 1.0 for seat in range(n)]
            except (SystemExit, KeyboardInterrupt, GeneratorExit) as error:
                if is_interrupt(error):
                    raise
                name = type(error).__name__  # of a game's own code: it must not end the run so
                raise BadText(f"{self._game.name}: it raises {name}, {error}") from error
            row += [gained[(strategy + rotation) % n] for strategy in range(n)]
        return row

    def _one(self, rotation: int, seed: int) -> Sequence[float]:
        values = self._game.returns(self._play_out(rotation, seed, 0).state)
        if len(values) != self._game.players or not all(map(math.isfinite, values)):
            name = self._game.name
            raise BadText(f"{name}: returns must give a number for each seat, not {values}")
        return values

    def _match(self, rotation: int, seed: int) -> Sequence[float]:
        match = Match(self._game, seed)
        while not match.is_over:
            match.add(self._play_out(rotation, match.next_seed, match.first).state)
        return match.score

    def _play_out(self, rotation: int, seed: int, first: int) -> Table:
        n = self._game.players
        order = [(seat - rotation) % n for seat in range(n)]
        table = Table(self._game, seed, first)
        try:
            table.play_out([self._strategies[k] for k in order], *self._times)
        finally:
            self.decisions[order] += table.decisions
            self.seconds[order] += table.seconds
        return table
