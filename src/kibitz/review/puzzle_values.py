"""Exact values of the plays of a puzzle.

Tablić for two: with all cards known, by the solver of the open deck, in points ahead at the end of
the game with both at their best. In the last deal a player knows all cards who has watched: those
that he has not seen are the other's hand. Earlier it takes an open deck, which a puzzle says.

Love Letter for two, when no more than one card is left to draw: the mover's play is the last of
the round, or the other has one more. Every placement of the unseen cards that fits is as likely.
The value is the chance to win that a play guarantees, whatever the other does, even if he saw all
cards; and beside it what it brings against the greedy player, who does not. What a play guarantees
is at most what it brings against anybody. So a play that guarantees more than another brings
against greedy is better whoever answers at his best. Where the round ends at once both are equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kibitz.core.errors import UnsuitableGame
from kibitz.core.registry import make_strategy
from kibitz.games.love_letter.game import LoveLetter
from kibitz.games.tablic.game import Tablic
from kibitz.jit.rng import stream

MOST_LEFT = 1
"""Cards in the deck of Love Letter, after the mover has drawn."""


@dataclass(frozen=True)
class PuzzleValue:
    """What a play is worth to who makes it."""

    play: str
    low: float
    """What it guarantees: points ahead, or the chance to win."""
    high: float
    """The same, or in Love Letter what it brings against the greedy player."""


def tablic_values(game: Tablic, state: Any) -> list[PuzzleValue]:
    """The points ahead at the end after every legal play, the best first."""
    from kibitz.solvers.tablic.open_deck import OpenDeck

    solved = OpenDeck(game, state).values()
    values = [PuzzleValue(str(play), value.points, value.points) for play, value in solved.items()]
    return sorted(values, key=lambda each: (-each.low, each.play))


def tablic_line(game: Tablic, state: Any) -> list[str]:
    """A line of best play to the end."""
    from kibitz.solvers.tablic.open_deck import OpenDeck

    return [str(play) for play in OpenDeck(game, state).solve().line]


def love_letter_values(game: LoveLetter, view: Any) -> list[PuzzleValue]:
    """The chances to win of every legal play, from a state in which the mover's own cards are
    known; the best first."""
    x = view[0]
    if game.players != 2 or x.left > MOST_LEFT:
        raise UnsuitableGame(f"values are exact for two players and up to {MOST_LEFT} card left")
    worlds = list(game.every_deal(view))
    values = []
    for play in game.plays(worlds[0][0]):
        low = high = 0.0
        for world, chance in worlds:
            then = game.after(world, play)
            low += chance * _at_worst(game, then, int(x.turn))
            high += chance * _against_greedy(game, then, int(x.turn))
        values.append(PuzzleValue(str(play), round(low, 9), round(high, 9)))
    return sorted(values, key=lambda each: (-each.low, -each.high, each.play))


def _won(game: LoveLetter, state: Any, seat: int) -> float:
    return (float(game.returns(state)[seat]) + 1) / 2


def _at_worst(game: LoveLetter, state: Any, seat: int) -> float:
    """If the other answers as if he saw all cards. It is his last play."""
    if game.is_over(state):
        return _won(game, state, seat)
    ends = [game.after(state, play) for play in game.plays(state)]
    return min(_won(game, end, seat) for end in ends)


def _against_greedy(game: LoveLetter, state: Any, seat: int) -> float:
    if game.is_over(state):
        return _won(game, state, seat)
    other = int(game.mover(state))
    player = make_strategy("greedy").sit(game, other, stream(0))
    return _won(game, game.after(state, player.choose(game.view(state, other))), seat)
