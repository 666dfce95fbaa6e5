"""Which of these strategies plays better? Round-robin over pairs, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from typing import Any

from kibitz.arena.comparison import Comparison, summarize
from kibitz.arena.luck import check_less_luck
from kibitz.arena.plan import MOST_PLAYERS, Part, Plan
from kibitz.arena.run import ComparisonRun, LineupRun
from kibitz.arena.statistics.sequential import corrected, looks
from kibitz.arena.store.store import Store
from kibitz.arena.workers import is_sendable, workers
from kibitz.core import checks
from kibitz.core.code_file import file_digest
from kibitz.core.errors import BadText
from kibitz.core.function_strategy import FunctionStrategy
from kibitz.core.game import Game
from kibitz.core.interrupts import distinguish_interrupts
from kibitz.core.limits import check_range
from kibitz.core.options import Configured
from kibitz.core.registry import game_class
from kibitz.core.registry import strategies as registered
from kibitz.core.strategy import Strategy

MOST = 1 << 50
"""Pairs."""
ALPHA = 0.05
"""How often `until_clear` may call equal players different."""
Progress = Callable[[Callable[[], Comparison]], None]
"""Called now and then when there is more; it may ask for the figures so far."""


def compare(
    game: Game[Any, Any],
    strategies: Sequence[Strategy],
    pairs: int = 1000,
    seed: int = 0,
    unit: str | None = None,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    store: Path | None = None,
    until_clear: bool = False,
    less_luck: bool = False,
    limit: float | None = None,
    progress: Progress = lambda figures: None,
) -> Comparison:
    """Play every line-up, by so many processes or on a Dask cluster.

    With a store, what it has is not played again. Until it is clear: a match ends as soon as
    one player is surely better; then `pairs` is the limit. Less luck: the luck of chance events
    is taken off (see `luck.py`), and what is clear is decided by that.
    """
    unit = check(game, strategies, pairs, unit)
    seed, limit = checks.seed(seed), checks.limit(limit)
    if until_clear and game.players != 2:
        raise BadText("until-clear is for two players: it asks which of two is better")
    if less_luck:
        check_less_luck(game, strategies, unit)
    if store is not None:
        check_names(game, strategies)
    names = unique_names(strategies)
    players, files = tuple(map(str, strategies)), digests((game, *strategies))
    plan = Plan(
        str(game), players, seed, unit, limit, game.players, files=files, less_luck=less_luck
    )
    lineups = line_up_runs(game, strategies, plan, pairs, until_clear)
    if cluster is not None:
        check_cluster(strategies)
    sendable = all(is_sendable(lineup.part) for lineup in lineups)
    if cluster is not None and not sendable:
        raise BadText(f"{game} or its players can't be sent to a cluster")
    if jobs > 1:
        check_functions(strategies)
    jobs = jobs if sendable else min(jobs, 1)
    interrupted = False

    def figures() -> Comparison:
        return summarize(plan, pairs, names, strategies, lineups, interrupted)

    with (
        distinguish_interrupts(),
        workers(jobs, cluster) as (executor, width),
        Store(store) if store else nullcontext() as opened,
    ):
        run = ComparisonRun(lineups, opened, plan, lambda: progress(figures))
        try:
            run.resume()
            run.play_first_pairs()
            run.play(executor, width)
        except KeyboardInterrupt:
            interrupted = True
    return figures()


def line_up_runs(
    game: Game[Any, Any], strategies: Sequence[Strategy], plan: Plan, pairs: int, until_clear: bool
) -> list[LineupRun]:
    """Every line-up of a plan, with nothing played yet."""
    ends = looks(pairs) if until_clear else [pairs]
    alpha = corrected(ALPHA, len(plan.lineups)) if until_clear else None
    parts = (
        Part(
            game, tuple(strategies[i] for i in lineup), plan.seed, plan.unit, plan.limit,
            less_luck=plan.less_luck,
        )
        for lineup in plan.lineups
    )  # fmt: skip
    return [LineupRun(part, pairs, ends, alpha) for part in parts]


def check(
    game: Game[Any, Any], strategies: Sequence[Strategy], pairs: int, unit: str | None
) -> str:
    """Refuse what can't be compared, before anything is played; the unit that is meant."""
    check_range("pairs", checks.whole_number(pairs, "pairs"), 1, MOST)
    if len(strategies) < game.players:
        raise BadText(
            f"{game} has {game.players} players: give at least {game.players} strategies"
            " (the same one may stand twice)"
        )
    if game.players > MOST_PLAYERS:
        raise BadText(
            f"{game} has {game.players} players: every seat order is played, so at most"
            f" {MOST_PLAYERS} can be compared"
        )
    for strategy in strategies:
        strategy.check_game(game)
    if unit is None or checks.text(unit, "the unit") == game.traits.unit:
        return game.traits.unit
    if unit == "match" and game.traits.match:
        return "match"
    allowed = f"{game.traits.unit}{', match' if game.traits.match else ''}"
    raise BadText(f"{game} is not played by the {checks.one_line(unit)}; allowed: {allowed}")


def check_names(game: Game[Any, Any], strategies: Sequence[Strategy]) -> None:
    """Refuse to keep the results of somebody with the name of another, who would go on with
    them: a store has names alone."""
    theirs: list[tuple[Configured, type | None]] = [(game, game_class(game.name))]
    theirs += [(one, registered().get(one.name)) for one in strategies]
    for each, entered in theirs:
        if entered not in (None, type(each)):
            raise BadText(
                f"a store can't tell this {each.name} from the one that Kibitz knows by that name:"
                " give it another"
            )
        if isinstance(each, FunctionStrategy) and not each.source_file:
            raise BadText(
                f"a store can't tell the function {each.name} from another of that name: put it"
                " into a file, my_bot.py, and give that"
            )


def check_functions(strategies: Sequence[Strategy]) -> None:
    """Refuse functions that other processes can't get."""
    for each in strategies:
        if isinstance(each, FunctionStrategy) and not is_sendable(each):
            raise BadText(
                f"the function {each.name} can't be sent to other processes, for it is a lambda or"
                " was made inside a function: write it with def in a module or a file, or give"
                " jobs=1"
            )


def check_cluster(strategies: Sequence[Strategy]) -> None:
    """Refuse players that need something of this machine."""
    for each in strategies:
        if each.stays:
            raise BadText(f"{each} is a program of this machine: it can't play on a cluster")


def digests(things: Sequence[Configured]) -> tuple[str, ...]:
    """Each file that one of these is in or reads, with a digest of its content."""
    digests = set()
    for each in things:
        for file in each.files():
            own = file == each.source_file
            digest = each.source_digest if own else file_digest(file)
            digests.add(f"{file} {digest}")
    return tuple(sorted(digests))


def unique_names(strategies: Sequence[Strategy]) -> list[str]:
    """`random`, `random#2`: the same strategy may stand several times."""
    return unique_texts([str(strategy) for strategy in strategies])


def unique_texts(texts: Sequence[str]) -> list[str]:
    """The same for their texts."""
    names: list[str] = []
    for text in texts:
        # A name may have a number sign itself: what is somebody's own name goes to nobody else.
        free = (name for n in count(2) if (name := f"{text}#{n}") not in {*names, *texts})
        names.append(next(free) if text in names else text)
    return names
