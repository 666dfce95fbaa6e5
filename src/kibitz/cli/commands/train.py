"""`kibitz train`: find the numbers of a strategy by playing."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.cli.ui.json_output import print_document
from kibitz.core import registry
from kibitz.core.errors import BadText

OPTIMIZERS = ("thesis", "cma")


def train(
    game: Annotated[str, typer.Argument(help="Such as tablic or tablic:cards_bonus=none.")],
    strategy: Annotated[str, typer.Argument(help="Which strategy: genetic.")],
    optimizer: Annotated[
        str, typer.Option(help="thesis, or cma: better with as many games.")
    ] = "thesis",
    generations: Annotated[int, typer.Option(help="How many generations.")] = 100,
    population: Annotated[int, typer.Option(help="Genomes in a generation.")] = 50,
    games: Annotated[int, typer.Option(help="Games of each genome, two for a shuffle.")] = 30,
    seed: Annotated[int, typer.Option(help="Same seed, same genome.")] = 0,
    opponent: Annotated[str, typer.Option(help="Whom it learns to beat.")] = "greedy",
    output: Annotated[Path, typer.Option("-o", "--output", help="The file to write.")] = Path(
        "genetic.json"
    ),
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Train a strategy; stopped, the same command goes on.

    With cma the generations, the population and the games say only how many games there are in
    all.
    """
    if optimizer not in OPTIMIZERS:
        raise BadText(f"there is no optimizer {optimizer!r} (known: {', '.join(OPTIMIZERS)})")
    from kibitz.training.run import Files, train
    from kibitz.training.task import Task

    task = Task.model_validate(
        {
            "game": str(registry.make_game(game)),
            "strategy": str(registry.make_strategy(strategy)),
            "opponent": str(registry.make_strategy(opponent)),
            "optimizer": optimizer,
            "generations": generations,
            "population": population,
            "games": games,
            "seed": seed,
        }
    )
    task.check()
    files = Files(output)
    done = files.open(task, force)
    try:
        with _progress() as report:
            result = train(task, done, lambda done: files.save(task, done), report)
        files.close(result)
    except KeyboardInterrupt:
        # Interrupted right after a checkpoint was written, `done` is one generation behind it.
        generation = max(len(done), len(files.read(task)))
        message = f"stopped after generation {generation}; the same command goes on from there"
        print(f"kibitz: {message}", file=sys.stderr)
        raise typer.Exit(130) from None
    if as_json:
        print_document(result.text().rstrip("\n"))
    else:
        _show(result, files)


@contextmanager
def _progress() -> Iterator[Callable[[Any], None]]:
    """A bar on standard error, if somebody looks at it."""
    if not sys.stderr.isatty():
        yield lambda step: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[now]}"),
        TimeRemainingColumn(),
    )  # fmt: skip
    started = time.perf_counter()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("training", total=None, now="")

        def report(step: Any) -> None:
            rate = step.games / (time.perf_counter() - started)
            progress.update(
                bar,
                description=f"generation {step.generation} of {step.of}",
                completed=step.generation,
                total=step.of,
                now=f"best {step.best:.3g}, {rate:.0f} games/s",
            )

        yield report


def _show(result: Any, files: Any) -> None:
    last, opponent = result.curve[-1], result.settings["opponent"]
    print(f"genome: {' '.join(f'{gene:.6f}' for gene in result.genome)}")
    print(f"best of the last generation: {last['best']:.4g} {result.fitness}")
    print(f"{last['games']} games; written: {files.output}, {files.picture}")
    print(f"try: kibitz compare {result.game} genetic:genome={files.output} {opponent}")
