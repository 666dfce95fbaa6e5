"""How the judge plays Love Letter on, and what it believes: a model of how strong players play.

**Plays.** A play is looked at by what it is, what it keeps, and what it does by the chances of the
others' cards. Its utility is a weighted sum of these parts, and the plays of a hand are drawn with
probabilities in proportion to e^utility (a multinomial logit; McFadden 1974). So are guesses. The
weights were fitted to games between flat Monte Carlo, ISMCTS and PIMC
(`python -m tests.strategies.write_play_model`).

**Beliefs.** The chances of the others' cards follow from their plays, by the same model. For each
seat and card a weight m says how much likelier the card is in that hand than by counting alone, to
everybody who has watched. Who has laid c and kept r held one of the two and drew the other, so with
n copies of each unseen

    P(kept r) ∝ P(lays c | c and r) · (m[r] + m[c]) · n[r] · n[c]        (m[c] alone if r = c)

and the new weight is all of it but n[r], which whoever looks counts for himself. Example: he laid a
Guard, m was 1, and the model lays the Guard with a Baron in 98 of 100 cases, with a Prince in 60:
the Baron's weight is to the Prince's as 98 to 60.

With two players this is exact for the model; what two of more players know of each other is left
out. It is quick and remembers nothing but the weights. It is no strategy: it draws lots as the
players differ who were watched, and does not look for the best play.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.games.love_letter import possible_hands
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
    UNKNOWN,
)
from kibitz.games.love_letter.kernels import nameable
from kibitz.games.love_letter.state import copies_in, one, pack, unpack
from kibitz.games.love_letter.views import unseen
from kibitz.jit.kernels import inlined, kernel
from kibitz.jit.rng import unit
from kibitz.strategies.love_letter.beliefs import SIZE, sample

__all__ = ["FOLLOWS_PLAY", "NAME", "SIZE", "choose", "prepare", "recall", "sample", "watch"]

NAME = "a model of strong players, who believe what the others' plays tell"
FOLLOWS_PLAY = True
"""It draws worlds by how the others have played."""
NOISE = 0.2
"""How often somebody is taken to play anything."""
PARTS = (
    "no effect", "guard", "priest", "baron", "handmaid", "prince", "king", "countess", "princess",
    "keeps 1", "keeps 2", "keeps 3", "keeps 4", "keeps 5", "keeps 6", "keeps 7", "keeps 8",
    "likeliest guess", "sure guess", "lower", "higher", "princess there", "card there",
    "prince on oneself", "better card there", "kept card is known",
)  # fmt: skip
NO_EFFECT, KEEPS = 0, 8  # a card's number is the place of its effect, and KEEPS + 1 of keeping a 1
HIT, SURE, LOWER, HIGHER, OUT, THERE, SELF, TRADE, KNOWN = range(17, 26)
STAGES = 4
"""No card left, up to two, up to five, more."""
GUESS_PARTS = (
    "chance",
    "by counting",
    "log chance",
    "log by counting",
    *(f"names {g}" for g in range(2, 9)),
)
SURELY = 0.999
MOST = 8
"""Plays of a hand, guesses aside."""
DESK = np.dtype(
    [
        ("p", np.float64, (4, 9)),  # the chances of each seat's card
        ("plays", np.int64, MOST),
        ("share", np.float64, MOST),  # the probabilities of these plays
        ("q", np.float64, 9),  # something of each card
        ("even", np.float64, SIZE),  # weights that tell nothing
    ]
)
"""What a decision is worked out on: one piece of memory, since each costs time."""
weight_index = inlined(possible_hands.weight_index)


def _weights() -> tuple[np.ndarray, np.ndarray]:
    """Of the parts of plays, float64[stage, part], and of guesses, float64[part]."""
    stored = json.loads(Path(__file__).with_name("play_weights.json").read_text("utf-8"))
    plays = np.array([stored["plays"][name] for name in PARTS]).T
    return np.ascontiguousarray(plays), np.array([stored["guesses"][name] for name in GUESS_PARTS])


PLAY_WEIGHTS, GUESS_WEIGHTS = _weights()


# -- what a play is ------------------------------------------------------------------------


@kernel
def stage_of(left: int) -> int:
    """How far the round has come, by the cards in the deck."""
    return 0 if left == 0 else 1 if left <= 2 else 2 if left <= 5 else 3


@kernel
def chances(counts: int, allowed: int, memory: Any, other: int, p: Any) -> None:
    """The probability of each card in a seat's hand, p[1] to p[8]; by counts alone if the weights
    leave nothing. allowed: a bit for each card that the rules don't exclude."""
    for weighed in (True, False):
        total = 0.0
        for card in range(1, 9):
            n = copies_in(counts, card) if (allowed >> (card - 1)) & 1 else 0
            p[card] = n * memory[weight_index(other, card)] if weighed else float(n)
            total += p[card]
        if total > 0:
            for card in range(1, 9):
                p[card] /= total
            return


@kernel
def utility(w: Any, me: int, card: int, kept: int, other: int, p: Any, known: int) -> float:
    """The sum of a play's parts, each times its weight in w[PARTS]. other: the seat it names, or
    -1; p: the chances of that seat's card; known: the own card that others know, or 0."""
    u = w[KEEPS + kept]
    if kept == known:
        u += w[KNOWN]
    if other == me:
        return u + w[SELF]
    if other < 0 and card in (GUARD, PRIEST, BARON, KING):
        return u + w[NO_EFFECT]
    u += w[card]
    if card == GUARD:
        likeliest = p[2:].max()
        u += w[HIT] * likeliest + (w[SURE] if likeliest > SURELY else 0.0)
    elif card == BARON:
        u += w[LOWER] * p[:kept].sum() + w[HIGHER] * p[kept + 1 :].sum()
    elif card in (PRINCE, KING):
        mean = 0.0
        for his in range(1, 9):
            mean += his * p[his] / 8
        if card == PRINCE:
            u += w[OUT] * p[PRINCESS] + w[THERE] * mean
        else:
            u += w[TRADE] * (mean - kept / 8)
    return u


@kernel
def options_of(x: Any, a: int, b: int, plays: Any) -> int:
    """Fill in the plays of these two cards, guesses aside; never the Princess by choice."""
    low, high = min(a, b), max(a, b)
    forced = high == COUNTESS and low >= PRINCE
    n = 0
    for card in (0 if forced or low == high else low, high):
        if card == 0 or (card == PRINCESS and low != high):
            continue
        named = nameable(x, card)
        if card in (HANDMAID, COUNTESS, PRINCESS) or named == 0:
            plays[n] = pack(card, -1, 0)
            n += 1
            continue
        for other in range(x.players):
            if (named >> other) & 1:
                plays[n] = pack(card, other, 0)
                n += 1
    return n


@kernel
def weigh(x: Any, a: int, b: int, known: int, desk: Any) -> int:
    """The plays of these two cards in the hand of who is to move, and their probabilities: fills
    so many of desk.plays and desk.share as are returned, by the chances in desk.p."""
    plays, share = desk.plays, desk.share
    n = options_of(x, a, b, plays)
    weights = PLAY_WEIGHTS[stage_of(x.left)]
    most = -1e9
    for i in range(n):
        card, other, _ = unpack(plays[i])
        share[i] = utility(weights, x.turn, card, a + b - card, other, desk.p[max(other, 0)], known)
        most = max(most, share[i])
    total = 0.0
    for i in range(n):
        share[i] = np.exp(share[i] - most)
        total += share[i]
    for i in range(n):
        share[i] /= total
    return n


# -- the policy ----------------------------------------------------------------------------


@kernel
def look(v: Any, seat: int, memory: Any, p: Any) -> None:
    """The chances of the others' cards as a seat sees them: float64[4, 9]."""
    counts = unseen(v, seat)
    allowed = v.worlds[seat, 0] if v.players == 2 else ANY
    for other in range(v.players):
        if other == seat or v.hand[other] == 0:
            continue
        if v.hand[other] != UNKNOWN:
            p[other, v.hand[other]] = 1.0
        else:
            chances(counts, allowed, memory, other, p[other])


@kernel
def known_card(v: Any, seat: int) -> int:
    """The card that the other has been shown; 0 if not, or with more players."""
    return v.hand[seat] if v.players == 2 and (v.known[1 - seat] >> seat) & 1 else 0


@kernel
def choose(view: Any, seat: int, memory: Any, numbers: Any, rng: Any) -> int:
    """A play, drawn by the model."""
    v = view[0]
    desk = np.zeros(1, DESK)[0]
    look(v, seat, memory, desk.p)
    n = weigh(v, v.hand[seat], v.drawn, known_card(v, seat), desk)
    play = desk.plays[drawn_by(desk.share, 0, n, rng)]
    card, other, _ = unpack(play)
    if card != GUARD or other < 0:
        return play
    desk.even[:] = 1.0
    allowed = v.worlds[seat, 0] if v.players == 2 else ANY
    chances(unseen(v, seat), allowed, desk.even, other, desk.q)
    weigh_guesses(desk.p[other], desk.q)
    return pack(card, other, drawn_by(desk.q, 2, 9, rng))


@kernel
def weigh_guesses(p: Any, q: Any) -> None:
    """Overwrite q[2] to q[8], the chances by counting, with the probabilities of the guesses. p:
    the chances by belief. What is not believed at all is not named, if there is anything else."""
    w = GUESS_WEIGHTS
    total = 0.0
    for card in range(2, 9):
        if p[card] > SURELY:
            q[card] = 1e9
        elif p[card] > 0 and q[card] > 0:
            u = w[0] * p[card] + w[1] * q[card] + w[2] * np.log(p[card]) + w[3] * np.log(q[card])
            q[card] = np.exp(u + w[2 + card])
        else:
            q[card] = 0.0
        total += q[card]
    for card in range(2, 9):
        q[card] = q[card] / total if total > 0 else 1 / 7


@kernel
def drawn_by(share: Any, start: int, end: int, rng: Any) -> int:
    """A place from start up to, not including, end, drawn by its share."""
    at = unit(rng)
    i = start
    while i < end - 1 and at >= share[i]:
        at -= share[i]
        i += 1
    while share[i] == 0 and i > start:  # rounding has led beyond the last share
        i -= 1
    return i


# -- what the plays tell -------------------------------------------------------------------


@kernel
def watch(before: Any, play: int, after: Any, memory: Any) -> None:
    """What everybody learns of a play: float64[SIZE], the weights of all seats, brought up to
    date. Of the two states nothing is read but what everybody sees."""
    x, y = before[0], after[0]
    me = x.turn
    card, target, guess = unpack(play)
    if card != PRINCESS:
        believe(x, play, memory)
    if target < 0:
        return
    if card == KING:
        for c in range(1, 9):
            i, j = weight_index(me, c), weight_index(target, c)
            memory[i], memory[j] = memory[j], memory[i]
    elif card == PRINCE:
        for c in range(1, 9):
            memory[weight_index(target, c)] = 1.0
    elif card == GUARD and y.hand[target] != 0:
        memory[weight_index(target, guess)] = 0.0
    elif card == BARON and y.inside != x.inside:
        loser = me if y.hand[me] == 0 else target
        laid = y.spent[loser] - x.spent[loser] - (one(BARON) if loser == me else 0)
        for c in range(1, 9):
            memory[weight_index(me + target - loser, c)] = (
                0.0 if c <= lowest(laid) else (memory[weight_index(me + target - loser, c)])
            )


@kernel
def lowest(counts: int) -> int:
    """The lowest card of some."""
    card = 1
    while copies_in(counts, card) == 0:
        card += 1
    return card


@kernel
def believe(x: Any, play: int, memory: Any) -> None:
    """The weights of who laid a card, by what he may have kept: the formula above."""
    me = x.turn
    card, target, _ = unpack(play)
    public = np.int64(0x11122220) + x.copies - x.face_up
    for seat in range(x.players):
        public -= x.spent[seat]
    desk = np.zeros(1, DESK)[0]
    p, new = desk.p, desk.q
    held_it = x.players == 2 and (x.known[1 - me] >> me) & 1 != 0  # it was known that he did
    for kept in range(1, 9):
        forced = kept == COUNTESS and card >= PRINCE and card != COUNTESS
        if forced or copies_in(public, kept) < (2 if kept == card else 1):
            continue
        for other in range(x.players):
            if other == me or x.hand[other] == 0:
                continue
            chances(public - one(card) - one(kept), ANY, memory, other, p[other])
            if x.players == 2 and (x.known[me] >> other) & 1:
                p[other, :] = 0.0
                p[other, PRIEST] = 1.0  # he knows the card, whatever it is
        n = weigh(x, card, kept, card if held_it else 0, desk)
        likely = NOISE / max(n, 1)
        for i in range(n):
            if desk.plays[i] == pack(card, target, 0):
                likely += (1 - NOISE) * desk.share[i]
        drawn_now = memory[weight_index(me, kept)] if kept != card else 0.0
        new[kept] = likely * (1.0 if held_it else memory[weight_index(me, card)] + drawn_now)
    most = new.max()
    for kept in range(1, 9):
        memory[weight_index(me, kept)] = new[kept] / most if most > 0 else 1.0


@kernel
def recall(now: Any, past: Any, plays: Any, memory: Any) -> None:
    """The weights after these turns, that led to a state: past[i] is the state or the view before
    plays[i]."""
    memory[:] = 1.0
    for i in range(len(past)):
        watch(past[i : i + 1], plays[i], past[i + 1 : i + 2] if i + 1 < len(past) else now, memory)


@kernel
def prepare(view: Any, seat: int, past: Any, plays: Any, numbers: Any, belief: Any) -> None:
    """For `sample`: how much likelier each card is than by counting alone."""
    recall(view, past, plays, belief)
