"""Whether a record can be a round of Love Letter, or what a seat sees of one.

Other kernels rely on it: a card that is none would be looked up outside of a table.
"""

from typing import Any

import numpy as np

from kibitz.games.love_letter.cards import FACE_UP, GUARD, UNKNOWN
from kibitz.games.love_letter.state import bits, copies_in
from kibitz.jit.kernels import kernel

COPIES = np.array([0, 5, 2, 2, 2, 2, 1, 1, 1], dtype=np.int64)
"""Of each card; the Guards are counted in the record."""


@kernel
def is_card(card: int) -> bool:
    return 0 <= card <= 8 or card == UNKNOWN


@kernel
def is_valid(s: Any) -> bool:
    x = s[0]
    return seats_are_valid(x) and places_are_valid(x) and cards_are_valid(x)


@kernel
def seats_are_valid(x: Any) -> bool:
    """Seats and sets of seats; the mover is in the round, and holds two cards."""
    n = x.players
    sets = 1 << n
    if not (0 <= x.first < n and 0 <= x.turn < n and 0 <= x.over <= 1 and 0 <= x.lot < 12):
        return False
    if not (0 < x.inside < sets and 0 <= x.protected < sets):
        return False
    if not (0 <= x.best < sets and 0 <= x.won < sets):
        return False
    for i in range(4):
        if not 0 <= x.known[i] < sets or (i >= n and x.known[i] != 0):
            return False
    if x.over:
        return x.drawn == 0 and x.best != 0
    return x.drawn != 0 and x.aside != 0 and bits(x.inside) > 1 and (x.inside >> x.turn) & 1 == 1


@kernel
def places_are_valid(x: Any) -> bool:
    """Hands, aside and the deck have cards of the game; who is out has none."""
    if not (is_card(x.aside) and is_card(x.drawn)):
        return False
    for i in range(4):
        if not is_card(x.hand[i]) or (x.hand[i] != 0) != ((x.inside >> i) & 1 == 1):
            return False
        if not 0 <= x.spent[i] < 1 << 32 or (i >= x.players and x.spent[i] != 0):
            return False
    if not (0 <= x.face_up < 1 << 32 and 0 <= x.left < 16 and x.deck >= 0):
        return False
    if (x.deck >> (4 * x.left)) != 0:
        return False
    if x.deck != 0:  # 0: unknown, all of it
        for i in range(x.left):
            if not 1 <= (x.deck >> (4 * i)) & 15 <= 8:
                return False
    return True


@kernel
def cards_are_valid(x: Any) -> bool:
    """All cards are there, none of them too often."""
    total = x.left + (x.drawn != 0) + (x.aside != 0)
    shown = 0
    for card in range(1, 9):
        up = copies_in(x.face_up, card)
        n = up + (x.drawn == card) + (x.aside == card)
        shown += up
        total += up
        for i in range(4):
            spent = copies_in(x.spent[i], card)
            n += spent + (x.hand[i] == card)
            total += spent
        if x.deck != 0:
            for i in range(x.left):
                n += (x.deck >> (4 * i)) & 15 == card
        if n > (x.copies if card == GUARD else COPIES[card]):
            return False
    for i in range(4):
        total += x.hand[i] != 0
    return total == 11 + x.copies and shown == (FACE_UP if x.players == 2 else 0)


@kernel
def is_complete(s: Any) -> bool:
    """Whether every card is known."""
    x = s[0]
    for i in range(x.players):
        if x.hand[i] == UNKNOWN:
            return False
    return x.drawn != UNKNOWN and x.aside != UNKNOWN and (x.deck != 0 or x.left == 0)
