"""Positions to try a game or a strategy on: they come up in random play."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import count, islice
from typing import Any, NamedTuple

from kibitz.core.game import CHANCE, Game
from kibitz.jit.rng import below, stream
from kibitz.table.table import Table
from kibitz.testing.broken_rule import require

LONGEST = 10_000
"""Plays of a game, at most."""
WALK, CROWD = 77, 41
"""Keys of the streams by which plays are drawn."""


class WalkStep(NamedTuple):
    """One play of a random game."""

    state: Any
    play: Any
    after: Any


def walk(game: Game[Any, Any], seed: int, first: int = 0) -> Iterator[WalkStep]:
    """A random game, play by play."""
    rng = stream(seed, WALK)
    state = game.deal(seed, first)
    for made in count():
        if game.is_over(state):
            return
        require(made < LONGEST, game, "a game must end", f"seed {seed} has more than {made} plays")
        plays = game.plays(state)
        rule = "there must be a play as long as the game is not over"
        require(len(plays), game, rule, shown(game, state))
        if game.mover(state) == CHANCE:
            play = game.draw_chance(state, rng)
        else:
            play = plays[below(rng, len(plays))]
        after = game.after(state, play)
        yield WalkStep(state, play, after)
        state = after


def walks(game: Game[Any, Any], games: int) -> Iterator[WalkStep]:
    """So many random games, every seat being first in turn."""
    for seed in range(games):
        yield from walk(game, seed, seed % game.players)


def ends(game: Game[Any, Any], games: int) -> Iterator[Any]:
    """The ends of random games."""
    for seed in range(games):
        state = game.deal(seed, seed % game.players)
        for step in walk(game, seed, seed % game.players):
            state = step.after
        yield state


def tables(game: Game[Any, Any], decisions: int) -> Iterator[Table]:
    """Tables at so many decisions, game after game. Each is the same table, a play later. A game
    in which nobody decides anything has none."""
    every = (table for seed in count() for table in _one_game(game, seed))
    return islice(every, decisions)


def _one_game(game: Game[Any, Any], seed: int) -> Iterator[Table]:
    table = Table(game, seed, seed % game.players)
    rng = stream(seed, CROWD)
    require(not table.is_over, game, "somebody must decide something", f"seed {seed} is over")
    while not table.is_over:
        yield table
        plays = table.view(table.mover).plays()
        table.play(plays[below(rng, len(plays))])


def same(game: Game[Any, Any], one: Any, other: Any) -> bool:
    """Whether two states are equal. An array has its bytes; anything else says so itself."""
    if hasattr(one, "tobytes") and hasattr(other, "tobytes"):
        return bool(one.tobytes() == other.tobytes())
    return bool(one == other)


def key_of(state: Any) -> Hashable:
    """Equal for equal states."""
    if hasattr(state, "tobytes"):
        return bytes(state.tobytes())
    try:
        hash(state)
    except TypeError:
        return repr(state)
    known: Hashable = state
    return known


def shown(game: Game[Any, Any], state: Any) -> str:
    """A state in a sentence."""
    return f"in {game.position(state)}"
