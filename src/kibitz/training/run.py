"""A training from its task to its file, which can be stopped and goes on where it was.

The checkpoint has the task and the results of every batch so far. To go on, the optimizer is
given them again: its genomes follow from the seed and from them, so the end is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from statistics import fmean
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from kibitz.core.errors import BadText
from kibitz.core.files import atomic_write, read_file
from kibitz.strategies.common.genome import GenomeFile
from kibitz.training.task import Games, GenomeBatch, GenomeResult, Optimizer, Task
from kibitz.version import __version__

MOST = 256 << 20
"""Bytes of a checkpoint that is read."""
Done = list[list[GenomeResult]]
"""The results of each batch so far, genome by genome."""


@dataclass(frozen=True)
class TrainingStep:
    """What is reported after every generation."""

    generation: int
    of: int
    best: float
    games: int
    """Played in this run; not those that a checkpoint had."""


Progress = Callable[[TrainingStep], None]


def optimizer_for(task: Task) -> Optimizer:
    """Imported here, each alone: both take their time."""
    if task.optimizer == "cma":
        from kibitz.training.cma_es import CmaEs

        return CmaEs(task)
    from kibitz.training.thesis import Thesis

    return Thesis(task)


def train(
    task: Task,
    done: Done | None = None,
    save: Callable[[Done], None] = lambda done: None,
    progress: Progress = lambda step: None,
) -> GenomeFile:
    """Find a genome. What is `done` is not played again; `save` gets it after each batch."""
    task.check()
    optimizer = optimizer_for(task)
    games = Games(task)
    done = [] if done is None else done
    curve: list[dict[str, Any]] = []
    shuffles = played = total = 0
    for number in range(optimizer.batches):
        batch = optimizer.ask()
        size = 2 * batch.pairs * len(batch.genomes)
        if number == len(done):
            results = [games.play(genome, shuffles, batch.pairs) for genome in batch.genomes]
            save([*done, results])
            done.append(results)
            played += size
        check_results(done[number], batch)
        optimizer.tell(done[number])
        shuffles += batch.pairs
        total += size
        fitness = [optimizer.fitness_of(result, batch.pairs) for result in done[number]]
        balance = sum(result.wins - result.losses for result in done[number])
        curve.append(
            {
                "generation": number + 1,
                "games": total,
                "best": max(fitness),
                "mean": fmean(fitness),
                "score": (1 + balance / size) / 2,
            }
        )
        progress(TrainingStep(number + 1, optimizer.batches, max(fitness), played))
    limits = {"opponent", "generations", "population", "games"}
    return GenomeFile(
        kibitz=__version__,
        game=task.game,
        strategy=task.strategy,
        optimizer=task.optimizer,
        settings=task.model_dump(include=limits),
        seed=task.seed,
        genome=optimizer.genome,
        fitness=optimizer.fitness,
        curve=curve,
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
    return {"kibitz": __version__, **{name: version(name) for name in ("numpy", "deap", "cma")}}


class Files:
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
                raise BadText(
                    f"{self.checkpoint} is of another training: {name} {then.get(name)}, not"
                    f" {value}; end that one, or remove the file"
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
