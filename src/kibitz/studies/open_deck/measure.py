"""Two players' Tablić with the deck known, solved over many shuffles: the value of moving
first, what strategies lose against perfect play, and what solving takes. Without a bonus for cards.

Every result is stored as it comes, with its time: started again, a study goes on, and its figures
are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import cache, cached_property
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.arena.statistics.scores import Score
from kibitz.arena.workers import as_done, workers
from kibitz.core.errors import BadValue
from kibitz.core.interrupts import Interrupted
from kibitz.core.registry import make_game, make_strategy
from kibitz.games.tablic.game import Tablic
from kibitz.solvers.tablic.open_deck import (
    MEMORY,
    DeckValue,
    OpenDeck,
    SearchProgress,
    Stopped,
    Walk,
)
from kibitz.studies.open_deck.losses import (
    PLIES,
    JudgedGame,
    Loser,
    Mistake,
    mean_of,
    play_against_perfection,
    summed_up,
)
from kibitz.studies.open_deck.results_file import Key, OpenDeckResults, ResultsFile, ResultsInMemory
from kibitz.table.seeds import VERSION, GameSeeds, nth_seed
from kibitz.table.table import Table
from kibitz.version import __version__

RESULTS = "open-deck.jsonl"
FEWEST = 2
"""Shuffles: fewer have no interval."""


@dataclass(frozen=True)
class OpenDeckSize:
    """How much is measured."""

    shuffles: int
    games: int
    """Of so many of the shuffles, everybody plays."""
    plies: int
    """To the end of the game, from where greedy play came; an even number."""
    players: tuple[str, ...]


PLAYERS = ("random", "greedy", "human", "genetic", "backtrack")
FULL = OpenDeckSize(200, 20, PLIES, (*PLAYERS, "flat-mc", "ismcts", "pimc"))
QUICK = OpenDeckSize(
    40, 6, 24, (*PLAYERS, "flat-mc:worlds=20", "ismcts:simulations=200", "pimc:worlds=10")
)


@dataclass(frozen=True)
class SolvedShuffle:
    """A shuffle: points ahead of the first player from where the study begins, with perfect
    play and with greedy play on both sides."""

    shuffle: int
    value: int
    greedy: int
    nodes: int
    seconds: float


@dataclass(frozen=True)
class OpenDeckStudy:
    command: str
    game: str
    seed: int
    size: OpenDeckSize
    solved: tuple[SolvedShuffle, ...]
    played: tuple[JudgedGame, ...]

    @property
    def values(self) -> np.ndarray:
        return np.array([each.value for each in self.solved], float)

    @property
    def greedy(self) -> np.ndarray:
        return np.array([each.greedy for each in self.solved], float)

    @property
    def difference(self) -> Score:
        """Perfect less greedy play, on the same shuffles."""
        return mean_of(self.values - self.greedy)

    @cached_property
    def losers(self) -> tuple[Loser, ...]:
        """Who loses least comes first."""
        plies = self.size.plies
        losers = [
            summed_up(player, [each for each in self.played if each.player == player], plies)
            for player in self.size.players
        ]
        return tuple(sorted(losers, key=lambda each: each.loss.mean))


def open_game() -> Tablic:
    return Tablic(cards_bonus="none")


def check_size(size: OpenDeckSize) -> None:
    if size.shuffles < FEWEST:
        raise BadValue(f"shuffles must be at least {FEWEST}, not {size.shuffles}")


def measure(
    folder: Path,
    seed: int,
    size: OpenDeckSize,
    command: str,
    progress: Callable[[str], None],
    cluster: str | None = None,
) -> OpenDeckStudy:
    """All of it, but for what the folder has."""
    check_size(size)
    game = open_game()
    results = ResultsFile(
        folder / RESULTS,
        {"kibitz": __version__, "game": game.spec, "seed": seed, "plies": size.plies},
    )
    if cluster is not None:
        measure_on_cluster(game, seed, size, results, progress, cluster)
    solved, played = [], list[JudgedGame]()
    for number in range(size.shuffles):
        shuffle = _Shuffle(game, seed, number, size, results, progress)
        solved.append(shuffle.solved())
        if number < size.games:
            played += shuffle.games()
    return OpenDeckStudy(command, game.spec, seed, size, tuple(solved), tuple(played))


def measure_on_cluster(
    game: Tablic,
    seed: int,
    size: OpenDeckSize,
    results: OpenDeckResults,
    progress: Callable[[str], None],
    cluster: str,
) -> None:
    """Whatever the results do not have: a shuffle with all its games is the work of one worker. It
    is stored as it comes."""
    tasks = [ShuffleTask(game.spec, seed, number, size) for number in range(size.shuffles)]
    tasks = [replace(each, stored=each.known_to(results)) for each in tasks]
    tasks = [each for each in tasks if len(each.stored) < len(each.keys)]
    with workers(1, cluster) as (executor, width):
        progress(f"{len(tasks)} shuffles on the cluster")
        for done, (_, added) in enumerate(as_done(executor, width, measure_task, tasks), 1):
            for key, result in added:
                results.add(*key, result=result)
            progress(f"{done} of {len(tasks)} shuffles, on the cluster")


@dataclass(frozen=True)
class ShuffleTask:
    """A shuffle and its games, to be sent to a worker."""

    game: str
    seed: int
    number: int
    size: OpenDeckSize
    stored: tuple[tuple[Key, Any], ...] = ()
    """What is known of it."""

    @property
    def keys(self) -> list[Key]:
        """Of all results that there are of it."""
        players = self.size.players if self.number < self.size.games else ()
        games = [game_key(self.number, player, seat) for player in players for seat in (0, 1)]
        return [shuffle_key(self.number), *games]

    def known_to(self, results: OpenDeckResults) -> tuple[tuple[Key, Any], ...]:
        """What of it has been stored."""
        known = ((key, results.get(*key)) for key in self.keys)
        return tuple((key, result) for key, result in known if result is not None)


def measure_task(task: ShuffleTask) -> list[tuple[Key, Any]]:
    """What is not known of a shuffle, by key: what a worker does."""
    results = ResultsInMemory(dict(task.stored))
    game = make_game(task.game)
    assert isinstance(game, Tablic)
    shuffle = _Shuffle(game, task.seed, task.number, task.size, results, lambda what: None)
    shuffle.solved()
    if task.number < task.size.games:
        list(shuffle.games())
    return results.added


def shuffle_key(number: int) -> Key:
    """Of the value of a shuffle."""
    return "shuffle", number


def game_key(number: int, player: str, seat: int) -> Key:
    """Of a game on it."""
    return "game", number, player, seat, VERSION


class _Shuffle:
    """One shuffle, solved once for all games on it, and not before it has to be."""

    def __init__(
        self, game: Tablic, seed: int, number: int, size: OpenDeckSize, results: OpenDeckResults,
        progress: Callable[[str], None],
    ) -> None:  # fmt: skip
        self._game, self._number = game, number
        # The decks of version 1 of the streams, whose solutions are stored.
        self._seeds = GameSeeds(seed, number, shuffle=nth_seed(seed, number))
        self._size, self._results, self._progress = size, results, progress
        self._what = f"shuffle {number + 1} of {size.shuffles}"

    def solved(self) -> SolvedShuffle:
        stored = self._results.get(*shuffle_key(self._number))
        if stored is None:
            warm_up()
            start = points_ahead(self._game, self._table().state)
            try:
                solution = self._deck.solve(self._watch)
            except Stopped:
                raise Interrupted from None
            ahead = points_ahead(self._game, played_by_greedy(self._game, self._seeds, PLIES).state)
            own = SolvedShuffle(
                self._number, solution.value.points - start, ahead - start, solution.nodes,
                solution.seconds,
            )  # fmt: skip
            stored = self._results.add(*shuffle_key(self._number), result=to_stored(own))
        return SolvedShuffle(**from_stored(stored))

    def games(self) -> Iterator[JudgedGame]:
        """Everybody in both seats, against perfect play."""
        for player in self._size.players:
            for seat in (0, 1):
                key = game_key(self._number, player, seat)
                stored = self._results.get(*key) or self._results.add(
                    *key, result=to_stored(self._play(player, seat))
                )
                mistakes = tuple(Mistake(**each) for each in stored["mistakes"])
                yield JudgedGame(**{**from_stored(stored), "mistakes": mistakes})

    def _play(self, player: str, seat: int) -> JudgedGame:
        self._progress(f"{self._what}: {player} in seat {seat + 1}")
        table, sign = self._table(), 1 - 2 * seat
        start, value = points_ahead(self._game, table.state), self.solved().value
        walk = Walk(self._deck, DeckValue(value + start), self._watch)
        mistakes, decisions = play_against_perfection(table, walk, make_strategy(player), seat)
        made = points_ahead(self._game, table.state) - start
        played = JudgedGame(
            player, self._number, seat, sign * value, sign * made, decisions, tuple(mistakes)
        )
        if played.loss != played.value - played.made:
            raise AssertionError(f"{self._what}: the losses of {player} don't add up")
        return played

    @cached_property
    def _deck(self) -> OpenDeck:
        return OpenDeck(self._game, self._table().state, MEMORY)

    def _table(self) -> Table:
        return played_by_greedy(self._game, self._seeds, PLIES - self._size.plies)

    def _watch(self, progress: SearchProgress) -> None:
        self._progress(
            f"{self._what}: {progress.nodes / 1e6:.1f} million nodes, {progress.seconds:.0f} s"
        )


def to_stored(result: SolvedShuffle | JudgedGame) -> dict[str, Any]:
    """As the file of results has it."""
    fields = asdict(result)
    return {"worth" if name == "value" else name: each for name, each in fields.items()}


def from_stored(fields: dict[str, Any]) -> dict[str, Any]:
    return {"value" if name == "worth" else name: each for name, each in fields.items()}


def played_by_greedy(game: Tablic, seed: int | GameSeeds, plies: int) -> Table:
    """A table after so many plies of greedy play on both sides."""
    table, greedy = Table(game, seed), make_strategy("greedy")
    players = [greedy.sit(game, seat, table.seeds.seat(seat)) for seat in (0, 1)]
    for _ in range(plies):
        table.play(players[table.mover].choose(table.view(table.mover)))
    return table


def points_ahead(game: Tablic, state: Any) -> int:
    """So far: of who moves first in each deal."""
    out = np.zeros(game.players)
    game.kernels.returns(state, out)
    return int(out[0])


@cache
def warm_up() -> None:
    """Machine code is compiled, or read from the disk, before a time is taken. To go on after a
    pause takes code of its own, so a search must be long enough to pause."""
    pauses: list[SearchProgress] = []
    for seed in count():
        game = open_game()
        OpenDeck(game, played_by_greedy(game, seed, PLIES - 24).state).solve(pauses.append)
        if pauses:
            return
