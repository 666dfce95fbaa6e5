"""`kibitz compare`: which strategy plays better, and how sure that is."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer

from kibitz import registry
from kibitz.cli.tables import table


def compare(
    game: Annotated[str, typer.Argument(help="Such as love-letter or tablic:players=3.")],
    strategy: Annotated[list[str], typer.Argument(help="Two or more, such as random greedy.")],
    pairs: Annotated[
        int, typer.Option(help="Shuffles; each is played in every rotation of the seats.")
    ] = 1000,
    seed: Annotated[int, typer.Option(help="Same seed, same games.")] = 0,
    unit: Annotated[
        str | None, typer.Option(help="round, game or match.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Play strategies against each other on the same deals, seats swapped."""
    from kibitz.arena import compare as arena

    played = registry.make_game(game)
    strategies = [registry.make_strategy(spec) for spec in strategy]
    arena.check(played, strategies, pairs, unit)
    with _progress(pairs, played.players, len(strategies)) as advance:
        report = arena.compare(played, strategies, pairs, seed, unit, advance)
    if as_json:
        print(json.dumps(report, indent=2))
    else:
        _show(report)


def _progress(pairs: int, players: int, strategies: int) -> Any:
    """A bar on standard error, if somebody looks at it."""
    from contextlib import contextmanager
    from math import comb

    @contextmanager
    def bar() -> Any:
        if not sys.stderr.isatty():
            yield lambda done: None
            return
        from rich.console import Console
        from rich.progress import Progress

        with Progress(console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task("pairs", total=pairs * comb(strategies, players))
            yield lambda done: progress.advance(task, done)

    return bar()


def _show(report: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.markup import escape

    console = Console(highlight=False)
    console.print(
        f"[bold]{escape(report['game'])}[/], seed {report['seed']}, {report['pairs']} pairs:"
        f" every {report['unit']} in all seats"
    )
    if report["matches"]:
        console.print(_matches(report["matches"]))
    for entry in report.get("tables", []):
        console.print(_line_up(entry))
        console.print(
            f"{entry['games']} {report['unit']}s, {entry['shared']} shared;"
            f" the first seat scores {entry['first_seat']:.1%}"
        )
    console.print(_players(report["players"]))
    if report.get("interrupted"):
        console.print("Stopped early: the figures are those of the pairs played.")


def _matches(matches: list[dict[str, Any]]) -> Any:
    rows = table("match", "won", "drawn", "lost", "score", "95 %", "Elo", "1st seat")
    for match in matches:
        low, high = match["ci95"]
        rows.add_row(
            f"{match['a']} – {match['b']}",
            str(match["wins"]),
            str(match["draws"]),
            str(match["losses"]),
            f"{match['score']:.1%}",
            f"{low:.1%}–{high:.1%}",
            "–" if match["elo"] is None else f"{match['elo']:+.0f}",
            f"{match['first_seat']:.1%}",
        )
    return rows


def _line_up(entry: dict[str, Any]) -> Any:
    rows = table("player", "won", "score", "95 %")
    for name in entry["players"]:
        low, high = entry["ci95"][name]
        score = f"{entry['score'][name]:.1%}"
        rows.add_row(name, str(entry["wins"][name]), score, f"{low:.1%}–{high:.1%}")
    return rows


def _players(players: list[dict[str, Any]]) -> Any:
    rows = table("player", "knows", "decisions", "µs a decision")
    for player in players:
        mean = player["seconds"] / max(player["decisions"], 1) * 1e6
        rows.add_row(player["name"], player["knows"], str(player["decisions"]), f"{mean:.3g}")
    return rows
