"""What the tests of strategies share: who plays what, and tables with positions met in play."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from typing import Any

from kibitz.core.errors import UnsuitableGame
from kibitz.core.game import Game, View
from kibitz.core.registry import make_game, make_strategy, strategies, strategies_for
from kibitz.core.strategy import Knows, Strategy
from kibitz.jit.kernels import jit_enabled
from kibitz.jit.rng import below, stream
from kibitz.strategies.common.base import RuleStrategy
from kibitz.table.table import Table
from tests.games.boards import SPECS, few

QUICK = {"simulations": 30, "worlds": 5, "depth": 3, "width": 10, "cards": 2}
"""Options that say how long a strategy thinks, and how little is enough for a test."""
VARIANTS = ["greedy:bluff=true", "ismcts:reuse=true"]
"""Strategies with options that change how they decide."""


def quick(spec: str) -> Strategy:
    """A strategy that does not think for long."""
    name, _, given = spec.partition(":")
    known = [option.name for option in strategies()[name].options]
    short = [f"{key}={value}" for key, value in QUICK.items() if key in known]
    return make_strategy(f"{name}:{','.join(filter(None, [given, *short]))}")


def searches(spec: str) -> bool:
    """Whether a strategy looks ahead, which takes its time."""
    return spec != "random" and not isinstance(quick(spec), RuleStrategy)


def strategies_of(game: Game[Any, Any]) -> list[str]:
    """Every strategy that plays a game, also with options that change how it decides.

    Interpreted, those that search are left out: they would take minutes. So would those that
    know the deck and solve the whole game: tests/solvers has them in late positions.
    """
    every = strategies_for(game) + [spec for spec in VARIANTS if suits(quick(spec), game)]
    every = [spec for spec in every if make_strategy(spec).knows is not Knows.OPEN_DECK]
    return [spec for spec in every if jit_enabled() or not searches(spec)]


def enough(spec: str, compiled: int, interpreted: int) -> int:
    """How many positions to try a strategy on."""
    return few(compiled // 8 if searches(spec) else compiled, interpreted)


def suits(strategy: Strategy, game: Game[Any, Any]) -> bool:
    try:
        strategy.check_game(game)
    except UnsuitableGame:
        return False
    return True


SEATED = [(spec, name) for spec in SPECS for name in strategies_of(make_game(spec))]
"""Every game and variant with every strategy that plays it."""


def one_game(game: Game[Any, Any], seed: int, crowd: str = "random greedy") -> Iterator[Table]:
    """A game in which one of a crowd, drawn by lot, decides each time; before each decision."""
    who = [make_strategy(name) for name in crowd.split() if name in strategies_for(game)]
    table = Table(game, seed, seed % game.players)
    rng = stream(seed, 41)
    while not table.is_over:
        yield table
        one = who[below(rng, len(who))]
        table.play(one.sit(game, table.mover, rng).choose(seen(table, one)))


def met_in_play(
    game: Game[Any, Any], positions: int, crowd: str = "random greedy"
) -> Iterator[Table]:
    """Tables at so many decisions, game after game. Each is the same table, a play later."""
    every = (table for seed in count() for table in one_game(game, seed, crowd))
    return islice(every, positions)


def seen(table: Table, strategy: Strategy) -> View[Any]:
    """What the mover gets to see if it plays by this strategy."""
    return table.view(table.mover, strategy.knows)
