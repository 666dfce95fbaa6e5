"""Drawing worlds that a view allows, for searches that deal the unseen cards.

A sampler is a namespace: SIZE, `prepare(view, seat, past, plays, numbers, belief)`, which
fills an array of that size once for a decision, and `sample(view, seat, past, plays, numbers,
belief, rng, world)`. `numbers` are a policy's, whose last are for the sampler: see BeliefOptions.
This one knows the rules only.
"""

from typing import Any, NamedTuple

from kibitz.jit.kernels import Slot, inlined, kernel

game: Any = Slot("game")

SIZE = 1


class BeliefOptions(NamedTuple):
    """The sampler's options. With them a policy's numbers end, in this order."""

    model: float
    """The model of the others: 0 for none, else 1 and up, in the order of the game's `beliefs`."""
    noise: float
    """How often it is wrong."""


@inlined
def read_belief_options(numbers: Any) -> BeliefOptions:
    return BeliefOptions(numbers[-2], numbers[-1])


@kernel
def prepare(view: Any, seat: int, past: Any, plays: Any, numbers: Any, belief: Any) -> None:
    """There is nothing to find out beforehand."""


@inlined
def sample(
    view: Any, seat: int, past: Any, plays: Any, numbers: Any, belief: Any, rng: Any, world: Any
) -> None:
    """Each world that the rules allow with the same probability."""
    game.redeal(view, seat, rng, world)
