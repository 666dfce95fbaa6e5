"""Pairs in compiled code, with the luck of their chance events.

They are the pairs of `pairs.py`, to the bit, which stays as quick as it is: here every state is
copied before a play, and the game's `luck_of_play` looks at what came after it (see `luck.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from kibitz.arena.luck import luck_module
from kibitz.arena.pairs import (
    CompiledPairs,
    derive_streams,
    kernels_with_open_hands,
    take_sample,
)
from kibitz.arena.plan import PlayedPart
from kibitz.core.strategy import Strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.games.observing import observe_as
from kibitz.jit.blake2 import digest
from kibitz.jit.kernels import Slot, bind, inlined, template
from kibitz.table.seeds import CHANCE, LUCK, SEATS, SHUFFLE

game: Any = Slot("game")
luck: Any = Slot("luck")
"""The module of the game's luck."""


class LuckWork(NamedTuple):
    """What the luck of a play is found with."""

    before: np.ndarray
    """The state before the play: STATE[1]."""
    scratch: np.ndarray
    """STATE[1], to be written to."""
    numbers: np.ndarray
    """Tables and weights of the game's luck. The kernels only read them."""
    stream: np.ndarray
    """uint64[1], of this pair's luck: the same in both games."""


@inlined
def play_lucky_game(
    s: Any, view: Any, streams: Any, seating: Any, players: Any, samples: Any, work: Any
) -> float:
    """Play one game to its end as `pairs.play_game` does; what chance gave the first seat."""
    choose, numbers, knows, views, plays, decisions = players
    before, scratch, values, stream = work
    longest, places = views.shape[1], samples.views.shape[1]
    turns, earlier, total = 0, np.int64(-1), 0.0
    game.deal(s, streams[SHUFFLE], np.int64(0))
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
        before[0] = s[0]
        game.apply(s, play)
        total += luck.luck_of_play(before, earlier, play, s, values, scratch, stream)
        earlier = play
    return total


@template
def play_lucky_pairs(
    s: Any, view: Any, schedule: Any, start: int, results: Any, decisions: Any, players: Any,
    samples: Any, work: Any,
) -> None:  # fmt: skip
    """Play pair start + i of two players for each row i of results, float64[pairs, 6]: what
    `pairs.play_pairs` writes, and for each game the luck of the first player of the line-up."""
    key, orders, _, _ = schedule
    made = players.decisions
    buffer = np.zeros(40, np.uint64)
    derived = np.zeros((SEATS + 2, 1), np.uint64)
    streams = np.zeros((SEATS + 2, 1), np.uint64)
    gained = np.zeros(2)
    for i in range(len(results)):
        decisions[i] -= made
        digest(key, start + i, 0, LUCK, buffer, buffer[32:])
        work.stream[0] = buffer[32]
        derive_streams(key, start + i, np.int64(0), buffer, derived)
        for number in range(2):
            seating = orders[number]
            streams[:] = derived
            given = play_lucky_game(s, view, streams, seating, players, samples, work)
            game.returns(s, gained)
            for seat in range(2):
                results[i, number * 2 + seating[seat]] = gained[seat]
            results[i, 4 + number] = given if seating[0] == 0 else -given
        decisions[i] += made


class CorrectedPairs(CompiledPairs):
    """Two strategies that have compiled policies, ready to play pairs whose luck is wanted."""

    def __init__(self, game: CompiledGame, strategies: Sequence[Strategy], seed: int) -> None:
        super().__init__(game, strategies, seed, target=0)
        module = luck_module(game)
        kernels = kernels_with_open_hands(game)
        self._play_lucky_pairs = bind(play_lucky_pairs, game=kernels, luck=module)
        stream = np.zeros(1, np.uint64)
        self._work = LuckWork(game.blank(), game.blank(), module.numbers(), stream)

    def play_untimed(self, start: int, n: int) -> PlayedPart:
        """The same pairs with their luck."""
        results, decisions = np.zeros((n, 6)), np.zeros((n, 2), np.int64)
        state, view = self._game.blank(), self._game.blank()
        self._play_lucky_pairs(
            state, view, self._schedule, start, results, decisions, self._players, self._samples,
            self._work,
        )  # fmt: skip
        return PlayedPart(start, results[:, :4], decisions, (0.0, 0.0), luck=results[:, 4:])
