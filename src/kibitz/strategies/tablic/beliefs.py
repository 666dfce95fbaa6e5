"""Worlds of Tablić by how likely they are, given how the others have played in this deal.

A world is drawn as the rules allow, and accepted with the probability that the others, holding
what they hold in it, would have played as they did. Two models of a player:

- greedy: he plays the greedy strategy, but for some noise, the option `noise`;
- taker: what he declined to take he does not hold: a capture that brings less than the best
  he had is the less likely the more he gives up; which card he lays tells nothing.
"""

from typing import Any

import numpy as np

from kibitz.games.tablic.capture_values import (
    as_card,
    best_capture,
    cards_of_play,
    greedy_play,
    packed,
    points_of,
)
from kibitz.games.tablic.captures import COUNTS
from kibitz.games.tablic.kernels import redeal
from kibitz.jit.kernels import kernel
from kibitz.jit.rng import unit
from kibitz.search.fast.worlds import read_belief_options

NONE, GREEDY, TAKER = range(3)
"""The models by their numbers: as they stand in the game's `beliefs`, from 1 on."""
SIZE = 1
QUARTERS = 4
TRIES = 60


@kernel
def likelihood(world: Any, seat: int, past: Any, plays: Any, model: int, noise: float) -> float:
    """How well the others' plays in this deal fit what they hold in a world."""
    result = 1.0
    for other in range(world[0].players):
        if other == seat:
            continue
        hand = packed(world[0].hand[other])
        for i in range(len(past) - 1, -1, -1):
            before = past[i]
            if before.dealt != world[0].dealt:
                break
            if before.turn != other:
                continue
            hand += as_card(plays[i])  # he held it then
            table = packed(before.table)
            if model == GREEDY:
                if greedy_play(table, hand) != plays[i]:
                    result *= noise
            else:
                best, _ = best_capture(table, hand, QUARTERS)
                made = points_of(table & COUNTS, plays[i]) * QUARTERS + cards_of_play(plays[i])
                if best > made:
                    result *= np.exp(-(best - made) / QUARTERS / noise)
    return result


@kernel
def prepare(view: Any, seat: int, past: Any, plays: Any, numbers: Any, belief: Any) -> None:
    """Every world is looked at by itself."""


@kernel
def sample(
    view: Any, seat: int, past: Any, plays: Any, numbers: Any, belief: Any, rng: Any, world: Any
) -> None:
    """A world by its probability; after many tries, the likeliest of those drawn."""
    options = read_belief_options(numbers)
    model = np.int64(options.model)
    redeal(view, seat, rng, world)
    if model == NONE:
        return
    best = world.copy()
    most = -1.0
    for _ in range(TRIES):
        fits = likelihood(world, seat, past, plays, model, options.noise)
        if unit(rng) < fits:
            return
        if fits > most:
            most = fits
            best[0] = world[0]
        redeal(view, seat, rng, world)
    world[0] = best[0]
