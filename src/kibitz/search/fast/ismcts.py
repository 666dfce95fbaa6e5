"""ISMCTS, information set Monte Carlo tree search, compiled.

The textbook version, with the paper, is `search/textbook/ismcts.py`. The tree here is one hash
table of *edges*: a play at a node, by a key of 64 bits. What a node is, is the only thing in
which the two kinds differ:

- one observer: the plays since the root, as the seat that searches sees them (Cowling, Powley
  and Whitehouse 2012, SO-ISMCTS). The others' plays do not depend on what they hold, but for
  what is legal.
- many observers: what the mover himself sees. So each seat has a tree of its own over its own
  information sets, all grown in the same worlds; the others' plays depend on their cards. As
  in MO-ISMCTS of the same paper, with the mover's hand told apart too.

An iteration deals a world, walks down by the upper confidence bound of the plays that are
legal in it, adds one edge, plays to the end by the rollout policy, and counts the result at
every edge it came through.
"""

from typing import Any

import numpy as np

from kibitz.jit.hashing import find_slot, mix, mix_words
from kibitz.jit.kernels import Slot, kernel, template
from kibitz.jit.rng import below, fork, unit
from kibitz.search.fast.rollouts import wander

game: Any = Slot("game")
worlds: Any = Slot("worlds")
"""Draws worlds: see worlds.py."""
guide: Any = Slot("guide")
"""A strategy's policy: choose(…), for rollouts; and promise(view, seat, play, numbers)."""

SIMULATIONS, EXPLORE, MANY_OBSERVERS, GUIDED, BIAS, OPTIONS = range(6)
"""Where in the numbers stands how many iterations, the constant of the bound, whether there
are many observers, the share of rollout plays that follow the guide, and the weight of its
promise in the bound (progressive bias, Chaslot et al. 2008)."""
ROOT = 0x51ED270B
LONGEST = 4096
WIDTH = 4096
"""Room for the plays of a turn. Where there are more, no tree is of use."""
LOGS = np.log(np.maximum(np.arange(4096), 1))
"""A look-up is quicker than a logarithm."""
VISITS, SEEN = 0, 1
SUM, SQUARES = 0, 1


@template
def what_is_seen(s: Any, seat: int, view: Any) -> int:
    """A key of a seat's view: the same for all states it can't tell apart."""
    game.observe(s, seat, view)
    return mix_words(seat, view.view(np.int64))


@template
def root_of(plays: Any) -> int:
    """The key of the node that the turns so far lead to."""
    key = ROOT
    for play in plays:
        key = mix(key, play)
    return key


@template
def grow(
    view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any, iterations: int,
    keys: Any, counts: Any, gains: Any, spread: Any,
) -> int:  # fmt: skip
    """Add iterations to a tree. How many edges were added. Row seat of spread is the least and
    the greatest result that the seat has met."""
    dealing = np.zeros(1, np.uint64)
    fork(rng, 1, dealing)
    fork(rng, 2, rng)
    s = np.zeros(1, game.STATE)
    seen = np.zeros(1, game.STATE)
    path = np.zeros(LONGEST, np.int64)
    chooser = np.zeros(LONGEST, np.int64)
    out = np.zeros(4)
    room = np.zeros(WIDTH, np.int64)
    no_past = np.zeros(0, game.STATE)
    no_plays = np.zeros(0, np.int64)
    belief = np.zeros(worlds.SIZE)
    worlds.prepare(view, seat, past, plays, numbers, belief)
    bias = numbers[BIAS]
    added = 0
    root = root_of(plays)
    for _ in range(iterations):
        if 4 * added > 3 * len(keys):
            break
        worlds.sample(view, seat, past, plays, numbers, belief, dealing, s)
        node = root
        depth = 0
        new = False
        while not new and depth < LONGEST and not game.over(s):
            mover = game.mover(s)
            if mover < 0:
                play = game.pick(s, rng)
                node = mix(node, ~play)  # never what a play leads to
                game.apply(s, play)
                continue
            if numbers[MANY_OBSERVERS]:
                node = what_is_seen(s, mover, seen)
            # From here to the choice: the plays that are legal in this world.
            wide = numbers[EXPLORE] * max(spread[mover, 1] - spread[mover, 0], 0.0) / 2
            if bias > 0 and not numbers[MANY_OBSERVERS]:
                game.observe(s, mover, seen)
            start, end = game.write(s, room)
            if end < 0:
                break  # far too many plays: from here on the game is played out
            untried = 0
            fresh = -1
            edge, play = -1, -1
            most = 0.0
            for i in range(start, end):
                tried = find_slot(keys, mix(node, room[i]))
                if keys[tried] == 0:
                    untried += 1
                    if below(rng, untried) == 0:
                        fresh = room[i]
                    continue
                counts[tried, SEEN] += 1
                often, visits = counts[tried, SEEN], counts[tried, VISITS]
                log = LOGS[often] if often < len(LOGS) else np.log(often)
                bound = gains[tried, SUM] / visits + wide * np.sqrt(log / visits)
                if bias > 0:
                    bound += bias * guide.promise(seen, mover, room[i], numbers) / (visits + 1)
                if edge < 0 or bound > most:
                    edge, play, most = tried, room[i], bound
            new = untried > 0
            if new:
                play = fresh
                edge = find_slot(keys, mix(node, play))
                keys[edge] = mix(node, play)
                counts[edge, SEEN] = 1
            added += new
            path[depth] = edge
            chooser[depth] = mover
            depth += 1
            node = mix(node, play)
            game.apply(s, play)
        roll_out(s, seen, no_past, no_plays, numbers, rng)
        game.returns(s, out)
        for i in range(len(spread)):
            spread[i, 0] = min(spread[i, 0], out[i])
            spread[i, 1] = max(spread[i, 1], out[i])
        for i in range(depth):
            edge = path[i]
            gain = out[chooser[i]]
            counts[edge, VISITS] += 1
            gains[edge, SUM] += gain
            gains[edge, SQUARES] += gain * gain
    return added


@template
def roll_out(s: Any, seen: Any, no_past: Any, no_plays: Any, numbers: Any, rng: Any) -> None:
    """Play to the end: each play by the guide, or at random."""
    guided = numbers[GUIDED]
    while not game.over(s):
        mover = game.mover(s)
        if mover < 0:
            game.apply(s, game.pick(s, rng))
        elif guided > 0 and (guided >= 1 or unit(rng) < guided):
            game.observe(s, mover, seen)
            game.apply(s, guide.choose(seen, mover, no_past, no_plays, numbers[OPTIONS:], rng))
        else:
            game.apply(s, wander(s, rng))


@template
def most_tried(found: Any, root: int, keys: Any, counts: Any, gains: Any) -> int:
    """The play most often tried; of equal ones that with the better mean, then the first."""
    best = -1
    most, mean = -1, 0.0
    for i in range(len(found)):
        edge = find_slot(keys, mix(root, found[i]))
        visits = counts[edge, VISITS] if keys[edge] != 0 else 0
        own = gains[edge, SUM] / visits if visits > 0 else 0.0
        if best < 0 or visits > most or (visits == most and own > mean):
            best, most, mean = i, visits, own
    return best


@template
def root_for(view: Any, seat: int, plays: Any, numbers: Any) -> int:
    """The key of the root, as the iterations find it."""
    if numbers[MANY_OBSERVERS]:
        seen = np.zeros(1, game.STATE)
        return what_is_seen(view, seat, seen)
    return root_of(plays)


@kernel
def room_for(iterations: int) -> int:
    """Places of a table that so many iterations leave at most half full."""
    size = 64
    while size < 2 * iterations:
        size *= 2
    return size


@template
def choose(view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any) -> int:
    """The policy."""
    found = game.legal(view)
    if len(found) == 1:
        return found[0]
    if len(found) > WIDTH:
        return guide.choose(view, seat, past[:0], plays[:0], numbers[OPTIONS:], rng)
    n = np.int64(numbers[SIMULATIONS])
    size = room_for(n)
    keys = np.zeros(size, np.int64)
    counts = np.zeros((size, 2), np.int64)
    gains = np.zeros((size, 2))
    spread = np.zeros((4, 2))
    grow(view, seat, past, plays, numbers, rng, n, keys, counts, gains, spread)
    root = root_for(view, seat, plays, numbers)
    return found[most_tried(found, root, keys, counts, gains)]
