"""`kibitz agree`: how often strategies decide alike, and how a search's decision settles."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from kibitz.cli.ui.json_output import print_json
from kibitz.cli.ui.progress import show_progress
from kibitz.core import registry


def agree(
    game: Annotated[str, typer.Argument(help="Such as love-letter.")],
    strategy: Annotated[
        list[str] | None,
        typer.Argument(help="Two or more; without any, all fair compiled ones."),
    ] = None,
    situations: Annotated[int, typer.Option(help="Decisions to ask them for.")] = 500,
    seed: Annotated[int, typer.Option(help="Same seed, same situations.")] = 0,
    jobs: Annotated[int | None, typer.Option(help="Processes.", show_default="every core")] = None,
    settle: Annotated[
        str | None,
        typer.Option(help="A search: how its decision settles as it thinks longer.",
                     show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:  # fmt: skip
    """Ask strategies in the same situations, which come up in play between them."""
    from kibitz.arena import agreement
    from kibitz.core.limits import cores
    from kibitz.strategies.common.levels import quick_fair_ones

    played = registry.make_game(game)
    workers = cores() if jobs is None else jobs
    with show_progress("asking") as report:

        def progress(done: int) -> None:
            report(f"{done} of {situations} situations")

        if settle is not None:
            curve = agreement.settling(played, settle, situations, seed, workers, progress)
        else:
            specs = strategy or quick_fair_ones(played)
            made = [registry.make_strategy(spec) for spec in specs]
            result = agreement.agree(played, made, situations, seed, workers, progress)
    if settle is not None:
        print_json(curve.document()) if as_json else _show_curve(curve)
    else:
        print_json(result.document()) if as_json else _show(result)


def _show(result: Any) -> None:
    from rich.console import Console

    from kibitz.cli.ui.tables import table

    numbers = [str(i) for i in range(1, len(result.names) + 1)]
    rows = table("alike, of 100 decisions", *numbers)
    for i, name in enumerate(result.names):
        shares = (f"{100 * result.share(i, j).mean:.0f}" for j in range(len(result.names)))
        rows.add_row(f"{i + 1} {name}", *shares)
    console = Console(highlight=False)
    console.print(f"[bold]{result.game}[/], seed {result.seed}, {result.situations} situations")
    console.print(rows)
    console.print("With itself: with other random numbers.")


def _show_curve(curve: Any) -> None:
    from rich.console import Console

    from kibitz.arena.report.words import interval
    from kibitz.cli.ui.tables import table

    rows = table(curve.option, "as with the most", "95 %")
    for value, share in zip(curve.values, curve.shares, strict=True):
        rows.add_row(str(value), f"{share.mean:.1%}", interval(share.low, share.high, "situations"))
    console = Console(highlight=False)
    console.print(
        f"[bold]{curve.game}[/], {curve.strategy}, seed {curve.seed}, {curve.situations} situations"
    )
    console.print(rows)
