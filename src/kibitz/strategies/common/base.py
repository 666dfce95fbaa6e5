"""What compiled strategies share: the player around a policy, and around a rule's scores."""

from __future__ import annotations

import importlib
import math
from abc import abstractmethod
from typing import Any, TypeVar

from kibitz.core.errors import UnsuitableGame
from kibitz.core.explanation import Belief, Explanation, Reason
from kibitz.core.game import Game, View
from kibitz.core.registry import games
from kibitz.core.strategy import Player, Policy, Strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.strategies.common.reasons import why

PROBABILITY = "probability"
"""What the score is where a play is drawn by lot."""

G = TypeVar("G", bound=Game[Any, Any])


class PolicyStrategy(Strategy):
    """A strategy whose decisions are a compiled policy."""

    @abstractmethod
    def policy(self, game: Game[Any, Any]) -> Policy: ...

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        return PolicyPlayer(game, self.policy(game), rng)


class PolicyPlayer(Player):
    """Calls the policy with what a view holds."""

    def __init__(self, game: Game[Any, Any], policy: Policy, rng: Any) -> None:
        import numpy as np

        assert isinstance(game, CompiledGame)
        self.game = game
        self.policy = policy
        self.numbers = np.array(policy.numbers or (0.0,))
        self.rng = rng

    def choose(self, view: View[Any]) -> Any:
        past, plays = turns_before(self.game, view, self.policy.remembers)
        code = self.policy.choose(view.state, view.seat, past, plays, self.numbers, self.rng)
        return self.game.name_play(view.state, code)


def need_game(strategy: Strategy, game: Game[Any, Any], only: type[G]) -> G:
    """The game, if it is the one that a strategy knows; refuse any other."""
    if not isinstance(game, only):
        raise UnsuitableGame(f"{strategy.name} plays {only.name}, not {game.name}")
    return game


def need_cards(strategy: Strategy, game: Game[Any, Any], hidden: bool, instead: str) -> None:
    """Refuse a game whose cards are open or hidden as they should not be: then another strategy
    plays it."""
    if game.traits.hidden != hidden:
        kind = "hidden" if hidden else "open"
        raise UnsuitableGame(f"{strategy.name} is for games with {kind} cards; try {instead}")


def said(view: View[Any], play: Any) -> str:
    """A play as a card player would say it, to begin a sentence with."""
    words = view.game.presenter.describe(view, play)
    return words[:1].upper() + words[1:]


def without_thinking(view: View[Any], play: Any, score: str) -> Explanation:
    """Where a search does not begin: there is one play only (or there are far too many)."""
    sentence = f"{said(view, play)}: there is nothing to think about."
    return Explanation(play, score, (Reason(play, math.nan),), (), sentence, why=why(view, play))


def turns_before(game: CompiledGame, view: View[Any], wanted: bool = True) -> tuple[Any, Any]:
    """The turns that a view remembers, as arrays; none if nobody wants them."""
    import numpy as np

    past = view.past if wanted else ()
    states = np.zeros(len(past), game.kernels.STATE)
    plays = np.full(len(past), -1, np.int64)
    for i, (state, play) in enumerate(past):
        states[i] = state[0]
        if play is not None:
            plays[i] = play.code
    return states, plays


def games_known_to(strategy: str) -> list[str]:
    """The games in the catalogue that have a module for a strategy."""
    return [name for name, cls in games().items() if strategy in cls.strategy_modules]


class RuleStrategy(PolicyStrategy):
    """A strategy that scores every legal play and takes the best, by rules of each game.

    A game names the module of its rules in `strategy_modules`. It has the kernels `choose` (the
    policy), `score(view, seat, numbers, play, parts)` and `tie(play)` (of equal scores, the
    lowest decides), PARTS, the names of the parts that make up a score, SCORE, what it is, and
    the functions `beliefs(view, numbers)` and `sentence(view, reasons)`.
    """

    def check_game(self, game: Game[Any, Any]) -> None:
        if self.name not in game.strategy_modules or not isinstance(game, CompiledGame):
            known = ", ".join(games_known_to(self.name))
            raise UnsuitableGame(f"{self.name} plays {known}, not {game.name}")

    def rules_for(self, game: Game[Any, Any]) -> Any:
        """The module with what the strategy knows of a game."""
        self.check_game(game)
        return importlib.import_module(game.strategy_modules[self.name])

    def numbers(self, game: Game[Any, Any]) -> tuple[float, ...]:
        """The options as the kernels want them."""
        return ()

    def policy(self, game: Game[Any, Any]) -> Policy:
        return Policy(self.rules_for(game).choose, self.numbers(game))

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        return RulePlayer(game, self.policy(game), rng, self.rules_for(game))


class RulePlayer(PolicyPlayer):
    """Explains itself by the scores that its policy compares."""

    def __init__(self, game: Game[Any, Any], policy: Policy, rng: Any, rules: Any) -> None:
        super().__init__(game, policy, rng)
        self.rules = rules

    def explain(self, view: View[Any]) -> Explanation:
        best = self.choose(view)
        reasons = self.reasons(view)
        reasons.sort(key=lambda reason: reason.play != best)
        beliefs: tuple[Belief, ...] = self.rules.beliefs(view, self.numbers)
        sentence = self.rules.sentence(view, reasons)
        equal: tuple[Any, ...] = ()
        chance = self.rules.SCORE == PROBABILITY
        if not chance:
            top = reasons[0].score
            equal = tuple(reason.play for reason in reasons[1:] if reason.score == top)
        return Explanation(
            best, self.rules.SCORE, tuple(reasons), beliefs, sentence, equal, 0.0,
            why(view, best, beliefs), chance,
        )  # fmt: skip

    def reasons(self, view: View[Any]) -> list[Reason]:
        """Every legal play with its score, the best first."""
        import numpy as np

        reasons = []
        for play in view.plays():
            parts = np.zeros(len(self.rules.PARTS))
            score = self.rules.score(view.state, view.seat, self.numbers, play.code, parts)
            named = {
                name: float(part)
                for name, part in zip(self.rules.PARTS, parts, strict=True)
                if part
            }
            reasons.append(Reason(play, float(score), named))
        reasons.sort(key=lambda reason: (-reason.score, int(self.rules.tie(reason.play.code))))
        return reasons
