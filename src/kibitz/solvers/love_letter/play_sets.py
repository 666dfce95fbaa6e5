"""Which plays are considered with a hand, as sets: a bit for each of PLAYS.

The textbook twin is `_options` in `public_states.py`; the letters of the reductions are those
used there. Cards are lanes.

Example: the other, who is not protected, may hold a Guard, a Baron or a Princess. A Guard can
name the Baron, play 1, or the Princess, play 6: the set 0b1000010. With a hand of Guard and King
the plays that lay the Guard are these two; to lay the King is the set of PLAY_KING alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kibitz.games.love_letter.cards import COUNTESS, GUARD, KING, PRINCE, PRINCESS
from kibitz.jit.kernels import inlined
from kibitz.solvers.love_letter.public_states import (
    ANY,
    BY_CARD,
    GUARD_NAMES,
    GUARD_NAMES_NOBODY,
    PLAY_BARON,
    PLAY_KING,
    PLAY_PRINCESS,
    PRINCE_ON_OTHER,
    PRINCE_ON_SELF,
    bit,
)
from kibitz.solvers.love_letter.state_keys import (
    COUNTS,
    HIGHEST,
    LOWEST,
    PROTECTED,
    THEIRS_AT,
    is_single,
    total_in,
)

GUARD_LANE, PRINCE_LANE = GUARD - 1, PRINCE - 1
COUNTESS_LANE, PRINCESS_LANE = COUNTESS - 1, PRINCESS - 1
NOT_BESIDE_COUNTESS = bit(PRINCE) | bit(KING)
SINGLE_PLAY = np.array([1 << BY_CARD.get(lane + 1, 0) for lane in range(PRINCESS_LANE)] + [0])
"""Of the cards that can be played in one way only, as a set. The Princess is not played."""
NAMES = (1 << GUARD_NAMES) - 1
"""The plays that name a card."""
BOTH_PRINCES = 1 << PRINCE_ON_OTHER | 1 << PRINCE_ON_SELF
EXCHANGES = BOTH_PRINCES | 1 << PLAY_KING | 1 << PLAY_PRINCESS
"""After these the hands that are compared are not those that were retained."""


class PlayConstraints(NamedTuple):
    """What decides, in a state, which plays are considered: sets of plays, and lanes."""

    guard: int
    """What a Guard may be played as."""
    prince: int
    hit: int
    """Naming the card that the other holds for sure."""
    compares: int
    """Plays after which hands are compared, unless a Guard hits."""
    lowest: int
    highest: int
    """What the other may hold."""
    is_last: bool
    """This is the last turn."""


@inlined
def play_constraints(key: int) -> Any:
    theirs = key >> THEIRS_AT & ANY
    is_protected = key & PROTECTED != 0
    is_last = total_in(key & COUNTS) == 4
    # Plays below GUARD_NAMES name the lanes from 1 on.
    guard = 1 << GUARD_NAMES_NOBODY if is_protected or theirs >> 1 == 0 else theirs >> 1
    prince = 1 << PRINCE_ON_SELF if is_protected else BOTH_PRINCES
    hit = theirs >> 1 if is_single(theirs) else 0
    compares = 0 if is_protected else 1 << PLAY_BARON
    if is_last:
        compares = ~EXCHANGES
        if is_protected:
            compares |= 1 << PLAY_KING
    return PlayConstraints(guard, prince, hit, compares, LOWEST[theirs], HIGHEST[theirs], is_last)


@inlined
def _plays(now: Any, laid: int, retained: int) -> int:
    """Rules 4.7 and 5, and reduction B."""
    if laid == GUARD_LANE:
        return now.guard
    if retained == COUNTESS_LANE and 1 << laid & NOT_BESIDE_COUNTESS != 0:
        return 0
    return now.prince if laid == PRINCE_LANE else SINGLE_PLAY[laid]


@inlined
def _winning(now: Any, retained: int) -> int:
    return now.hit | now.compares if retained > now.highest else now.hit


@inlined
def _losing(now: Any, retained: int) -> int:
    lost = now.compares & ~NAMES if retained < now.lowest else 0
    return lost | 1 << PRINCE_ON_SELF if retained == PRINCESS_LANE else lost


@inlined
def considered(now: Any, low: int, high: int) -> Any:
    """The plays that lay the low card, and those that lay the high one, after reductions B, C
    and E. The first of several equal ones is the first that lays the low card."""
    lays_low = _plays(now, low, high)
    lays_high = _plays(now, high, low) if low != high else 0
    wins_low = lays_low & _winning(now, high)
    wins_high = lays_high & _winning(now, low)
    if wins_low != 0:
        return wins_low & -wins_low, 0
    if wins_high != 0:
        return 0, wins_high & -wins_high
    safe_low = lays_low & ~_losing(now, high)
    safe_high = lays_high & ~_losing(now, low)
    if safe_low | safe_high == 0:
        if lays_low != 0:
            return lays_low & -lays_low, 0
        return 0, lays_high & -lays_high
    if now.is_last and safe_low & now.compares != 0:
        # The high card is retained where hands are compared. A Guard names what may beat it.
        named = safe_low & NAMES
        useful = named >> max(high - 1, 0) << max(high - 1, 0)
        if useful == 0:
            useful = named & -named
        return safe_low & ~NAMES | useful, safe_high & ~now.compares
    return safe_low, safe_high
