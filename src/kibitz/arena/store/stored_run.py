"""What a store has: the figures of a run, and its games one by one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kibitz.arena.compare import unique_names
from kibitz.arena.comparison import Comparison, summed_up
from kibitz.arena.plan import Part, Plan
from kibitz.arena.run import LineUp
from kibitz.arena.store.store import Run, Store
from kibitz.core.errors import BadText
from kibitz.core.files import output_stream
from kibitz.core.game import Game
from kibitz.core.registry import catalogue_game, make_strategy, split_spec

COLUMNS = (
    "run", "game", "unit", "seed", "pair", "order", "seat", "player", "result", "decisions",
    "failure",
)  # fmt: skip
ENDLESS = 1 << 60
"""More pairs than anybody plays."""


def find_run(store: Store, number: int) -> Run:
    runs = store.runs()
    for run in runs:
        if run.id == number:
            return run
    known = ", ".join(str(run.id) for run in runs) or "none"
    raise BadText(f"{store.path} has no run {number} (it has {known})")


def figures_of(store: Store, run: Run, own: Game[Any, Any] | None = None) -> Comparison:
    """The figures of all pairs that are kept of a run. `own` is its game, if that is in a file:
    a store may come from anybody, so no file that it names is opened."""
    plan = run.plan
    game = _game_of(plan, own)
    strategies = [make_strategy(spec) for spec in plan.players]
    pairs = max(run.pairs)
    lineups = []
    for number, players in enumerate(plan.lineups):
        seated = tuple(strategies[i] for i in players)
        part = Part(game, seated, plan.seed, plan.unit, plan.limit, design=plan.design)
        lineup = LineUp(part, ENDLESS, [ENDLESS], None)
        for played in store.parts(run.id, number):
            lineup.count(played)
        lineups.append(lineup)
    whole = all(kept == pairs for kept in run.pairs)
    return summed_up(plan, pairs, unique_names(strategies), strategies, lineups, not whole)


def answers(run: Run) -> list[dict[str, Any]]:
    """What was asked of the line-ups of a run by `--until-clear`, and what was found."""
    names = unique_names([make_strategy(spec) for spec in run.plan.players])
    found = []
    for asked in run.until_clear:
        a, b = (names[i] for i in run.plan.lineups[asked.lineup])
        decided = asked.better is not None
        found.append(
            {
                "a": a, "b": b, "alpha": asked.alpha, "limit": asked.limit, "decided": decided,
                "pairs": asked.pairs, "clear": asked.better in (0, 1) if decided else None,
                "better": {0: a, 1: b}.get(-1 if asked.better is None else asked.better),
                "z": asked.z, "boundary": asked.boundary,
            }
        )  # fmt: skip
    return found


def in_words(answer: dict[str, Any]) -> str:
    """One of these, as a sentence."""
    asked = (
        f"Until clear, up to {answer['limit']} pairs, error rate {answer['alpha']:.2g}:"
        f" {answer['a']} – {answer['b']}"
    )
    if not answer["decided"]:
        return f"{asked}: not decided yet."
    z = f"z = {answer['z']:.2f}, asked for ±{answer['boundary']:.2f}".replace("-", "−")
    told = f"{answer['better']} is better, clear" if answer["clear"] else "no clear difference"
    return f"{asked}: {told} after {answer['pairs']} pairs ({z})."


def _game_of(plan: Plan, own: Game[Any, Any] | None) -> Game[Any, Any]:
    name, options = split_spec(plan.game)
    if own is None:
        game = catalogue_game(name, options)
    elif Path(own.name).name == Path(name).name:
        game = type(own)(**options) if options else own
    else:
        raise BadText(f"the run is of {name}, not of {own.name}")
    if game.players != plan.seats:
        raise BadText(f"the run is of {plan.seats} players, but {plan.game} has {game.players}")
    return game


def games_of(store: Store, run: Run) -> Iterator[tuple[object, ...]]:
    """A row for every player in every game of a run: see COLUMNS. Seats count from 1, and the
    decisions are those of all games of the pair."""
    plan = run.plan
    names = unique_names([make_strategy(spec) for spec in plan.players])
    k = plan.seats
    for number, lineup in enumerate(plan.lineups):
        for played in store.parts(run.id, number):
            failed = {(f.pair, f.order, f.player): f.reason for f in played.failures}
            for i, row in enumerate(played.results):
                pair = played.start + i
                for order, seating in enumerate(plan.orders):
                    for player in range(k):
                        yield (
                            run.id, plan.game, plan.unit, plan.seed, pair, order,
                            seating.index(player) + 1, names[lineup[player]],
                            float(row[order * k + player]),
                            int(played.decisions[i, player]),
                            failed.get((pair, order, player), ""),
                        )  # fmt: skip


def write_games(store: Store, run: Run, path: Path) -> int:
    """Export a run as CSV; how many games it has."""
    import csv
    import io

    if path.exists() and path.samefile(store.path):
        raise BadText(f"{path} is the store itself: export to another file")
    rows = 0
    with output_stream(path) as stream, io.TextIOWrapper(stream, "utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(COLUMNS)
        for row in games_of(store, run):
            out.writerow(row)
            rows += 1
    return rows // run.plan.seats
