"""What a comparison plays, in parts that can be sent anywhere and put together again.

Every pair is a function of the plan, its line-up and its number. So a run may be cut into any
parts, played by any number of processes in any order, stopped and taken up: the figures are
the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, permutations
from typing import Any

import numpy as np

from kibitz.core.game import Game
from kibitz.core.strategy import Strategy
from kibitz.table.seeds import VERSION

MOST_PLAYERS = 6
"""Of a game that can be compared: they have 720 seat orders."""

ALL_ORDERS, ROTATIONS = "orders", "rotations"
"""Designs of the seats: every order, and what was played before version 2 of the streams."""
Orders = tuple[tuple[int, ...], ...]
"""Seat orders: for each seat the place of its player in the line-up."""


@cache
def seat_orders(players: int) -> Orders:
    """Every order in which so many players can sit, the first as they stand in the line-up.

    All of them: only so do two equal strategies score equally whoever else plays, for where
    one of them sits the other does in the next order, with the same neighbours.
    """
    return tuple(permutations(range(players)))


@cache
def orders_of(design: str, players: int) -> Orders:
    """The seat orders of a design: all of them, or the rotations of former runs."""
    if design == ROTATIONS:
        turns = range(players)
        return tuple(tuple((seat - turn) % players for seat in range(players)) for turn in turns)
    return seat_orders(players)


@dataclass(frozen=True)
class Plan:
    """Who plays what. Games and strategies are texts, so that it can be sent and stored."""

    game: str
    players: tuple[str, ...]
    seed: int
    unit: str
    limit: float | None = None
    """Seconds that a decision may take. None: a minute, for strategies in Python alone."""

    seats: int = 2
    streams: int = VERSION
    """By which version of `kibitz.table.seeds` its streams are derived."""
    design: str = ALL_ORDERS
    """In which seat orders a shuffle is played."""
    files: tuple[str, ...] = ()
    """The files that the game and the players are in or read, each with a digest of its content:
    with another content it is another run."""
    less_luck: bool = False
    """Whether the luck of every game is computed and stored beside its result."""

    @property
    def orders(self) -> Orders:
        """The orders of seats in which every shuffle is played."""
        return orders_of(self.design, self.seats)

    @property
    def lineups(self) -> list[tuple[int, ...]]:
        """Who meets whom: every choice of as many players as the game has seats."""
        return list(combinations(range(len(self.players)), self.seats))


@dataclass(frozen=True)
class Part:
    """Pairs number start to start + n − 1 of a line-up. Can be sent to any process."""

    game: Game[Any, Any]
    strategies: tuple[Strategy, ...]
    seed: int
    unit: str
    limit: float | None
    start: int = 0
    n: int = 0
    design: str = ALL_ORDERS
    less_luck: bool = False

    @property
    def orders(self) -> Orders:
        """The orders of seats in which every shuffle is played."""
        return orders_of(self.design, self.game.players)


@dataclass(frozen=True)
class Failure:
    """A game that a strategy lost by failing: it raised, took too long or played illegally."""

    pair: int
    order: int
    """The number of the seat order."""
    player: int
    """Its place in the line-up."""
    reason: str


@dataclass(frozen=True)
class PlayedPart:
    """What came of a part."""

    start: int
    results: np.ndarray
    """A row for each pair: in column o·k + j the result of player j of k in order o."""
    decisions: np.ndarray
    """How many each of the line-up made in each pair."""
    seconds: tuple[float, ...]
    """What each of the line-up took to decide, in all."""
    failures: tuple[Failure, ...] = field(default=())
    luck: np.ndarray | None = None
    """What chance gave the first player of the line-up, in chances to win: a row for each pair, a
    column for each order. None if nobody asked for it."""

    def within(self, start: int, end: int) -> PlayedPart:
        """What of it is in pairs start to end − 1; its seconds by their number."""
        low, high = (min(max(at - self.start, 0), len(self.results)) for at in (start, end))
        share = (high - low) / max(len(self.results), 1)
        return PlayedPart(
            self.start + low,
            self.results[low:high],
            self.decisions[low:high],
            tuple(share * each for each in self.seconds),
            tuple(f for f in self.failures if start <= f.pair < end),
            None if self.luck is None else self.luck[low:high],
        )
