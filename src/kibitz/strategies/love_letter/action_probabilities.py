"""How likely each play is, for strategies that look at little: see `best_response.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from kibitz.core.errors import UnsuitableGame
from kibitz.core.strategy import Strategy
from kibitz.games.love_letter.cards import UNKNOWN
from kibitz.games.love_letter.game import LoveLetter
from kibitz.games.love_letter.plays import parts_of
from kibitz.solvers.love_letter.best_response import PlayProbabilities, StrategyInput
from kibitz.solvers.love_letter.public_line import play_of
from kibitz.strategies.love_letter import probabilistic

MOVER, OTHER = 0, 1
MEMORYLESS = ("random", "probabilistic", "greedy")

Plays = Mapping[int, float]
"""The chance of each play, as the game writes it."""


def chances_of(strategy: Strategy, game: LoveLetter) -> PlayProbabilities:
    """How likely a memoryless strategy makes each play, as a function of what it looks at."""
    drawn = plays_of(strategy, game)
    copies = game.copies[1:]
    state = game.blank()

    @cache
    def chances(seen: StrategyInput, low: int, high: int) -> Mapping[tuple[int, int], float]:
        lay_out(state[0], seen, low, high, copies)
        probabilities: dict[tuple[int, int], float] = {}
        for code, chance in drawn(state).items():
            option = play_of(code, MOVER), low + high - parts_of(code).card
            probabilities[option] = probabilities.get(option, 0.0) + chance
        return probabilities

    return chances


def plays_of(strategy: Strategy, game: LoveLetter) -> Callable[[Any], Plays]:
    """What the strategy plays with the view of seat 0."""
    kernels, rng = game.kernels, np.zeros(4, np.uint64)

    def uniform(view: Any) -> Plays:
        codes = [int(kernels.nth(view, i)) for i in range(kernels.count(view))]
        codes = [code for code in codes if code != kernels.NEVER_AT_RANDOM]
        return dict.fromkeys(codes, 1 / len(codes))

    def weighed(view: Any) -> Plays:
        codes, weights = np.empty(probabilistic.MOST, np.int64), np.empty(probabilistic.MOST)
        n = probabilistic.weigh(view[0], MOVER, codes, weights)
        total = weights[:n].sum()
        return {int(codes[i]): float(weights[i] / total) for i in range(n)}

    def chosen(view: Any) -> Plays:
        policy = strategy.policy(game)
        assert policy is not None
        numbers = np.array(policy.numbers)
        return {int(policy.choose(view, MOVER, none, nothing, numbers, rng)): 1.0}

    none, nothing = np.zeros(0, kernels.STATE), np.zeros(0, np.int64)
    known = dict(zip(MEMORYLESS, (uniform, weighed, chosen), strict=True))
    if not is_memoryless(strategy):
        raise UnsuitableGame(
            f"the best response is known to {', '.join(known)}; {strategy.name} also looks at how"
            " the round went"
        )
    return known[strategy.name]


def is_memoryless(strategy: Strategy) -> bool:
    """Whether it looks at nothing but a `StrategyInput` and its two cards."""
    return strategy.name in MEMORYLESS


def lay_out(x: Any, seen: StrategyInput, low: int, high: int, copies: tuple[int, ...]) -> None:
    """What seat 0 sees. All that is out of play counts as its discards."""
    x.inside, x.turn, x.aside = 0b11, MOVER, UNKNOWN
    x.protected = int(seen.protected) << OTHER
    x.hand[MOVER], x.drawn = low, high
    x.hand[OTHER] = seen.shown or UNKNOWN
    x.known[MOVER] = (seen.shown > 0) << OTHER
    x.left = sum(seen.unseen) - 4  # the mover has drawn
    x.spent[MOVER] = sum(
        (all_ - left) << 4 * i
        for i, (all_, left) in enumerate(zip(copies, seen.unseen, strict=True))
    )
