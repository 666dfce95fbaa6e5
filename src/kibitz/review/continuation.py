"""By whom the judge plays on: a compiled fair policy in every seat, bound to a game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np

from kibitz.core.errors import UnsuitableGame
from kibitz.core.explanation import Belief
from kibitz.core.game import Game, View
from kibitz.core.registry import make_strategy
from kibitz.core.strategy import Knows
from kibitz.games.compiled_game import CompiledGame
from kibitz.jit.kernels import bind
from kibitz.jit.rng import stream
from kibitz.review.worth import COLUMNS
from kibitz.search.fast import continuations
from kibitz.search.fast.slots import bind_search
from kibitz.strategies.common.base import turns_before
from kibitz.strategies.common.beliefs import beliefs_by
from kibitz.strategies.common.opponent_models import (
    BELIEF,
    JUDGED_NOISE,
    belief_numbers,
    world_sampler,
)

MODEL = {"belief": BELIEF.default, "noise": JUDGED_NOISE}
"""How the others are taken to have played, when worlds are drawn."""


@dataclass(frozen=True)
class Continuation:
    """A game with the policy that plays it on."""

    game: CompiledGame
    name: str
    policy: Any
    numbers: Any
    sampler: Any
    slots: dict[str, Any]
    several: Any = None
    """Tells between which plays it draws lots; None: it does not."""

    @property
    def decides_by_lot(self) -> bool:
        """Whether it plays anything: then it has no usual play."""
        return self.name == "random"

    @property
    def knows_luck(self) -> bool:
        """Whether the game can deal again what nobody holds."""
        return hasattr(self.game.kernels, "reshuffle")

    def belief(self, view: View[Any]) -> tuple[Any, Any, Any]:
        """What the sampler knows of the others' play, and the turns before."""
        past, codes = turns_before(self.game, view)
        belief = np.ones(self.sampler.SIZE)
        if len(past):
            self.sampler.prepare(view.state, view.seat, past, codes, self.numbers, belief)
        return past, codes, belief

    def usual_plays(self, view: View[Any]) -> list[int]:
        """What it would play in a view: several, if it draws lots between them."""
        if self.decides_by_lot:
            never = self.game.kernels.NEVER_AT_RANDOM
            codes = self.game.kernels.legal(view.state).tolist()
            return [code for code in codes if code != never] or codes
        if self.several is not None:
            several: list[int] = self.several(view)
            return several
        no_past, no_plays = np.zeros(0, self.game.kernels.STATE), np.zeros(0, np.int64)
        chosen = self.policy(view.state, view.seat, no_past, no_plays, self.numbers, stream(0))
        return [int(chosen)]

    def ends_from(self, state: Any, play: int, rng: Any, worlds: int) -> Any:
        """A row for each of so many ends, from a state with all hands known."""
        ends = np.zeros((worlds, COLUMNS))
        search = bind(continuations.ends_from, **self.slots)
        search(state, play, self.numbers, rng, ends)
        return ends

    def ends_of_deals(self, first: int, rng: Any, worlds: int) -> Any:
        """A row for each of so many ends of new games."""
        ends = np.zeros((worlds, COLUMNS))
        search = bind(continuations.ends_of_deals, **self.slots)
        search(self.game.blank(), first, self.numbers, rng, ends)
        return ends


@cache  # kernels are bound to the slots, so they must be the same things each time
def continuation_of(game: Game[Any, Any]) -> Continuation:
    """The policy that a game names for its judge."""
    if not isinstance(game, CompiledGame):
        raise UnsuitableGame(f"a judge plays on in compiled games, and {game.name} is plain Python")
    name, choose, numbers, several = _policy(game)
    sampler = world_sampler(game, "auto")
    slots = {"game": game.kernels, "worlds": sampler, "rollout": SimpleNamespace(choose=choose)}
    together = np.array([*(numbers or (0.0,)), *belief_numbers(MODEL, game)])
    return Continuation(game, name, choose, together, sampler, slots, several)


def _policy(game: CompiledGame) -> tuple[str, Any, Any, Any]:
    """Its name, the kernel, its numbers, and who tells between which plays it draws lots."""
    if "." in game.continuation:
        module = import_module(game.continuation)
        return module.NAME, module.choose, (), module.usual_plays
    strategy = make_strategy(game.continuation)
    strategy.check_game(game)
    policy = strategy.policy(game)
    if policy is None or policy.remembers or strategy.knows is not Knows.FAIR:
        raise UnsuitableGame(
            f"{game.name}: the judge can't play on by {strategy}: it takes a compiled fair"
            " strategy that remembers nothing"
        )
    return str(strategy), policy.choose, policy.numbers, None


def states_at_next_turns(
    continuation: Continuation, view: View[Any], codes: Any, worlds: int, rng: Any
) -> Any:
    """The states in which a seat is to move again after each of these plays, or the ends: a row
    for each world, a column for each play."""
    past, plays, belief = continuation.belief(view)
    states = np.zeros((worlds, len(codes)), continuation.game.kernels.STATE)
    search = bind_search(continuations.next_turns, continuation.game, continuation.slots)
    numbers = continuation.numbers
    search(view.state, view.seat, past, plays, numbers, belief, rng, np.array(codes), states)
    return states


def followed_beliefs(continuation: Continuation, view: View[Any]) -> tuple[Belief, ...]:
    """What is believed of the others' hands by how they have played, where a formula tells it and
    what it was before each turn; else nothing."""
    game = continuation.game
    if not game.counting or not hasattr(import_module(game.counting), "hand_before"):
        return ()
    past, plays, belief = continuation.belief(view)
    numbers, sampler = continuation.numbers, continuation.sampler
    return beliefs_by(game, sampler, view, past, plays, numbers, belief, stream(0))


def ends_of_plays(continuation: Continuation) -> Any:
    """The compiled sampler of a view's plays."""
    return bind_search(continuations.ends_of_plays, continuation.game, continuation.slots)
