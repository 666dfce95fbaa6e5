"""The rules of Love Letter, RULES.md, compiled: for each record that a round may be kept in.

They are templates with two slots: `record` says how the cards of each seat are kept, `learning`
what the seats learn. `kernels.py` fills them for the record in state.py, from which views are made;
`lean.py` for one without all that only views need, for games that are played out. So there is one
source of the rules, and what they make of a round is the same in both.

How a play is a number is in plays.py; how a round is set up in dealing.py. All of them are compiled
into what calls them: a call costs as much as the half of a turn.
"""

from typing import Any

import numpy as np

from kibitz.games.love_letter.cards import (
    BARON,
    COUNTESS,
    GUARD,
    HANDMAID,
    KING,
    PRIEST,
    PRINCE,
    PRINCESS,
)
from kibitz.games.love_letter.dealing import draw
from kibitz.games.love_letter.plays import code_of
from kibitz.games.love_letter.state import TIE_NONE, TIE_RANDOM, bits, nth_bit, unpack
from kibitz.jit.kernels import Slot, inlined
from kibitz.jit.rng import below

record: Any = Slot("record")
"""Where the cards of each seat are: see state.py and lean_state.py."""
learning: Any = Slot("learning")
"""What the seats learn of the others' hands: see knowledge.py and no_knowledge.py."""

NEVER_AT_RANDOM = PRINCESS
"""The play that the random strategy never makes."""


def _plays(card: int, seats: list[int]) -> list[int]:
    """The plays of a card when these seats can be named. Rules 4.1, 5.1, 5.2, 5.4 and 5.5."""
    guesses = range(PRIEST, PRINCESS + 1) if card == GUARD else (0,)
    named = [code_of(card, seat, guess) for seat in seats for guess in guesses]
    bare = card in (HANDMAID, COUNTESS, PRINCESS) or not seats
    return [code_of(card)] if bare else named


WAYS = np.zeros((16, 16), np.int64)
PLAYS = np.zeros((16, 16, 21), np.int64)
"""PLAYS[card, seats that can be named, i] for i < WAYS[card, seats]: no branches to mispredict.
An unknown card has no plays."""
for _card in range(1, 9):
    for _mask in range(16):
        _codes = _plays(_card, [seat for seat in range(4) if _mask >> seat & 1])[:21]
        WAYS[_card, _mask] = len(_codes)
        PLAYS[_card, _mask, : len(_codes)] = _codes


# -- plays -------------------------------------------------------------------------------


@inlined
def targets(x: Any) -> int:
    """A bit for each other seat that can be named. Rules 5.1 and 5.3."""
    return x.inside & ~x.protected & ~(1 << x.turn)


@inlined
def nameable(x: Any, card: int) -> int:
    """A bit for each seat that a card can name: the Prince can name oneself. Rule 5.2."""
    return targets(x) | ((card == PRINCE) << x.turn)


@inlined
def choice(x: Any) -> tuple[int, int]:
    """The cards that may be played, lower first; 0 for none. Rules 3.4 and 4.7."""
    a, b = record.hand_of(x, x.turn), x.drawn
    low, high = min(a, b), max(a, b)
    forced = (high == COUNTESS) & (low >= PRINCE)
    return 0 if forced | (low == high) else low, high


@inlined
def count(s: Any) -> int:
    """How many plays are legal."""
    x = s[0]
    low, high = choice(x)
    return WAYS[low, nameable(x, low)] + WAYS[high, nameable(x, high)]


@inlined
def nth(s: Any, i: int) -> int:
    """Legal play number i: the lower card first, then by target, then by guess."""
    x = s[0]
    low, high = choice(x)
    lower = WAYS[low, nameable(x, low)]
    if i < lower:
        return PLAYS[low, nameable(x, low), i]
    return PLAYS[high, nameable(x, high), i - lower]


@inlined
def pick(s: Any, rng: Any) -> int:
    """A legal play, each as likely: as nth and count, but looking at the hand once."""
    x = s[0]
    low, high = choice(x)
    low_seats, high_seats = nameable(x, low), nameable(x, high)
    lower = WAYS[low, low_seats]
    i = below(rng, lower + WAYS[high, high_seats])
    return PLAYS[low, low_seats, i] if i < lower else PLAYS[high, high_seats, i - lower]


@inlined
def write(s: Any, plays: Any) -> tuple[int, int]:
    """Write the legal plays into an array, in the order of nth; from where to where, or -1 if it
    is too short."""
    x = s[0]
    low, high = choice(x)
    low_seats, high_seats = nameable(x, low), nameable(x, high)
    lower, n = WAYS[low, low_seats], WAYS[low, low_seats] + WAYS[high, high_seats]
    if n > len(plays):
        return 0, -1
    for i in range(lower):
        plays[i] = PLAYS[low, low_seats, i]
    for i in range(lower, n):
        plays[i] = PLAYS[high, high_seats, i - lower]
    return 0, n


@inlined
def mover(s: Any) -> int:
    return s[0].turn & 3  # a seat: so a compiler sees that chance never moves


@inlined
def over(s: Any) -> bool:
    return s[0].over != 0


@inlined
def apply(s: Any, play: int) -> None:
    """Make a legal play. Rules 3, 4 and 6."""
    x = s[0]
    me = x.turn
    card, target, guess = unpack(play)
    lay_down(x, me, card)
    if card == PRINCESS:
        leave(x, me)
    elif card == HANDMAID:
        x.protected |= 1 << me
    elif target >= 0:
        if card == GUARD:
            guard(x, target, guess)
        elif card == PRIEST:
            learning.learn_card(x, me, target, record.hand_of(x, target))
        elif card == BARON:
            baron(x, me, target)
        elif card == PRINCE:
            prince(x, target)
        elif card == KING:
            king(x, me, target)
    pass_on(x)


@inlined
def lay_down(x: Any, me: int, card: int) -> None:
    """Move the played card to the discards."""
    held = record.hand_of(x, me)
    if card == held:
        record.give(x, me, x.drawn)
    x.drawn = 0
    record.discard(x, me, card)
    learning.learn_play(x, me, card, held)


@inlined
def leave(x: Any, seat: int) -> None:
    """A seat goes out and lays its hand open. Rule 6.1."""
    card = record.hand_of(x, seat)
    record.discard(x, seat, card)
    record.give(x, seat, 0)
    x.inside &= ~(1 << seat)
    x.protected &= ~(1 << seat)
    learning.learn_exit(x, seat, card)


@inlined
def guard(x: Any, target: int, guess: int) -> None:
    if record.hand_of(x, target) == guess:
        leave(x, target)
    else:
        learning.learn_wrong_guess(x, target, guess)


@inlined
def baron(x: Any, me: int, target: int) -> None:
    mine, his = record.hand_of(x, me), record.hand_of(x, target)
    if mine == his:
        learning.learn_draw(x, me, target, mine)
    else:
        loser = me if mine < his else target
        leave(x, loser)
        learning.learn_winner(x, me + target - loser, min(mine, his))


@inlined
def prince(x: Any, target: int) -> None:
    card = record.hand_of(x, target)
    if card == PRINCESS:
        leave(x, target)
        return
    record.discard(x, target, card)
    learning.lay_open(x, target, card)
    if x.left > 0:
        record.give(x, target, x.deck & 15)
        x.deck >>= 4
        x.left -= 1
    else:
        record.give(x, target, x.aside)
        x.aside = 0


@inlined
def king(x: Any, me: int, target: int) -> None:
    mine, his = record.hand_of(x, me), record.hand_of(x, target)
    record.give(x, me, his)
    record.give(x, target, mine)
    learning.learn_swap(x, me, target, mine, his)


@inlined
def pass_on(x: Any) -> None:
    """The next seat's turn, or the end of the round. Rules 3.3, 7.1 and 7.2."""
    if bits(x.inside) == 1 or x.left == 0:
        finish(x)
        return
    seat = x.turn
    while True:
        seat = seat + 1 if seat + 1 < x.players else 0
        if (x.inside >> seat) & 1:
            break
    x.turn = seat
    draw(x)


# -- the end -----------------------------------------------------------------------------


@inlined
def keep_highest(x: Any, strengths: int) -> None:
    """Of the best seats keep those with the highest strength: a byte for each seat."""
    highest = 0
    for seat in range(x.players):
        if (x.best >> seat) & 1:
            highest = max(highest, (strengths >> (8 * seat)) & 255)
    for seat in range(x.players):
        if (strengths >> (8 * seat)) & 255 < highest:
            x.best &= ~(1 << seat)


@inlined
def finish(x: Any) -> None:
    """Who has won. Rules 7.1 to 7.4."""
    x.over = 1
    x.best = x.inside
    if bits(x.best) > 1:
        keep_highest(x, record.strengths_held(x))
    if bits(x.best) > 1:
        keep_highest(x, record.strengths_spent(x))
    x.won = x.best
    tied = bits(x.best)
    if tied > 1:
        if x.tie == TIE_NONE:
            x.won = 0
        elif x.tie == TIE_RANDOM:
            x.won = 1 << nth_bit(x.best, x.lot % tied)


@inlined
def returns(s: Any, out: Any) -> None:
    """1 for a sole winner, shared by several; the others pay for it in equal parts."""
    x = s[0]
    winners = bits(x.won)
    share = x.players / max(winners, 1)
    part = 1.0 / (x.players - 1)
    for seat in range(x.players):
        out[seat] = (((x.won >> seat) & 1) * share - 1.0) * part if winners > 0 else 0.0


@inlined
def points(s: Any, out: Any) -> None:
    """What the round adds to a match. Rule 8.1."""
    for seat in range(s[0].players):
        out[seat] = (s[0].won >> seat) & 1


@inlined
def next_first(s: Any, rng: Any) -> int:
    """Who starts the next round. Rule 8.2."""
    x = s[0]
    among = x.won if bits(x.won) == 1 else x.best
    return nth_bit(among, below(rng, bits(among)))
