"""What every way of training shares: the task, the games it plays, and how it is asked.

An optimizer asks for batches of genomes; all genomes of a batch play the same shuffles, each
shuffle twice with seats swapped. Its randomness is a function of the seed and the number of
the batch, so that its state follows from its results so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict

from kibitz.arena.pairs import CompiledPairs
from kibitz.arena.statistics.scores import game_scores
from kibitz.core.errors import BadText, UnsuitableGame
from kibitz.core.limits import check_range
from kibitz.core.registry import games, make_game, make_strategy, split_spec, strategies
from kibitz.core.strategy import Strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.table.seeds import nth_seed

Genome = tuple[float, ...]
SHUFFLES_KEY, CHOICES_KEY = 1 << 41, 1 << 42
"""`kibitz compare` has pairs 0, 1, 2 … of a seed: training with the same seed has others."""

MOST = {"generations": 1_000_000, "population": 100_000, "games": 1_000_000}
CLEAR = 10
"""A win by so many points is a clear one: more of them count no more."""


def trainable() -> list[tuple[str, str]]:
    """The games and strategies that can be trained."""
    trained = [name for name, cls in strategies().items() if cls.trainable]
    return [(g, s) for g, cls in games().items() for s in trained if s in cls.strategy_modules]


class Task(BaseModel):
    """What is trained, and how long. Two tasks that are equal end with the same genome."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    game: str
    strategy: str
    opponent: str
    optimizer: Literal["thesis", "cma"]
    generations: int
    population: int
    games: int
    seed: int

    @property
    def pairs(self) -> int:
        """Of one genome of the thesis."""
        return self.games // 2

    @property
    def budget(self) -> int:
        """All pairs that may be played."""
        return self.generations * self.population * self.pairs

    def check(self) -> None:
        """Refuse what can't be trained, before anything is played."""
        game, name = split_spec(self.game)[0], split_spec(self.strategy)[0]
        if (game, name) not in trainable():
            known = ", ".join(f"{g} {s}" for g, s in trainable())
            raise UnsuitableGame(f"{game} {name} can't be trained; what can: {known}")
        if self.strategy != name:
            raise BadText(f"{self.strategy}: training finds the options; give {name} alone")
        for number, least in (("generations", 1), ("population", 2), ("games", 2)):
            check_range(number, getattr(self, number), least, MOST[number])
        if self.games % 2:
            raise BadText(f"games must be even, not {self.games}: every shuffle is played twice")
        self.seats()

    def seats(self) -> tuple[CompiledGame, list[Strategy]]:
        """The game, and who plays it: the strategy and its opponent."""
        game = make_game(self.game)
        strategies = [make_strategy(self.strategy), make_strategy(self.opponent)]
        for strategy in strategies:
            strategy.check_game(game)
        opponent = strategies[1]
        if not isinstance(game, CompiledGame) or opponent.policy(game) is None:
            raise UnsuitableGame(f"{opponent} is not compiled: it can't be trained against")
        if not opponent.reproducible:
            raise UnsuitableGame(f"{opponent} does not always play the same: no opponent here")
        return game, strategies


class GenomeResult(NamedTuple):
    """What a genome did in its games."""

    wins: int
    losses: int
    points: float
    """Ahead of the opponent, over all games, each counted up to CLEAR."""


class Games:
    """The games of a training. Its code is compiled once, for all genomes."""

    def __init__(self, task: Task) -> None:
        game, strategies = task.seats()
        self._pairs = CompiledPairs(game, strategies, nth_seed(task.seed, SHUFFLES_KEY), 0)
        self._pairs.play(0, 0)  # compiled before anybody looks at the clock

    def play(self, genome: Genome, start: int, pairs: int) -> GenomeResult:
        """Shuffles number start to start + pairs − 1, each twice."""
        self._pairs.set_numbers(0, genome)
        results, _ = self._pairs.play(start, pairs)
        points = game_scores(results, 2)[:, :, 0]
        ahead = float(results[:, [0, 2]].clip(-CLEAR, CLEAR).sum())
        return GenomeResult(int((points == 1).sum()), int((points == 0).sum()), ahead)


@dataclass(frozen=True)
class GenomeBatch:
    """Genomes to be tried, all on the same shuffles."""

    genomes: Sequence[Genome]
    pairs: int


class Optimizer(Protocol):
    """A way to find a genome. `ask` and `tell` take turns, `batches` times."""

    batches: int
    fitness: str
    """What `fitness_of` returns, in words."""

    def __init__(self, task: Task) -> None: ...

    def ask(self) -> GenomeBatch: ...

    def tell(self, results: Sequence[GenomeResult]) -> None: ...

    def fitness_of(self, result: GenomeResult, pairs: int) -> float:
        """The fitness of a genome that did so in so many pairs."""

    @property
    def genome(self) -> Genome:
        """The result, at the end."""


def generation_seed(task: Task, generation: int) -> Any:
    """The seed of an optimizer's own choices in a generation."""
    return nth_seed(nth_seed(task.seed, CHOICES_KEY), generation)
