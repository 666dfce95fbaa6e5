"""Hindsight: what the cards allowed, if both had known all of them, the deck too.

It is the second question after a game, and another one than the review's: nobody could have played
like this, so nothing here is called a mistake. For two players' Tablić every position of the game
is solved exactly, the last one first, all in one table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.core.errors import UnsuitableGame
from kibitz.review.turns import RecordedTurn
from kibitz.table.played import PlayedGame

HEAD = ("turn", "played", "open-card value, seat 1", "changed by")


@dataclass(frozen=True)
class OpenTurn:
    """A turn with all cards open."""

    turn: int
    seat: int
    play: str
    value: float
    """The result for the first seat with perfect play of both from here on."""
    change: float
    """What the play changed that by, to who made it: 0, or less."""

    def document(self) -> dict[str, Any]:
        """As values for JSON."""
        return {
            "turn": self.turn, "seat": self.seat + 1, "play": self.play, "value": self.value,
            "change": self.change,
        }  # fmt: skip


@dataclass(frozen=True)
class Hindsight:
    """Every position of a game, solved with all cards open."""

    turns: tuple[OpenTurn, ...]
    result: float
    """Of the first seat."""

    @property
    def start(self) -> float:
        """What the shuffle allowed the first seat with perfect play of both."""
        return self.turns[0].value

    def document(self) -> dict[str, Any]:
        """As values for JSON."""
        return {
            "start": self.start,
            "result": self.result,
            "turns": [one.document() for one in self.turns],
        }

    def table(self) -> tuple[Sequence[str], list[list[str]]]:
        """A head and rows, for a page."""
        rows = [
            [f"{one.turn}, seat {one.seat + 1}", one.play, _signed(one.value), _signed(one.change)]
            for one in self.turns
        ]
        return HEAD, rows

    def sentence(self) -> str:
        """In a few words."""
        return (
            f"With all cards open the shuffle allowed seat 1 {_signed(self.start)} with best play"
            f" of both; it ended with {_signed(self.result)}. Nobody could have known that."
        )


def _signed(value: float) -> str:
    return f"{value:+g}".replace("+0", "0").replace("-", "−")


def hindsight_of(played: PlayedGame, turns: Sequence[RecordedTurn]) -> Hindsight:
    """Solve every position of a game of two players' Tablić."""
    solved = (*solve_backwards(played, turns),)[::-1]
    return Hindsight(solved, float(played.returns[0]))


def solve_backwards(
    played: PlayedGame, turns: Sequence[RecordedTurn], threads: int | None = None
) -> Iterator[OpenTurn]:
    """The same turn by turn, from the last to the first: late ones take an instant, the first of
    them most of the time. `threads` search at once; else one for each core."""
    from kibitz.games.tablic.game import Tablic

    game = played.rules
    if not isinstance(game, Tablic) or game.players != 2:
        raise UnsuitableGame(f"hindsight is for two players' Tablić, not for {game}")
    from kibitz.core.limits import cores
    from kibitz.solvers.tablic.last_deal import as_result
    from kibitz.solvers.tablic.open_deck import OpenDeck

    deck = OpenDeck(game, turns[0].state, threads=threads or cores())
    by_cards = game.settings["cards_bonus"] == "tie"
    sign = 1 if turns[0].seat == 0 else -1
    found = deck.values_back_along([turn.play for turn in turns])
    then = float(played.returns[0])
    for one, solved in zip(reversed(turns), found, strict=True):
        value = sign * as_result(solved, by_cards)
        change = (then - value) * (1 if one.seat == 0 else -1)
        yield OpenTurn(one.turn, one.seat, str(one.play), value, change)
        then = value
