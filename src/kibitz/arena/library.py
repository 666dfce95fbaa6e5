"""What the command line does, from Python: `kibitz.compare` and `kibitz.play`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.arena import compare as arena
from kibitz.arena.comparison import Comparison
from kibitz.core import checks
from kibitz.core.errors import BadText
from kibitz.core.game import Game
from kibitz.core.registry import make_game, make_strategy
from kibitz.core.strategy import Strategy
from kibitz.table.record import Record
from kibitz.table.table import Table


def compare(
    game: str | Game[Any, Any],
    players: Sequence[str | Strategy],
    pairs: int = 1000,
    *,
    seed: int = 0,
    unit: str | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    store: str | Path | None = None,
    until_clear: bool = False,
    limit: float | None = None,
) -> Comparison:
    """Play strategies against each other on the same deals, seats swapped.

    >>> comparison = compare("twenty-one", ["random", "alpha-beta"], pairs=50)
    >>> comparison.matches[0].losses
    65
    >>> [row["score"] for row in comparison.rows()]
    [0.325]
    """
    return arena.compare(
        _game(game), _strategies(players), pairs, seed, unit, jobs=jobs,
        cluster=cluster, store=Path(store) if store is not None else None,
        until_clear=until_clear, limit=limit,
    )  # fmt: skip


@dataclass(frozen=True)
class PlayedGame:
    """A game that was played to its end."""

    game: str
    seed: int
    players: tuple[str, ...]
    plays: tuple[str, ...]
    returns: tuple[float, ...]
    """The result of each seat."""
    log: tuple[str, ...]
    """What happened, as everybody at the table saw it."""
    record: Record
    """What `kibitz replay` reads, as a line of a file: `record.model_dump_json()`."""

    def rows(self) -> list[dict[str, Any]]:
        """A row for each seat: for a data frame."""
        return [
            {
                "game": self.game, "seed": self.seed, "seat": seat, "player": player,
                "result": result,
            }
            for seat, (player, result) in enumerate(
                zip(self.players, self.returns, strict=True), 1
            )
        ]  # fmt: skip


def play(
    game: str | Game[Any, Any],
    players: Sequence[str | Strategy],
    *,
    seed: int = 0,
    limit: float | None = None,
) -> PlayedGame:
    """Play one game between strategies, seat by seat.

    >>> done = play("love-letter", ["greedy", "random"], seed=1)
    >>> sum(done.returns)
    0.0
    """
    made = _game(game)
    strategies = _strategies(players)
    if len(strategies) != made.players:
        raise BadText(f"{made} has {made.players} players, not {len(strategies)}")
    for strategy in strategies:
        strategy.check_game(made)
    table = Table(made, seed)
    table.play_out(strategies, checks.limit(limit))
    names = [str(strategy) for strategy in strategies]
    record = Record.of(table, names)
    return PlayedGame(
        str(made), seed, tuple(names), tuple(table.plays),
        tuple(made.returns(table.state)), tuple(table.logs[0]), record,
    )  # fmt: skip


def _game(game: str | Game[Any, Any]) -> Game[Any, Any]:
    if isinstance(game, str):
        return make_game(game)
    made: Game[Any, Any] = checks.one_of(game, Game, "a game, or its text,")
    return made


def _strategies(players: Sequence[str | Strategy]) -> list[Strategy]:
    if isinstance(players, str) or not isinstance(players, Sequence):
        raise TypeError(f"players are a list of strategies, not {checks.brief(players)}")
    return [_strategy(player) for player in players]


def _strategy(player: str | Strategy) -> Strategy:
    if isinstance(player, str):
        return make_strategy(player)
    made: Strategy = checks.one_of(player, Strategy, "a strategy, or its text,")
    return made
