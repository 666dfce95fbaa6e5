"""How a round of Love Letter would end, for searches that stop before."""

from typing import Any

from kibitz.jit.kernels import kernel


@kernel
def evaluate(s: Any, seat: int, weights: Any) -> float:
    """The value to a seat if the round ended now: the highest card in the round wins."""
    x = s[0]
    highest, holders = 0, 0
    for other in range(x.players):
        if (x.inside >> other) & 1:
            if x.hand[other] > highest:
                highest, holders = x.hand[other], 0
            holders += x.hand[other] == highest
    if not (x.inside >> seat) & 1 or x.hand[seat] < highest:
        return -1.0 / (x.players - 1)
    return (x.players / holders - 1.0) / (x.players - 1)
