"""Pairs: one shuffle played once in every rotation of the seats, in compiled code.

With two players that is each shuffle twice, seats swapped. A unit is one game, or a whole
match. Every strategy decides from what `observe` leaves of the state. Strategy k's result in
rotation r is in column r·players + k; it sits in seat (k + r) mod players.
"""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import numpy as np

from kibitz.arena.seeds import CHANCE_KEY
from kibitz.compiled import Kernel, Slot, bind, template
from kibitz.games.face import CompiledGame
from kibitz.rng import fork, stream

game: Any = Slot("game")
a: Any = Slot("a")
b: Any = Slot("b")
c: Any = Slot("c")
d: Any = Slot("d")

SHIFT = np.uint64(1)


@template
def decide(strategy: int, view: Any, seat: int, rng: Any) -> int:
    """The decision of strategy number 0 to 3."""
    if strategy == 0:
        return a.choose(view, seat, rng)
    if strategy == 1:
        return b.choose(view, seat, rng)
    if strategy == 2:
        return c.choose(view, seat, rng)
    return d.choose(view, seat, rng)


@template
def reseed(root: Any, i: int, work: Any) -> None:
    """Make work the stream of the seed that `nth_seed(root, i)` gives."""
    fork(root, i, work)
    seed = np.int64(work[0] >> SHIFT)
    work[0] = np.uint64(0)
    fork(work, seed, work)


@template
def play_game(
    s: Any, view: Any, root: Any, streams: Any, first: int, rotation: int,
    decisions: Any, sample: Any, seats: Any,
) -> None:  # fmt: skip
    """One game. The root is the stream of its seed."""
    n = len(decisions)
    fork(root, 0, streams[0])
    game.deal(s, streams[0], first)
    for seat in range(n):
        fork(root, seat + 1, streams[seat])
    fork(root, CHANCE_KEY, streams[n])
    while not game.over(s):
        seat = game.mover(s)
        if seat < 0:
            game.apply(s, game.pick(s, streams[n]))
            continue
        strategy = (seat - rotation) % n
        game.observe(s, seat, view)
        nth = decisions[strategy]
        if nth < sample.shape[1]:
            sample[strategy, nth] = view[0]
            seats[strategy, nth] = seat
        decisions[strategy] += 1
        game.apply(s, decide(strategy, view, seat, streams[seat]))


@template
def play_pairs(
    s: Any, view: Any, root: Any, start: int, target: int, partners: int, results: Any,
    decisions: Any, sample: Any, seats: Any,
) -> None:  # fmt: skip
    """Play pair start + i for each row i of results: matches if there is a target.

    Strategy k's first views are kept in row k of sample, their seats in row k of seats.
    """
    n = len(decisions)
    work = np.zeros(1, np.uint64)
    own = np.zeros(1, np.uint64)
    lots = np.zeros(1, np.uint64)
    streams = np.zeros((n + 1, 1), np.uint64)
    gained = np.zeros(n)
    score = np.zeros(n)
    for i in range(len(results)):
        for rotation in range(n):
            reseed(root, start + i, work)
            fork(work, CHANCE_KEY, lots)
            first = np.int64(0)  # a literal would compile everything below it twice
            nth = np.int64(0)
            score[:] = 0.0
            while nth == 0 or (target > 0 and not is_decided(score, target, partners)):
                if target > 0:
                    reseed(work, nth, own)
                else:
                    own[0] = work[0]
                play_game(s, view, own, streams, first, rotation, decisions, sample, seats)
                if target > 0:
                    game.points(s, gained)
                    first = game.next_first(s, lots)
                else:
                    game.returns(s, gained)
                for seat in range(n):
                    score[seat] += gained[seat]
                nth += 1
            for strategy in range(n):
                results[i, rotation * n + strategy] = score[(strategy + rotation) % n]


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
def decide_sample(strategy: int, sample: Any, seats: Any, n: int, rng: Any) -> int:
    """Decide on kept views again, to measure the time of a decision."""
    total = 0
    for i in range(n):
        total += decide(strategy, sample[i : i + 1], seats[i], rng)
    return total


class CompiledPairs:
    """Strategies of one game that all have compiled policies, ready to play pairs."""

    SAMPLE = 2000

    def __init__(self, game: CompiledGame, policies: list[Kernel], seed: int, target: int) -> None:
        self._game = game
        chosen = [SimpleNamespace(choose=policy) for policy in policies]
        slots = dict(zip("abcd", (chosen * 4)[:4], strict=True))
        self._play = bind(play_pairs, game=game.kernels, **slots)
        self._decide = bind(decide_sample, **slots)
        self._root = stream(seed)
        self._target = target
        self._sample = np.zeros((len(policies), self.SAMPLE), game.kernels.STATE)
        self._seats = np.zeros((len(policies), self.SAMPLE), np.int64)
        self.decisions = np.zeros(len(policies), np.int64)

    def play(self, start: int, n: int) -> np.ndarray:
        """The results of pairs start to start + n − 1, a row each."""
        seats = self._game.players
        results = np.zeros((n, seats * seats))
        state, view = self._game.blank(), self._game.blank()
        self._play(
            state, view, self._root, start, self._target, self._game.partners, results,
            self.decisions, self._sample, self._seats,
        )  # fmt: skip
        return results

    def seconds(self) -> list[float]:
        """The time of all decisions so far, from the time of a sample of them."""
        times = []
        for strategy, made in enumerate(self.decisions):
            n = min(int(made), self.SAMPLE)
            sample, seats = self._sample[strategy], self._seats[strategy]
            self._decide(strategy, sample, seats, 1, stream(0))
            started = time.perf_counter()
            self._decide(strategy, sample, seats, n, stream(0))
            times.append((time.perf_counter() - started) / max(n, 1) * int(made))
        return times
