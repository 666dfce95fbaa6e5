"""Pairs: one shuffle played once in every order of the seats, in compiled code.

With two players that is each shuffle twice, seats swapped. A unit is one game, or a whole
match. Every strategy decides from what it may know of the state, and no more. Strategy k's
result in order number o is in column o·players + k; see `plan.seat_orders`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from kibitz.arena.plan import Played, seat_orders
from kibitz.arena.stopwatch import Stopwatch
from kibitz.core.strategy import Knows, Strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.jit.blake2 import begin, digest
from kibitz.jit.kernels import Slot, bind, template
from kibitz.jit.rng import fork, stream
from kibitz.table.seeds import CHANCE, LOTS, SEATS, SHUFFLE, WORDS, stretch

game: Any = Slot("game")

FAIR, OPEN_HANDS, OPEN_DECK = range(3)
SHIFT = np.uint64(1)
STRIDE = 7919
"""A prime: steps of it come to every view."""


@template
def see(eyes: int, s: Any, seat: int, view: Any) -> None:
    """What a seat may know, by what its strategy says it knows."""
    if eyes == FAIR:
        game.observe(s, seat, view)
    elif eyes == OPEN_HANDS:
        game.observe_open_hands(s, seat, view)
    else:
        view[0] = s[0]


@template
def derive(key: Any, pair: int, nth: int, work: Any, streams: Any) -> None:
    """The streams of game number nth of a pair, a row each, as `GameSeeds` has them. The
    shuffle's is that of the seed which `Game.deal` takes. The key is what `begin` made of the
    run's; work is 40 words of room."""
    words = work[32:]
    for number in range(len(streams)):
        if number % WORDS == 0:
            digest(key, pair, nth, number // WORDS, work, words)
        streams[number, 0] = words[number % WORDS]
    shuffle = streams[SHUFFLE]
    seed = np.int64(shuffle[0] >> SHIFT)
    shuffle[0] = np.uint64(0)
    fork(shuffle, seed, shuffle)
    fork(shuffle, 0, shuffle)


@template
def play_game(
    s: Any, view: Any, streams: Any, first: int, seating: Any, choose: Any, eyes: Any,
    numbers: Any, past: Any, plays: Any, decisions: Any, sample: Any, sampled: Any,
    sample_past: Any, sample_plays: Any,
) -> None:  # fmt: skip
    """One game. Strategy seating[seat] has a seat. Row k of past is for strategy k, if it
    remembers; sampled has the seat and the number of turns before, for each kept view."""
    n = len(decisions)
    turns = 0
    game.deal(s, streams[SHUFFLE], first)
    while not game.over(s):
        seat = game.mover(s)
        if seat < 0:
            game.apply(s, game.pick(s, streams[CHANCE]))
            continue
        strategy = seating[seat]
        see(eyes[strategy], s, seat, view)
        nth = decisions[strategy]
        known = min(turns, past.shape[1])
        if nth < sample.shape[1]:
            sample[strategy, nth] = view[0]
            sampled[strategy, nth, 0] = seat
            sampled[strategy, nth, 1] = known
            if nth < sample_past.shape[1]:
                for i in range(known):
                    sample_past[strategy, nth, i] = past[strategy, i]
                    sample_plays[strategy, nth, i] = plays[strategy, i]
        decisions[strategy] += 1
        play = choose[strategy](
            view, seat, past[strategy, :known], plays[strategy, :known], numbers[strategy],
            streams[SEATS + seat],
        )  # fmt: skip
        if turns < past.shape[1]:
            for watching in range(n):
                watcher = seating[watching]
                game.observe(s, watching, past[watcher, turns : turns + 1])
                plays[watcher, turns] = game.observed_play(s, watching, play)
        turns += 1
        game.apply(s, play)


@template
def play_pairs(
    s: Any, view: Any, key: Any, orders: Any, start: int, target: int, partners: int,
    results: Any, made: Any, choose: Any, eyes: Any, numbers: Any, past: Any, plays: Any,
    decisions: Any, sample: Any, sampled: Any, sample_past: Any, sample_plays: Any,
) -> None:  # fmt: skip
    """Play pair start + i for each row i of results: matches if there is a target.

    Row i of made gets the number of each strategy's decisions in it. Strategy k's first views
    are kept in row k of sample.
    """
    n = len(decisions)
    work = np.zeros(40, np.uint64)
    lots = np.zeros(1, np.uint64)
    derived = np.zeros((SEATS + n, 1), np.uint64)
    streams = np.zeros((SEATS + n, 1), np.uint64)
    gained = np.zeros(n)
    score = np.zeros(n)
    for i in range(len(results)):
        made[i] -= decisions
        latest = np.int64(-1)
        for number in range(len(orders)):
            seating = orders[number]
            first = np.int64(0)  # a literal would compile everything below it twice
            nth = np.int64(0)
            score[:] = 0.0
            while nth == 0 or (target > 0 and not is_decided(score, target, partners)):
                if nth != latest:
                    derive(key, start + i, nth, work, derived)
                    latest = nth
                if nth == 0:
                    lots[0] = derived[LOTS, 0]
                streams[:] = derived
                play_game(
                    s, view, streams, first, seating, choose, eyes, numbers, past, plays,
                    decisions, sample, sampled, sample_past, sample_plays,
                )  # fmt: skip
                if target > 0:
                    game.points(s, gained)
                    first = game.next_first(s, lots)
                else:
                    game.returns(s, gained)
                for seat in range(n):
                    score[seat] += gained[seat]
                nth += 1
            for seat in range(n):
                results[i, number * n + seating[seat]] = score[seat]
        made[i] += decisions


@template
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


@template
def decide_sample(
    choose: Any, sample: Any, sampled: Any, past: Any, plays: Any, numbers: Any, start: int,
    end: int, rng: Any,
) -> int:  # fmt: skip
    """Decide on kept views again and again, to measure the time of a decision. They come from
    games in order: a few in turn shall be of all parts of many games."""
    total = 0
    for turn in range(start, end):
        i = turn * STRIDE % len(sample)
        known = sampled[i, 1]
        row = i if i < len(past) else 0
        total += choose[0](
            sample[i : i + 1], sampled[i, 0], past[row, :known], plays[row, :known], numbers, rng
        )
    return total


LONGEST = 64
"""Turns of a game that a strategy may remember."""


class CompiledPairs:
    """Strategies of one game that all have compiled policies, ready to play pairs."""

    SAMPLE, SAMPLE_PASTS = 2000, 100
    SHARE, FREE = 0.005, 0.05
    """The share of the time of playing that measuring a strategy's decisions may take, and
    seconds that it may take anyway."""

    def __init__(
        self, game: CompiledGame, strategies: Sequence[Strategy], seed: int, target: int
    ) -> None:
        self._game = game
        policies = [policy for s in strategies if (policy := s.policy(game)) is not None]
        assert len(policies) == len(strategies)
        self._play = bind(play_pairs, game=_with_eyes(game))
        self._eyes = np.array([list(Knows).index(strategy.knows) for strategy in strategies])
        self._key = np.zeros(8, np.uint64)
        begin(np.frombuffer(stretch(seed), "<u8").astype(np.uint64), self._key)
        self._orders = np.array(seat_orders(game.players), np.int64)
        self._target = target
        n = len(policies)
        record = game.kernels.STATE
        # Not the rows of one array: policies find some of their numbers from the end.
        self._numbers = tuple(np.array(policy.numbers or (0.0,)) for policy in policies)
        remembers = any(policy.remembers for policy in policies)
        longest = LONGEST if remembers else 0
        self._past = np.zeros((n, longest), record), np.zeros((n, longest), np.int64)
        kept = self.SAMPLE_PASTS if remembers else 1
        self._pasts = (
            np.zeros((n, kept, longest), record),
            np.zeros((n, kept, longest), np.int64),
        )
        size = kept if remembers else self.SAMPLE
        self._sample = np.zeros((n, size), record)
        self._sampled = np.zeros((n, size, 2), np.int64)
        self.decisions = np.zeros(n, np.int64)
        self._watches = [Stopwatch(partial(self._decide, k)) for k in range(n)]
        self._playing = 0.0
        like = (
            game.blank(), 0, self._past[0][0], self._past[1][0], self._numbers[0], stream(0)
        )  # fmt: skip
        self._choose = tuple(policy.choose.as_argument(*like) for policy in policies)

    def set_numbers(self, strategy: int, numbers: Sequence[float]) -> None:
        """Other numbers for a strategy: to try many takes no new runner for each."""
        self._numbers[strategy][:] = numbers

    def play(self, start: int, n: int) -> tuple[np.ndarray, np.ndarray]:
        """Pairs start to start + n − 1, a row each: the results, and how many decisions each
        strategy made."""
        seats = self._game.players
        results = np.zeros((n, len(self._orders) * seats))
        made = np.zeros((n, seats), np.int64)
        state, view = self._game.blank(), self._game.blank()
        self._play(
            state, view, self._key, self._orders, start, self._target, self._game.partners,
            results, made, self._choose, self._eyes, self._numbers, *self._past,
            self.decisions, self._sample, self._sampled, *self._pasts,
        )  # fmt: skip
        return results, made

    def play_part(self, start: int, n: int) -> Played:
        started = time.perf_counter()
        results, made = self.play(start, n)
        taken = time.perf_counter() - started
        self._playing += taken
        seconds = made.sum(axis=0) * self._costs()
        # A sample may have more of the long decisions; all together can't take longer than this.
        seconds *= min(1.0, taken / max(seconds.sum(), 1e-9))
        return Played(start, results, made, tuple(seconds.tolist()))

    def _costs(self) -> np.ndarray:
        """The seconds that a decision of each strategy takes; 0 where nobody can say yet."""
        for watch, made in zip(self._watches, self.decisions.tolist(), strict=True):
            if watch.spent < max(self.FREE, self.SHARE * self._playing):
                watch.go_on(min(made, self._sample.shape[1]))
        return np.array([watch.cost for watch in self._watches])

    def _decide(self, strategy: int, views: int, start: int, end: int) -> None:
        pasts, plays = (kept[strategy] for kept in self._pasts)
        decide_sample(
            self._choose[strategy : strategy + 1], self._sample[strategy, :views],
            self._sampled[strategy], pasts, plays, self._numbers[strategy], start, end, stream(0),
        )  # fmt: skip


def _with_eyes(game: CompiledGame) -> Any:
    """The game's kernels; without hands to lay open, only the fair view is ever asked for."""
    if hasattr(game.kernels, "observe_open_hands"):
        return game.kernels
    return SimpleNamespace(**{**vars(game.kernels), "observe_open_hands": game.kernels.observe})
