"""The player that knows how the other decides, and answers it as well as can be."""

from __future__ import annotations

from typing import Any, ClassVar

from kibitz.core.game import Game, View
from kibitz.core.strategy import Knows, Player, Strategy
from kibitz.games.love_letter.game import LoveLetter
from kibitz.solvers.love_letter.best_response import Answer, Reading
from kibitz.solvers.love_letter.public_line import play_code
from kibitz.strategies.love_letter.equilibrium import what_was_seen


class BestAnswer(Strategy):
    """Not in the catalogue: it is made for one round, at some cost, and for one opponent."""

    name: ClassVar[str] = "best answer"
    title: ClassVar[str] = "the best answer to a strategy that it knows"
    knows: ClassVar[Knows] = Knows.FAIR

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        assert isinstance(game, LoveLetter)
        return AnswerPlayer(game, self.answer)


class AnswerPlayer(Player):
    def __init__(self, game: LoveLetter, answer: Answer) -> None:
        self.game, self.answer = game, answer

    def choose(self, view: View[Any]) -> Any:
        worths = self.worths(view)
        play, _ = max(worths, key=lambda option: worths[option])
        protected = bool(view.state[0].protected >> (1 - view.seat) & 1)
        return self.game.name_play(view.state, play_code(play, view.seat, protected))

    def worths(self, view: View[Any]) -> dict[tuple[int, int], float]:
        x = view.state[0]
        low, high = sorted((int(x.hand[view.seat]), int(x.drawn)))
        return self.answer.worths(self.reading(view), low, high)

    def reading(self, view: View[Any]) -> Reading:
        """What the other's play has shown so far."""
        states = [state for state, _ in view.past] + [view.state]
        reading = self.answer.start(states[0][0].turn == view.seat)
        for i, (_, play) in enumerate(view.past):
            seen = what_was_seen(states[i][0], play.code, states[i + 1][0], view.seat)
            after = self.answer.after(reading, *seen)
            assert after is not None, "the round goes on"
            reading = after
        return reading
