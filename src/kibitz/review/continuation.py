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
from kibitz.review.unit_value import COLUMNS
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
    numbers: Any
    sampler: Any
    slots: dict[str, Any]

    @property
    def decides_by_lot(self) -> bool:
        """Whether it plays anything."""
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

    def recall(self, now: Any, past: Any, codes: Any) -> Any:
        """What the policy remembers of these turns, that led to a state."""
        memory = np.ones(self.slots["rollout"].SIZE)
        if len(past):
            self.slots["rollout"].recall(now, past, codes, memory)
        return memory

    def ends_from(self, state: Any, memory: Any, play: int, rng: Any, worlds: int) -> Any:
        """A row for each of so many ends, from a state with all hands known."""
        ends = np.zeros((worlds, COLUMNS))
        search = bind(continuations.ends_from, **self.slots)
        search(state, memory, play, self.numbers, rng, ends)
        return ends

    def ends_of_deals(self, first: int, rng: Any, worlds: int) -> Any:
        """A row for each of so many ends of new games."""
        ends = np.zeros((worlds, COLUMNS))
        search = bind(continuations.ends_of_deals, **self.slots)
        memory = np.ones(self.slots["rollout"].SIZE)
        search(self.game.blank(), memory, first, self.numbers, rng, ends)
        return ends


@cache  # kernels are bound to the slots, so they must be the same things each time
def continuation_of(game: Game[Any, Any]) -> Continuation:
    """The policy that a game names for its judge."""
    if not isinstance(game, CompiledGame):
        raise UnsuitableGame(f"a judge plays on in compiled games, and {game.name} is plain Python")
    if "." in game.continuation:
        module: Any = import_module(game.continuation)
        name, rollout, sampler, numbers = module.NAME, module, module, (0.0,)
    else:
        name, rollout, numbers = _strategy(game)
        sampler = world_sampler(game, "auto")
    slots = {"game": game.kernels, "worlds": sampler, "rollout": rollout}
    together = np.array([*(numbers or (0.0,)), *belief_numbers(MODEL, game)])
    return Continuation(game, name, together, sampler, slots)


def _strategy(game: CompiledGame) -> tuple[str, Any, Any]:
    """The strategy that the game names: its name, a policy without memory, and its numbers."""
    strategy = make_strategy(game.continuation)
    strategy.check_game(game)
    policy = strategy.policy(game)
    if policy is None or policy.remembers or strategy.knows is not Knows.FAIR:
        raise UnsuitableGame(
            f"{game.name}: the judge can't play on by {strategy}: it takes a compiled fair"
            " strategy that remembers nothing"
        )
    slots = {"game": game.kernels, "policy": SimpleNamespace(choose=policy.choose)}
    rollout = SimpleNamespace(
        SIZE=1,
        choose=bind(continuations.choose_by_policy, **slots),
        watch=continuations.watch_nothing,
        recall=continuations.recall_nothing,
    )
    return str(strategy), rollout, policy.numbers


def states_at_next_turns(
    continuation: Continuation, view: View[Any], codes: Any, worlds: int, rng: Any
) -> Any:
    """The states in which a seat is to move again after each of these plays, or the ends: a row
    for each world, a column for each play."""
    past, plays, belief = continuation.belief(view)
    memory = continuation.recall(view.state, past, plays)
    states = np.zeros((worlds, len(codes)), continuation.game.kernels.STATE)
    search = bind_search(continuations.next_turns, continuation.game, continuation.slots)
    search(
        view.state, view.seat, past, plays, continuation.numbers, (belief, memory),
        np.array(codes), rng, states,
    )  # fmt: skip
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
