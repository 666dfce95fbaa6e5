"""`kibitz train`: find the numbers of a strategy by playing."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.ui.json_output import print_document
from kibitz.core import registry
from kibitz.core.errors import BadText

if TYPE_CHECKING:
    from kibitz.strategies.common.genome import GenomeFile
    from kibitz.training.run import Done, TrainingFiles, TrainingStep
    from kibitz.training.task import Task

OPTIMIZERS = ("cma", "thesis")


def train(
    game: Annotated[
        str, typer.Argument(help="Of two players, such as tablic or tablic:cards_bonus=none.")
    ],
    strategy: Annotated[
        str,
        typer.Argument(
            help="One that declares numbers, such as genetic, ismcts:simulations=100 or my_bot.py."
        ),
    ],
    optimizer: Annotated[
        str, typer.Option(help="cma, or thesis: worse with as many games.")
    ] = "cma",
    generations: Annotated[int, typer.Option(help="How many generations.")] = 100,
    population: Annotated[int, typer.Option(help="Genomes in a generation.")] = 50,
    games: Annotated[int, typer.Option(help="Games of each genome, two for a shuffle.")] = 30,
    seed: Annotated[int, typer.Option(help="Same seed, same numbers.")] = 0,
    opponent: Annotated[str, typer.Option(help="Whom it learns to beat.")] = "greedy",
    fresh: Annotated[
        int, typer.Option(help="Pairs on fresh shuffles, to tell how good the result is; 0: none.")
    ] = 1000,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="The file to write.", show_default="STRATEGY.json"),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
    jobs: Annotated[int | None, typer.Option(help="Processes.", show_default="every core")] = None,
    cluster: Annotated[
        str | None,
        typer.Option(help="A Dask scheduler, such as tcp://host:8786.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Find the numbers of a strategy by playing; stopped, the same command goes on.

    Numbers are options that a strategy declares with train=(low, high). Those that you give,
    as in genetic:g0=0.5, stay as they are.

    With cma the generations, the population and the games say only how many games there are in
    all.
    """
    if optimizer not in OPTIMIZERS:
        raise BadText(f"there is no optimizer {optimizer!r} (known: {', '.join(OPTIMIZERS)})")
    from kibitz.core.limits import cores
    from kibitz.training.run import TrainingFiles, crew_for, train

    task = _task(
        game, strategy, opponent, optimizer=optimizer, generations=generations,
        population=population, games=games, seed=seed, fresh=fresh,
    )  # fmt: skip
    task.check()
    files = TrainingFiles(_default_output(task.strategy) if output is None else output)
    done: Done = []
    try:
        with crew_for(task, cores() if jobs is None else jobs, cluster) as crew:
            done = files.open(task, force)
            with _progress() as report:
                result = train(task, done, lambda done: files.save(task, done), report, crew)
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


def _task(game: str, strategy: str, opponent: str, **settings: Any) -> Task:
    """What is asked for. The numbers that are found are those that nobody has given."""
    from kibitz.arena.compare import digests
    from kibitz.training.task import Task

    played, rival = registry.make_game(game), registry.make_strategy(opponent)
    trained = registry.make_strategy(strategy)
    given = registry.split_file_spec(strategy)[1].keys()
    numbers = (
        option.name for option in trained.trained_options()
        if not given & {option.name, option.former}
    )  # fmt: skip
    texts = {"game": str(played), "strategy": str(trained), "opponent": str(rival)}
    files = digests((played, trained, rival))
    return Task.model_validate({**texts, **settings, "numbers": tuple(numbers), "files": files})


def _default_output(strategy: str) -> Path:
    """A file of the strategy's name here: my_bot.json for my_bot.py::Cautious."""
    name = registry.split_file_spec(strategy)[0]
    return Path(Path(name.partition("::")[0]).stem + ".json")


@contextmanager
def _progress() -> Iterator[Callable[[TrainingStep], None]]:
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

        def report(step: TrainingStep) -> None:
            rate = step.games / (time.perf_counter() - started)
            best = "" if step.best is None else f"best {step.best:.3g}, "
            last = step.generation > step.of
            progress.update(
                bar,
                description="fresh games" if last else f"generation {step.generation} of {step.of}",
                completed=step.generation - 1 + step.share,
                total=step.of + 1,
                now=f"{best}{rate:.0f} games/s",
            )

        yield report


def _show(result: GenomeFile, files: TrainingFiles) -> None:
    from kibitz.training.validation import say_validation

    last, opponent = result.curve[-1], result.settings["opponent"]
    for name, value in zip(result.numbers, result.genome, strict=True):
        print(f"{name} = {value:.6f}")
    print(f"best of the last generation: {last['best']:.4g} {result.fitness}")
    if result.fresh is not None:
        print(say_validation(dict(result.fresh), opponent))
    print(f"{last['games']} games; written: {files.output}, {files.picture}")
    again = ["kibitz", "compare", result.game, result.trained, opponent]
    print(f"try: {shlex.join(again)}")
