"""What the result of a game is to a card player: a chance to win, points ahead, chips."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kibitz.core.figures import percent, rounded
from kibitz.core.game import Game, ResultKind


@dataclass(frozen=True)
class Measure:
    """How a mean result is put into words."""

    name: str
    """What the number is."""
    margin: float
    """Two plays that differ by less are as good as each other."""
    players: int = 0
    """Not 0: it is a chance to win, and who wins gets 1, which the others pay in equal parts."""
    unit: str = ""

    @property
    def chance(self) -> bool:
        """Whether it is a chance to win."""
        return self.players > 0

    @property
    def scale(self) -> float:
        """How much of the measure one of the game's results is."""
        return (self.players - 1) / self.players if self.players else 1.0

    def of(self, mean: float) -> float:
        """A mean result in the unit of this measure."""
        return mean * self.scale + (1 / self.players if self.players else 0.0)

    def words(self, score: float) -> str:
        """A score as a card player would say it."""
        if self.chance:
            return f"it wins {percent(score, 1)} of them"
        figure = rounded(abs(score), 1 if self.margin >= 0.1 else 2)
        figure = figure.rstrip("0").rstrip(".")
        many = f"{figure} {self.unit}{'s' * (figure != '1')}"
        if self.unit == "chip":
            return f"on average it {'wins' if score >= 0 else 'loses'} {many}"
        return f"on average it ends {many} {'ahead' if score >= 0 else 'behind'}"

    def margin_text(self) -> str:
        """What counts as equally good, in words."""
        if self.chance:
            return f"{100 * self.margin:g} in 100"
        return f"{self.margin:g} {self.unit}{'s' * (self.margin != 1)}"


def measure_of(game: Game[Any, Any]) -> Measure:
    """Of a game's results at its end."""
    kind = game.result_kind or (ResultKind.WIN if game.labels else ResultKind.NUMBER)
    if kind is ResultKind.WIN:
        tie = "; a tie counts half" if 0 in game.labels.values() or game.players == 2 else ""
        return Measure(f"chance to win the {game.traits.unit}{tie}", 0.01, game.players)
    if kind is ResultKind.POINTS:
        return Measure(f"{points_ahead(game)} at the end of the game", 0.1, unit="point")
    if kind is ResultKind.CHIPS:
        return Measure("chips won, on average", 0.02, unit="chip")
    return Measure("result, on average", 0.01, unit="point")


def points_ahead(game: Game[Any, Any]) -> str:
    """What a margin is called in a game."""
    return "points ahead" if game.players != 3 else "points ahead of the others' mean"


def of_best_play(game: Game[Any, Any], depth: int | None) -> str:
    """What a search for best play finds: the number, and what its numbers stand for."""
    ahead = f", looking {depth} plies ahead" if depth else ""
    return f"result if both play their best{ends_of(game)}{ahead}"


def ends_of(game: Game[Any, Any]) -> str:
    """What the numbers of ends stand for, in brackets; nothing if they have no names."""
    ends = sorted(game.labels.items(), key=lambda end: -end[1])
    return f" ({', '.join(f'{name} {number:g}' for name, number in ends)})" if ends else ""


def end_of(game: Game[Any, Any], value: float, seat: int) -> str:
    """A value to a seat with the name of the end that it is, if it is one: `1 (won)`."""
    names = [name for name, _ in sorted(game.labels.items(), key=lambda end: end[1])]
    numbers = sorted(game.labels.values())
    figure = f"{value + 0.0:.3g}"
    if seat == 1:  # what one of two seats gains the other loses
        numbers = [-number for number in reversed(numbers)]
    return f"{figure} ({names[numbers.index(value)]})" if value in numbers else figure


def others_as_good(number: int) -> str:
    """The end of a sentence on the best play."""
    if not number:
        return ""
    return f"; {number} more play{'s are' if number > 1 else ' is'} as good"
