"""The decisions of a recorded game, each with all that there was to see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kibitz.core.game import View
from kibitz.table.played import PlayedGame
from kibitz.table.table import Table


@dataclass(frozen=True)
class RecordedTurn:
    """A decision of a recorded game."""

    turn: int
    """As `kibitz replay` counts."""
    seat: int
    state: Any
    view: View[Any]
    """What the seat saw."""
    play: Any


def recorded_turns(played: PlayedGame) -> Iterator[RecordedTurn]:
    """Every decision of a game, with what its seat saw. Chance moves by itself."""
    record, game = played.record, played.rules
    table = Table(game, record.seed, record.first - 1, record.plays)
    while not table.is_over:
        n, seat = len(table.plays), table.mover
        play = game.parse_play(table.state, record.plays[n])
        yield RecordedTurn(n + 1, seat, table.state, table.view(seat), play)
        table.play(play)
