"""Luck and skill: why a game ended as it did, in three parts that add up.

Let V(h) be the value of a state to every seat with all hands known: what nobody holds is dealt
anew, and all seats play on as the judge's own player does. A game is a line of states: it is dealt,
somebody plays, cards come, somebody plays, … With a the moment after a play and before the cards
that come then, and q(play) what a play is worth in the worlds that its player could believe in:

    luck of the draw       V(next state) − V(a)            what came, against all that could have
    skill                  q(play) − q(usual play)         the usual play: the judge's own player's,
                                                           the mean over its lots
    luck of what was hidden  V(a) − V(state) − skill       beyond what the player could know

V of the end is the result. Each V is one number that is estimated once, and stands in two
neighbouring parts with opposite signs: V(a) ends a play and begins a draw, V(next state) ends a
draw and begins a play. So the sum is V(end) − V(before the deal) whatever the estimates are: that
is result − start, to rounding, and nothing is found by taking a remainder.

Why the means are zero. V(a) and V(next state) are means over the same deals, so the first part has
mean zero whoever plays. V(state) is the mean over what the usual player does there: given what
the player sees, its mean is q(usual play), and that of V(a) is q(play), if the beliefs are right.

This is the decomposition of DIVAT (Zinkevich and others, 2006) and AIVAT (Burch and others, 2018)
with the part of the hidden cards kept apart. It is not for judging one play: see `judge.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.game import ResultKind, View
from kibitz.jit.rng import stream
from kibitz.review.continuation import Continuation
from kibitz.review.sampled import WorldsOfView
from kibitz.review.threads import in_threads
from kibitz.review.unit_value import UnitValue
from kibitz.search.fast.continuations import BY_POLICY

WORLDS = {ResultKind.WIN: 4000, ResultKind.POINTS: 400}
"""For each value of a game whose result counts this."""
DEALS = 4
"""So many times more worlds tell what the start is worth: it is asked for once."""
VALUES, PLAYS, START = 1, 2, 3
"""The streams: of V, of q, of the start."""

Vector = tuple[float, ...]
"""A number for each seat."""


@dataclass(frozen=True)
class TurnLuck:
    """What one turn did to the values of all seats."""

    turn: int
    """As `kibitz replay` counts; 0: the deal."""
    seat: int | None
    """Who played; None: the deal."""
    before: Vector
    """The value of each seat before the turn, all hands known."""
    draw: Vector
    """Luck of the cards that came after the play, or of the deal."""
    hidden: Vector
    """Luck of what was hidden from who played."""
    skill: Vector
    """What the play was worth against the usual one."""

    @property
    def total(self) -> Vector:
        """The three together."""
        return tuple(np.add(np.add(self.draw, self.hidden), self.skill).tolist())


@dataclass(frozen=True)
class GameLuck:
    """A whole game: its turns, and what it began and ended with."""

    start: Vector
    """The value of each seat before the deal."""
    result: Vector
    turns: tuple[TurnLuck, ...]
    """The deal first."""
    worlds: int
    """For each value."""

    def sum(self, part: str, seat: int) -> float:
        """The whole of one part (`draw`, `hidden` or `skill`) for a seat."""
        return float(sum(getattr(turn, part)[seat] for turn in self.turns))

    def skill_of(self, mover: int, seat: int) -> float:
        """What the plays of one seat did to another, or to itself, by skill."""
        return float(sum(turn.skill[seat] for turn in self.turns if turn.seat == mover))


@dataclass(frozen=True)
class LuckTurn:
    """A turn as it was played: what the estimates need."""

    turn: int
    seat: int
    state: Any
    view: View[Any]
    code: int


class LuckEstimator:
    """The values of one game. All of them use the same streams."""

    def __init__(
        self, continuation: Continuation, unit_value: UnitValue, worlds: int, *key: int
    ) -> None:
        self.continuation, self.unit_value, self.worlds = continuation, unit_value, worlds
        self._key = key

    def _stream(self, *more: int) -> Any:
        return stream(*self._key, *more)

    def start(self, first: int) -> Any:
        """The value before the deal."""
        ends = self.continuation.ends_of_deals(first, self._stream(START), DEALS * self.worlds)
        return self.unit_value.values(ends).mean(axis=0)

    def state(self, state: Any, memory: Any) -> Any:
        """V of a state in which somebody is to play, or of an end. memory: what everybody has
        learned by then, as the continuation remembers it."""
        return self._value(state, memory, BY_POLICY)

    def after(self, state: Any, memory: Any, code: int) -> Any:
        """V after a play, before the cards that come then."""
        return self._value(state, memory, code)

    def _value(self, state: Any, memory: Any, code: int) -> Any:
        over = bool(self.continuation.game.kernels.over(state))
        ends = self.continuation.ends_from(
            state, memory, code, self._stream(VALUES), 1 if over else self.worlds
        )
        return self.unit_value.values(ends).mean(axis=0)

    def skill(self, turn: LuckTurn) -> Any:
        """q(play) − q(usual play): nothing if only one play was possible."""
        worlds = WorldsOfView(
            turn.view, self.continuation, self.unit_value, self._stream(PLAYS, turn.turn)
        )
        if len(worlds.codes) == 1:
            return np.zeros(self.unit_value.game.players)
        both = worlds.tried(np.array([turn.code, BY_POLICY]), self.worlds)
        values = self.unit_value.values(both).mean(axis=0)
        return values[0] - values[1]


def luck_of(turns: Sequence[LuckTurn], end: Any, first: int, estimate: LuckEstimator) -> GameLuck:
    """The parts of every turn of a game that is over."""
    start = estimate.start(first)
    states = [turn.state for turn in turns] + [end]
    memories = _memories(turns, end, estimate.continuation)
    values = in_threads(lambda now: estimate.state(*now), zip(states, memories, strict=True))
    made = zip(turns, memories[:-1], strict=True)
    after = in_threads(lambda now: estimate.after(now[0].state, now[1], now[0].code), made)
    skills = in_threads(estimate.skill, turns)
    nothing = np.zeros(estimate.unit_value.game.players)
    parts = [TurnLuck(0, None, *_vectors(start, values[0] - start, nothing, nothing))]
    for i, turn in enumerate(turns):
        hidden = (after[i] - values[i]) - skills[i]
        draw = values[i + 1] - after[i]
        vectors = _vectors(values[i], draw, hidden, skills[i])
        parts.append(TurnLuck(turn.turn, turn.seat, *vectors))
    result = _vectors(values[-1])[0]
    return GameLuck(_vectors(start)[0], result, tuple(parts), estimate.worlds)


def _memories(turns: Sequence[LuckTurn], end: Any, continuation: Continuation) -> list[Any]:
    """What everybody has learned of the plays, by the state of each turn and of the end."""
    states = np.concatenate([turn.state for turn in turns])
    codes = np.array([turn.code for turn in turns], np.int64)
    return [
        continuation.recall(states[i : i + 1] if i < len(turns) else end, states[:i], codes[:i])
        for i in range(len(turns) + 1)
    ]


def _vectors(*arrays: Any) -> list[Vector]:
    return [tuple(float(number) for number in array) for array in arrays]
