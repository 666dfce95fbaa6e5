"""Does a strategy decide by what it may know? Deal anew what it can't see, and ask again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from kibitz.core.game import Game
from kibitz.core.strategy import Player, Strategy
from kibitz.jit.rng import below, stream
from kibitz.table.seeds import GameSeeds
from kibitz.table.table import Table
from kibitz.testing.walks import CROWD, same, shown

WORLDS = 8
"""The key of the stream by which worlds are dealt."""
TWINS = 9
"""The key of the streams of a player and its twin."""
IDLE = 10
"""Games for each decision, at most: there may be some in which a seat decides nothing."""
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


def find_leaks_in_games(
    game: Game[Any, Any], strategy: Strategy, decisions: int, redeal: Redeal = redealt
) -> Leaks:
    """Let a strategy play whole games against random plays, and its twin with it: at every turn
    other cards are dealt where they see none, and the twin decides there. So both see the same
    from the first turn on, and who remembers must decide alike all the same."""
    leaks = Leaks()
    asked = 0
    for seed in range(decisions * IDLE):
        if asked >= decisions or leaks.changed:
            break
        table = Table(game, GameSeeds(0, seed, shuffle=seed), seed % game.players)
        asked += _play_with_twin(table, strategy, redeal, leaks)
    return leaks


def _play_with_twin(table: Table, strategy: Strategy, redeal: Redeal, leaks: Leaks) -> int:
    """One game; how many decisions there were. It ends where the two differ."""
    game, asked = table.game, 0
    seat = table.seed // game.players % game.players
    rng, crowd = stream(table.seed, WORLDS), stream(table.seed, CROWD)
    streams = [stream(table.seed, seat, TWINS) for _ in range(2)]
    players: list[Player] = []
    while not table.is_over:
        if table.mover != seat:
            plays = table.view(table.mover).plays()
            table.play(plays[below(crowd, len(plays))])
            continue
        asked += 1
        elsewhere = copy(table)
        elsewhere.state = redeal(table, rng)
        leaks.tried += not same(game, elsewhere.state, table.state)
        if not players:
            players = [
                _sit(at, strategy, seat, numbers)
                for at, numbers in zip((table, elsewhere), streams, strict=True)
            ]
        here, there = (
            {"play": _choice(at, player, strategy), "numbers": int(numbers[0])}
            for at, player, numbers in zip((table, elsewhere), players, streams, strict=True)
        )
        for what in here:
            if here[what] != there[what]:
                case = f"{here[what]} {_where(table)}, but {there[what]} {_where(elsewhere)}"
                leaks.changed.setdefault(what, case)
        if leaks.changed:
            break
        table.play(here["play"])
    return asked


def _sit(table: Table, strategy: Strategy, seat: int, numbers: Any) -> Player:
    return strategy.sit(table.game.for_player(), seat, numbers)


def _choice(table: Table, player: Player, strategy: Strategy) -> str:
    play = player.choose(table.view(table.mover, strategy.knows))
    return str(table.game.match_play(table.state, play))


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
