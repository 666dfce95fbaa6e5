"""What the command line does, from Python: `kibitz.compare` and `kibitz.play`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kibitz.arena import compare as arena
from kibitz.arena.comparison import Comparison
from kibitz.core import checks
from kibitz.core.errors import BadText, BadType
from kibitz.core.game import Game
from kibitz.core.registry import game_of, strategy_of
from kibitz.core.strategy import Strategy
from kibitz.table.played import PlayedGame
from kibitz.table.record import Record
from kibitz.table.table import Table


def compare(
    game: str | Game[Any, Any],
    players: Sequence[Any],
    pairs: int = 1000,
    *,
    seed: int = 0,
    unit: str | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    store: str | Path | None = None,
    until_clear: bool = False,
    less_luck: bool = False,
    limit: float | None = None,
) -> Comparison:
    """Play strategies against each other on the same deals, seats swapped.

    Parameters
    ----------
    game
        A game, or its text, such as `love-letter` or `tablic:players=3`.
    players
        Two or more strategies, or their texts; the same one may stand twice.
    pairs
        Shuffles; each is played in every order of the seats. With `until_clear` the limit.
    seed
        The same seed, the same games.
    unit
        `round`, `game` or `match`; else what one playing of the game is.
    jobs
        Processes of this machine.
    cluster
        The address of a Dask scheduler, such as `tcp://host:8786`.
    store
        A file that keeps the results; what it has is not played again.
    until_clear
        Stop a match as soon as one player is surely better.
    less_luck
        Take the luck of the draw off every result: the same mean, and less variance.
    limit
        Seconds that a decision may take, or the game is lost.

    Returns
    -------
    Comparison
        The figures of every match, with intervals.

    Examples
    --------
    >>> comparison = compare("twenty-one", ["random", "alpha-beta"], pairs=50)
    >>> comparison.matches[0].losses
    65
    >>> [row["score"] for row in comparison.rows()]
    [0.325]
    """
    return arena.compare(
        game_of(game), _strategies(players), pairs, seed, unit,
        jobs=checks.whole_number(jobs, "jobs"),
        cluster=None if cluster is None else checks.text(cluster, "a cluster"),
        store=None if store is None else checks.path(store, "a store"),
        until_clear=checks.one_of(until_clear, bool, "until_clear: True or False"),
        less_luck=checks.one_of(less_luck, bool, "less_luck: True or False"), limit=limit,
    )  # fmt: skip


def play(
    game: str | Game[Any, Any],
    players: Sequence[Any],
    *,
    seed: int = 0,
    limit: float | None = None,
) -> PlayedGame:
    """Play one game between strategies, seat by seat.

    Parameters
    ----------
    game
        A game, or its text.
    players
        A strategy, or its text, for each seat.
    seed
        The same seed, the same game.
    limit
        Seconds that a decision may take.

    Returns
    -------
    PlayedGame
        Its plays, positions and result, and its record.

    Raises
    ------
    Forfeit
        If a strategy fails, plays illegally or thinks for too long.

    Examples
    --------
    >>> done = play("love-letter", ["greedy", "random"], seed=1)
    >>> sum(done.returns)
    0.0
    """
    made = game_of(game)
    strategies = _strategies(players)
    if len(strategies) != made.players:
        raise BadText(f"{made} has {made.players} players, not {len(strategies)}")
    for strategy in strategies:
        strategy.check_game(made)
    table = Table(made, seed)
    table.play_out(strategies, checks.limit(limit))
    return PlayedGame.of(Record.of(table, [str(strategy) for strategy in strategies]), table)


def _strategies(players: Sequence[Any]) -> list[Strategy]:
    if isinstance(players, str) or not isinstance(players, Sequence):
        raise BadType(f"players are a list of strategies, not {checks.brief(players)}")
    return [strategy_of(player) for player in players]
