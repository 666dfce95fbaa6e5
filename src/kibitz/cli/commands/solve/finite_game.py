"""`kibitz solve`: the value of a finite game with open cards, and the line of best play."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.cli.ui.searching import (
    BoundsOption,
    DepthOption,
    GameArgument,
    PositionOption,
    SamplesOption,
    SeedOption,
    WeightsOption,
    in_nodes,
    settings,
    start,
)
from kibitz.cli.ui.working import working
from kibitz.core.errors import BadText, UnsuitableGame
from kibitz.core.game import CHANCE, Game

STARS = {"star1", "star2"}
"""The algorithms that use bounds."""
NEED_EQUAL_STATES = {"minimax-merged", "alpha-beta-table"}


def solve(
    game: GameArgument,
    position: PositionOption = None,
    seed: SeedOption = 0,
    algorithm: Annotated[
        str | None, typer.Option(help="One algorithm instead of all that suit.", show_default=False)
    ] = None,
    every: Annotated[
        bool,
        typer.Option(
            "--all",
            help="All optimal plays along the line, not just the lowest; Love Letter: every set of"
            " cards face up that is not in the table, the smallest first.",
        ),
    ] = False,
    depth: DepthOption = None,
    weights: WeightsOption = None,
    bounds: BoundsOption = None,
    samples: SamplesOption = None,
    nodes: Annotated[
        int, typer.Option(max=1_000_000_000, help="Give up after so many nodes.")
    ] = 1_000_000,
    all_plays: Annotated[
        bool, typer.Option("--all-plays", help="Tablić: the exact value of every legal play.")
    ] = False,
    memory: Annotated[
        int | None,
        typer.Option(help="Tablić: MB for the table of positions.", show_default="512"),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            min=1, help="Tablić, Love Letter: search with so many.", show_default="every core"
        ),
    ] = None,
    face_up: Annotated[
        str | None,
        typer.Option("--face-up", help='Love Letter: the cards, "priest priest countess".'),
    ] = None,
    epsilon: Annotated[
        float | None,
        typer.Option(help="Love Letter: how exactly.", show_default="0.001"),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Love Letter: check again what is kept, no more.")
    ] = False,
    table: Annotated[
        Path | None,
        typer.Option(
            help="Love Letter: where results go.",
            show_default="with --all one in docs/results",
        ),
    ] = None,
    sets: Annotated[
        int | None,
        typer.Option(min=1, help="Love Letter, --all: at most so many.", show_default="all"),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(help="Love Letter, --all: a Dask scheduler's address.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Solve a game: its value, the best line or play, and what it cost.

    For love-letter, a round of two players: an equilibrium, with bounds for its value.
    """
    from kibitz.arena.workers import default_jobs
    from kibitz.core.registry import make_game
    from kibitz.search.textbook.algorithms import suitable

    played = make_game(game)
    others = any(option is not None for option in (depth, weights, bounds, samples))
    if played.name == "love-letter" and algorithm is None:
        from kibitz.cli.commands.solve.love_letter import Asked, solve_rounds
        from kibitz.games.love_letter.game import LoveLetter

        assert isinstance(played, LoveLetter)
        if others or all_plays or memory is not None:
            raise BadText(
                "love-letter takes --face-up, --position or --all, with --epsilon, --threads,"
                " --check, --table, --sets, --cluster"
            )
        asked = Asked(
            face_up, position, every, epsilon, threads, check, table, sets, cluster, as_json
        )
        solve_rounds(played, asked)
        return
    if check or any(option is not None for option in (face_up, epsilon, table, sets, cluster)):
        raise BadText(
            "--face-up, --epsilon, --check, --table, --sets and --cluster are for love-letter,"
            " without --algorithm"
        )
    state = start(played, position, seed)
    for_decks = all_plays or memory is not None or threads is not None
    if played.name == "tablic" and algorithm is None:
        from kibitz.cli.commands.solve.tablic import MEMORY, solve_deck
        from kibitz.games.tablic.game import Tablic

        assert isinstance(played, Tablic)
        if others or every:
            raise BadText(
                "a deck of tablic is solved exactly: give --all-plays, --memory, --threads"
            )
        memory = MEMORY if memory is None else memory
        solve_deck(played, state, memory, threads or default_jobs(), all_plays, as_json)
        return
    if for_decks:
        raise BadText("--all-plays, --memory and --threads are for tablic, without --algorithm")
    told = settings(
        depth=depth, weights=weights, bounds=bounds, nodes=nodes, samples=samples, seed=seed
    )
    if every and depth is not None:
        raise BadText("--all needs true values: leave --depth out")
    try:
        names = suitable(played) if algorithm is None else [algorithm]
    except UnsuitableGame as error:
        raise UnsuitableGame(f"can't solve {played.spec}: {error}") from None
    if algorithm is None and not _can_compare(played, state):
        names = [name for name in names if name not in NEED_EQUAL_STATES]
    if algorithm is None and told.bounds is not None and not STARS & set(names):
        raise BadText(f"bounds are for {' and '.join(sorted(STARS))}, which need chance nodes")
    runs = _run_all(names, played, state, told)
    finished = [run for run in runs if run["result"] is not None]
    optimal = _optimal(played, state, finished[0]["result"], told) if every else None
    if as_json:
        print(json.dumps(_document(played, state, runs, optimal), indent=2, ensure_ascii=False))
    else:
        _show(played, state, runs, optimal)


def _run_all(names: list[str], game: Game[Any, Any], state: Any, told: Any) -> list[dict[str, Any]]:
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
            with working(name) as tell:
                watch = in_nodes(tell)
                bounds = told.bounds if len(names) == 1 or name in STARS else None
                result = run(name, game, state, replace(told, watch=watch, bounds=bounds))
        except BudgetSpent as error:
            # A table takes more room for each play of a line: others may go deeper.
            if not runs and name == "alpha-beta-table" and not isinstance(error, TooDeep):
                raise
            result, failure = None, error
        seconds = time.perf_counter() - started
        runs[name] = {"algorithm": name, "result": result, "seconds": seconds}
    if failure is not None and all(run["result"] is None for run in runs.values()):
        raise failure
    return [runs[name] for name in names]


def _can_compare(game: Game[Any, Any], state: Any) -> bool:
    """Whether equal states can be found."""
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


def _optimal(game: Game[Any, Any], state: Any, result: Any, told: Any) -> list[list[str]]:
    """All plays that are as good as the best, at each step of the line."""
    from kibitz.search.textbook.algorithms import run, suitable

    name = suitable(game)[-1]
    optimal = []
    for play in result.line:
        turn = game.turn(state)
        values = {move: run(name, game, child, told).value for move, child in turn.moves}
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
