"""Two players' Tablić with all cards known, against an opponent whose strategy is known too:
the most that can be made of it, and how.

Since the opponent's play is a function of the position, this is a game of one player: the longest
path through a graph of layers, one for each ply (see response_layers.py). First only the best of
each ply are expanded (a beam search): the line that this gives is one to beat, and what can't
beat it is left out when all are expanded (branch and bound).

The value of a line: as in open_deck.py, but to the seat that is asked for.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.errors import BadValue, UnsuitableGame
from kibitz.core.game import Play
from kibitz.core.strategy import Strategy
from kibitz.games.observing import knows_number
from kibitz.games.tablic.game import Tablic
from kibitz.games.tablic.open_hands.evaluation import POINT
from kibitz.jit.rng import stream
from kibitz.solvers.tablic import response_layers as layers
from kibitz.solvers.tablic.open_deck import (
    LEAST_MEMORY,
    MEMORY,
    DeckSolution,
    DeckValue,
    Report,
    SearchProgress,
    Stopped,
    check_cards,
)
from kibitz.solvers.tablic.response_layers import (
    BY_LOT,
    CONTROL,
    CROWDED,
    FULL,
    NODE,
    WORDS,
)

WIDTH = 1000
"""Of the beam: positions of a ply that the first search expands."""
SLICE = 1 << 12
"""Positions between two looks at the clock."""
CAPACITY = 1 << 12
OTHER_LOTS = 3
"""Other random streams that the opponent's plays are checked with."""
NOTHING = -(1 << 40)
"""Less than any line comes to."""

Line = tuple[int, list[int]]
"""What a line comes to, and its plays."""


class LayerStep(NamedTuple):
    """How the nodes of a layer were reached."""

    parents: Any
    """int32[n]: places in the layer before."""
    plays: Any
    """int64[n]."""


def best_against(
    game: Tablic,
    state: Any,
    seat: int,
    opponent: Strategy,
    report: Report = lambda progress: None,
    memory: int = MEMORY,
    width: int = 0,
) -> DeckSolution:
    """The best that a seat can do, and the line with the opponent's replies.

    With a width only so many positions of each ply are expanded: quick, but there may be better.
    """
    return _Search(game, state, seat, opponent, report, memory).solve(width)


class _Search:
    def __init__(
        self, game: Tablic, state: Any, seat: int, opponent: Strategy, report: Report, memory: int
    ) -> None:
        if game.players != 2:
            raise UnsuitableGame(f"best responses are for 2 players, not {game.players}")
        if memory < LEAST_MEMORY:
            raise BadValue(f"memory must be at least {LEAST_MEMORY >> 20} MB")
        check_cards(game, state)
        self.game, self.state, self.seat, self.opponent = game, state, seat, opponent
        self.report, self.memory, self.states = report, memory, 0
        self._started = time.perf_counter()
        self._low: DeckValue | None = None
        self._policy = policy_of(opponent, game)
        self._numbers = np.array(self._policy.numbers or (0.0,))
        past = np.zeros(0, game.kernels.STATE), np.zeros(0, np.int64)
        like = (game.blank(), 0, *past, self._numbers, stream(0))
        self._choose = self._policy.choose.as_argument(*like)
        self._doubles = doubles(state, seat)
        self._plays = np.empty(CAPACITY, np.int64)

    # -- the best line -----------------------------------------------------------------------

    def solve(self, width: int) -> DeckSolution:
        bonus = self.game.settings["cards_bonus"]
        try:
            if bonus == "always":
                best = self._with_bonus(width)
            else:
                best = self._best(width, by_cards=bonus == "tie")
        except KeyboardInterrupt:
            raise Stopped(self._progress()) from None
        value, line = self._deck_value(best), tuple(self._named(best))
        self._check_lots(best)
        return DeckSolution(value, line, self.states, time.perf_counter() - self._started)

    def _with_bonus(self, width: int) -> Line:
        """Nothing is better than the most points, and the bonus too. If they do not go
        together, positions differ by the cards that were taken."""
        first = self._best(width, by_cards=True)
        if self._deck_value(first, by_cards=True).cards > 0:
            return first
        least = POINT * self._deck_value(first).points
        return self._run(width, least, with_bonus=True) or first

    def _best(self, width: int, by_cards: bool) -> Line:
        first = self._run(width or WIDTH, NOTHING, by_cards)
        assert first is not None
        self._low = self._deck_value(first)
        return first if width else self._run(0, first[0], by_cards) or first

    def _end(self, line: Line) -> Any:
        state = self.state.copy()
        for code in line[1]:
            self.game.kernels.apply(state, code)
        return state

    def _deck_value(self, line: Line, by_cards: bool | None = None) -> DeckValue:
        """The value of the end of a line, by the game's rule or with cards to decide."""
        if by_cards is None:
            by_cards = self.game.settings["cards_bonus"] == "tie"
        end = self._end(line)[0]
        value = int(layers.end_value(end, self.seat, int(by_cards), int(not by_cards)))
        points = round(value / POINT)
        return DeckValue(points, value - POINT * points)

    def _named(self, line: Line) -> Iterator[Play]:
        """The plays, each checked: an opponent may be anybody's."""
        state = self.state.copy()
        for code in line[1]:
            play = self.game.name_play(state, code)
            self.game.check(state, play)
            self.game.kernels.apply(state, code)
            yield play

    # -- the opponent ------------------------------------------------------------------------

    def _check_lots(self, line: Line) -> None:
        """A policy can draw lots without moving its stream: then others would change it."""
        state = self.state.copy()
        view, knows = state.copy(), knows_number(self.opponent.knows)
        past, none = state[:0], np.zeros(0, np.int64)
        for code in line[1]:
            turn = int(state[0].turn)
            if turn != self.seat:
                layers.observe_as(knows, state, turn, view)
                for other in range(1, OTHER_LOTS + 1):
                    lots = stream(other)
                    if self._policy.choose(view, turn, past, none, self._numbers, lots) != code:
                        raise self._by_lot()
            self.game.kernels.apply(state, code)

    def _by_lot(self) -> UnsuitableGame:
        return UnsuitableGame(f"{self.opponent} plays by lot: no best response to it is known")

    # -- the search --------------------------------------------------------------------------

    def _run(
        self, width: int, least: int, by_cards: bool = False, with_bonus: bool = False
    ) -> Line | None:
        """The best line that comes to more than `least`, if there is one."""
        control = np.zeros(1, CONTROL)
        control[0].seat, control[0].knows = self.seat, knows_number(self.opponent.knows)
        control[0].whole_state = not self.opponent.suit_blind
        control[0].by_cards, control[0].with_bonus = by_cards, with_bonus
        control[0].least, control[0].doubles = least, self._doubles
        frame = np.zeros(2, self.game.kernels.STATE)
        frame[0] = self.state[0]
        nodes = np.zeros(1, NODE)
        layers.begin(frame[:1], control, nodes)
        both = _LayerBuffers(), _LayerBuffers()
        steps: list[LayerStep] = []
        while not frame[0].over:
            next_layer = both[len(steps) % 2]
            used = sum(step.parents.nbytes + step.plays.nbytes for step in steps)
            used += both[1 - len(steps) % 2].bytes
            self._expand(frame, nodes, control, next_layer, used)
            nodes = next_layer.nodes[: next_layer.n]
            if width and next_layer.n > width:
                nodes = nodes[np.argsort(-nodes["won"], kind="stable")[:width]]
            if not len(nodes):
                return None
            steps.append(LayerStep(nodes["parent"].astype(np.int32), nodes["play"].copy()))
            frame[0] = frame[1]
        return int(nodes["won"][0]), _back(steps)

    def _expand(
        self, frame: Any, nodes: Any, control: Any, layer: _LayerBuffers, used: int
    ) -> None:
        """The next layer. Slice by slice, so that it can be watched. `used`: bytes besides it."""
        layer.clear()
        c = control[0]
        c.at, c.n = 0, 0
        while c.at < len(nodes):
            c.end = min(c.at + SLICE, len(nodes))
            ended = layers.expand(
                frame, nodes, control, self._choose, self._numbers, self._plays, layer.nodes,
                layer.keys, layer.index,
            )  # fmt: skip
            layer.n = int(c.n)
            if ended == BY_LOT:
                raise self._by_lot()
            if ended == CROWDED:
                self._plays = np.empty(4 * len(self._plays), np.int64)
            elif ended == FULL:
                if used + 3 * layer.bytes > self.memory:  # itself, and twice that
                    raise UnsuitableGame(
                        f"a best response to {self.opponent} takes more than"
                        f" {self.memory >> 20} MB from here"
                    )
                layer.grow()
            self.report(self._progress(layer.n))
        self.states += layer.n

    def _progress(self, more: int = 0) -> SearchProgress:
        """The line to beat is known; what can be hoped for is not."""
        seconds = time.perf_counter() - self._started
        return SearchProgress(self._low, None, self.states + more, seconds)


class _LayerBuffers:
    """A layer, with an index of its keys."""

    def __init__(self) -> None:
        self.n = 0
        self.nodes: Any = np.zeros(CAPACITY, NODE)
        self.keys = np.zeros((CAPACITY, WORDS), np.int64)
        self.index = np.full(2 * CAPACITY, -1, np.int32)

    def clear(self) -> None:
        self.n = 0
        self.index.fill(-1)

    @property
    def bytes(self) -> int:
        return int(self.nodes.nbytes + self.keys.nbytes + self.index.nbytes)

    def grow(self) -> None:
        nodes, keys = self.nodes, self.keys
        self.nodes = np.zeros(2 * len(nodes), NODE)
        self.keys = np.zeros((2 * len(nodes), WORDS), np.int64)
        self.nodes[: self.n], self.keys[: self.n] = nodes[: self.n], keys[: self.n]
        self.index = np.full(4 * len(nodes), -1, np.int32)
        layers.fill_index(self.n, self.keys, self.index)


def _back(steps: list[LayerStep]) -> list[int]:
    """The plays on the way to the one end."""
    line, at = [], 0
    for parents, plays in reversed(steps):
        line.append(int(plays[at]))
        at = int(parents[at])
    return line[::-1]


def policy_of(opponent: Strategy, game: Tablic) -> Any:
    """The opponent's decisions, which must be compiled and hang on the position alone."""
    opponent.check_game(game)
    policy = opponent.policy(game)
    if policy is None:
        raise UnsuitableGame(f"{opponent} is not compiled: its replies can't be looked through")
    if policy.remembers:
        raise UnsuitableGame(f"{opponent} remembers what was played: no position tells its reply")
    return policy


def doubles(state: Any, seat: int) -> Any:
    """With so many cards dealt: how often in later deals two tablas of a seat can follow each
    other with one card between them, at most. See `most_tablas`."""
    x = state[0]
    counts = np.zeros(layers.CARDS + 1, np.int64)
    for dealt in range(layers.CARDS - 12, int(x.dealt) - 1, -12):
        hands = [0, 0]
        for i in range(12):
            hands[(x.dealer + 1 + i // 3) % 2] |= 1 << int(x.deck[dealt + i])
        # Who begins a deal may take what the other laid with his last card of the one before.
        across = seat != x.dealer
        counts[dealt] = counts[dealt + 12] + layers.shared(*hands) + across
    return counts
