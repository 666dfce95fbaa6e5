"""`kibitz.compare`: what the command line does, from Python."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kibitz.arena import compare as arena
from kibitz.arena.comparison import Comparison
from kibitz.core import checks
from kibitz.core.game import Game
from kibitz.core.registry import game_of
from kibitz.table.played import strategies_of


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
    >>> import kibitz
    >>> comparison = kibitz.compare("twenty-one", ["random", "alpha-beta"], pairs=50)
    >>> comparison.matches[0].losses
    65
    >>> [row["score"] for row in comparison.rows()]
    [0.325]
    """
    return arena.compare(
        game_of(game), strategies_of(players), pairs, seed, unit,
        jobs=checks.whole_number(jobs, "jobs"),
        cluster=None if cluster is None else checks.text(cluster, "a cluster"),
        store=None if store is None else checks.path(store, "a store"),
        until_clear=checks.flag(until_clear, "until_clear"),
        less_luck=checks.flag(less_luck, "less_luck"), limit=limit,
    )  # fmt: skip
