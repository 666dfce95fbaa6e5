"""Does a strategy decide by what it may know? Deal anew what it can't see, and ask again.

A cheat may find the state in many places: in the table, through frames or a list of its own; in
what a game has dealt or made last. So other cards are put into the very table, and other deals that
look the same are played from their beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from kibitz.core.game import Game
from kibitz.core.strategy import Player, Strategy
from kibitz.jit.rng import below, stream
from kibitz.table.seeds import GameSeeds
from kibitz.table.table import Table
from kibitz.testing.walks import CROWD, key_of, same, shown

WORLDS = 8
"""The key of the stream by which worlds are dealt."""
ALIKE = (10,)
"""The key of the streams of a player in games that look the same."""
TWINS = 9
"""The key of the streams of a player and its twin."""
IDLE = 10
"""Games for each decision, at most: there may be some in which a seat decides nothing."""
DEALS = 400
"""Deals among which some look the same to who moves, if they ever do."""
WITHOUT = 100
"""After so many of which none did they are given up."""
OPENING = 6
"""Plays of each of these games."""
Redeal = Callable[[Table, Any], Any]
"""Gives a state that looks the same to the mover, by a random stream."""


@dataclass
class Leaks:
    """What of a strategy's decisions changed with cards that it can't see."""

    tried: int = 0
    """Decisions at which another world is possible."""
    changed: dict[str, str] = field(default_factory=dict)
    """The first case of each kind: `play`, `reasons`, `numbers` (how many random ones it drew)."""

    def compare(
        self, here: dict[str, Any], place: str, there: dict[str, Any], other_place: str
    ) -> None:
        """What was done in a place, and in another one that looks the same."""
        for what in here:
            if here[what] != there[what]:
                case = f"{here[what]} {place}, but {there[what]} {other_place}"
                self.changed.setdefault(what, case)


def redealt(table: Table, rng: Any) -> Any:
    """Other cards where the mover sees none."""
    return table.game.redeal(table.game.view(table.state, table.mover), rng)


def find_leaks(tables: Iterable[Table], strategy: Strategy, redeal: Redeal = redealt) -> Leaks:
    """Ask a strategy at these tables, and again with other cards where it can't see them."""
    leaks = Leaks()
    rng = stream(WORLDS)
    for table in tables:
        world = redeal(table, rng)
        if same(table.game, world, table.state):
            continue
        leaks.tried += 1
        here, place = decide(table, strategy), _where(table)
        with _other_cards(table, world):
            leaks.compare(here, place, decide(table, strategy), _where(table))
    return leaks


def find_leaks_in_deals(game: Game[Any, Any], strategy: Strategy, decisions: int) -> Leaks:
    """Ask a strategy in games that look the same to it, but were dealt or played in another way.
    Large games have none that look the same."""
    leaks = Leaks()
    for one, other in _alike(game, decisions):
        leaks.tried += 1
        # One after the other: what somebody has kept of the last deal is of the one that is asked.
        table = _opening(game, *one)
        here, place = decide(table, strategy, ALIKE), _where(table)
        table = _opening(game, *other)
        leaks.compare(here, place, decide(table, strategy, ALIKE), _where(table))
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
        world = redeal(table, rng)
        leaks.tried += not same(game, world, table.state)
        here, place = _turn(table, strategy, players, 0, streams[0]), _where(table)
        with _other_cards(table, world):
            there = _turn(table, strategy, players, 1, streams[1])
            leaks.compare(here, place, there, _where(table))
        if leaks.changed:
            break
        table.play(here["play"])
    return asked


def _turn(
    table: Table, strategy: Strategy, players: list[Player], twin: int, numbers: Any
) -> dict[str, Any]:
    """What one of the twins does, who sits down first if it has not."""
    if twin == len(players):
        players.append(strategy.sit(table.game.for_player(), table.mover, numbers))
    play = players[twin].choose(table.view(table.mover, strategy.knows))
    return {"play": str(table.game.match_play(table.state, play)), "numbers": int(numbers[0])}


@contextmanager
def _other_cards(table: Table, world: Any) -> Iterator[None]:
    """A world in the place of the state of a table."""
    true, table.state = table.state, world
    try:
        yield
    finally:
        table.state = true


def _alike(game: Game[Any, Any], most: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Openings of random games that look the same to who moves, and are not: each by its seed and
    how many plays of it are made."""
    met: dict[Hashable, tuple[int, int, Hashable]] = {}
    found = 0
    for seed in range(DEALS):
        if found >= most or (seed == WITHOUT and not found):
            return
        for table in _openings(game, seed):
            made, state, seen = len(table.plays), key_of(table.state), _seen(table)
            other = met.setdefault(seen, (seed, made, state))
            if other[2] != state and found < most:
                found += 1
                yield other[:2], (seed, made)


def _openings(game: Game[Any, Any], seed: int) -> Iterator[Table]:
    """The first decisions of a random game: the same table, a play later."""
    table = Table(game, GameSeeds(0, seed, shuffle=seed), seed % game.players)
    crowd = stream(seed, CROWD)
    while not table.is_over and len(table.plays) < OPENING:
        yield table
        plays = table.view(table.mover).plays()
        table.play(plays[below(crowd, len(plays))])


def _opening(game: Game[Any, Any], seed: int, made: int) -> Table:
    """The same, at one of them."""
    return next(table for table in _openings(game, seed) if len(table.plays) == made)


def _seen(table: Table) -> Hashable:
    """All that who moves has seen of a game."""
    view = table.view(table.mover)
    past = tuple((key_of(state), play) for state, play in view.past)
    return table.mover, key_of(view.state), view.log, past


def decide(table: Table, strategy: Strategy, key: tuple[int, ...] | None = None) -> dict[str, Any]:
    """All that a strategy does at its turn: through the table, as in every game. Its random numbers
    are those of a key, else of the turn."""
    key = (table.seed, len(table.plays)) if key is None else key
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
