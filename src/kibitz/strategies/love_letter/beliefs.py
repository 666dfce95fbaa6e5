"""What the others in Love Letter hold, given how they have played.

For every other seat the probability of each card is carried on from turn to turn, as in a
hidden Markov model: he held a card, drew one of the unseen, and a model of him says how likely
the play that he made was with these two; then what was seen since counts. The model is the
greedy strategy, but for some noise: with the probability of the option `noise` he plays anything.

With two players this is exact for the model. With more, each seat is followed on its own, and
what others were shown of each other is left out.
"""

from typing import Any

import numpy as np

from kibitz.games.love_letter import possible_hands
from kibitz.games.love_letter.cards import KING, PRINCE, UNKNOWN
from kibitz.games.love_letter.kernels import choice, count, redeal
from kibitz.games.love_letter.state import copies_in, one, unpack
from kibitz.games.love_letter.views import unseen
from kibitz.jit.kernels import inlined, kernel
from kibitz.jit.rng import unit
from kibitz.search.fast.worlds import read_belief_options
from kibitz.strategies.love_letter.greedy import choose as greedy_choose

GREEDY = 1
"""The one model of the game's `beliefs`."""
SIZE = 36
"""Numbers of a belief: nine for each seat, by card."""
TRIES = 100
weight_index = inlined(possible_hands.weight_index)


@kernel
def prepare(view: Any, seat: int, past: Any, plays: Any, numbers: Any, belief: Any) -> None:
    """Fill the belief: belief[weight_index(other, card)] is how much more likely that card is
    than by counting alone."""
    for i in range(SIZE):
        belief[i] = 1.0
    if len(past) == 0:
        return
    hands = np.zeros((4, 9))
    follow(view, seat, past, plays, read_belief_options(numbers).noise, hands)
    counts = unseen(view[0], seat)
    for other in range(view[0].players):
        if other == seat or view[0].hand[other] != UNKNOWN:
            continue
        here = hands[other]
        most = 0.0
        for card in range(1, 9):
            copies = copies_in(counts, card)
            here[card] = here[card] / copies if copies > 0 else 0.0
            most = max(most, here[card])
        for card in range(1, 9):
            belief[weight_index(other, card)] = here[card] / most if most > 0 else 1.0


@kernel
def follow(view: Any, seat: int, past: Any, plays: Any, noise: float, hands: Any) -> None:
    """The probability, up to a factor, of each card in every other seat's hand now."""
    seen = past[0:1].copy()
    for other in range(view[0].players):
        fresh(past[0:1], seat, hands[other])
    for i in range(len(past)):
        before = past[i : i + 1]
        after = past[i + 1 : i + 2] if i + 1 < len(past) else view
        mover = before[0].turn
        card, target, _ = unpack(plays[i])
        if mover != seat:
            his_turn(before, seat, mover, plays[i], noise, hands[mover], seen)
        if card == KING and target >= 0 and seat not in (mover, target):
            for c in range(1, 9):
                hands[mover, c], hands[target, c] = hands[target, c], hands[mover, c]
        for other in range(view[0].players):
            here = hands[other]
            if other == seat or after[0].hand[other] == 0:
                continue
            if after[0].hand[other] != UNKNOWN:
                for c in range(1, 9):
                    here[c] = 1.0 if c == after[0].hand[other] else 0.0
            elif card == PRINCE and target == other:
                fresh(after, seat, here)
            else:
                own_draws(before, after, seat, card == PRINCE and target == seat, here)
            only_possible(after, seat, other, here)


@kernel
def own_draws(before: Any, after: Any, seat: int, prince: bool, here: Any) -> None:
    """What the cards say that the seat itself has drawn: they are not in another hand."""
    b, a = before[0], after[0]
    drawn = a.drawn if a.turn == seat and b.turn != seat else 0
    for_prince = a.hand[seat] if prince else 0
    counts = unseen(a, seat)
    if drawn > 0:
        may_draw(counts, drawn, here)
        counts += one(drawn)
    if for_prince > 0:  # before the other one
        may_draw(counts, for_prince, here)


@kernel
def may_draw(left: int, drawn: int, here: Any) -> None:
    """A card was drawn, and these are left: by how many there were if one is in his hand."""
    for c in range(1, 9):
        here[c] *= copies_in(left, drawn) + (0 if c == drawn else 1)


@kernel
def fresh(view: Any, seat: int, here: Any) -> None:
    """A hand of which nothing is known but what is unseen."""
    counts = unseen(view[0], seat)
    for card in range(1, 9):
        here[card] = copies_in(counts, card)


@kernel
def only_possible(view: Any, seat: int, other: int, here: Any) -> None:
    """Leave out what the rules exclude (two players: also by failed guesses)."""
    counts = unseen(view[0], seat)
    total = 0.0
    for card in range(1, 9):
        known = view[0].hand[other] == card
        if not known and copies_in(counts, card) == 0:
            here[card] = 0.0
        if view[0].players == 2 and not (view[0].worlds[seat, 0] >> (card - 1)) & 1:
            here[card] = 0.0
        total += here[card]
    if total <= 0:  # the model was wrong altogether
        fresh(view, seat, here)
        return
    for card in range(1, 9):
        here[card] /= total


@kernel
def his_turn(
    before: Any, seat: int, other: int, play: int, noise: float, here: Any, seen: Any
) -> None:
    """He held a card, drew another, and made this play."""
    counts = unseen(before[0], seat)
    now = np.zeros(9)
    laid = unpack(play).card
    for held in range(1, 9):
        if here[held] <= 0:
            continue
        for drawn in range(1, 9):
            copies = copies_in(counts, drawn)
            if before[0].hand[other] == UNKNOWN and held == drawn:
                copies -= 1
            if copies <= 0 or (held != laid and drawn != laid):
                continue
            remaining = drawn if held == laid else held
            likely = how_likely(before, seat, other, held, drawn, play, noise, seen)
            now[remaining] += here[held] * copies * likely
    for card in range(1, 9):
        here[card] = now[card]


@kernel
def how_likely(
    before: Any, seat: int, other: int, held: int, drawn: int, play: int, noise: float, seen: Any
) -> float:
    """The probability of a play by the model, with these two cards in hand."""
    seen[0] = before[0]
    x = seen[0]
    x.hand[other] = held
    x.drawn = drawn
    for watched in range(x.players):
        shown = x.players == 2 and (x.known[other] >> watched) & 1
        if watched != other and x.hand[watched] > 0 and not shown:
            x.hand[watched] = UNKNOWN
    low, high = choice(x)
    if play & 15 not in (low, high):
        return 0.0  # the Countess would have had to be played
    any_play = noise / count(seen)
    nothing = np.zeros(1)
    past = seen[:0]
    plays = np.zeros(0, np.int64)
    rng = np.zeros(1, np.uint64)
    if greedy_choose(seen, other, past, plays, nothing, rng) == play:
        return 1.0 - noise + any_play
    return any_play


@kernel
def sample(
    view: Any, seat: int, past: Any, plays: Any, numbers: Any, belief: Any, rng: Any, world: Any
) -> None:
    """A world by its probability; after many tries, whatever was drawn last."""
    for _ in range(TRIES):
        redeal(view, seat, rng, world)
        fits = 1.0
        for other in range(view[0].players):
            if other != seat and view[0].hand[other] == UNKNOWN:
                fits *= belief[weight_index(other, world[0].hand[other])]
        if fits >= 1 or unit(rng) < fits:
            return
