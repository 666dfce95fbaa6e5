"""What a seat sees of a game of Tablić, and the worlds that look like it. Rules 8.1 and 8.2."""

from typing import Any

import numpy as np

from kibitz.jit.kernels import kernel
from kibitz.jit.rng import shuffle


@kernel
def observe(s: Any, seat: int, view: Any) -> None:
    """What a seat may know: the other hands and the deck are blank. Rule 8.1."""
    view[0] = s[0]
    v = view[0]
    for other in range(v.players):
        if other != seat:
            v.hand[other] = 0
    for i in range(52):
        v.deck[i] = -1


@kernel
def observe_open_hands(s: Any, seat: int, view: Any) -> None:
    """All but the order of the deck: what an open-hands strategy may know."""
    view[0] = s[0]
    for i in range(52):
        view[0].deck[i] = -1


@kernel
def redeal(view: Any, seat: int, rng: Any, s: Any) -> bool:
    """Fill in a world, each with the same probability. Rule 8.2."""
    s[0] = view[0]
    x = s[0]
    seen = x.table | x.hand[seat]
    for other in range(x.players):
        seen |= x.pile[other]
    # The unseen cards are shuffled at the end of the deck's own array: no scratch needed.
    n = 52
    for card in range(52):
        if not (seen >> card) & 1:
            n -= 1
            x.deck[n] = card
    shuffle(rng, x.deck[n:], 52 - n)
    for other in range(x.players):
        if other != seat:
            for _ in range(x.held[other]):
                x.hand[other] |= np.int64(1) << x.deck[n]
                x.deck[n] = -1
                n += 1
    return n == x.dealt


@kernel
def reshuffle(s: Any, rng: Any) -> None:
    """Put what nobody has seen yet into another order: the hands stay. It does not depend on the
    order that was."""
    x = s[0]
    if x.dealt >= 52:
        return
    cards = np.int64(0)
    for i in range(x.dealt, 52):
        cards |= np.int64(1) << x.deck[i]
    n = x.dealt
    for card in range(52):
        if (cards >> card) & 1:
            x.deck[n] = card
            n += 1
    shuffle(rng, x.deck[x.dealt :], 52 - x.dealt)
