"""The player that knows the policy of the other, and plays the best response to it."""

from __future__ import annotations

from typing import Any, ClassVar

from kibitz.core.game import Game, View
from kibitz.core.registry import make_strategy
from kibitz.core.strategy import Knows, Player, Strategy
from kibitz.games.love_letter.game import LoveLetter
from kibitz.solvers.love_letter.best_response import BestResponse, ResponsePosition
from kibitz.solvers.love_letter.public_line import play_code
from kibitz.strategies.love_letter.equilibrium import what_was_seen

BEYOND = "greedy"


class BestResponseStrategy(Strategy):
    """Not in the catalogue: it is made for one round, at some cost, and for one opponent."""

    name: ClassVar[str] = "best response"
    trusted: ClassVar[bool] = True
    title: ClassVar[str] = "the best response to a strategy that it knows"
    knows: ClassVar[Knows] = Knows.FAIR

    def __init__(self, response: BestResponse) -> None:
        super().__init__()
        self.response = response

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        assert isinstance(game, LoveLetter)
        return BestResponsePlayer(game, self.response)


class BestResponsePlayer(Player):
    """Plays the exact best response to a strategy."""

    def __init__(self, game: LoveLetter, response: BestResponse) -> None:
        self.game, self.response = game, response

    def choose(self, view: View[Any]) -> Any:
        position = self.find_position(view)
        assert position is not None, "the round goes on"
        return self.best_at(position, view)

    def best_at(self, position: ResponsePosition, view: View[Any]) -> Any:
        """The play with the highest value here."""
        values = self.response.values(position, *_hand(view))
        play, _ = max(values, key=lambda option: values[option])
        protected = bool(view.state[0].protected >> (1 - view.seat) & 1)
        return self.game.name_play(view.state, play_code(play, view.seat, protected))

    def find_position(self, view: View[Any]) -> ResponsePosition | None:
        """Where the round stands, after all turns of the view; None if somebody has played what
        the strategy never plays."""
        states = [state for state, _ in view.past] + [view.state]
        position: ResponsePosition | None = self.response.start(states[0][0].turn == view.seat)
        for i, (_, play) in enumerate(view.past):
            assert position is not None
            seen = what_was_seen(states[i][0], play.code, states[i + 1][0], view.seat)
            position = self.response.after(position, *seen)
            if position is None:
                break
        return position


class LearnedResponseStrategy(BestResponseStrategy):
    """The best response to a model of a strategy, which may play otherwise."""

    name: ClassVar[str] = "learned response"
    trusted: ClassVar[bool] = True
    title: ClassVar[str] = "the best response to a model of a strategy"

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        assert isinstance(game, LoveLetter)
        beyond = make_strategy(BEYOND).sit(game, seat, rng)
        return LearnedResponsePlayer(game, self.response, beyond)


class LearnedResponsePlayer(BestResponsePlayer):
    """`beyond` plays where the round has left what the model expects."""

    def __init__(self, game: LoveLetter, response: BestResponse, beyond: Player) -> None:
        super().__init__(game, response)
        self.beyond = beyond

    def choose(self, view: View[Any]) -> Any:
        position = self.find_position(view)
        if position is not None and not self.response.reach(position, *_hand(view)):
            position = self.response.any_range(position)
        if position is None or not self.response.reach(position, *_hand(view)):
            return self.beyond.choose(view)
        return self.best_at(position, view)


def _hand(view: View[Any]) -> tuple[int, int]:
    x = view.state[0]
    low, high = sorted((int(x.hand[view.seat]), int(x.drawn)))
    return low, high
