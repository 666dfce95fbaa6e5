"""Two players' Tablić with all cards known, against an opponent whose strategy is known too:
the most that can be made of it, and how.

The search goes from ply to ply through every position that can be reached (see
response_layers.py). First it keeps only the richest of each ply: the line found so is one to
beat, and what can't beat it is left out when all are kept.

What a line is worth: as in tablic.py, but to the seat that is asked for.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from kibitz.core.errors import BadText, UnsuitableGame
from kibitz.core.game import Play
from kibitz.core.strategy import Knows, Strategy
from kibitz.games.tablic.game import Tablic
from kibitz.games.tablic.open_hands.evaluation import POINT
from kibitz.jit.rng import stream
from kibitz.solvers.tablic import response_layers as layers
from kibitz.solvers.tablic.open_deck import (
    LEAST_MEMORY,
    MEMORY,
    Progress,
    Solution,
    Stopped,
    Tell,
    Worth,
    check_cards,
)
from kibitz.solvers.tablic.response_layers import CROWDED, FULL, NODE, WORDS

WIDTH = 1000
"""Positions of a ply that the first search keeps."""
SLICE = 1 << 12
"""Positions between two looks at the clock."""
ROOM = 1 << 12
OTHER_LOTS = 3
NOTHING = -(1 << 40)

Line = tuple[int, list[int]]
"""What a line comes to, and its plays."""


def best_against(
    game: Tablic,
    state: Any,
    seat: int,
    opponent: Strategy,
    tell: Tell = lambda progress: None,
    memory: int = MEMORY,
    width: int = 0,
) -> Solution:
    """The best that a seat can do, and the line with the opponent's replies.

    With a width only so many positions of each ply are kept: quick, but there may be better.
    """
    return _Search(game, state, seat, opponent, tell, memory).solve(width)


class _Search:
    def __init__(
        self, game: Tablic, state: Any, seat: int, opponent: Strategy, tell: Tell, memory: int
    ) -> None:
        if game.players != 2:
            raise UnsuitableGame(f"replies are found for 2 players, not {game.players}")
        if memory < LEAST_MEMORY:
            raise BadText(f"memory must be at least {LEAST_MEMORY >> 20} MB")
        check_cards(game, state)
        self.game, self.state, self.seat, self.opponent = game, state, seat, opponent
        self.tell, self.memory, self.states = tell, memory, 0
        self._started = time.perf_counter()
        self._low: Worth | None = None
        self._policy = policy_of(opponent, game)
        self._numbers = np.array(self._policy.numbers or (0.0,))
        self._rng = stream(0)
        past = np.zeros(0, game.kernels.STATE), np.zeros(0, np.int64)
        like = (game.blank(), 0, *past, self._numbers, self._rng)
        self._choose = self._policy.choose.as_argument(*like)
        self._doubles = doubles(state, seat)
        self._plays = np.empty(ROOM, np.int64)

    # -- what is asked -----------------------------------------------------------------------

    def solve(self, width: int) -> Solution:
        bonus = self.game.settings["cards_bonus"]
        try:
            if bonus == "always":
                best = self._with_bonus(width)
            else:
                best = self._best(width, by_cards=bonus == "tie")
        except KeyboardInterrupt:
            raise Stopped(self._progress()) from None
        worth, line = self._worth(best), tuple(self._named(best))
        self._check_lots(best)
        return Solution(worth, line, self.states, time.perf_counter() - self._started)

    def _with_bonus(self, width: int) -> Line:
        """Nothing is better than the most points, and the bonus too. If they do not go
        together, positions differ by the cards that were taken."""
        first = self._best(width, by_cards=True)
        if self._worth(first, by_cards=True).cards > 0:
            return first
        least = POINT * self._worth(first).points
        return self._run(width, least, with_bonus=True) or first

    def _best(self, width: int, by_cards: bool) -> Line:
        first = self._run(width or WIDTH, NOTHING, by_cards)
        assert first is not None
        self._low = self._worth(first)
        return first if width else self._run(0, first[0], by_cards) or first

    def _end(self, line: Line) -> Any:
        state = self.state.copy()
        for code in line[1]:
            self.game.kernels.apply(state, code)
        return state

    def _worth(self, line: Line, by_cards: bool | None = None) -> Worth:
        """What the end of a line is worth, by the game's rule or with cards to decide."""
        if by_cards is None:
            by_cards = self.game.settings["cards_bonus"] == "tie"
        end = self._end(line)[0]
        value = int(layers.end_worth(end, self.seat, int(by_cards), int(not by_cards)))
        points = round(value / POINT)
        return Worth(points, value - POINT * points)

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
        view = state.copy()
        past, none = state[:0], np.zeros(0, np.int64)
        for code in line[1]:
            turn = int(state[0].turn)
            if turn != self.seat:
                layers.see(self._eyes, state, turn, view)
                for other in range(1, OTHER_LOTS + 1):
                    lots = stream(other)
                    if self._policy.choose(view, turn, past, none, self._numbers, lots) != code:
                        raise self._by_lot()
            self.game.kernels.apply(state, code)

    def _by_lot(self) -> UnsuitableGame:
        return UnsuitableGame(f"{self.opponent} plays by lot: nobody knows the best reply to it")

    @property
    def _eyes(self) -> int:
        return list(Knows).index(self.opponent.knows)

    # -- the search --------------------------------------------------------------------------

    def _run(
        self, width: int, least: int, by_cards: bool = False, with_bonus: bool = False
    ) -> Line | None:
        """The best line that comes to more than `least`, if there is one."""
        facts = np.zeros(layers.FACTS, np.int64)
        facts[layers.SEAT], facts[layers.EYES] = self.seat, self._eyes
        facts[layers.WHOLE] = not self.opponent.suit_blind
        facts[layers.BY_CARDS], facts[layers.WITH_BONUS] = by_cards, with_bonus
        facts[layers.LEAST] = least
        frame = np.zeros(2, self.game.kernels.STATE)
        frame[0] = self.state[0]
        layer = np.zeros(1, NODE)
        layers.begin(frame[:1], facts, layer)
        rooms = _Room(), _Room()
        ways: list[tuple[Any, Any]] = []
        while not frame[0].over:
            room = rooms[len(ways) % 2]
            self._expand(frame, layer, facts, room, rooms, ways)
            layer = room.nodes[: room.n]
            if width and room.n > width:
                layer = layer[np.argsort(-layer["won"], kind="stable")[:width]]
            if not len(layer):
                return None
            ways.append((layer["parent"].astype(np.int32), layer["play"].copy()))
            frame[0] = frame[1]
        return int(layer["won"][0]), _back(ways)

    def _expand(
        self, frame: Any, layer: Any, facts: Any, room: _Room, rooms: Any, ways: Any
    ) -> None:
        """The next layer, into a room. Slice by slice, so that it can be watched."""
        room.clear()
        at = 0
        while at < len(layer):
            at, room.n, ended = layers.expand(
                frame, layer, at, min(at + SLICE, len(layer)), facts, self._doubles,
                self._choose, self._numbers, self._rng, self._plays, room.nodes, room.keys,
                room.index, room.n,
            )  # fmt: skip
            if self._rng[0] != stream(0)[0]:
                raise self._by_lot()
            if ended == CROWDED:
                self._plays = np.empty(4 * len(self._plays), np.int64)
            elif ended == FULL:
                kept = sum(parents.nbytes + plays.nbytes for parents, plays in ways)
                if kept + sum(one.bytes for one in rooms) + 2 * room.bytes > self.memory:
                    raise UnsuitableGame(
                        f"a best reply to {self.opponent} takes more than"
                        f" {self.memory >> 20} MB from here"
                    )
                room.grow()
            self.tell(self._progress(room.n))
        self.states += room.n

    def _progress(self, more: int = 0) -> Progress:
        """The line to beat is known; what can be hoped for is not."""
        seconds = time.perf_counter() - self._started
        return Progress(self._low, None, self.states + more, seconds)


class _Room:
    """A layer, with an index of its keys."""

    def __init__(self) -> None:
        self.n = 0
        self.nodes = np.zeros(ROOM, NODE)
        self.keys = np.zeros((ROOM, WORDS), np.int64)
        self.index = np.full(2 * ROOM, -1, np.int32)

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
        layers.enter_again(self.n, self.keys, self.index)


def _back(ways: list[tuple[Any, Any]]) -> list[int]:
    """The plays on the way to the one end."""
    line, at = [], 0
    for parents, plays in reversed(ways):
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
    found = np.zeros(layers.CARDS + 1, np.int64)
    for dealt in range(layers.CARDS - 12, int(x.dealt) - 1, -12):
        hands = [0, 0]
        for i in range(12):
            hands[(x.dealer + 1 + i // 3) % 2] |= 1 << int(x.deck[dealt + i])
        # Who begins a deal may take what the other laid with his last card of the one before.
        across = seat != x.dealer
        found[dealt] = found[dealt + 12] + layers.shared(*hands) + across
    return found
