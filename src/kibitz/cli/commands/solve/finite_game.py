"""`kibitz solve` for a finite game with open cards: its value and the line of best play.

Every textbook algorithm that suits the game is run, and their work is compared.
"""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kibitz.cli.ui.progress import show_progress
from kibitz.cli.ui.search_options import report_nodes, search_settings
from kibitz.core.errors import BadText, UnsuitableGame
from kibitz.core.game import CHANCE, Game

if TYPE_CHECKING:
    from kibitz.cli.commands.solve.options import SolveOptions

TAKES = ("algorithm", "every", "depth", "weights", "bounds", "samples")
STARS = {"star1", "star2"}
"""The algorithms that use bounds."""
NEED_EQUAL_STATES = {"minimax-merged", "alpha-beta-table"}


def solve(game: Game[Any, Any], options: SolveOptions) -> None:
    """Run one algorithm, or all that suit, and print what they give."""
    state, every = options.start(game), options.every
    settings = search_settings(
        depth=options.depth,
        weights=options.weights,
        bounds=options.bounds,
        nodes=options.nodes,
        samples=options.samples,
        seed=options.seed,
    )
    if every and settings.depth is not None:
        raise BadText("--all needs true values: leave --depth out")
    named = options.algorithm
    names = _algorithms(game, state, settings) if named is None else [named]
    runs = _run_all(names, game, state, settings)
    finished = [run for run in runs if run["result"] is not None]
    optimal = _optimal(game, state, finished[0]["result"], settings) if every else None
    if options.as_json:
        print(json.dumps(_document(game, state, runs, optimal), indent=2, ensure_ascii=False))
    else:
        _show(game, state, runs, optimal)


def _algorithms(game: Game[Any, Any], state: Any, settings: Any) -> list[str]:
    """The names of all that suit the game."""
    from kibitz.search.textbook.algorithms import suitable

    try:
        names = suitable(game)
    except UnsuitableGame as error:
        raise UnsuitableGame(f"can't solve {game.spec}: {error}") from None
    if not _can_compare(game, state):
        names = [name for name in names if name not in NEED_EQUAL_STATES]
    if settings.bounds is not None and not STARS & set(names):
        raise BadText(f"bounds are for {' and '.join(sorted(STARS))}, which need chance nodes")
    return names


def _run_all(
    names: list[str], game: Game[Any, Any], state: Any, settings: Any
) -> list[dict[str, Any]]:
    """Each algorithm's result and time; no result if it needs more nodes than allowed."""
    from kibitz.search.textbook.algorithms import run
    from kibitz.search.textbook.result import BudgetSpent, TooDeep

    _warm_up(game, state)
    runs: dict[str, dict[str, Any]] = {}
    failure: BudgetSpent | None = None
    # The one that usually needs fewest nodes comes first; without chance, if it can't do it
    # no other can.
    for name in reversed(names):
        started = time.perf_counter()
        try:
            with show_progress(name) as report:
                watch = report_nodes(report)
                bounds = settings.bounds if len(names) == 1 or name in STARS else None
                result = run(name, game, state, replace(settings, watch=watch, bounds=bounds))
        except BudgetSpent as error:
            # A table takes more of the stack for each play of a line: others may go deeper.
            if not runs and name == "alpha-beta-table" and not isinstance(error, TooDeep):
                raise
            result, failure = None, error
        seconds = time.perf_counter() - started
        runs[name] = {"algorithm": name, "result": result, "seconds": seconds}
    if failure is not None and all(run["result"] is None for run in runs.values()):
        raise failure
    return [runs[name] for name in names]


def _can_compare(game: Game[Any, Any], state: Any) -> bool:
    """Whether the game says which states are equal."""
    try:
        game.key(state)
    except UnsuitableGame:
        return False
    return True


def _warm_up(game: Game[Any, Any], state: Any) -> None:
    """Play once to an end, so that no algorithm's time has that of compiling in it."""
    for _ in range(1000):
        turn = game.turn(state)
        if turn.mover is None:
            break
        _, state = turn.moves[0]


def _optimal(game: Game[Any, Any], state: Any, result: Any, settings: Any) -> list[list[str]]:
    """All plays that are as good as the best, at each step of the line."""
    from kibitz.search.textbook.algorithms import run, suitable

    name = suitable(game)[-1]
    optimal = []
    for play in result.line:
        turn = game.turn(state)
        values = {move: run(name, game, child, settings).value for move, child in turn.moves}
        best = (max if turn.mover == 0 else min)(values.values())
        optimal.append([str(move) for move, value in values.items() if abs(value - best) < 1e-12])
        state = game.after(state, play)
    return optimal


def _document(
    game: Game[Any, Any], state: Any, runs: list[dict[str, Any]], optimal: list[list[str]] | None
) -> dict[str, Any]:
    from kibitz.search.textbook.algorithms import label_of

    first = next(run for run in runs if run["result"] is not None)
    result = first["result"]
    document: dict[str, Any] = {
        "value": float(result.for_protagonist),
        "label": label_of(game, result),
        "line": [str(play) for play in result.line],
        "nodes": result.counts.nodes,
        "seconds": round(first["seconds"], 6),
        "game": game.spec,
        "position": game.position(_seen(game, state)),
        "exact": result.exact,
        "plays": {str(play): _sign(known, result.seat) for play, known in result.values.items()},
        "algorithms": [_entry(run) for run in runs],
    }
    if optimal is not None:
        document["optimal"] = optimal
    return document


def _seen(game: Game[Any, Any], state: Any) -> Any:
    """A state as the seat to move sees it."""
    if not game.traits.hidden or game.is_over(state) or game.mover(state) == CHANCE:
        return state
    return game.view(state, game.mover(state)).state


def _entry(run: dict[str, Any]) -> dict[str, Any]:
    if run["result"] is None:
        return {"algorithm": run["algorithm"], "nodes": None}
    counts = run["result"].counts
    return {
        "algorithm": run["algorithm"],
        "nodes": counts.nodes,
        "leaves": counts.leaves,
        "cutoffs": counts.cutoffs,
        "hits": counts.hits,
        "seconds": round(run["seconds"], 6),
    }


def _show(
    game: Game[Any, Any], state: Any, runs: list[dict[str, Any]], optimal: list[list[str]] | None
) -> None:
    from rich.console import Console

    from kibitz.cli.ui.tables import table

    console = Console(highlight=False, markup=False)
    result = next(run["result"] for run in runs if run["result"] is not None)
    console.print(f"{game.spec}: {_verdict(game, result)}")
    if result.line:
        console.print(
            f"best line: {' '.join(map(str, result.line))}{_why_it_ends(game, state, result)}"
        )
    if result.values:
        values = result.values.items()
        plays = ", ".join(f"{play} {_sign(known, result.seat)}" for play, known in values)
        console.print(f"plays: {plays}")
    for play, same in zip(result.line, optimal or [], strict=False):
        others = [other for other in same if other != str(play)]
        console.print(f"  {play}" + (f", as good: {' '.join(others)}" if others else ""))
    shown = table("algorithm", "nodes", "leaves", "cut-offs", "table hits", "seconds")
    for run in runs:
        if run["result"] is None:
            shown.add_row(run["algorithm"], "over the limit", "", "", "", f"{run['seconds']:.3f}")
        else:
            counts = run["result"].counts
            figures = (counts.nodes, counts.leaves, counts.cutoffs, counts.hits)
            shown.add_row(run["algorithm"], *map(str, figures), f"{run['seconds']:.3f}")
    console.print(shown)


def _verdict(game: Game[Any, Any], result: Any) -> str:
    from kibitz.search.textbook.algorithms import label_of

    label = label_of(game, result)
    about = "" if result.exact else "about "
    value = f"{about}{_plain(result.for_protagonist)} for seat 1"
    if label == "drawn":
        return f"drawn with best play (value {value})"
    if label in ("won", "lost"):
        return f"seat {1 if label == 'won' else 2} wins with best play: {label}, value {value}"
    if not result.exact and result.depth is None:
        return f"value {value}, by samples"
    if result.exact:
        return f"value {value}"
    blind = "" if game.weights else ", without an evaluation"
    return f"value {value}, looking {result.depth} plays ahead{blind}"


def _plain(value: float) -> str:
    """A number without what rounding left of it."""
    return f"{round(value, 12) + 0:g}"


def _sign(known: Any, seat: int) -> str:
    """What is known of a play, for seat 1: a search that samples says it for who moves."""
    return f"{known.relation} {_plain(-known.value if seat == 1 else known.value)}"


def _why_it_ends(game: Game[Any, Any], state: Any, result: Any) -> str:
    for play in result.line:
        state = game.after(state, play)
    if game.is_over(state):
        return ""
    return ", then chance" if game.mover(state) == CHANCE else " …"
