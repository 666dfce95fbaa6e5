"""Types of opponents at a two-player game of Tablić: what each would play, and which of them the
other is, by how he has played.

The types are BEST, who plays well and as nobody can predict, and five who follow a rule: GREEDY,
HUMAN, GENETIC (by the thesis's genome), BACKTRACK and PIMC. GENETIC and BACKTRACK see both hands,
as anybody does in the last deal. PIMC searches the last deal as if the other were greedy; before
that it draws worlds by lot, and is taken for BEST, as is BACKTRACK, which takes long to predict.

**Recognition.** Bayes' rule over the plays of the other whose hand is known: when a deal is over
his hand was what he played in it, and in the last deal the unseen cards are his. With n = LIKELY
for the number of plays that he chose from, the likelihoods of a play are

    P(play | rule) = 1 - SLIP + SLIP / n      if the rule plays it, else SLIP / n
    P(play | BEST) = LIKE + (1 - LIKE) / n    if GREEDY plays it, else (1 - LIKE) / n

A type's probability is in proportion to its PRIOR times the product over all these plays. Example:
LIKELY = 10, SLIP = 0.05, LIKE = 0.5, and the other has played twice as greedy does and human does
not. GREEDY gets 0.955² = 0.912, HUMAN 0.005² = 0.000025, BEST 0.55² = 0.3025. With the priors 0.1,
0.1 and 0.4 that is 0.0912, 0.0000025 and 0.121: 43 %, 0 % and 57 % if there were no other types.

**Worlds.** In deals before the last a world is drawn for a type: his hand as likely as that type
would have played with it as he did in this deal (see beliefs.py); BEST is taken for a greedy
player who is often wrong.
"""

from typing import Any

import numpy as np

from kibitz.games.tablic import open_hands
from kibitz.games.tablic.capture_values import greedy_play, packed
from kibitz.games.tablic.cards import DECK
from kibitz.games.tablic.kernels import STATE, redeal
from kibitz.jit.kernels import kernel
from kibitz.jit.rng import unit
from kibitz.strategies.tablic import beliefs
from kibitz.strategies.tablic.backtrack import backtrack_play
from kibitz.strategies.tablic.beliefs import TRIES
from kibitz.strategies.tablic.deal_value import CARD, through_the_game, to_the_end_of_the_deal
from kibitz.strategies.tablic.genetic import genetic_play
from kibitz.strategies.tablic.human import human_play

BEST, GREEDY, HUMAN, GENETIC, BACKTRACK, PIMC = range(6)
TYPES = ("best play", "greedy", "human", "genetic", "backtrack", "pimc")
SIZE = len(TYPES)
FOLLOWS_PLAY = True
"""The worlds follow from how the others have played: see common/opponent_models.py."""
PRIOR = np.array([0.4, 0.1, 0.1, 0.1, 0.1, 0.2])
LIKELY, SLIP, LIKE = 10.0, 0.05, 0.5
UNKNOWN_SLIP, KNOWN_SLIP = 0.2, 0.02
"""How often a hand is taken for one with which the other would have played otherwise, when worlds
are drawn: if his type is not known, and if it is."""
GENOME = np.array([0.442331, 0.505713, 0.573743, 0.454097])
"""The thesis's, as strategies/genetic.py has it."""
SEARCH_WEIGHTS = np.array([to_the_end_of_the_deal("own"), through_the_game(CARD, 0.0)])
"""What the searchers count, BACKTRACK and PIMC."""
BUFFER = 2000
RECOGNISE = 2
"""Where in the policy's numbers stands whether the other is to be recognised."""


# -- what a type plays -----------------------------------------------------------------------


@kernel
def play_of(kind: int, hands: Any, table: int, hidden: int, forced: int, buffer: Any) -> int:
    """What a type but BACKTRACK plays with hands[0] against hands[1]; hidden: what it has not
    seen. All are packed. -1 if the buffer is too short."""
    if kind == HUMAN:
        return human_play(table, hands[0], hidden, forced)
    if kind == GENETIC:
        return genetic_play(table, hands, GENOME, forced, buffer)
    return greedy_play(table, hands[0])


@kernel
def prediction(before: Any, kind: int, hand: int, seat: int, buffer: Any) -> int:
    """What a type would have played with a hand, a set of cards, where `seat` saw `before`."""
    if kind >= BACKTRACK:
        open_view, position = np.zeros(1, STATE), np.zeros(1, open_hands.STATE)
        open_view[0] = before
        open_view[0].hand[1 - seat] = hand
        open_hands.set_up(open_view, position)
        return backtrack_play(position, SEARCH_WEIGHTS[kind - BACKTRACK])
    hands = np.empty(2, np.int64)
    hands[0], hands[1] = packed(hand), packed(before.hand[seat])
    hidden = packed(DECK & ~(seen_by_all(before) | hand))
    return play_of(kind, hands, packed(before.table), hidden, before.forced, buffer)


@kernel
def seen_by_all(x: Any) -> int:
    """The cards of two players' table and piles."""
    return x.table | x.pile[0] | x.pile[1]


# -- who he is -------------------------------------------------------------------------------


@kernel
def prepare(view: Any, seat: int, past: Any, plays: Any, numbers: Any, belief: Any) -> None:
    """The likelihood of each type, but for a factor. Without recognition all have the same."""
    belief[:] = 1.0
    if view[0].players != 2 or numbers[RECOGNISE] == 0:
        return
    x, dealt, hand = view[0], view[0].dealt, 0
    known = dealt >= 52
    if known:
        hand = DECK & ~(seen_by_all(x) | x.hand[seat])
    buffer = np.empty(BUFFER, np.int64)
    after = seen_by_all(x)
    for i in range(len(past) - 1, -1, -1):
        before = past[i]
        if before.dealt != dealt:  # an earlier deal, which is over
            dealt, hand, known = before.dealt, 0, True
        if before.turn != seat and known:
            hand |= after & ~seen_by_all(before)  # he held the card that he played
            weigh(belief, before, plays[i], hand, seat, buffer)
            if x.dealt >= 52:
                weigh_searchers(belief, before, plays[i], hand, seat, buffer)
        after = seen_by_all(before)
    if x.dealt < 52:
        belief[BACKTRACK:] = belief[BEST]


@kernel
def weigh(belief: Any, before: Any, play: int, hand: int, seat: int, buffer: Any) -> None:
    """Multiply the likelihoods of all types but the searchers by those of a play from a hand."""
    for kind in range(BACKTRACK):
        agrees = prediction(before, kind, hand, seat, buffer) == play
        belief[kind] *= chance_of(LIKE if kind == BEST else 1 - SLIP, agrees)


@kernel
def weigh_searchers(belief: Any, before: Any, play: int, hand: int, seat: int, buffer: Any) -> None:
    """The same for those that search. Before the last deal PIMC is as hard to predict as BEST."""
    agrees = prediction(before, BACKTRACK, hand, seat, buffer) == play
    belief[BACKTRACK] *= chance_of(1 - SLIP, agrees)
    counting = before.dealt >= 52
    agrees = prediction(before, PIMC if counting else GREEDY, hand, seat, buffer) == play
    belief[PIMC] *= chance_of(1 - SLIP if counting else LIKE, agrees)


@kernel
def chance_of(surely: float, agrees: bool) -> float:
    """How likely a play is to one who plays by a rule so often, and else anything."""
    return (surely if agrees else 0.0) + (1 - surely) / LIKELY


@kernel
def posterior(belief: Any) -> Any:
    """The probability of each type."""
    chances = PRIOR * belief
    return chances / chances.sum()


# -- worlds ----------------------------------------------------------------------------------


@kernel
def likelihood(
    world: Any, seat: int, past: Any, plays: Any, kind: int, enough: float, buffer: Any
) -> float:
    """How well the other's plays in this deal fit what he holds in a world, if he is a type; exact
    if it is more than `enough`, else an upper bound of it that is not."""
    if kind == BEST:
        return beliefs.likelihood(world, seat, past, plays, beliefs.GREEDY, UNKNOWN_SLIP)
    result = 1.0
    hand = world[0].hand[1 - seat]
    after = seen_by_all(world[0])
    for i in range(len(past) - 1, -1, -1):
        before = past[i]
        if before.dealt != world[0].dealt or result <= enough:
            break
        if before.turn != seat:
            hand |= after & ~seen_by_all(before)
            if prediction(before, kind, hand, seat, buffer) != plays[i]:
                result *= KNOWN_SLIP
        after = seen_by_all(before)
    return result


@kernel
def sample_for(
    view: Any, seat: int, past: Any, plays: Any, kind: int, rng: Any, world: Any
) -> None:
    """A world by its probability if the other is of this type; after many tries, the likeliest
    of those drawn."""
    redeal(view, seat, rng, world)
    if view[0].dealt >= 52 and view[0].players == 2:
        return  # it is the only one
    buffer = np.empty(BUFFER, np.int64)
    best = world.copy()
    most = -1.0
    for _ in range(TRIES):
        wanted = unit(rng)
        fits = likelihood(world, seat, past, plays, kind, min(wanted, most), buffer)
        if wanted < fits:
            return
        if fits > most:
            most = fits
            best[0] = world[0]
        redeal(view, seat, rng, world)
    world[0] = best[0]


@kernel
def drawn(chances: Any, at: float) -> int:
    """The type at a place from 0 to 1 where each takes as much room as it is likely; BEST for
    those that search."""
    for kind in range(SIZE):
        at -= chances[kind]
        if at < 0:
            return kind if kind < BACKTRACK else BEST
    return BEST


@kernel
def sample(
    view: Any, seat: int, past: Any, plays: Any, numbers: Any, belief: Any, rng: Any, world: Any
) -> None:
    """A world for a type that is drawn by lot."""
    kind = BEST
    if view[0].players == 2 and numbers[RECOGNISE] != 0:
        kind = drawn(posterior(belief), unit(rng))
    sample_for(view, seat, past, plays, kind, rng, world)
