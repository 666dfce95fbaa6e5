"""Worlds of high card, given how the other has led: greedy leads his highest card. A model of its
own, strict, takes no noise into account."""

from typing import Any

from kibitz.jit.kernels import kernel
from kibitz.jit.rng import unit
from kibitz.search.fast.worlds import read_belief_options

from .kernels import redeal

GREEDY = 1
"""The first of the game's `beliefs`."""
SIZE = 1
TRIES = 30


@kernel
def prepare(view: Any, seat: int, past: Any, plays: Any, numbers: Any, belief: Any) -> None:
    """The lowest card that the other has led."""
    belief[0] = 10.0
    for i in range(len(past)):
        if past[i].turn != seat and past[i].led == 0:
            belief[0] = min(belief[0], plays[i])


@kernel
def sample(
    view: Any, seat: int, past: Any, plays: Any, numbers: Any, belief: Any, rng: Any, world: Any
) -> None:
    """A world where the other holds nothing higher, but for some noise."""
    options = read_belief_options(numbers)
    noise = options.noise if options.model == GREEDY else 0.0
    for _ in range(TRIES):
        redeal(view, seat, rng, world)
        if world[0].hand[1 - seat] < 1 << int(belief[0]) or unit(rng) < noise:
            return
