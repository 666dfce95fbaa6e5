"""Whether a record can be a game of Tablić, or what a seat sees of one.

Other kernels rely on it: they look for a card in a hand until they find it.
"""

from typing import Any

import numpy as np

from kibitz.games.tablic.cards import DECK
from kibitz.games.tablic.ends import bits
from kibitz.jit.kernels import kernel

MOST_TABLAS = 26


@kernel
def is_valid(s: Any) -> bool:
    x = s[0]
    return numbers_are_valid(x) and cards_are_valid(x)


@kernel
def numbers_are_valid(x: Any) -> bool:
    """Seats, how many cards are held and dealt."""
    n = x.players
    if not (0 <= x.dealer < n and 0 <= x.turn < n and 0 <= x.over <= 1 and -1 <= x.last < n):
        return False
    left = 52 - x.dealt
    if not 0 <= left <= 48 - 6 * n:
        return False
    if left % (6 * n) != (12 if n == 3 and left > 0 else 0):  # between two deals
        return False
    most = 0
    for i in range(4):
        if not (0 <= x.held[i] <= 6 and 0 <= x.tablas[i] <= MOST_TABLAS):
            return False
        if i >= n and (x.held[i] != 0 or x.tablas[i] != 0):
            return False
        most = max(most, x.held[i])
    if x.over:
        return left == 0 and most == 0
    # Whoever has played in this round holds one less than the mover and those after him.
    first = (x.dealer + 1) % n
    behind = (x.turn - first + n) % n
    for i in range(n):
        less = 1 if (i - first + n) % n < behind else 0
        if x.held[i] != most - less:
            return False
    return most > 0


@kernel
def cards_are_valid(x: Any) -> bool:
    """Every card is in one place at most, and there are not more than 52."""
    if not 0 <= x.table <= DECK:
        return False
    placed = x.table
    total = bits(x.table) + 52 - x.dealt
    for i in range(4):
        if not (0 <= x.hand[i] <= DECK and 0 <= x.pile[i] <= DECK):
            return False
        if i >= x.players and (x.hand[i] != 0 or x.pile[i] != 0):
            return False
        if placed & x.hand[i] or (placed | x.hand[i]) & x.pile[i]:
            return False
        placed |= x.hand[i] | x.pile[i]
        if x.hand[i] != 0 and bits(x.hand[i]) != x.held[i]:  # 0: unknown
            return False
        total += x.held[i] + bits(x.pile[i])
    for i in range(52):
        card = x.deck[i]
        if not -1 <= card < 52:
            return False
        if i >= x.dealt and card >= 0:
            bit = np.int64(1) << card
            if placed & bit:
                return False
            placed |= bit
    return total == 52 if x.over else total <= 52


@kernel
def is_complete(s: Any) -> bool:
    """Whether every card is known."""
    x = s[0]
    n = bits(x.table)
    for i in range(x.players):
        if bits(x.hand[i]) != x.held[i]:
            return False
        n += x.held[i] + bits(x.pile[i])
    for i in range(x.dealt, 52):
        n += x.deck[i] >= 0
    return n == 52
