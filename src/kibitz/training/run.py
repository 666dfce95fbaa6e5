"""A training from its task to its file, which can be stopped and goes on where it was.

The checkpoint has the task and the results of every batch so far. To go on, the optimizer is
given them again: its genomes follow from the seed and from them, so the end is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from statistics import fmean
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from kibitz.arena.compare import check_cluster
from kibitz.arena.workers import Inline, is_sendable, workers
from kibitz.core.errors import BadText
from kibitz.core.files import atomic_write, read_file
from kibitz.core.interrupts import distinguish_interrupts
from kibitz.strategies.common.genome import GenomeFile
from kibitz.table.seeds import nth_seed
from kibitz.training.games import TrainingGames, result_of
from kibitz.training.task import (
    FRESH_KEY,
    SHUFFLES_KEY,
    Genome,
    GenomeBatch,
    GenomeResult,
    Optimizer,
    Seats,
    Task,
    remade,
)
from kibitz.training.validation import validate
from kibitz.version import __version__

MOST = 256 << 20
"""Bytes of a checkpoint that is read."""
Done = list[list[GenomeResult]]
"""The results of each batch so far, genome by genome."""


@dataclass(frozen=True)
class TrainingStep:
    """What is reported, again and again."""

    generation: int
    """That is played, from 1; one more than there are while the result is looked at."""
    of: int
    share: float
    """Of its games that are played."""
    best: float | None
    """Fitness, of the last generation that is whole."""
    games: float
    """Played in this run; not those that a checkpoint had."""


Progress = Callable[[TrainingStep], None]


def optimizer_for(task: Task) -> Optimizer:
    """Imported here, each alone: both take their time."""
    if task.optimizer == "cma":
        from kibitz.training.cma_es import CmaEs

        return CmaEs(task)
    from kibitz.training.thesis import Thesis

    return Thesis(task)


Crew = tuple[Any, int]
"""An executor, and how many parts it plays at once."""


@contextmanager
def crew_for(task: Task, jobs: int, cluster: str | None = None) -> Iterator[Crew]:
    """Who plays the games: so many processes, or a Dask cluster. It makes no difference."""
    seats = task.seats()
    players = [seats.strategy, seats.opponent]
    sendable = is_sendable((seats.game, players))
    if cluster is not None:
        check_cluster(players)
        if not sendable:
            raise BadText(f"{seats.game} or its players can't be sent to a cluster")
    with distinguish_interrupts(), workers(jobs if sendable else min(jobs, 1), cluster) as crew:
        yield crew


def train(
    task: Task,
    done: Done | None = None,
    save: Callable[[Done], None] = lambda done: None,
    progress: Progress = lambda step: None,
    crew: Crew | None = None,
) -> GenomeFile:
    """Find a genome. What is `done` is not played again; `save` gets it after each batch. Without
    a crew this process plays."""
    task.check()
    seats, here = task.seats(), (Inline(), 1)
    # Compiled before there are other processes, and before anybody looks at the clock.
    TrainingGames(seats, nth_seed(task.seed, SHUFFLES_KEY), *here).play([seats.strategy], 0, 1)
    run = TrainingRun(task, seats, crew or here, progress)
    return run.train([] if done is None else done, save)


class TrainingRun:
    """A training on its way."""

    def __init__(self, task: Task, seats: Seats, crew: Crew, progress: Progress) -> None:
        self._task, self._seats = task, seats
        self._optimizer = optimizer_for(task)
        self._games, self._fresh = (
            TrainingGames(seats, nth_seed(task.seed, key), *crew)
            for key in (SHUFFLES_KEY, FRESH_KEY)
        )
        self._progress = progress
        self._curve: list[dict[str, Any]] = []
        self._played = 0
        """Games of this run."""

    def train(self, done: Done, save: Callable[[Done], None]) -> GenomeFile:
        """Batch after batch, and then the fresh games. What is saved is added to what is done."""
        optimizer, shuffles = self._optimizer, 0
        for number in range(optimizer.batches):
            batch = optimizer.ask()
            if number == len(done):
                results = self._play(batch, number, shuffles)
                save([*done, results])
                done.append(results)
            check_results(done[number], batch)
            optimizer.tell(done[number])
            shuffles += batch.pairs
            self._curve.append(self._step(done[number], batch))
        return self._file(optimizer.genome)

    def _play(self, batch: GenomeBatch, number: int, shuffles: int) -> list[GenomeResult]:
        size = 2 * batch.pairs * len(batch.genomes)
        report = partial(self._report, number + 1, size)
        report(0.0)
        strategies = [self._seats.with_genome(genome) for genome in batch.genomes]
        results = self._games.play(strategies, shuffles, batch.pairs, report)
        self._played += size
        return [result_of(rows) for rows in results]

    def _report(self, generation: int, size: int, share: float) -> None:
        best = self._curve[-1]["best"] if self._curve else None
        games = self._played + share * size
        self._progress(TrainingStep(generation, self._optimizer.batches, share, best, games))

    def _step(self, results: Sequence[GenomeResult], batch: GenomeBatch) -> dict[str, Any]:
        """A point of the learning curve."""
        size = 2 * batch.pairs * len(batch.genomes)
        fitness = [self._optimizer.fitness_of(result, batch.pairs) for result in results]
        balance = sum(result.wins - result.losses for result in results)
        return {
            "generation": len(self._curve) + 1,
            "games": size + (self._curve[-1]["games"] if self._curve else 0),
            "best": max(fitness),
            "mean": fmean(fitness),
            "score": (1 + balance / size) / 2,
        }

    def _file(self, genome: Genome) -> GenomeFile:
        task, seats = self._task, self._seats
        numbers = seats.rounded(genome)
        trained = remade(seats.strategy, numbers)
        fresh = None
        if task.fresh:
            size = 4 * task.fresh
            report = partial(self._report, self._optimizer.batches + 1, size)
            report(0.0)
            fresh = validate(self._fresh, seats.strategy, trained, task.fresh, report)
        limits = {"opponent", "generations", "population", "games"}
        return GenomeFile(
            kibitz=__version__,
            game=task.game,
            strategy=task.strategy,
            optimizer=task.optimizer,
            settings=task.model_dump(include=limits),
            seed=task.seed,
            numbers=tuple(numbers),
            genome=tuple(numbers.values()),
            trained=str(trained),
            fitness=self._optimizer.fitness,
            curve=self._curve,
            fresh=fresh,
        )


def check_results(results: Sequence[GenomeResult], batch: GenomeBatch) -> None:
    """Refuse results that these games can't have had."""
    fits = all(
        result.wins >= 0 and result.losses >= 0 and result.wins + result.losses <= 2 * batch.pairs
        for result in results
    )
    if len(results) != len(batch.genomes) or not fits:
        raise BadText("the checkpoint does not fit its games; remove it to begin again")


# -- files -------------------------------------------------------------------------------------


class Checkpoint(BaseModel):
    """What it takes to go on."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    task: Task
    versions: dict[str, str]
    """Others may draw other random numbers."""
    done: Done


@cache
def versions() -> dict[str, str]:
    return {"kibitz": __version__, **{name: version(name) for name in ("numpy", "deap")}}


class TrainingFiles:
    """The files of a training: its genome, its picture, and until then its checkpoint."""

    def __init__(self, output: Path) -> None:
        if not output.name:
            raise BadText(f"{output}: not the name of a file")
        self.output = output
        self.picture = output.with_suffix(".svg")
        self.checkpoint = output.with_name(output.name + ".checkpoint")
        if self.picture == output:
            raise BadText(f"{output}: the picture is to have that name; try a name with .json")

    def open(self, task: Task, force: bool) -> Done:
        """What is done already. Nobody's file is replaced, unless by force."""
        batches = optimizer_for(task).batches
        done = self.read(task)
        # Killed between its last two steps, a training has its output and its checkpoint.
        ended = len(done) == batches
        for path in (self.output, self.picture):
            if path.exists() and not force and not ended:
                raise BadText(f"{path} is there already; --force replaces it")
            if path.exists() and not path.is_file():
                raise BadText(f"{path}: not a file that can be written")
        self.save(task, done)
        return done

    def read(self, task: Task) -> Done:
        """What the checkpoint has; nothing, if there is none."""
        try:
            checkpoint = Checkpoint.model_validate_json(read_file(self.checkpoint, MOST))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise BadText(f"{self.checkpoint}: {error.strerror}") from error
        except ValidationError as error:
            raise BadText(f"{self.checkpoint}: not a checkpoint; remove it to begin") from error
        then = {**checkpoint.task.model_dump(), **checkpoint.versions}
        now = {**task.model_dump(), **versions()}
        for name, value in now.items():
            if then.get(name) != value:
                what = f"{name} {then.get(name)}, not {value}"
                if name == "files":  # their digests tell a reader nothing
                    changed = sorted(set(then[name]) ^ set(value))
                    what = f"{changed[0].rpartition(' ')[0]} has changed"
                raise BadText(
                    f"{self.checkpoint} is of another training: {what}; end that one, or remove"
                    " the file"
                )
        return checkpoint.done

    def save(self, task: Task, done: Done) -> None:
        checkpoint = Checkpoint(task=task, versions=versions(), done=done)
        atomic_write({self.checkpoint: checkpoint.model_dump_json().encode()})

    def close(self, genome: GenomeFile) -> None:
        """Write the genome and its picture. The checkpoint goes last."""
        from kibitz.training.picture import draw

        atomic_write({self.output: genome.text().encode(), self.picture: draw(genome)})
        with suppress(FileNotFoundError):
            self.checkpoint.unlink()
