"""The codec of Love Letter: one action a play, with seats as the viewer counts them.

With two players there are 19 actions, with three 30, with four 41: for each card its plays, bare
first, then by the seat that it names, the next to the left first, then by the guess. The Prince
has no bare play; naming oneself comes first.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.games.codec import Feature
from kibitz.games.encoding import one_hot, part, place, spread
from kibitz.games.love_letter.cards import (
    ANY,
    COPIES,
    COUNTESS,
    FACE_UP,
    GUARD,
    HANDMAID,
    NAMES,
    PRIEST,
    PRINCE,
    PRINCESS,
    UNKNOWN,
)
from kibitz.games.love_letter.kernels import choice, nameable
from kibitz.games.love_letter.state import copies_in, pack, unpack
from kibitz.games.love_letter.views import unseen
from kibitz.jit.kernels import kernel

MOST_SEATS = 4
BARE = (HANDMAID, COUNTESS, PRINCESS)
SHARES = np.zeros((max(COPIES["published"]) + 1, 8))
"""SHARES[copies of the Guard, card - 1]: what one copy is of all. A division would cost more."""
for _copies in COPIES.values():
    SHARES[_copies[GUARD]] = [1 / number for number in _copies[1:]]


def _plays(players: int) -> list[tuple[int, int, int]]:
    """Card, seat and guess of each action. Seats are relative; -1: none is named."""
    plays = []
    for card in range(GUARD, PRINCESS + 1):
        seats = [] if card in BARE else list(range(1, players))
        plays.append((card, 0 if card == PRINCE else -1, 0))
        guesses = range(PRIEST, PRINCESS + 1) if card == GUARD else (0,)
        plays += [(card, seat, guess) for seat in seats for guess in guesses]
    return plays


MOST_ACTIONS = len(_plays(MOST_SEATS))
PLAYS = np.zeros((MOST_SEATS + 1, MOST_ACTIONS, 3), np.int64)
"""PLAYS[players, action]: the card, the seat or -1, the guess or 0."""
ACTIONS = np.full((MOST_SEATS + 1, PRINCESS + 1, MOST_SEATS + 1, PRINCESS + 1), -1, np.int64)
"""The other way: ACTIONS[players, card, seat + 1, guess]."""
LEGAL = np.zeros((MOST_SEATS + 1, UNKNOWN + 1, 1 << MOST_SEATS), np.int64)
"""LEGAL[players, card, seats]: a bit for each action of a card when it can name these seats."""
for _players in range(2, MOST_SEATS + 1):
    for _action, (_card, _seat, _guess) in enumerate(_plays(_players)):
        PLAYS[_players, _action] = _card, _seat, _guess
        ACTIONS[_players, _card, _seat + 1, _guess] = _action
        for _seats in range(1 << _players):
            _named = _seats >> _seat & 1 if _seat >= 0 else not _seats or _card in BARE
            LEGAL[_players, _card, _seats] |= int(_named) << _action


def actions(game: Any) -> Sequence[str]:
    return [_name(*play) for play in _plays(game.players)]


def _name(card: int, seat: int, guess: int) -> str:
    """As a play's text, but with a relative seat: `guard>+1=priest`, `prince>self`."""
    target = "" if seat < 0 else ">self" if seat == 0 else f">+{seat}"
    return NAMES[card] + target + (f"={NAMES[guess]}" if guess else "")


def features(game: Any) -> Sequence[Feature]:
    n, cards = game.players, "Guard to Princess"
    two = n == 2
    may = [
        Feature(f"may hold +{seat}", 8, "the cards that this seat may hold, by rules 9.2 to 9.8")
        for seat in range(1, n)
    ]
    return (
        Feature("kept", 8, f"the card that one holds besides the drawn one: {cards}"),
        Feature("drawn", 8, "the card that one has drawn, when it is one's turn"),
        *may,
        *[Feature("shown", 8, "the cards that the other may take one's own for")] * two,
        *(
            Feature(f"discards +{seat}", 8, "what lies before this seat, of all copies of a card")
            for seat in range(n)
        ),
        *[Feature("face up", 8, "the three cards that lie face up, of all copies")] * two,
        Feature("unseen", 8, "the cards that one has not seen, of all copies"),
        Feature("in", n, "the seats in the round, one's own first"),
        Feature("protected", n, "the seats that nobody can name"),
        Feature("turn", n, "a 1 for the seat to move"),
        Feature("deck", 1, "cards left to draw, of sixteen"),
        Feature("aside", 1, "whether the card aside is still there"),
    )


def worst(game: Any) -> float:
    return -1.0


def longest(game: Any) -> tuple[int, int]:
    """Each turn draws a card from what is left of the deck after the deal. Rules 2.1 to 2.4."""
    dealt = 1 + game.players + (FACE_UP if game.players == 2 else 0)
    most = sum(game.copies) - dealt
    return most, most


@kernel
def turned(seats: int, viewer: int, players: int) -> int:
    """A set of seats as the viewer counts them."""
    return ((seats >> viewer) | (seats << (players - viewer))) & ((1 << players) - 1)


@kernel
def cards_at(v: Any, viewer: int, nth: int) -> int:
    """A bit for each card that some combination in the viewer's worlds has at a place."""
    if v.players == 2:
        return v.worlds[viewer, 0] & ANY
    cards = np.int64(0)
    for i in range(8 if v.players == 4 else 1):
        word = v.worlds[viewer, i]
        if nth == 2:
            cards |= np.int64(word != 0) << i
        elif nth == 0:
            for byte in range(8):
                cards |= (word >> (8 * byte)) & ANY
        else:
            for byte in range(8):
                cards |= np.int64((word >> (8 * byte)) & ANY != 0) << byte
    return int(cards)


@kernel
def may_hold(v: Any, viewer: int, nth: int) -> int:
    """A bit for each card that the seat at a place may hold; 0 if it is out."""
    other = viewer + 1 + nth
    card = v.hand[other if other < v.players else other - v.players]
    if card == 0:
        return 0
    return cards_at(v, viewer, nth) if card == UNKNOWN else 1 << (card - 1)


@kernel
def counted(v: Any, counts: int, out: Any, at: int) -> int:
    """How many of each card, of all its copies."""
    shares = SHARES[v.copies]
    for card in range(8):
        out[at + card] = copies_in(counts, card + 1) * shares[card]
    return at + 8


@kernel
def encode(v: Any, seat: int, chosen: int, out: Any) -> None:
    """See `features`. Rules 9.1 to 9.8."""
    x = v[0]
    n = x.players
    mine = x.turn == seat
    at = one_hot(out, 0, 8, x.hand[seat] - 1)
    at = one_hot(out, at, 8, (x.drawn if mine else 0) - 1)
    for nth in range(n - 1):
        at = spread(out, at, 8, may_hold(x, seat, nth))
    if n == 2:
        at = spread(out, at, 8, x.worlds[1 - seat, 0] if x.hand[seat] > 0 else 0)
    for i in range(n):
        at = counted(x, x.spent[seat + i if seat + i < n else seat + i - n], out, at)
    if n == 2:
        at = counted(x, x.face_up, out, at)
    at = counted(x, unseen(x, seat), out, at)
    at = spread(out, at, n, turned(x.inside, seat, n))
    at = spread(out, at, n, turned(x.protected, seat, n))
    at = one_hot(out, at, n, -1 if x.over else place(x.turn, seat, n))
    at = part(out, at, x.left, 16)
    out[at] = x.aside > 0


@kernel
def action_of(v: Any, seat: int, chosen: int, play: int) -> int:
    n = v[0].players
    card, target, guess = unpack(play)
    return ACTIONS[n, card, place(target, seat, n) + 1, guess]


@kernel
def play_of(v: Any, seat: int, action: int) -> int:
    n = v[0].players
    card, target, guess = PLAYS[n, action, 0], PLAYS[n, action, 1], PLAYS[n, action, 2]
    if target < 0:
        return pack(card, -1, 0)
    named = seat + target if seat + target < n else seat + target - n
    return pack(card, named, guess)


@kernel
def mask(v: Any, seat: int, chosen: int, out: Any) -> None:
    """By two look-ups, one for each card that may be played."""
    x = v[0]
    n = x.players
    low, high = choice(x)
    legal = LEGAL[n, low, turned(nameable(x, low), seat, n)]
    legal |= LEGAL[n, high, turned(nameable(x, high), seat, n)]
    for action in range(8 + 11 * (n - 1)):
        out[action] = (legal >> action) & 1
