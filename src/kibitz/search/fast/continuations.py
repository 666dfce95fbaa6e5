"""Games played on by one policy in every seat: what a play, or a position, comes to on average.

Two samplers for those who judge, not for those who play. `ends_of_plays` deals the unseen cards
of a view and tries every play in the same worlds with the same random numbers, so that the
differences between plays are sharp. `ends_from` knows all hands and deals only what nobody holds.
The policy remembers nothing, and each seat decides by what it sees.
"""

from typing import Any

import numpy as np

from kibitz.jit.kernels import Slot, template
from kibitz.jit.rng import fork, next_word

game: Any = Slot("game")
worlds: Any = Slot("worlds")
"""Draws worlds: see worlds.py."""
rollout: Any = Slot("rollout")
"""The policy that plays on: its `choose`."""

DEALING, PLAYING = 1, 2
"""The streams of a world."""


@template
def play_to_the_end(s: Any, seen: Any, no_past: Any, no_plays: Any, numbers: Any, rng: Any) -> None:
    """Every seat by the policy, chance by lot. What the mover sees is written into `seen`."""
    while not game.over(s):
        mover = game.mover(s)
        if mover < 0:
            game.apply(s, game.pick(s, rng))
        else:
            game.observe(s, mover, seen)
            game.apply(s, rollout.choose(seen, mover, no_past, no_plays, numbers, rng))


@template
def ends_of_plays(
    view: Any, seat: int, past: Any, plays: Any, numbers: Any, belief: Any, rng: Any, choices: Any,
    ends: Any,
) -> None:  # fmt: skip
    """Fill ends[w, i] with the returns of all seats (and behind them, from column 4 on, the points
    of a match) if play number i is made in world w. The stream moves on by one word a world."""
    s = np.zeros(1, game.STATE)
    world = np.zeros(1, game.STATE)
    seen = np.zeros(1, game.STATE)
    no_past = np.zeros(0, game.STATE)
    no_plays = np.zeros(0, np.int64)
    dealing, playing = rng.copy(), rng.copy()
    for w in range(len(ends)):
        next_word(rng)
        fork(rng, DEALING, dealing)
        worlds.sample(view, seat, past, plays, numbers, belief, dealing, world)
        for i in range(len(choices)):
            s[0] = world[0]
            fork(rng, PLAYING, playing)
            game.apply(s, choices[i])
            play_to_the_end(s, seen, no_past, no_plays, numbers, playing)
            game.returns(s, ends[w, i, :4])
            game.points(s, ends[w, i, 4:])


@template
def next_turns(
    view: Any, seat: int, past: Any, plays: Any, numbers: Any, belief: Any, rng: Any, choices: Any,
    states: Any,
) -> None:  # fmt: skip
    """Fill states[w, i] with the state in which the seat is to move again after play number i in
    world w, or in which the game has ended before. The stream moves on by one word a world."""
    world = np.zeros(1, game.STATE)
    seen = np.zeros(1, game.STATE)
    no_past = np.zeros(0, game.STATE)
    no_plays = np.zeros(0, np.int64)
    dealing, playing = rng.copy(), rng.copy()
    for w in range(len(states)):
        next_word(rng)
        fork(rng, DEALING, dealing)
        worlds.sample(view, seat, past, plays, numbers, belief, dealing, world)
        for i in range(len(choices)):
            s = states[w, i : i + 1]
            s[0] = world[0]
            fork(rng, PLAYING, playing)
            game.apply(s, choices[i])
            while not game.over(s) and game.mover(s) != seat:
                mover = game.mover(s)
                if mover < 0:
                    game.apply(s, game.pick(s, playing))
                else:
                    game.observe(s, mover, seen)
                    play = rollout.choose(seen, mover, no_past, no_plays, numbers, playing)
                    game.apply(s, play)


@template
def ends_from(state: Any, play: int, numbers: Any, rng: Any, ends: Any) -> None:
    """Fill ends[w] with the returns of all seats, and the points, from a state whose hands are
    known: what nobody holds is dealt anew in each world. A play of -1 is none: then the policy
    decides at once. The stream moves on by one word a world."""
    s = np.zeros(1, game.STATE)
    seen = np.zeros(1, game.STATE)
    no_past = np.zeros(0, game.STATE)
    no_plays = np.zeros(0, np.int64)
    dealing = rng.copy()
    for w in range(len(ends)):
        next_word(rng)
        fork(rng, DEALING, dealing)
        s[0] = state[0]
        game.reshuffle(s, dealing)
        fork(rng, PLAYING, dealing)
        if play >= 0:
            game.apply(s, play)
        play_to_the_end(s, seen, no_past, no_plays, numbers, dealing)
        game.returns(s, ends[w, :4])
        game.points(s, ends[w, 4:])


@template
def ends_of_deals(blank: Any, first: int, numbers: Any, rng: Any, ends: Any) -> None:
    """The same from a new deal in each world."""
    s = np.zeros(1, game.STATE)
    seen = np.zeros(1, game.STATE)
    no_past = np.zeros(0, game.STATE)
    no_plays = np.zeros(0, np.int64)
    dealing = rng.copy()
    for w in range(len(ends)):
        next_word(rng)
        fork(rng, DEALING, dealing)
        s[0] = blank[0]
        game.deal(s, dealing, first)
        fork(rng, PLAYING, dealing)
        play_to_the_end(s, seen, no_past, no_plays, numbers, dealing)
        game.returns(s, ends[w, :4])
        game.points(s, ends[w, 4:])
