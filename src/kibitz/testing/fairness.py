"""Does a strategy decide by what it may know? Deal anew what it can't see, and ask again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from kibitz.core.strategy import Player, Strategy
from kibitz.jit.rng import stream
from kibitz.table.table import Table
from kibitz.testing.walks import same, shown

WORLDS = 8
"""The key of the stream by which worlds are dealt."""
Redeal = Callable[[Table, Any], Any]
"""Gives a state that looks the same to the mover, by a random stream."""


@dataclass
class Leaks:
    """What of a strategy's decisions changed with cards that it can't see."""

    tried: int = 0
    """Decisions at which another world is possible."""
    changed: dict[str, str] = field(default_factory=dict)
    """The first case of each kind: `play`, `reasons`, `numbers` (how many random ones it drew)."""


def redealt(table: Table, rng: Any) -> Any:
    """Other cards where the mover sees none."""
    return table.game.redeal(table.game.view(table.state, table.mover), rng)


def find_leaks(tables: Iterable[Table], strategy: Strategy, redeal: Redeal = redealt) -> Leaks:
    """Ask a strategy at these tables, and again with other cards where it can't see them."""
    leaks = Leaks()
    rng = stream(WORLDS)
    for table in tables:
        elsewhere = copy(table)
        elsewhere.state = redeal(table, rng)
        if same(table.game, elsewhere.state, table.state):
            continue
        leaks.tried += 1
        here, there = decide(table, strategy), decide(elsewhere, strategy)
        for what in here:
            if here[what] != there[what]:
                case = f"{here[what]} {_where(table)}, but {there[what]} {_where(elsewhere)}"
                leaks.changed.setdefault(what, case)
    return leaks


def decide(table: Table, strategy: Strategy) -> dict[str, Any]:
    """All that a strategy does at its turn: through the table, as in every game."""
    key = (table.seed, len(table.plays))
    choosing, explaining = stream(*key), stream(*key)
    game, seat = table.game.for_player(), table.mover
    play = strategy.sit(game, seat, choosing).choose(table.view(seat, strategy.knows))
    done = {"play": str(table.game.match_play(table.state, play)), "numbers": int(choosing[0])}
    player = strategy.sit(game, seat, explaining)
    if type(player).explain is not Player.explain:
        done["reasons"] = player.explain(table.view(seat, strategy.knows))
        done["numbers"] = (done["numbers"], int(explaining[0]))
    return done


def _where(table: Table) -> str:
    return shown(table.game, table.state)
