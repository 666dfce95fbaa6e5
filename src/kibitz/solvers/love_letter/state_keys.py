"""A public state as one whole number, its *key*, and what a turn makes of it.

The textbook twin is `PublicState` in `public_states.py`. The places of a key, from the lowest bit:

    32 bits   how many of each card are unseen: four bits a card, Guard first
     8 bits   `mine`: what the player to move may hold, a bit for each card
     8 bits   `theirs`
     3 bits   `protected`, `mine_uniform`, `theirs_uniform`

No two states have the same key. Cards are lanes here, from 0 for the Guard to 7 for the Princess,
unless something else is said. `counts` are the first 32 bits alone.

Example: unseen are two Guards, a Baron and a Princess; the other holds the Princess for sure.

    >>> public = PublicState((2, 0, 1, 0, 0, 0, 0, 1), False, 0b101, 0b1000_0000, False, True)
    >>> f"{key_of(public):x}"
    '4800510000102'
    >>> state_of(key_of(public)) == public
    True
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.games.love_letter.cards import PRINCESS
from kibitz.jit.kernels import inlined
from kibitz.jit.vectors import LANES
from kibitz.solvers.love_letter.public_states import (
    ANY,
    GUARD_NAMES,
    LAID,
    OVER,
    PLAY_BARON,
    PLAY_HANDMAID,
    PLAY_KING,
    PLAY_PRIEST,
    PRINCE_ON_OTHER,
    PRINCE_ON_SELF,
    PublicState,
    bit,
)

COUNT_BITS = 4
MOST_COPIES = (1 << COUNT_BITS) - 1
COUNTS = (1 << COUNT_BITS * LANES) - 1
MINE_AT = COUNT_BITS * LANES
THEIRS_AT = MINE_AT + LANES
PROTECTED = 1 << THEIRS_AT + LANES
MINE_UNIFORM, THEIRS_UNIFORM = 2 * PROTECTED, 4 * PROTECTED
BOTH_UNIFORM = MINE_UNIFORM | THEIRS_UNIFORM

IMPOSSIBLE = -2
"""Instead of a key: nobody can hold such cards."""
NOT_SEEN = 1
"""Cards that may come to light: a set with this bit for none at all, then one for each card."""

LAID_LANE = np.array([card - 1 for card in LAID])
LOWEST = np.array([(n & -n).bit_length() - 1 for n in range(2 << LANES)])
HIGHEST = np.array([n.bit_length() - 1 for n in range(2 << LANES)])
"""The lowest and the highest bit of a set; of the empty one -1."""
NOT_PRINCESS = ANY & ~bit(PRINCESS)
BYTES, EACH_BYTE = 0x0F0F0F0F, 0x01010101


def key_of(public: PublicState) -> int:
    assert max(public.unseen) <= MOST_COPIES and not public.shown
    counts = sum(n << COUNT_BITS * lane for lane, n in enumerate(public.unseen))
    flags = (
        PROTECTED * public.protected
        | MINE_UNIFORM * public.mine_uniform
        | THEIRS_UNIFORM * public.theirs_uniform
    )
    return counts | public.mine << MINE_AT | public.theirs << THEIRS_AT | flags


def state_of(key: int) -> PublicState:
    return PublicState(
        tuple(key >> COUNT_BITS * lane & MOST_COPIES for lane in range(LANES)),
        key & PROTECTED > 0,
        key >> MINE_AT & ANY,
        key >> THEIRS_AT & ANY,
        key & MINE_UNIFORM > 0,
        key & THEIRS_UNIFORM > 0,
    )


# -- parts of a key ------------------------------------------------------------------------


@inlined
def count_in(counts: int, lane: int) -> int:
    return counts >> COUNT_BITS * lane & MOST_COPIES


@inlined
def total_in(counts: int) -> int:
    """Unseen cards in all: the sums of neighbours, then of the four bytes in the highest one."""
    pairs = (counts & BYTES) + (counts >> COUNT_BITS & BYTES)
    return pairs * EACH_BYTE >> 24 & 0xFF


@inlined
def is_single(cards: int) -> bool:
    return cards != 0 and cards & (cards - 1) == 0


@inlined
def possible_in(counts: int, mine: int, theirs: int) -> Any:
    """What each may hold, as `public_states.possible` says. Once a card has been taken out the
    two have none in common, so that there is nothing to repeat."""
    there = 0
    for lane in range(LANES):
        if count_in(counts, lane) > 0:
            there |= 1 << lane
    mine &= there
    theirs &= there
    if mine & theirs != 0:
        if is_single(theirs) and count_in(counts, LOWEST[theirs]) == 1:
            mine &= ~theirs
        elif is_single(mine) and count_in(counts, LOWEST[mine]) == 1:
            theirs &= ~mine
    return mine, theirs


# -- turns ---------------------------------------------------------------------------------


@inlined
def seen_by(key: int, play: int, retained: int) -> Any:
    """Which cards may come to light by a play: of those that may be retained (a set), and of the
    other's. Sets with NOT_SEEN."""
    theirs = key >> THEIRS_AT & ANY
    seen, shown = NOT_SEEN, NOT_SEEN
    if play == PRINCE_ON_SELF:
        seen = (retained & NOT_PRINCESS) << 1
    elif key & PROTECTED != 0:
        pass
    elif play == PLAY_PRIEST:
        shown = theirs << 1
    elif play == PRINCE_ON_OTHER:
        shown = (theirs & NOT_PRINCESS) << 1
    elif play == PLAY_KING:
        seen, shown = retained << 1, theirs << 1
    elif play == PLAY_BARON:  # the round goes on if both are equal
        seen, shown = (retained & theirs) << 1, (retained & theirs) << 1
    return seen, shown


@inlined
def key_after(key: int, play: int, retained: int, seen: int, shown: int) -> int:
    """The state after a play, or OVER, or IMPOSSIBLE. `retained`: the cards that may be; `seen`,
    `shown`: which of them and which of the other's has come to light, from 1 for the Guard, else
    0.

    A card that was seen is known, one that the Prince brings is anybody's guess: either way its
    distribution does not depend on the policies, so that range is uniform.
    """
    counts = (key & COUNTS) - (1 << COUNT_BITS * LAID_LANE[play])
    if shown != 0 and count_in(counts, shown - 1) <= (seen == shown):
        return IMPOSSIBLE
    mine = 1 << seen >> 1 if seen != 0 else retained
    theirs = 1 << shown >> 1 if shown != 0 else key >> THEIRS_AT & ANY
    if play < GUARD_NAMES:
        theirs &= ~(2 << play)
    elif play == PRINCE_ON_OTHER:
        counts -= 1 << COUNT_BITS * (shown - 1)
        theirs = ANY
    elif play == PRINCE_ON_SELF:
        counts -= 1 << COUNT_BITS * (seen - 1)
        mine = ANY
    elif play == PLAY_KING and seen != 0:
        mine, theirs = theirs, mine
    mine, theirs = possible_in(counts, mine, theirs)
    if mine == 0 or theirs == 0:
        return IMPOSSIBLE
    if total_in(counts) <= 3:
        return OVER
    after = counts | theirs << MINE_AT | mine << THEIRS_AT
    if play == PLAY_HANDMAID:
        after |= PROTECTED
    if shown != 0 or key & THEIRS_UNIFORM != 0 or is_single(theirs):
        after |= MINE_UNIFORM
    if seen != 0 or is_single(mine):
        after |= THEIRS_UNIFORM
    return after
