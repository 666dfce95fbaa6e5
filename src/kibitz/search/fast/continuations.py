"""Games played on by one policy in every seat: what a play, or a position, comes to on average.

Samplers for those who judge, not for those who play. `ends_of_plays` deals the unseen cards of a
view and tries every play in the same worlds with the same random numbers, so that the differences
between plays are sharp. `ends_from` knows all hands and deals only what nobody holds.

The policy is a namespace: `choose(view, seat, memory, numbers, rng)`, where each seat decides by
what it sees and by the memory, which is what everybody has learned of the plays so far: an array
that is ones at the start, that `watch(before, play, after, memory)` brings up to date, and that
`recall(now, past, plays, memory)` fills in for a state or a view in mid-game.
"""

from typing import Any

import numpy as np

from kibitz.jit.kernels import Slot, kernel, template
from kibitz.jit.rng import fork, next_word

game: Any = Slot("game")
worlds: Any = Slot("worlds")
"""Draws worlds: see worlds.py."""
rollout: Any = Slot("rollout")
"""The policy that plays on."""
policy: Any = Slot("policy")
"""A strategy's policy that remembers nothing: see `choose_by_policy`."""

DEALING, PLAYING = 1, 2
"""The streams of a world."""
BY_POLICY = -1
"""In place of a play: what the policy would make of it."""


@template
def choose_by_policy(view: Any, seat: int, memory: Any, numbers: Any, rng: Any) -> int:
    """The `choose` of a strategy that looks at nothing but the view."""
    no_past, no_plays = np.zeros(0, game.STATE), np.zeros(0, np.int64)
    return policy.choose(view, seat, no_past, no_plays, numbers, rng)


@kernel
def watch_nothing(before: Any, play: int, after: Any, memory: Any) -> None:
    """Its `watch`."""


@kernel
def recall_nothing(now: Any, past: Any, plays: Any, memory: Any) -> None:
    """Its `recall`."""


@template
def make(s: Any, play: int, before: Any, memory: Any) -> None:
    """Make a play while everybody watches. `before` is written to."""
    before[0] = s[0]
    game.apply(s, play)
    rollout.watch(before, play, s, memory)


@template
def play_one(
    s: Any, play: int, seen: Any, before: Any, memory: Any, numbers: Any, rng: Any
) -> None:
    """Make this play, or what the policy chooses, or let chance move."""
    mover = game.mover(s)
    if mover < 0:
        game.apply(s, game.pick(s, rng))
        return
    if play == BY_POLICY:
        game.observe(s, mover, seen)
        play = rollout.choose(seen, mover, memory, numbers, rng)
    make(s, play, before, memory)


@template
def play_to_the_end(s: Any, seen: Any, before: Any, memory: Any, numbers: Any, rng: Any) -> None:
    """Every seat by the policy, chance by lot. `seen` and `before` are written to."""
    while not game.over(s):
        play_one(s, BY_POLICY, seen, before, memory, numbers, rng)


@template
def ends_of_plays(
    view: Any, seat: int, past: Any, plays: Any, numbers: Any, known: Any, choices: Any,
    rng: Any, ends: Any,
) -> None:  # fmt: skip
    """Fill ends[w, i] with the returns of all seats (and behind them, from column 4 on, the points
    of a match) if choices[i] is made in world w: a play, or BY_POLICY. known: the sampler's belief,
    and the memory at the view. The stream moves on by one word a world."""
    belief, recalled = known
    s, world = np.zeros(1, game.STATE), np.zeros(1, game.STATE)
    seen, before = np.zeros(1, game.STATE), np.zeros(1, game.STATE)
    memory = recalled.copy()
    dealing, playing = rng.copy(), rng.copy()
    for w in range(len(ends)):
        next_word(rng)
        fork(rng, DEALING, dealing)
        worlds.sample(view, seat, past, plays, numbers, belief, dealing, world)
        for i in range(len(choices)):
            s[0] = world[0]
            memory[:] = recalled
            fork(rng, PLAYING, playing)
            play_one(s, choices[i], seen, before, memory, numbers, playing)
            play_to_the_end(s, seen, before, memory, numbers, playing)
            game.returns(s, ends[w, i, :4])
            game.points(s, ends[w, i, 4:])


@template
def next_turns(
    view: Any, seat: int, past: Any, plays: Any, numbers: Any, known: Any, choices: Any,
    rng: Any, states: Any,
) -> None:  # fmt: skip
    """Fill states[w, i] with the state in which the seat is to move again after choices[i] in
    world w, or in which the game has ended before. The stream moves on by one word a world."""
    belief, recalled = known
    world = np.zeros(1, game.STATE)
    seen, before = np.zeros(1, game.STATE), np.zeros(1, game.STATE)
    memory = recalled.copy()
    dealing, playing = rng.copy(), rng.copy()
    for w in range(len(states)):
        next_word(rng)
        fork(rng, DEALING, dealing)
        worlds.sample(view, seat, past, plays, numbers, belief, dealing, world)
        for i in range(len(choices)):
            s = states[w, i : i + 1]
            s[0] = world[0]
            memory[:] = recalled
            fork(rng, PLAYING, playing)
            play_one(s, choices[i], seen, before, memory, numbers, playing)
            while not game.over(s) and game.mover(s) != seat:
                play_one(s, BY_POLICY, seen, before, memory, numbers, playing)


@template
def ends_from(state: Any, recalled: Any, play: int, numbers: Any, rng: Any, ends: Any) -> None:
    """Fill ends[w] with the returns of all seats, and the points, from a state whose hands are
    known: what nobody holds is dealt anew in each world. play: the first, or BY_POLICY. The
    stream moves on by one word a world."""
    s, seen = np.zeros(1, game.STATE), np.zeros(1, game.STATE)
    before = np.zeros(1, game.STATE)
    memory = recalled.copy()
    dealing = rng.copy()
    for w in range(len(ends)):
        next_word(rng)
        fork(rng, DEALING, dealing)
        s[0] = state[0]
        memory[:] = recalled
        game.reshuffle(s, dealing)
        fork(rng, PLAYING, dealing)
        if play != BY_POLICY:
            make(s, play, before, memory)
        play_to_the_end(s, seen, before, memory, numbers, dealing)
        game.returns(s, ends[w, :4])
        game.points(s, ends[w, 4:])


@template
def ends_of_deals(blank: Any, fresh: Any, first: int, numbers: Any, rng: Any, ends: Any) -> None:
    """The same from a new deal in each world. fresh: the memory at the start."""
    s, seen = np.zeros(1, game.STATE), np.zeros(1, game.STATE)
    before = np.zeros(1, game.STATE)
    memory = fresh.copy()
    dealing = rng.copy()
    for w in range(len(ends)):
        next_word(rng)
        fork(rng, DEALING, dealing)
        s[0] = blank[0]
        memory[:] = fresh
        game.deal(s, dealing, first)
        fork(rng, PLAYING, dealing)
        play_to_the_end(s, seen, before, memory, numbers, dealing)
        game.returns(s, ends[w, :4])
        game.points(s, ends[w, 4:])
