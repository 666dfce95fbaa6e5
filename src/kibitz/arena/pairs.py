"""Pairs: one shuffle played once in every order of the seats, in compiled code.

With two players that is each shuffle twice, seats swapped, as in duplicate bridge: who got the
better cards in one game has the worse ones in the other. The pair is the sample, not the game
(as in fastchess, which plays each opening with both colours): see `statistics`. A unit is one
game, or a whole match.

The kernels below take four named tuples of arrays. `CompiledPairs` owns all of them and makes
them once, so that the kernels allocate next to nothing:

    Schedule         what is played: the key of the run, the seat orders, the target of a match
    CompiledPlayers  the strategies that play, a row each, and what each remembers of this game
    Samples          decisions to be made again later, to measure how long one takes
    LuckWork         what chance gave whom, see `luck.py`; it costs nothing where nobody asks

Invariants. Strategy k of n is in row k of everything, whatever seat it has; `seating[seat]` is
the strategy in a seat. Its result in order number o is in column o·n + k. Every strategy decides
from what it may know of the state, and no more. Every stream of a pair's games depends on the
key, the number of the pair and that of the game alone: so all orders have the same shuffle, and
pairs can be played in any parts. `python_pairs.py` plays the same pairs through views.

An example: greedy (row 0) and random (row 1) play pairs 0 to 2 of the run with seed 1. In the
first game of a pair greedy sits first, in the second random does.

>>> from kibitz.core.registry import make_game, make_strategy
>>> strategies = [make_strategy("greedy"), make_strategy("random")]
>>> pairs = CompiledPairs(make_game("love-letter"), strategies, seed=1, target=0)
>>> results, decisions = pairs.play(0, 3)
>>> results
array([[-1.,  1.,  1., -1.],
       [ 1., -1., -1.,  1.],
       [ 1., -1., -1.,  1.]])
>>> decisions
array([[3, 3],
       [9, 8],
       [1, 1]])

In the first pair greedy lost where it sat first and won the other game, with three decisions in
both together; random made as many. With the same cards in both games, whoever sat second won.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from kibitz.arena.plan import PlayedPart, seat_orders
from kibitz.arena.stopwatch import Stopwatch
from kibitz.core.strategy import Strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.games.observing import knows_number, observe_as
from kibitz.jit.blake2 import begin, digest
from kibitz.jit.kernels import Slot, bind, inlined, kernel, template
from kibitz.jit.rng import fork, stream
from kibitz.table.seeds import CHANCE, LUCK, REFEREE, SEATS, SHUFFLE, WORDS, stretch

game: Any = Slot("game")
luck: Any = Slot("luck")
"""What chance gave whom: COUNTED, and `luck_of_play` of the module of the game's luck."""

SHIFT = np.uint64(1)
STRIDE = 7919
"""A prime: steps of it come to every view."""
LONGEST = 64
"""Turns of a game that a strategy may remember."""


class Schedule(NamedTuple):
    """What is played. The kernels only read it."""

    key: np.ndarray
    """The key of the run as `blake2.begin` leaves it: uint64[8]."""
    orders: np.ndarray
    """Row o is the seating of game o of a pair, `plan.seat_orders`: int64[orders, n]."""
    target: int
    """Points that end a match; 0 where a unit is one game."""
    partners: int
    """Seats that win together; 1 where everybody plays alone."""


class CompiledPlayers(NamedTuple):
    """The n strategies that play each other."""

    choose: tuple[Any, ...]
    """The kernel that decides for each: see `core.strategy.Policy`."""
    numbers: tuple[np.ndarray, ...]
    """What that gets of its options. Not the rows of one array: policies count some from the
    end."""
    knows: np.ndarray
    """FAIR, OPEN_HANDS or OPEN_DECK, see games/observing.py: int64[n]."""
    views: np.ndarray
    """What each has seen before every turn of the game that is played: STATE[n, LONGEST], or
    STATE[n, 0] if no strategy remembers. `play_game` writes it; what lies behind the number of
    turns so far is of former games."""
    plays: np.ndarray
    """The play of every turn as each heard of it, −1 where it was hidden: as views, of int64."""
    decisions: np.ndarray
    """How many each has made since it sat down, over all pairs: int64[n]. It only grows."""


class Samples(NamedTuple):
    """The first decisions of each strategy, up to a number. A strategy that has decided more often
    than that has all its places filled."""

    views: np.ndarray
    """What it saw: STATE[n, size]."""
    seats: np.ndarray
    """Where it sat: int64[n, size]."""
    turns: np.ndarray
    """The number of turns before that it remembered: int64[n, size]."""
    past_views: np.ndarray
    """These turns, as `CompiledPlayers.views`: STATE[n, size, LONGEST or 0]."""
    past_plays: np.ndarray
    """And `CompiledPlayers.plays`: int64[n, size, LONGEST or 0]."""


class LuckWork(NamedTuple):
    """What the luck of a game is computed with."""

    before: np.ndarray
    """The state before a play: STATE[1]."""
    scratch: np.ndarray
    """STATE[1], to be written to."""
    numbers: np.ndarray
    """Tables and weights of the game's luck. The kernels only read them."""
    stream: np.ndarray
    """uint64[1], of a pair's luck: the same in all its games."""
    given: np.ndarray
    """What chance gave the first player of the line-up, float64[pairs, orders]; no rows where
    nobody asks."""


@kernel
def no_luck(
    before: Any, earlier: int, play: int, after: Any, numbers: Any, scratch: Any, rng: Any
) -> float:
    """The `luck_of_play` of games whose luck nobody asks for."""
    return 0.0


NO_LUCK = SimpleNamespace(COUNTED=False, luck_of_play=no_luck)


@kernel
def derive_streams(key: Any, pair: int, nth: int, buffer: Any, streams: Any) -> None:
    """The streams of game number nth of a pair, uint64[SEATS + n, 1], as `GameSeeds` has them:
    WORDS of them from each BLAKE2b hash of (pair, nth, number of the hash) under the run's key.

    The shuffle's is that of the seed which `Game.deal` takes. `buffer` is the caller's uint64[40],
    for the hash.
    """
    words = buffer[32:]
    for number in range(len(streams)):
        if number % WORDS == 0:
            digest(key, pair, nth, number // WORDS, buffer, words)
        streams[number, 0] = words[number % WORDS]
    shuffle = streams[SHUFFLE]
    seed = np.int64(shuffle[0] >> SHIFT)
    shuffle[0] = np.uint64(0)
    fork(shuffle, seed, shuffle)
    fork(shuffle, 0, shuffle)


@inlined
def play_game(
    s: Any, view: Any, streams: Any, first: int, seating: Any, players: Any, samples: Any,
    work: Any,
) -> float:  # fmt: skip
    """Play one game to its end, which is left in s: STATE[1]. view is STATE[1] for the mover's.

    Returns what chance gave the first seat. The streams move on. Before each turn the mover's view,
    and its memory, go to the samples as long as there are places; after it every strategy remembers
    what it saw and heard.
    """
    choose, numbers, knows, views, plays, decisions = players  # once a game: each costs time
    longest, places = views.shape[1], samples.views.shape[1]
    turns, earlier, given = 0, np.int64(-1), 0.0
    game.deal(s, streams[SHUFFLE], first)
    while not game.over(s):
        seat = game.mover(s)
        if seat < 0:
            game.apply(s, game.pick(s, streams[CHANCE]))
            continue
        strategy = seating[seat]
        observe_as(knows[strategy], s, seat, view)
        remembered = min(turns, longest)
        if decisions[strategy] < places:
            take_sample(view, seat, strategy, remembered, players, samples)
        decisions[strategy] += 1
        play = choose[strategy](
            view, seat, views[strategy, :remembered], plays[strategy, :remembered],
            numbers[strategy], streams[SEATS + seat],
        )  # fmt: skip
        if turns < longest:
            for watching in range(len(seating)):
                watcher = seating[watching]
                game.observe(s, watching, views[watcher, turns : turns + 1])
                plays[watcher, turns] = game.observed_play(s, watching, play)
        turns += 1
        if luck.COUNTED:
            work.before[0] = s[0]
        game.apply(s, play)
        if luck.COUNTED:
            given += luck.luck_of_play(
                work.before, earlier, play, s, work.numbers, work.scratch, work.stream
            )
            earlier = play
    return given


@kernel
def take_sample(
    view: Any, seat: int, strategy: int, remembered: int, players: Any, samples: Any
) -> None:
    """Copy what a strategy is about to decide from, with the turns that it remembers."""
    nth = players.decisions[strategy]
    samples.views[strategy, nth] = view[0]
    samples.seats[strategy, nth] = seat
    samples.turns[strategy, nth] = remembered
    for turn in range(remembered):
        samples.past_views[strategy, nth, turn] = players.views[strategy, turn]
        samples.past_plays[strategy, nth, turn] = players.plays[strategy, turn]


@template
def play_pairs(
    s: Any, view: Any, schedule: Any, start: int, results: Any, decisions: Any, players: Any,
    samples: Any, work: Any,
) -> None:  # fmt: skip
    """Play pair start + i for each row i of results, float64[pairs, orders·n].

    Row i of decisions, int64[pairs, n], gets how many each strategy made in that pair. In a match
    game follows game until `is_decided`; a pair's orders share the streams of each of them, so
    they are derived anew only when the number of the game changes.
    """
    key, orders, target, partners = schedule
    made = players.decisions
    n = len(made)
    buffer = np.zeros(40, np.uint64)
    referee = np.zeros(1, np.uint64)
    derived = np.zeros((SEATS + n, 1), np.uint64)
    streams = np.zeros((SEATS + n, 1), np.uint64)
    gained = np.zeros(n)
    score = np.zeros(n)
    for i in range(len(results)):
        decisions[i] -= made
        latest = np.int64(-1)
        if luck.COUNTED:
            digest(key, start + i, 0, LUCK, buffer, buffer[32:])
            work.stream[0] = buffer[32]
        for number in range(len(orders)):
            seating = orders[number]
            first = np.int64(0)  # a literal would compile everything below it twice
            nth = np.int64(0)
            score[:] = 0.0
            while nth == 0 or (target > 0 and not is_decided(score, target, partners)):
                if nth != latest:
                    derive_streams(key, start + i, nth, buffer, derived)
                    latest = nth
                if nth == 0:
                    referee[0] = derived[REFEREE, 0]
                streams[:] = derived
                given = play_game(s, view, streams, first, seating, players, samples, work)
                if target > 0:
                    game.points(s, gained)
                    first = game.next_first(s, referee)
                else:
                    game.returns(s, gained)
                for seat in range(n):
                    score[seat] += gained[seat]
                nth += 1
            for seat in range(n):
                results[i, number * n + seating[seat]] = score[seat]
            if luck.COUNTED:
                work.given[i, number] = given if seating[0] == 0 else -given
        decisions[i] += made


@kernel
def is_decided(score: Any, target: int, partners: int) -> bool:
    """Whether a match is over: somebody has the target, and more than the others."""
    best = score[0]
    for seat in range(1, len(score)):
        best = max(best, score[seat])
    leaders = 0
    for seat in range(len(score)):
        if score[seat] == best:
            leaders += 1
    return best >= target and leaders <= partners


@kernel
def repeat_decisions(
    players: Any, samples: Any, strategy: int, size: int, start: int, end: int, rng: Any
) -> int:
    """Make decisions number start to end − 1 on the first size samples of a strategy, in turn.

    The time this takes is what counts; the sum is returned so that nothing can be left out.
    Samples come from games in order: in steps of STRIDE a few of them are of all parts of many
    games.
    """
    total = 0
    for number in range(start, end):
        i = number * STRIDE % size
        turns = samples.turns[strategy, i]
        total += players.choose[strategy](
            samples.views[strategy, i : i + 1], samples.seats[strategy, i],
            samples.past_views[strategy, i, :turns], samples.past_plays[strategy, i, :turns],
            players.numbers[strategy], rng,
        )  # fmt: skip
    return total


class CompiledPairs:
    """Strategies of one game that all have compiled policies, ready to play pairs."""

    SAMPLES, SAMPLES_WITH_PAST = 2000, 100
    """Sampled decisions of each strategy; with what it remembers they take far more memory."""
    SHARE, FREE = 0.005, 0.05
    """The share of the time of playing that measuring a strategy's decisions may take, and
    seconds that it may take anyway."""

    def __init__(
        self, game: CompiledGame, strategies: Sequence[Strategy], seed: int, target: int,
        luck: Any = None,
    ) -> None:  # fmt: skip
        """luck: the module of the game's luck, where that is wanted."""
        self._game, self._luck_wanted = game, luck is not None
        counted = SimpleNamespace(COUNTED=True, luck_of_play=luck.luck_of_play) if luck else NO_LUCK
        self._play_pairs = bind(play_pairs, game=kernels_with_open_hands(game), luck=counted)
        values = luck.numbers() if luck else np.zeros(0)
        self._work = LuckWork(
            game.blank(), game.blank(), values, np.zeros(1, np.uint64), np.zeros((0, 0))
        )
        key = np.zeros(8, np.uint64)
        begin(np.frombuffer(stretch(seed), "<u8").astype(np.uint64), key)
        orders = np.array(seat_orders(game.players), np.int64)
        self._schedule = Schedule(key, orders, target, game.partners)
        policies = [policy for s in strategies if (policy := s.policy(game)) is not None]
        assert len(policies) == len(strategies)
        n, record = len(policies), game.kernels.STATE
        remembers = any(policy.remembers for policy in policies)
        longest = LONGEST if remembers else 0
        numbers = tuple(np.array(policy.numbers or (0.0,)) for policy in policies)
        views, plays = np.zeros((n, longest), record), np.zeros((n, longest), np.int64)
        like = game.blank(), 0, views[0], plays[0], numbers[0], stream(0)
        self._players = CompiledPlayers(
            choose=tuple(policy.choose.as_argument(*like) for policy in policies),
            numbers=numbers,
            knows=np.array([knows_number(strategy.knows) for strategy in strategies]),
            views=views,
            plays=plays,
            decisions=np.zeros(n, np.int64),
        )
        size = self.SAMPLES_WITH_PAST if remembers else self.SAMPLES
        self._samples = Samples(
            views=np.zeros((n, size), record),
            seats=np.zeros((n, size), np.int64),
            turns=np.zeros((n, size), np.int64),
            past_views=np.zeros((n, size, longest), record),
            past_plays=np.zeros((n, size, longest), np.int64),
        )
        self._stopwatches = [Stopwatch(partial(self._repeat_decisions, k)) for k in range(n)]
        self._seconds = 0.0

    @property
    def decisions(self) -> np.ndarray:
        """How many each strategy has made so far."""
        return self._players.decisions

    def set_numbers(self, strategy: int, numbers: Sequence[float]) -> None:
        """Other numbers for a strategy: to try many takes no new runner for each."""
        self._players.numbers[strategy][:] = numbers

    def play(self, start: int, n: int) -> tuple[np.ndarray, np.ndarray]:
        """Pairs start to start + n − 1, a row each: the results, and how many decisions each
        strategy made."""
        played = self.play_untimed(start, n)
        return played.results, played.decisions

    def play_untimed(self, start: int, n: int) -> PlayedPart:
        """The same as a part whose seconds nobody has counted yet, with the luck if it is
        wanted."""
        seats, orders = self._game.players, len(self._schedule.orders)
        results, decisions = np.zeros((n, orders * seats)), np.zeros((n, seats), np.int64)
        work = self._work._replace(given=np.zeros((n if self._luck_wanted else 0, orders)))
        state, view = self._game.blank(), self._game.blank()
        self._play_pairs(
            state, view, self._schedule, start, results, decisions, self._players, self._samples,
            work,
        )  # fmt: skip
        given = work.given if self._luck_wanted else None
        return PlayedPart(start, results, decisions, (0.0,) * seats, luck=given)

    def play_part(self, start: int, n: int) -> PlayedPart:
        """Play `n` pairs from number `start` on, and take the time."""
        started = time.perf_counter()
        played = self.play_untimed(start, n)
        taken = time.perf_counter() - started
        self._seconds += taken
        seconds = played.decisions.sum(axis=0) * self._decision_seconds()
        # A sample may have more of the long decisions; all together can't take longer than this.
        seconds *= min(1.0, taken / max(seconds.sum(), 1e-9))
        return replace(played, seconds=tuple(seconds.tolist()))

    def _decision_seconds(self) -> np.ndarray:
        """What a decision of each strategy takes; 0 where nobody can say yet."""
        size = self._samples.views.shape[1]
        for stopwatch, made in zip(self._stopwatches, self.decisions.tolist(), strict=True):
            if stopwatch.spent < max(self.FREE, self.SHARE * self._seconds):
                stopwatch.measure(min(made, size))
        return np.array([stopwatch.seconds_per_decision for stopwatch in self._stopwatches])

    def _repeat_decisions(self, strategy: int, size: int, start: int, end: int) -> None:
        repeat_decisions(self._players, self._samples, strategy, size, start, end, stream(0))


def kernels_with_open_hands(game: CompiledGame) -> Any:
    """The game's kernels; without hands to lay open, only the fair view is ever asked for."""
    if hasattr(game.kernels, "observe_open_hands"):
        return game.kernels
    return SimpleNamespace(**{**vars(game.kernels), "observe_open_hands": game.kernels.observe})
