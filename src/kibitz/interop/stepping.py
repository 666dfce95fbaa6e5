"""Many games of a kind stepped at once, in compiled code: see `batch.py`.

One kernel does everything: a seat's action, what the opponents and chance do until somebody has to
be asked again, the end, the next deal, and what the next seat sees. Its arrays stand in named
tuples, each row i of game i:

    GameRows       where each game stands
    Crowd          who decides for which seat
    Sights         what comes out of a step

Every episode has streams of its own, from BLAKE2b of the key of its row and the number of the
episode: those that `kibitz.table.seeds` derives. So neither the other rows nor what was played
before matter, and a policy can't tell from its stream what the shuffle is.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from kibitz.arena.pairs import derive_streams
from kibitz.games.observing import observe_as
from kibitz.jit.intrinsics import borrowed
from kibitz.jit.kernels import Slot, inlined, kernel, template
from kibitz.jit.rng import below
from kibitz.table.seeds import CHANCE, REFEREE, SEATS, SHUFFLE

game: Any = Slot("game")
codec: Any = Slot("codec")
others: Any = Slot("others")
"""Who plays until somebody has to be asked: `play_on`, one of the two below."""

ANEW = -1
"""In the place of an action: deal the next episode."""
GOES_ON, ENDED, ILLEGAL = range(3)
"""What a step was to an episode."""


class GameRows(NamedTuple):
    """Where n games stand. P is the number of seats."""

    states: Any
    """STATE[n]."""
    chosen: Any
    """What is chosen so far of the play of the seat to move: int64[n]."""
    agents: Any
    """The seat of the agent, which is place 0 of the crowd: int64[n]."""
    keys: Any
    """What `jit.blake2.begin` makes of a row's key: uint64[n, 8]."""
    episodes: Any
    """How many episodes were dealt: int64[n]."""
    streams: Any
    """uint64[n, SEATS + P, 1]."""
    views: Any
    """What each seat has seen before every turn: STATE[n, P, longest]; longest is 0 if no policy
    remembers."""
    plays: Any
    """The play of every turn as each seat knows it: int64[n, P, longest]."""
    turns: Any
    """Turns so far, longest at most: int64[n]."""


class Crowd(NamedTuple):
    """Who decides for which place but the agent's. Places count from its seat to the left."""

    choose: Any
    """The policies of places 1 and up, as many for any P: a tuple."""
    numbers: Any
    """Their options: a tuple of arrays."""
    knows: Any
    """What they may see: int64[P - 1], see games/observing.py."""
    agent: int
    """The seat of every agent; -1: by lot in each episode."""
    again: bool
    """Whether the next episode is dealt at once where one has ended."""
    worst: float
    """The result of whoever chooses an illegal action."""


class Sights(NamedTuple):
    """What comes out."""

    observations: Any
    """Of the seat to move, or at an end of the agent: float32[n, size]."""
    masks: Any
    """int8[n, actions]; the kernel reads those of the last step, to refuse what is illegal."""
    movers: Any
    """The seat to move; -1 where the game is over: int64[n]."""
    results: Any
    """Of the episode that has just ended; else 0: float64[n, P]."""
    ended: Any
    """GOES_ON, ENDED or ILLEGAL: int8[n]."""
    last: Any
    """Where it has ended, the observation of who has acted: float32[n, size]."""


@inlined
def deal_anew(i: int, s: Any, rows: Any, agent: int, buffer: Any) -> None:
    """The next episode of a row, before anybody has played."""
    streams = rows.streams[i]
    derive_streams(rows.keys[i], 0, rows.episodes[i], buffer, streams)
    rows.episodes[i] += 1
    rows.chosen[i] = 0
    rows.turns[i] = 0
    rows.agents[i] = agent if agent >= 0 else below(streams[REFEREE], len(streams) - SEATS)
    game.deal(s, streams[SHUFFLE], 0)


@inlined
def make_play(i: int, s: Any, play: int, rows: Any) -> None:
    """A play, and what every seat notes of the turn."""
    turn = rows.turns[i]
    if turn < rows.views.shape[2]:
        for seat in range(rows.views.shape[1]):
            game.observe(s, seat, rows.views[i, seat, turn : turn + 1])
            rows.plays[i, seat, turn] = game.observed_play(s, seat, play)
        rows.turns[i] = turn + 1
    game.apply(s, play)


@inlined
def let_chance(i: int, s: Any, view: Any, rows: Any, crowd: Any) -> None:
    """Chance, until somebody has to be asked or the game is over: every seat is an agent's."""
    while not game.over(s) and game.mover(s) < 0:
        game.apply(s, game.pick(s, rows.streams[i, CHANCE]))


@inlined
def let_opponents(i: int, s: Any, view: Any, rows: Any, crowd: Any) -> None:
    """Chance and the opponents, until the agent has to be asked or the game is over."""
    while not game.over(s):
        seat = game.mover(s)
        if seat < 0:
            game.apply(s, game.pick(s, rows.streams[i, CHANCE]))
            continue
        place = seat - rows.agents[i]
        if place == 0:
            break
        if place < 0:
            place += rows.views.shape[1]
        observe_as(crowd.knows[place - 1], s, seat, view)
        turns = rows.turns[i]
        play = crowd.choose[place - 1](
            view, seat, rows.views[i, seat, :turns], rows.plays[i, seat, :turns],
            crowd.numbers[place - 1], rows.streams[i, SEATS + seat],
        )  # fmt: skip
        make_play(i, s, play, rows)


@template
def look(s: Any, seat: int, chosen: int, view: Any, out: Any) -> None:
    """What a seat sees as numbers. All that is written comes from the view."""
    game.observe(s, seat, view)
    out[:] = 0
    codec.encode(view, seat, chosen, out)


@inlined
def show(i: int, s: Any, fresh: bool, view: Any, rows: Any, sights: Any) -> None:
    """What the seat to move sees and may do. An episode that is over before the agent had a turn
    has one action, number 0, which does nothing."""
    mask, chosen, over = sights.masks[i], rows.chosen[i], game.over(s)
    seat = rows.agents[i] if over else game.mover(s)
    mask[:] = 0
    look(s, seat, chosen, view, sights.observations[i])
    if over:
        sights.movers[i] = -1
        mask[0] = fresh
    else:
        sights.movers[i] = seat
        codec.mask(view, seat, chosen, mask)


@inlined
def act(i: int, s: Any, action: int, rows: Any) -> None:
    """A legal action of the seat to move."""
    then = codec.advance(s, game.mover(s), rows.chosen[i], action)
    if then < 0:
        rows.chosen[i] = ~then
    else:
        rows.chosen[i] = 0
        make_play(i, s, then, rows)


@template
def step_rows(actions: Any, view: Any, buffer: Any, rows: Any, crowd: Any, sights: Any) -> None:
    """One step of each row, by actions int64[n]; ANEW deals its next episode. view is STATE[1] and
    buffer uint64[40], both for the kernel's own use.

    The loop runs at most twice: to the end of an episode, and to the first turn of the next one. An
    episode that ends before that turn is not passed over: the next step ends it.
    """
    # Counting who uses which array would take most of the time.
    rows, crowd, sights = borrowed(rows), borrowed(crowd), borrowed(sights)
    view, buffer = borrowed(view), borrowed(buffer)
    for i in range(len(actions)):
        s = rows.states[i : i + 1]
        action = actions[i]
        sights.ended[i] = GOES_ON
        sights.results[i] = 0.0
        actor = sights.movers[i]
        fresh = action == ANEW
        legal = fresh or sights.masks[i, action] != 0
        if fresh:
            deal_anew(i, s, rows, crowd.agent, buffer)
        elif legal and actor >= 0:
            act(i, s, action, rows)
        while True:
            if legal:
                others.play_on(i, s, view, rows, crowd)
                if fresh or not game.over(s):
                    break
            finish(i, s, actor, legal, rows, crowd.worst, sights)
            if not crowd.again:
                break
            look(s, actor if actor >= 0 else rows.agents[i], 0, view, sights.last[i])
            deal_anew(i, s, rows, crowd.agent, buffer)
            fresh = legal = True
        show(i, s, fresh, view, rows, sights)


@inlined
def finish(i: int, s: Any, actor: int, legal: bool, rows: Any, worst: float, sights: Any) -> None:
    """The results of an episode that has ended; the worst to who did what is illegal."""
    if legal:
        sights.ended[i] = ENDED
        game.returns(s, sights.results[i])
    else:
        sights.ended[i] = ILLEGAL
        sights.results[i, actor if actor >= 0 else rows.agents[i]] = worst


@kernel
def draw_actions(masks: Any, rng: Any, actions: Any) -> None:
    """For each row a legal action at random, each as likely: for tests and for measuring speed."""
    for i in range(len(masks)):
        legal = 0
        for action in range(masks.shape[1]):
            legal += masks[i, action]
        skip = below(rng, max(legal, 1))
        for action in range(masks.shape[1]):
            if masks[i, action]:
                if skip == 0:
                    actions[i] = action
                    break
                skip -= 1
