"""What every way of training shares: the task, and how an optimizer is asked.

A strategy declares its numbers: options with `train=(low, high)`. An optimizer knows a *genome*, a
number from 0 to 1 for each of them. It asks for batches of genomes; all genomes of a batch play the
same shuffles, each shuffle twice with seats swapped (common random numbers: what is luck is the
same for all). Its randomness is a function of the seed and the number of the batch, so that its
state follows from its results so far.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict

from kibitz.arena.statistics.scores import FEWEST
from kibitz.core.errors import BadText, BadValue, UnsuitableGame
from kibitz.core.game import Game
from kibitz.core.limits import check_range
from kibitz.core.options import Option
from kibitz.core.registry import make_game, make_strategy, strategies
from kibitz.core.strategy import Strategy
from kibitz.table.seeds import nth_seed

Genome = tuple[float, ...]
SHUFFLES_KEY, CHOICES_KEY, FRESH_KEY = 1 << 41, 1 << 42, 1 << 43
"""`kibitz compare` has pairs 0, 1, 2 … of a seed: training with the same seed has others, and so
has what tells how good the result is."""

DIGITS = 6
MOST = {"generations": 1_000_000, "population": 100_000, "games": 1_000_000, "fresh": 10_000_000}


class Task(BaseModel):
    """What is trained, and how long. Two tasks that are equal end with the same genome."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    game: str
    strategy: str
    numbers: tuple[str, ...]
    """The options that are found. All others stay as they are."""
    opponent: str
    optimizer: Literal["thesis", "cma"]
    generations: int
    population: int
    games: int
    seed: int
    fresh: int
    """Pairs on fresh shuffles that tell how good the result is."""
    files: tuple[str, ...] = ()
    """The files that game and players are in or read, with digests of what they hold."""

    @property
    def pairs(self) -> int:
        """Of one genome of the thesis."""
        return self.games // 2

    @property
    def budget(self) -> int:
        """All pairs that may be played to learn."""
        return self.generations * self.population * self.pairs

    def check(self) -> None:
        """Refuse what can't be trained, before anything is played."""
        for number, least in (("generations", 1), ("population", 2), ("games", 2), ("fresh", 0)):
            check_range(number, getattr(self, number), least, MOST[number])
        if 0 < self.fresh < FEWEST:
            raise BadValue(f"fresh must be 0, or at least {FEWEST} to have an interval")
        if self.games % 2:
            raise BadValue(f"games must be even, not {self.games}: every shuffle is played twice")
        self.seats().check()

    def seats(self) -> Seats:
        """The game, and who plays it."""
        strategy = make_strategy(self.strategy)
        return Seats(
            make_game(self.game), strategy, make_strategy(self.opponent),
            trained_options(strategy, self.numbers),
        )  # fmt: skip


def trained_options(strategy: Strategy, names: Sequence[str]) -> tuple[Option, ...]:
    """The numbers of a strategy that are found; it must have declared them."""
    declared = {option.name: option for option in strategy.trained_options()}
    if not declared:
        raise UnsuitableGame(f"{strategy.name} has no numbers to train; {what_can()}")
    if not names:
        given = ", ".join(declared)
        raise BadText(f"{strategy}: {given} are given; leave out what training is to find")
    return tuple(declared[name] for name in names)


def what_can() -> str:
    """What can be trained, in words."""
    own = (name for name, cls in strategies().items() if cls.trained_options())
    return (
        f"these have: {', '.join(own)}, and any in a file that declares them, such as"
        ' Option("caution", 0.5, "…", train=(0, 1))'
    )


@dataclass(frozen=True)
class Seats:
    """Who plays what in a training."""

    game: Game[Any, Any]
    strategy: Strategy
    opponent: Strategy
    options: tuple[Option, ...]
    """Of the strategy, those that are found."""

    def check(self) -> None:
        """Refuse what does not work together."""
        if self.game.players != 2:
            raise UnsuitableGame(f"training is for two players, and {self.game} has more")
        for strategy in (self.strategy, self.opponent):
            strategy.check_game(self.game)
            if not strategy.reproducible:
                raise UnsuitableGame(
                    f"{strategy} does not always play the same: nothing could be gone on with"
                )
        policies = [self.with_genome((end,) * len(self.options)).policy(self.game)
                    for end in (0.0, 1.0)]  # fmt: skip
        if policies[0] is not None and policies[0] == policies[1]:
            names = ", ".join(option.name for option in self.options)
            raise UnsuitableGame(f"{self.strategy} plays {self.game.name} alike whatever {names}")

    def numbers(self, genome: Genome) -> dict[str, float]:
        """What a genome stands for."""
        values = {}
        for option, gene in zip(self.options, genome, strict=True):
            low, high = option.train or (0.0, 1.0)
            values[option.name] = min(max(low + gene * (high - low), low), high)
        return values

    def with_genome(self, genome: Genome) -> Strategy:
        """The strategy with these numbers."""
        return remade(self.strategy, self.numbers(genome))

    def rounded(self, genome: Genome) -> dict[str, float]:
        """The same to a millionth of what each may be: nobody can tell more of it."""
        values = {}
        for option, value in zip(self.options, self.numbers(genome).values(), strict=True):
            low, high = option.train or (0.0, 1.0)
            digits = DIGITS - math.floor(math.log10(high - low))
            values[option.name] = min(max(round(value, digits), float(low)), float(high))
        return values


def remade(strategy: Strategy, values: dict[str, float]) -> Strategy:
    """A strategy of the same class with other values of some options."""
    return type(strategy)(**{**strategy.settings, **values})


class GenomeResult(NamedTuple):
    """What a genome did in its games."""

    wins: int
    losses: int
    points: float
    """Ahead of the opponent, over all games, each counted up to CLEAR."""


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
