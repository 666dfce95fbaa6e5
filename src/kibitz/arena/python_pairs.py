"""Pairs through views in Python: for any strategy and game, and for code that may fail.

The same pairs, to the bit, as those of `pairs.py`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.arena.luck import LuckOfGame
from kibitz.arena.plan import Failure, PlayedPart, seat_orders
from kibitz.core.errors import BadText, describe_error
from kibitz.core.game import Game
from kibitz.core.interrupts import is_interrupt
from kibitz.core.strategy import Strategy
from kibitz.table.match import Match
from kibitz.table.seeds import GameSeeds
from kibitz.table.table import Forfeit, Table

_seen: set[tuple[Any, ...]] = set()
"""Who has played a game in this process."""


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
        luck: LuckOfGame | None = None,
    ) -> None:
        self._game = game
        self._strategies = strategies
        self._seed = seed
        self._unit = unit
        self._times = limit, patience
        self._luck = luck
        self._lucks: list[float] = []
        """What chance gave the first seat in each game that is over."""
        self._key = tuple((type(each), str(each)) for each in (game, *strategies))
        self.seconds = np.zeros(len(strategies))
        self.timed = np.zeros(len(strategies), np.int64)
        """The decisions that took these seconds: not those of the first game in a process, which
        reads and prepares much."""
        self.decisions = np.zeros(len(strategies), np.int64)
        self.failures: list[Failure] = []

    def play_part(self, start: int, n: int) -> PlayedPart:
        """Play `n` pairs from number `start` on, and take the time."""
        self.failures, self._lucks = [], []
        results, made = self.play(start, n)
        scale = np.where(self.timed, made.sum(axis=0) / np.maximum(self.timed, 1), 1.0)
        seconds = tuple((self.seconds * scale).tolist())
        return PlayedPart(start, results, made, seconds, tuple(self.failures), self._luck_rows())

    def _luck_rows(self) -> np.ndarray | None:
        """The luck of the first player of the line-up, who sits first in every other game."""
        if self._luck is None:
            return None
        return np.array(self._lucks).reshape(-1, 2) * (1.0, -1.0)

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
        row: list[float] = []
        for number, seating in enumerate(seat_orders(n)):
            play = self._match if self._unit == "match" else self._one
            try:
                gained = play(seating, pair)
            except Forfeit as failed:
                player = seating[failed.seat]
                self.failures.append(Failure(pair, number, player, str(failed)))
                sides = n // self._game.partners  # partners sit opposite each other
                lost = failed.seat % sides
                gained = [-1.0 if seat % sides == lost else 1.0 for seat in range(n)]
            except (SystemExit, KeyboardInterrupt, GeneratorExit) as error:
                if is_interrupt(error):
                    raise
                # Of a game's own code: it must not end the run so.
                raise BadText(f"{self._game.name}: it raises {describe_error(error)}") from error
            row += [gained[seating.index(player)] for player in range(n)]
        return row

    def _one(self, seating: Sequence[int], pair: int) -> Sequence[float]:
        seeds = GameSeeds(self._seed, pair)
        values = self._game.returns(self._play_out(seating, seeds, 0).state)
        if len(values) != self._game.players or not all(map(math.isfinite, values)):
            name = self._game.name
            raise BadText(f"{name}: returns must give a number for each seat, not {values}")
        return values

    def _match(self, seating: Sequence[int], pair: int) -> Sequence[float]:
        match = Match(self._game, self._seed, pair)
        while not match.is_over:
            match.add(self._play_out(seating, match.next_seeds, match.first).state)
        return match.score

    def _play_out(self, seating: Sequence[int], seeds: GameSeeds, first: int) -> Table:
        table = Table(self._game, seeds, first)
        players = list(seating)
        try:
            table.play_out([self._strategies[k] for k in players], *self._times)
        finally:
            if self._luck is not None:
                self._lucks.append(self._luck.of_table(table))
            self.decisions[players] += table.decisions
            if self._key in _seen or not table.is_over:  # whoever failed took that time
                self.timed[players] += table.decisions
                self.seconds[players] += table.seconds
            _seen.add(self._key)
        return table
