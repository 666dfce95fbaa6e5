"""`kibitz compare`: which strategy plays better, and how sure that is."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz import registry
from kibitz.cli.figures import show

if TYPE_CHECKING:
    from kibitz.arena.comparison import Comparison

REFRESH = 0.25


def compare(
    game: Annotated[str, typer.Argument(help="Such as love-letter or tablic:players=3.")],
    strategy: Annotated[
        list[str] | None,
        typer.Argument(help="Two or more, such as random greedy; without any, all fair ones."),
    ] = None,
    pairs: Annotated[
        int, typer.Option(help="Shuffles; each is played in every rotation of the seats.")
    ] = 1000,
    seed: Annotated[int, typer.Option(help="Same seed, same games.")] = 0,
    unit: Annotated[
        str | None, typer.Option(help="round, game or match.", show_default=False)
    ] = None,
    until_clear: Annotated[
        bool,
        typer.Option("--until-clear", help="Stop a match when it is clear; --pairs is the limit."),
    ] = False,
    store: Annotated[
        Path | None,
        typer.Option(help="Keep results here, and go on where they end.", show_default=False),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write a page with plots: FILE.html.", show_default=False)
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes.", show_default="every core")] = None,
    cluster: Annotated[
        str | None,
        typer.Option(help="A Dask scheduler, such as tcp://host:8786.", show_default=False),
    ] = None,
    limit: Annotated[
        float | None,
        typer.Option(help="Seconds a decision may take, or the game is lost.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Play strategies against each other on the same deals, seats swapped."""
    from kibitz.arena import compare as arena
    from kibitz.arena.workers import default_jobs
    from kibitz.strategies.levels import quick_fair_ones

    played = registry.make_game(game)
    specs = strategy or quick_fair_ones(played)
    strategies = [registry.make_strategy(spec) for spec in specs]
    arena.check(played, strategies, pairs, unit)
    with _live(as_json) as tell:
        found = arena.compare(
            played, strategies, pairs, seed, unit, jobs=jobs or default_jobs(), cluster=cluster,
            store=store, until_clear=until_clear, limit=limit, progress=tell,
        )  # fmt: skip
    if as_json:
        print(json.dumps(found.document(), indent=2))
    else:
        show(found)
    if found.interrupted:
        raise typer.Exit(130)


@contextmanager
def _live(as_json: bool) -> Iterator[Callable[[Callable[[], Comparison]], None]]:
    """The table so far on standard error, if somebody looks at it."""
    if not sys.stderr.isatty():
        yield lambda figures: None
        return
    from rich.console import Console
    from rich.live import Live

    from kibitz.cli.figures import so_far

    console = Console(stderr=True, highlight=False)
    shown = 0.0
    with Live(console=console, auto_refresh=False, transient=True) as live:

        def tell(figures: Callable[[], Comparison]) -> None:
            nonlocal shown
            now = time.monotonic()
            if now - shown >= REFRESH:
                shown = now
                live.update(so_far(figures()), refresh=True)

        yield tell
