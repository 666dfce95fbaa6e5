"""Love Letter compiled: the rules of RULES.md over the record in state.py.

How a play is a number is in plays.py; what the others learn from one in knowledge.py; what a seat
gets to see in views.py; how a round is set up in dealing.py.
"""

from typing import Any

import numpy as np

from kibitz.games.love_letter.cards import (
    ANY,
    BARON,
    COUNTESS,
    GUARD,
    HANDMAID,
    KING,
    PRIEST,
    PRINCE,
    PRINCESS,
)
from kibitz.games.love_letter.dealing import deal, draw, lay_out
from kibitz.games.love_letter.ends import evaluate
from kibitz.games.love_letter.knowledge import (
    allow_all,
    allow_any_after,
    everybody_learns,
    lay_open,
    learn_card,
    learn_equal,
    learn_trade,
    restrict_cards,
)
from kibitz.games.love_letter.plays import code_of
from kibitz.games.love_letter.state import STATE, TIE_NONE, TIE_RANDOM, bits, nth_bit, one, unpack
from kibitz.games.love_letter.validity import is_complete, is_valid
from kibitz.games.love_letter.views import observe, redeal, reshuffle
from kibitz.jit.kernels import kernel
from kibitz.jit.rng import below

__all__ = [
    "STATE",
    "allow_all",
    "deal",
    "evaluate",
    "is_complete",
    "is_valid",
    "lay_out",
    "observe",
    "redeal",
    "reshuffle",
]

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


@kernel
def targets(x: Any) -> int:
    """A bit for each other seat that can be named. Rules 5.1 and 5.3."""
    return x.inside & ~x.protected & ~(1 << x.turn)


@kernel
def nameable(x: Any, card: int) -> int:
    """A bit for each seat that a card can name: the Prince can name oneself. Rule 5.2."""
    return targets(x) | ((card == PRINCE) << x.turn)


@kernel
def choice(x: Any) -> tuple[int, int]:
    """The cards that may be played, lower first; 0 for none. Rules 3.4 and 4.7."""
    a, b = x.hand[x.turn], x.drawn
    low, high = min(a, b), max(a, b)
    forced = (high == COUNTESS) & (low >= PRINCE)
    return 0 if forced | (low == high) else low, high


@kernel
def count(s: Any) -> int:
    """How many plays are legal."""
    x = s[0]
    low, high = choice(x)
    return WAYS[low, nameable(x, low)] + WAYS[high, nameable(x, high)]


@kernel
def nth(s: Any, i: int) -> int:
    """Legal play number i: the lower card first, then by target, then by guess."""
    x = s[0]
    low, high = choice(x)
    lower = WAYS[low, nameable(x, low)]
    if i < lower:
        return PLAYS[low, nameable(x, low), i]
    return PLAYS[high, nameable(x, high), i - lower]


@kernel
def pick(s: Any, rng: Any) -> int:
    """A legal play, each as likely: as nth and count, but looking at the hand once."""
    x = s[0]
    low, high = choice(x)
    low_seats, high_seats = nameable(x, low), nameable(x, high)
    lower = WAYS[low, low_seats]
    i = below(rng, lower + WAYS[high, high_seats])
    return PLAYS[low, low_seats, i] if i < lower else PLAYS[high, high_seats, i - lower]


@kernel
def mover(s: Any) -> int:
    return s[0].turn


@kernel
def over(s: Any) -> bool:
    return s[0].over != 0


@kernel
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
            learn_card(x, me, target, x.hand[target])
        elif card == BARON:
            baron(x, me, target)
        elif card == PRINCE:
            prince(x, target)
        elif card == KING:
            king(x, me, target)
    pass_on(x)


@kernel
def lay_down(x: Any, me: int, card: int) -> None:
    """Move the played card to the discards; what the others learn from it: rules 9.4 to 9.6."""
    old = x.hand[me]
    if card == old:
        x.hand[me] = x.drawn
    x.drawn = 0
    x.spent[me] += one(card)
    for viewer in range(x.players):
        if viewer == me:
            continue
        if card == old:
            x.known[viewer] &= ~(1 << me)
        allow_any_after(x, viewer, me, card)
        if card in (PRINCE, KING):
            restrict_cards(x, viewer, me, ANY & ~(1 << (COUNTESS - 1)))


@kernel
def leave(x: Any, seat: int) -> None:
    """A seat goes out and lays its hand open. Rule 6.1."""
    card = x.hand[seat]
    x.spent[seat] += one(card)
    x.hand[seat] = 0
    x.inside &= ~(1 << seat)
    x.protected &= ~(1 << seat)
    lay_open(x, seat, card)
    x.known[seat] = 0


@kernel
def guard(x: Any, target: int, guess: int) -> None:
    if x.hand[target] == guess:
        leave(x, target)
    else:
        everybody_learns(x, target, ANY & ~(1 << (guess - 1)))


@kernel
def baron(x: Any, me: int, target: int) -> None:
    mine, his = x.hand[me], x.hand[target]
    if mine == his:
        learn_card(x, me, target, his)
        learn_card(x, target, me, mine)
        for viewer in range(x.players):
            if viewer != me and viewer != target:
                learn_equal(x, viewer, me, target)
    else:
        loser = me if mine < his else target
        winner = me + target - loser
        lower = min(mine, his)
        leave(x, loser)
        everybody_learns(x, winner, ANY & ~((1 << lower) - 1))


@kernel
def prince(x: Any, target: int) -> None:
    card = x.hand[target]
    if card == PRINCESS:
        leave(x, target)
        return
    x.spent[target] += one(card)
    lay_open(x, target, card)
    if x.left > 0:
        x.hand[target] = x.deck & 15
        x.deck >>= 4
        x.left -= 1
    else:
        x.hand[target] = x.aside
        x.aside = 0


@kernel
def king(x: Any, me: int, target: int) -> None:
    mine, his = x.hand[me], x.hand[target]
    x.hand[me], x.hand[target] = his, mine
    for viewer in range(x.players):
        if viewer != me and viewer != target:
            learn_trade(x, viewer, me, target)
            seen = x.known[viewer]
            moved = (((seen >> me) & 1) << target) | (((seen >> target) & 1) << me)
            x.known[viewer] = (seen & ~((1 << me) | (1 << target))) | moved
    hands_over(x, me, target, his, mine)
    hands_over(x, target, me, mine, his)


@kernel
def hands_over(x: Any, viewer: int, seat: int, old: int, new: int) -> None:
    """The viewer gets a seat's old card and gives it a new one."""
    restrict_cards(x, viewer, seat, 1 << (old - 1))
    allow_any_after(x, viewer, seat, old)
    learn_card(x, viewer, seat, new)


@kernel
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


@kernel
def strength_spent(spent: int) -> int:
    total = 0
    for card in range(1, 9):
        total += card * (spent & 15)
        spent >>= 4
    return total


@kernel
def keep_highest(x: Any, strengths: Any) -> None:
    """Of the best seats keep those with the highest strength."""
    highest = -1
    for seat in range(x.players):
        if (x.best >> seat) & 1:
            highest = max(highest, strengths[seat])
    for seat in range(x.players):
        if strengths[seat] < highest:
            x.best &= ~(1 << seat)


@kernel
def finish(x: Any) -> None:
    """Who has won. Rules 7.1 to 7.4."""
    x.over = 1
    x.best = x.inside
    if bits(x.best) > 1:
        keep_highest(x, x.hand)
    if bits(x.best) > 1:
        sums = np.zeros(4, np.int64)
        for seat in range(4):
            sums[seat] = strength_spent(x.spent[seat])
        keep_highest(x, sums)
    x.won = x.best
    tied = bits(x.best)
    if tied > 1:
        if x.tie == TIE_NONE:
            x.won = 0
        elif x.tie == TIE_RANDOM:
            x.won = 1 << nth_bit(x.best, x.lot % tied)


@kernel
def returns(s: Any, out: Any) -> None:
    """1 for a sole winner, shared by several; the others pay for it in equal parts."""
    x = s[0]
    winners = bits(x.won)
    share = x.players / max(winners, 1)
    part = 1.0 / (x.players - 1)
    for seat in range(x.players):
        out[seat] = (((x.won >> seat) & 1) * share - 1.0) * part if winners > 0 else 0.0


@kernel
def points(s: Any, out: Any) -> None:
    """What the round adds to a match. Rule 8.1."""
    for seat in range(s[0].players):
        out[seat] = (s[0].won >> seat) & 1


@kernel
def next_first(s: Any, rng: Any) -> int:
    """Who starts the next round. Rule 8.2."""
    x = s[0]
    among = x.won if bits(x.won) == 1 else x.best
    return nth_bit(among, below(rng, bits(among)))
