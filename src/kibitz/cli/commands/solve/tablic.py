"""`kibitz solve tablic`: a deck, or any position with all cards known."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import typer

from kibitz.cli.ui.progress import show_progress

if TYPE_CHECKING:
    from kibitz.cli.commands.solve.options import SolveOptions
    from kibitz.core.game import Play
    from kibitz.games.tablic.game import Tablic
    from kibitz.solvers.tablic.open_deck import DeckSolution, DeckValue, SearchProgress


TAKES = ("all_plays", "memory", "threads")
MEMORY = 512
"""MB."""


def solve(game: Tablic, options: SolveOptions) -> None:
    """Print the value, the line, and if wanted the value of every play."""
    from kibitz.arena.workers import default_jobs
    from kibitz.solvers.tablic.open_deck import OpenDeck, Stopped

    state, all_plays, as_json = options.start(game), options.all_plays, options.as_json
    memory = MEMORY if options.memory is None else options.memory
    deck = OpenDeck(game, state, memory << 20, options.threads or default_jobs())
    solution = plays = None
    try:
        with show_progress(f"solving {game.spec}") as report:
            solution = deck.solve(_reporter(report))
            plays = deck.values(_reporter(report)) if all_plays else None
    except Stopped as stopped:
        if solution is None:
            _show_bounds(game, stopped.progress, as_json)
            raise typer.Exit(130) from None
    if as_json:
        print(json.dumps(_document(game, state, solution, plays), indent=2, ensure_ascii=False))
    else:
        _show(game, state, solution, plays)
    if all_plays and plays is None:
        print("kibitz: stopped before the values of all plays were known", file=sys.stderr)
        raise typer.Exit(130)


def _reporter(report: Callable[[str], None]) -> Callable[[SearchProgress], None]:
    """A callback that reports the bounds so far and the speed."""

    def report_progress(progress: SearchProgress) -> None:
        rate = progress.nodes / max(progress.seconds, 1e-9) / 1e6
        report(
            f"{_bounds(progress)}; {progress.nodes / 1e6:.1f} million nodes, {rate:.2f} million"
            f" a second, {progress.seconds:.0f} s"
        )

    return report_progress


def _bounds(progress: SearchProgress) -> str:
    low, high = progress.low, progress.high
    if low is None:
        return "nothing known yet" if high is None else f"at most {_number(high)}"
    return f"at least {_number(low)}" if high is None else f"{_number(low)} to {_number(high)}"


def _number(value: DeckValue) -> str:
    points = f"{value.points:+d}".replace("+0", "0").replace("-", "−")
    if not value.cards:
        return points
    return f"{points} and {value.cards:+d} cards".replace("-", "−")


def _value_entry(game: Tablic, value: DeckValue) -> dict[str, int]:
    entry = {"value": value.points}
    if game.settings["cards_bonus"] == "tie":
        entry["cards"] = value.cards
    return entry


def _label(value: DeckValue) -> str:
    return "won" if value > (0, 0) else "lost" if value < (0, 0) else "drawn"


def _document(
    game: Tablic, state: Any, solution: DeckSolution, plays: dict[Play, DeckValue] | None
) -> dict[str, Any]:
    document: dict[str, Any] = {
        **_value_entry(game, solution.value),
        "label": _label(solution.value),
        "line": [str(play) for play in solution.line],
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 6),
        "game": game.spec,
        "position": game.position(state),
        "exact": True,
    }
    if plays is not None:
        document["plays"] = {str(play): _value_entry(game, value) for play, value in plays.items()}
    return document


def _show_bounds(game: Tablic, progress: SearchProgress, as_json: bool) -> None:
    exact = progress.low is not None and progress.low == progress.high
    if as_json:
        bounds = [
            None if w is None else _value_entry(game, w) for w in (progress.low, progress.high)
        ]
        seconds = round(progress.seconds, 6)
        document = {"bounds": bounds, "nodes": progress.nodes, "seconds": seconds, "exact": exact}
        print(json.dumps(document, indent=2))
    else:
        print(f"{game.spec}: stopped; value for who moves: {_bounds(progress)}")
    missing = "line" if exact else "value"
    print(f"kibitz: stopped before the {missing} was known", file=sys.stderr)


def _show(
    game: Tablic, state: Any, solution: DeckSolution, plays: dict[Play, DeckValue] | None
) -> None:
    from rich.console import Console

    from kibitz.cli.ui.tables import table

    console = Console(highlight=False, markup=False)
    seat = int(state[0].turn) + 1
    value = solution.value
    verdict = {
        "won": f"seat {seat}, who moves, wins",
        "lost": f"seat {seat}, who moves, loses",
        "drawn": "drawn",
    }
    console.print(
        f"{game.spec}: {verdict[_label(value)]} with best play, value {_number(value)}"
        f" for seat {seat}"
    )
    console.print(f"best line: {', '.join(map(str, solution.line))}")
    if plays is not None:
        shown = table("play", "value")
        for play, its_value in sorted(plays.items(), key=lambda item: item[1], reverse=True):
            shown.add_row(str(play), _number(its_value))
        console.print(shown)
    rate = solution.nodes / max(solution.seconds, 1e-9)
    console.print(f"{solution.nodes} nodes, {solution.seconds:.3f} s, {rate:.0f} nodes a second")
