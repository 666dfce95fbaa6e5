"""What a store has: the figures of a run, and its games one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from kibitz.arena.compare import unique_texts
from kibitz.arena.comparison import Comparison, summarize
from kibitz.arena.plan import Part, Plan
from kibitz.arena.run import LineupRun
from kibitz.arena.store.store import Store, StoredRun
from kibitz.core.code_file import is_file
from kibitz.core.errors import BadText
from kibitz.core.files import output_stream
from kibitz.core.game import Game
from kibitz.core.registry import catalogue_game, catalogue_strategy, split_spec
from kibitz.core.strategy import Strategy

COLUMNS = (
    "run", "game", "unit", "seed", "pair", "order", "seat", "player", "result", "decisions",
    "failure",
)  # fmt: skip
ENDLESS = 1 << 60
"""More pairs than anybody plays."""


def find_run(store: Store, number: int) -> StoredRun:
    """The run with this number; BadText names those that there are."""
    runs = store.runs()
    for run in runs:
        if run.id == number:
            return run
    known = ", ".join(str(run.id) for run in runs) or "none"
    raise BadText(f"{store.path} has no run {number} (it has {known})")


def comparison_of(
    store: Store,
    run: StoredRun,
    own: Game[Any, Any] | None = None,
    trusted: Mapping[str, Strategy] = MappingProxyType({}),
) -> Comparison:
    """The comparison of all stored pairs of a run. `own` is its game, if that is in a file, and
    `trusted` those of its players that are in files, by the texts that the store has: it may come
    from anybody, so no file that it names is opened."""
    plan = run.plan
    game = _game_of(plan, own)
    strategies = [trusted.get(spec) or catalogue_strategy(spec) for spec in plan.players]
    pairs = max(run.pairs)
    lineups = []
    for number, players in enumerate(plan.lineups):
        seated = tuple(strategies[i] for i in players)
        part = Part(
            game, seated, plan.seed, plan.unit, plan.limit,
            design=plan.design, less_luck=plan.less_luck,
        )  # fmt: skip
        lineup = LineupRun(part, ENDLESS, [ENDLESS], None, planned=max(pairs, 1))
        for played in store.load_parts(run.id, number):
            lineup.count(played)
        lineups.append(lineup)
    whole = all(done == pairs for done in run.pairs)
    return summarize(plan, pairs, _names(plan), strategies, lineups, not whole)


def players_in_files(run: StoredRun) -> list[str]:
    """The players of a run that are in files, by their texts."""
    return [s for s in dict.fromkeys(run.plan.players) if is_file(split_spec(s)[0])]


def _names(plan: Plan) -> list[str]:
    """The names of the players. Those that are in files are not opened for it."""
    return unique_texts(
        [
            spec if is_file(split_spec(spec)[0]) else str(catalogue_strategy(spec))
            for spec in plan.players
        ]
    )


def verdict_rows(run: StoredRun) -> list[dict[str, Any]]:
    """What was asked of the line-ups of a run by `--until-clear`, and the verdicts."""
    names = _names(run.plan)
    rows = []
    for question in run.until_clear:
        a, b = (names[i] for i in run.plan.lineups[question.lineup])
        decided = question.better is not None
        rows.append(
            {
                "a": a, "b": b, "alpha": question.alpha, "limit": question.limit,
                "decided": decided,
                "pairs": question.pairs, "clear": question.better in (0, 1) if decided else None,
                "better": {0: a, 1: b}.get(-1 if question.better is None else question.better),
                "z": question.z, "boundary": question.boundary,
            }
        )  # fmt: skip
    return rows


def describe_verdict(answer: dict[str, Any]) -> str:
    """One of these, as a sentence."""
    asked = (
        f"Until clear, up to {answer['limit']} pairs, error rate {answer['alpha']:.2g}:"
        f" {answer['a']} – {answer['b']}"
    )
    if not answer["decided"]:
        return f"{asked}: not decided yet."
    z = f"z = {answer['z']:.2f}, asked for ±{answer['boundary']:.2f}".replace("-", "−")
    verdict = f"{answer['better']} is better, clear" if answer["clear"] else "no clear difference"
    return f"{asked}: {verdict} after {answer['pairs']} pairs ({z})."


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


def game_rows(store: Store, run: StoredRun) -> Iterator[tuple[object, ...]]:
    """A row for every player in every game of a run: see COLUMNS. Seats count from 1, and the
    decisions are those of all games of the pair."""
    plan = run.plan
    names = _names(plan)
    k = plan.seats
    for number, lineup in enumerate(plan.lineups):
        for played in store.load_parts(run.id, number):
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


def export_games(store: Store, run: StoredRun, path: Path) -> int:
    """Export a run as CSV; how many games it has."""
    import csv
    import io

    if path.exists() and path.samefile(store.path):
        raise BadText(f"{path} is the store itself: export to another file")
    rows = 0
    with output_stream(path) as stream, io.TextIOWrapper(stream, "utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(COLUMNS)
        for row in game_rows(store, run):
            out.writerow(row)
            rows += 1
    return rows // run.plan.seats
