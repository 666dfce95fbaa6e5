"""The player that knows the policy of the other, and plays the best response to it."""

from __future__ import annotations

from typing import Any, ClassVar

from kibitz.core.game import Game, View
from kibitz.core.strategy import Knows, Player, Strategy
from kibitz.games.love_letter.game import LoveLetter
from kibitz.solvers.love_letter.best_response import BestResponse, ResponsePosition
from kibitz.solvers.love_letter.public_line import play_code
from kibitz.strategies.love_letter.equilibrium import what_was_seen


class BestResponseStrategy(Strategy):
    """Not in the catalogue: it is made for one round, at some cost, and for one opponent."""

    name: ClassVar[str] = "best response"
    title: ClassVar[str] = "the best response to a strategy that it knows"
    knows: ClassVar[Knows] = Knows.FAIR

    def __init__(self, response: BestResponse) -> None:
        super().__init__()
        self.response = response

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        assert isinstance(game, LoveLetter)
        return BestResponsePlayer(game, self.response)


class BestResponsePlayer(Player):
    def __init__(self, game: LoveLetter, response: BestResponse) -> None:
        self.game, self.response = game, response

    def choose(self, view: View[Any]) -> Any:
        values = self.values(view)
        play, _ = max(values, key=lambda option: values[option])
        protected = bool(view.state[0].protected >> (1 - view.seat) & 1)
        return self.game.name_play(view.state, play_code(play, view.seat, protected))

    def values(self, view: View[Any]) -> dict[tuple[int, int], float]:
        x = view.state[0]
        low, high = sorted((int(x.hand[view.seat]), int(x.drawn)))
        return self.response.values(self.position(view), low, high)

    def position(self, view: View[Any]) -> ResponsePosition:
        """Where the round stands, after all turns of the view."""
        states = [state for state, _ in view.past] + [view.state]
        position = self.response.start(states[0][0].turn == view.seat)
        for i, (_, play) in enumerate(view.past):
            seen = what_was_seen(states[i][0], play.code, states[i + 1][0], view.seat)
            after = self.response.after(position, *seen)
            assert after is not None, "the round goes on"
            position = after
        return position
