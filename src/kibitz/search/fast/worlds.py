"""Drawing worlds that a view allows, for searches that deal the unseen cards.

A sampler is a namespace: SIZE, `prepare(view, seat, past, plays, numbers, belief)`, which
fills an array of that size once for a decision, and `sample(view, seat, past, plays, numbers,
belief, rng, world)`. `numbers` are a policy's, whose last two are for the sampler. This one knows
the rules only.
"""

from typing import Any

from kibitz.jit.kernels import Slot, kernel, template

game: Any = Slot("game")

SIZE = 1
MODEL, NOISE = -2, -1
"""Where in the numbers stand the model of the others, and how often it is wrong."""


@kernel
def prepare(view: Any, seat: int, past: Any, plays: Any, numbers: Any, belief: Any) -> None:
    """There is nothing to find out beforehand."""


@template
def sample(
    view: Any, seat: int, past: Any, plays: Any, numbers: Any, belief: Any, rng: Any, world: Any
) -> None:
    """Each world that the rules allow with the same probability."""
    game.redeal(view, seat, rng, world)
