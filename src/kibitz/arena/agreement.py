"""How often strategies decide alike in the same situations (thesis LL, 5.3), and how the decision
of a search settles as it thinks longer.

Situations come up in play: in every game each decision is made by one of the strategies, drawn
by lot, and every other is asked too. Where there is one play only, nobody is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any

from kibitz.arena.compare import unique_names
from kibitz.arena.statistics.scores import Score, score_from
from kibitz.arena.workers import in_order, is_sendable, workers
from kibitz.core.errors import BadText, IllegalPlay
from kibitz.core.game import Game
from kibitz.core.limits import check_parallel, check_range
from kibitz.core.registry import make_strategy, split_spec
from kibitz.core.strategy import Strategy
from kibitz.jit.rng import below
from kibitz.table.seeds import AGREEMENT, GameSeeds
from kibitz.table.table import Table

Decisions = tuple[tuple[str, str], ...]
"""What each strategy decided in a situation, twice with other random numbers."""
PATIENCE = 1000
"""Games without any situation, after which there is none."""
MOST = 1_000_000
"""Situations: all that was decided is held in memory."""
STEPS = (10, 30, 100, 300, 1000, 3000, 10000)


@dataclass(frozen=True)
class Agreement:
    """In how many of the situations two strategies decided alike. One with itself: with other
    random numbers, so less than all if it draws lots."""

    game: str
    seed: int
    names: tuple[str, ...]
    situations: int
    alike: tuple[tuple[int, ...], ...]

    def share(self, i: int, j: int) -> Score:
        """How often, with its interval."""
        n = self.alike[i][j]
        return score_from(self.situations, n, n)

    def document(self) -> dict[str, Any]:
        """As `kibitz agree --json` prints it."""
        shares = [
            [self.share(i, j) for j in range(len(self.names))] for i in range(len(self.names))
        ]
        return {
            "game": self.game,
            "seed": self.seed,
            "situations": self.situations,
            "players": list(self.names),
            "agreement": [[share.mean for share in row] for row in shares],
            "ci95": [[[share.low, share.high] for share in row] for row in shares],
        }


def agree(
    game: Game[Any, Any],
    strategies: Sequence[Strategy],
    situations: int = 1000,
    seed: int = 0,
    jobs: int = 1,
    progress: Callable[[int], None] = lambda done: None,
    cluster: str | None = None,
) -> Agreement:
    """Ask strategies in so many situations. `progress` gets how many there are so far."""
    if len(strategies) < 2:
        raise BadText("give at least two strategies: they are asked whether they decide alike")
    for strategy in strategies:
        strategy.check_game(game)
    asked = _ask_all(game, tuple(strategies), situations, seed, jobs, progress, cluster)
    k = len(strategies)
    alike = tuple(
        tuple(sum(one[i][0] == one[j][int(i == j)] for one in asked) for j in range(k))
        for i in range(k)
    )
    return Agreement(str(game), seed, tuple(unique_names(strategies)), situations, alike)


def _ask_all(
    game: Game[Any, Any], strategies: tuple[Strategy, ...], situations: int, seed: int, jobs: int,
    progress: Callable[[int], None], cluster: str | None,
) -> list[Decisions]:  # fmt: skip
    """The first so many situations, game after game: the same whoever plays them."""
    check_range("situations", situations, 1, MOST)
    check_parallel("jobs", jobs)
    jobs = jobs if is_sendable((game, strategies)) else min(jobs, 1)
    decisions: list[Decisions] = list(ask_in_game(game, strategies, seed, 0))
    ask = partial(ask_in_game, game, strategies, seed)
    with workers(jobs, cluster) as (executor, width):
        asked = in_order(executor, width, ask, count(1))
        for number in count(1):
            if len(decisions) >= situations:
                break
            decisions += next(asked)
            if not decisions and number > PATIENCE:
                raise BadText(f"in {PATIENCE} games of {game} nobody had a choice")
            progress(min(len(decisions), situations))
    return decisions[:situations]


def ask_in_game(
    game: Game[Any, Any], strategies: Sequence[Strategy], seed: int, number: int
) -> list[Decisions]:
    """The decisions of every strategy in every situation of a game."""
    table = Table(game, GameSeeds(seed, number), number % game.players)
    referee = table.seeds.referee
    decisions = []
    while not table.is_over:
        plays = table.view(table.mover).plays()
        if len(plays) == 1:
            table.play(plays[0])
            continue
        decided = [_decide(table, i, s) for i, s in enumerate(strategies)]
        decisions.append(tuple((str(first), str(again)) for first, again in decided))
        table.play(decided[below(referee, len(strategies))][0])
    return decisions


def _decide(table: Table, number: int, strategy: Strategy) -> tuple[Any, Any]:
    """What it plays, and what it plays with other random numbers."""
    view = table.view(table.mover, strategy.knows)
    turn = len(table.plays)
    streams = (table.seeds.other(AGREEMENT, number, turn, again) for again in range(2))
    decided = (strategy.sit(view.game, table.mover, rng).choose(view) for rng in streams)
    try:
        first, again = (table.game.match_play(table.state, play) for play in decided)
    except IllegalPlay as error:
        raise BadText(f"{strategy} plays what is not legal: {error}") from error
    return first, again


@dataclass(frozen=True)
class Settling:
    """How often a search with each amount of thinking decides as with the most of it, and how
    often that agrees with itself."""

    game: str
    strategy: str
    option: str
    seed: int
    situations: int
    values: tuple[int, ...]
    shares: tuple[Score, ...]

    def document(self) -> dict[str, Any]:
        """As `kibitz agree --settle … --json` prints it."""
        curve = [
            {self.option: value, "agreement": share.mean, "ci95": [share.low, share.high]}
            for value, share in zip(self.values, self.shares, strict=True)
        ]
        return {
            "game": self.game, "strategy": self.strategy, "seed": self.seed,
            "situations": self.situations, "curve": curve,
        }  # fmt: skip


def settling(
    game: Game[Any, Any],
    spec: str,
    situations: int = 500,
    seed: int = 0,
    jobs: int = 1,
    progress: Callable[[int], None] = lambda done: None,
    values: Sequence[int] = STEPS,
    cluster: str | None = None,
) -> Settling:
    """A search by itself, from little thinking to much, by the option that its `effort` names."""
    name, options = split_spec(spec)
    option = make_strategy(name).effort
    if not option:
        raise BadText(f"{name} does not think longer or shorter; try ismcts")
    if option in options:
        raise BadText(f"{option} is what changes: leave it out of {spec}")
    given = "".join(f",{key}={value}" for key, value in options.items())
    steps = [make_strategy(f"{name}:{option}={value}{given}") for value in values]
    for strategy in steps:
        strategy.check_game(game)
    asked = _ask_all(game, tuple(steps), situations, seed, jobs, progress, cluster)
    most = len(steps) - 1
    shares = []
    for i in range(len(steps)):
        alike = sum(one[i][0] == one[most][1] for one in asked)
        shares.append(score_from(situations, alike, alike))
    text = str(make_strategy(spec))
    return Settling(str(game), text, option, seed, situations, tuple(values), tuple(shares))
