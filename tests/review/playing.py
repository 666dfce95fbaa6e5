"""Games for the tests of reviews: played quickly, with known plays in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kibitz.core.game import Game
from kibitz.core.registry import make_game, make_strategy
from kibitz.jit.rng import stream
from kibitz.review.continuation import continuation_of
from kibitz.review.luck import GameLuck, LuckEstimator, LuckTurn, luck_of
from kibitz.review.unit_value import UnitValue
from kibitz.table.record import Record
from kibitz.table.table import Table


def played_table(game: Game[Any, Any], players: Sequence[str], seed: int, first: int = 0) -> Table:
    """A game between strategies. Their streams are cheap ones: nothing has to stay hidden here."""
    table = Table(game, seed, first)
    seated = [
        make_strategy(name).sit(game, seat, stream(seed, seat)) for seat, name in enumerate(players)
    ]
    while not table.is_over:
        table.play(seated[table.mover].choose(table.view(table.mover)))
    return table


def record_of(spec: str, players: Sequence[str], seed: int, first: int = 0) -> Record:
    """The record of such a game."""
    return Record.of(played_table(make_game(spec), players, seed, first), players)


def luck_in(
    game: Game[Any, Any], players: Sequence[str], seed: int, worlds: int, first: int = 0
) -> GameLuck:
    """The luck of such a game."""
    ended = played_table(game, players, seed, first)
    table = Table(game, seed, first)
    turns = []
    for number, text in enumerate(ended.plays, 1):
        play = game.parse_play(table.state, text)
        view = table.view(table.mover)
        turns.append(LuckTurn(number, table.mover, table.state, view, play.code))
        table.play(play)
    estimate = LuckEstimator(continuation_of(game), UnitValue(game), worlds, 1, seed)
    return luck_of(turns, table.state, first, estimate)
