"""The player that solves its game of Tablić, and walks along."""

from typing import Any

from kibitz.core.explanation import Explanation, Reason
from kibitz.core.game import Play, View
from kibitz.core.interrupts import Interrupted
from kibitz.core.strategy import Player
from kibitz.games.tablic.capture_values import tie
from kibitz.games.tablic.game import Tablic
from kibitz.solvers.tablic.open_deck import DeckValue, OpenDeck, Stopped, Walk
from kibitz.strategies.common.base import said

SCORE = "points ahead at the end of the game, both at their best"


class PerfectPlayer(Player):
    """Solves the game once, and then walks along its values."""

    def __init__(self, game: Tablic, memory: int) -> None:
        self.game, self.memory = game, memory
        self._walk: Walk | None = None
        self._turns = 0

    def choose(self, view: View[Any]) -> Play:
        return self._walk_to(view).best()

    def explain(self, view: View[Any]) -> Explanation:
        walk = self._walk_to(view)
        best, values = walk.best(), walk.values()
        reasons = [
            Reason(play, float(value.points), self._parts(value)) for play, value in values.items()
        ]
        reasons.sort(key=lambda r: (-r.score, -r.parts.get("cards", 0), tie(r.play.code)))
        equal = sum(value == values[best] for value in values.values()) - 1
        others = "no other play is" if equal == 0 else f"{equal} more {are(equal)}"
        sentence = (
            f"{said(view, best)}: {result(values[best])}, both at their best; {others} as good."
        )
        return Explanation(best, SCORE, tuple(reasons), (), sentence)

    def _parts(self, value: DeckValue) -> dict[str, float]:
        return {"cards": float(value.cards)} if self.game.settings["cards_bonus"] == "tie" else {}

    def _walk_to(self, view: View[Any]) -> Walk:
        """The walk through this game; begun anew if it is another one."""
        try:
            if self._walk is not None:
                self._follow(self._walk, [play for _, play in view.past[self._turns :]])
            if self._walk is None or self._walk.state.tobytes() != view.state.tobytes():
                deck = OpenDeck(self.game, view.state, self.memory)
                self._walk = Walk(deck, deck.value())
        except Stopped:
            raise Interrupted from None
        self._turns = len(view.past)
        return self._walk

    def _follow(self, walk: Walk, plays: list[Play]) -> None:
        """As far as these are plays of its game."""
        for play in plays:
            if self.game.is_over(walk.state) or play not in self.game.plays(walk.state):
                return
            walk.play(play)


def are(number: int) -> str:
    """The verb for a number of things."""
    return "is" if number == 1 else "are"


def result(value: DeckValue) -> str:
    """In words."""
    if value > (0, 0):
        return f"it wins by {counted(value)}"
    return (
        f"it loses by {counted(DeckValue(-value.points, -value.cards))}"
        if value < (0, 0)
        else "drawn"
    )


def counted(value: DeckValue) -> str:
    """Points, or cards where these decide."""
    number, name = (value.points, "point") if value.points else (value.cards, "card")
    return f"{number} {name}{'s' * (number != 1)}"
