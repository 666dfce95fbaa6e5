"""`kibitz compare`: which strategy plays better, and how sure that is."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.ui.comparison_tables import show_comparison
from kibitz.cli.ui.json_output import print_json
from kibitz.cli.ui.progress import show_progress
from kibitz.core import registry

if TYPE_CHECKING:
    from kibitz.arena.agreement import Agreement
    from kibitz.arena.comparison import Comparison
    from kibitz.core.game import Game
    from kibitz.core.strategy import Strategy

REFRESH = 0.25
SITUATIONS = 200
"""In which a report asks who decides alike."""
PATIENCE = 20.0
"""Seconds that this may take."""
PAIRS = 1000
CALL = 0.5e-3
"""Seconds that it takes to ask one player once, beside its thinking."""


def compare(
    game: Annotated[str, typer.Argument(help="Such as love-letter or tablic:players=3.")],
    strategy: Annotated[
        list[str] | None,
        typer.Argument(
            help="Two or more, such as random greedy; without any, all fair compiled ones."
        ),
    ] = None,
    pairs: Annotated[
        int | None,
        typer.Option(
            help="Shuffles; each is played in every order of the seats.",
            show_default="1000; fewer without strategies",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same games.")] = 0,
    unit: Annotated[
        str | None, typer.Option(help="round, game or match.", show_default=False)
    ] = None,
    until_clear: Annotated[
        bool,
        typer.Option("--until-clear", help="Stop a match when it is clear; --pairs is the limit."),
    ] = False,
    less_luck: Annotated[
        bool,
        typer.Option("--less-luck", help="Take the luck of the draw off the results."),
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
    from kibitz.core.limits import cores
    from kibitz.strategies.common.levels import quick_fair_ones, quick_pairs

    played = registry.make_game(game)
    specs = strategy or quick_fair_ones(played)
    if pairs is None:
        pairs = PAIRS if strategy else quick_pairs(played)
    strategies = [registry.make_strategy(spec) for spec in specs]
    arena.check(played, strategies, pairs, unit)
    if report is not None:
        from kibitz.arena.report.page import check_path

        check_path(report)
    jobs = cores() if jobs is None else jobs
    with _live() as report_progress:
        comparison = arena.compare(
            played, strategies, pairs, seed, unit, jobs=jobs, cluster=cluster,
            store=store, until_clear=until_clear, less_luck=less_luck, limit=limit,
            progress=report_progress,
        )  # fmt: skip
    if as_json:
        print_json(comparison.document())
    else:
        show_comparison(comparison)
    if report is not None:
        options: dict[str, Any] = {
            "--pairs": pairs, "--seed": seed, "--unit": unit, "--limit": limit, "--report": report
        }  # fmt: skip
        given = [str(part) for kv in options.items() if kv[1] is not None for part in kv]
        flags = ["--until-clear"] * until_clear + ["--less-luck"] * less_luck
        again = ["kibitz", "compare", game, *specs, *flags, *given]
        agreement, why_not = _agreement(comparison, played, strategies, jobs)
        message = _write(comparison, report, shlex.join(again), agreement, why_not)
        print(message, file=sys.stderr if as_json else sys.stdout)


def _write(
    comparison: Comparison, path: Path, command: str, agreement: Agreement | None, why_not: str
) -> str:
    """The report; the lines that say where it is."""
    from datetime import date

    from kibitz.arena.report.page import files_folder, write_report

    with show_progress("drawing"):
        today = date.today().isoformat()
        written = write_report(comparison, path, command, today, agreement, why_not)
    pictures = f"; its pictures are in {files_folder(path)}" if len(written) > 1 else ""
    return f"report: {path}{pictures}" + (f"\n{why_not}" if why_not else "")


def _agreement(
    comparison: Comparison, game: Game[Any, Any], strategies: list[Strategy], jobs: int
) -> tuple[Agreement | None, str]:
    """Who decides alike, if that is soon known; or why nobody was asked. Whatever happens here,
    there is a report of what was played."""
    from kibitz.arena.agreement import agree

    no = "Who decides alike was not asked: "
    if comparison.interrupted:
        return None, f"{no}the comparison was stopped."
    if comparison.failures:
        return None, f"{no}there are players that fail."
    thinking = sum(player.decision or 0.0 for player in comparison.players)
    takes = 2 * SITUATIONS * (thinking + CALL * len(strategies)) / jobs
    if takes > PATIENCE:
        return None, f"{no}it would take about {takes:.0f} seconds."
    deadline = time.monotonic() + 3 * PATIENCE
    try:
        with show_progress("asking who decides alike") as report_progress:

            def progress(done: int) -> None:
                report_progress(f"{done} of {SITUATIONS} situations")
                if time.monotonic() > deadline:
                    raise TimeoutError("it took too long")

            return agree(game, strategies, SITUATIONS, comparison.seed, jobs, progress), ""
    except KeyboardInterrupt:
        return None, f"{no}it was stopped."
    except Exception as error:  # a player's own code may raise anything
        return None, f"{no}{str(error) or type(error).__name__}."


@contextmanager
def _live() -> Iterator[Callable[[Callable[[], Comparison]], None]]:
    """The table so far on standard error, if somebody looks at it."""
    if not sys.stderr.isatty():
        yield lambda figures: None
        return
    from rich.console import Console
    from rich.live import Live

    from kibitz.cli.ui.comparison_tables import live_view

    console = Console(stderr=True, highlight=False)
    shown = 0.0
    with Live(console=console, auto_refresh=False, transient=True) as live:

        def report_progress(figures: Callable[[], Comparison]) -> None:
            nonlocal shown
            now = time.monotonic()
            if now - shown >= REFRESH:
                shown = now
                live.update(live_view(figures()), refresh=True)

        yield report_progress
