"""Two players' Tablić with all cards known, deck included: the exact value and the best line.

The search is `search/fast/alpha_beta.py` on the game's open-card twin, with null windows around
a first guess that is improved until the bounds meet (MTD(f), A. Plaat and others, 1996). It
works in slices, so that it can be watched, and interrupted with the bounds that it has by then.

The value of a position: the difference in points at the end of the game, the player to move
less the other. With `cards_bonus=tie` equal points are decided by cards, as in a match of one
game: the value is a pair, points first. So it is not the game's `returns`, where the three
points for a tie are more than the one that would avoid it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.errors import BadText, BadValue, UnsuitableGame
from kibitz.core.game import Play
from kibitz.core.limits import check_search
from kibitz.games.tablic import open_hands as twin
from kibitz.games.tablic import positions
from kibitz.games.tablic.capture_values import tie
from kibitz.games.tablic.ends import BONUS_NONE
from kibitz.games.tablic.game import Tablic
from kibitz.jit.kernels import bind
from kibitz.search.fast import alpha_beta
from kibitz.search.fast.alpha_beta import KINDS, PAUSED, Workspace, new_workspace
from kibitz.search.fast.transposition_table import ENTRY

MEMORY = 1 << 29
LEAST_MEMORY = 1 << 20
SLICE = 100_000
"""Nodes between two looks at the clock."""
PLIES = 48
BONUS_VALUE = 3 * twin.POINT
OTHER_HISTORY = 30
CAPACITY, MOST_CAPACITY = 1 << 14, 1 << 22
"""For plays, at first and at most."""
ROWS = ((12, 14), (24, 19), (36, 22), (48, 24))
"""So many plies, and the table they can fill: powers of two."""

_search = bind(alpha_beta.search, twin=twin)
_resume = bind(alpha_beta.resume, twin=twin)


class DeckValue(NamedTuple):
    """Points first, then cards where they count. Of the player to move, less the other's."""

    points: int
    cards: int = 0


@dataclass(frozen=True)
class SearchProgress:
    """How far a solution is."""

    low: DeckValue | None
    high: DeckValue | None
    nodes: int
    seconds: float


@dataclass(frozen=True)
class DeckSolution:
    value: DeckValue
    line: tuple[Play, ...]
    nodes: int
    seconds: float


Report = Callable[[SearchProgress], None]


class Stopped(Exception):
    """Interrupted, with the bounds so far."""

    def __init__(self, progress: SearchProgress) -> None:
        self.progress = progress


class OpenDeck:
    """A position with all cards known, and what the search knows of it."""

    def __init__(self, game: Tablic, state: Any, memory: int = MEMORY, threads: int = 1) -> None:
        if game.players != 2:
            raise UnsuitableGame(f"the deck is solved for 2 players, not {game.players}")
        check_cards(game, state := game.checked(state))
        check_search(threads, memory)
        self.game, self.state = game, state
        self._started = time.perf_counter()
        self._bonus = game.settings["cards_bonus"] == "always"
        self._by_cards = game.settings["cards_bonus"] == "tie"
        card = float(self._by_cards)
        self._weights = np.array(twin.DealWeights(card=(card, card, card, card)).numbers())
        self._unit = 1.0 if self._by_cards else float(twin.POINT)
        self._seat, self._root = int(state[0].turn), np.zeros(1, twin.STATE)
        twin.set_up(state, self._root)
        twin.see_deck(state, self._root)
        if self._by_cards:
            self._root[0].bonus = BONUS_NONE
        self._table = np.zeros(rows_for(plies_left(self._root), memory), ENTRY)
        self._searches = [self._new_search(CAPACITY) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(max(threads - 1, 1))
        for number, work in enumerate(self._searches):
            if number:  # so that they do not all go the same way
                lots = np.random.default_rng(number).integers(0, 1 << OTHER_HISTORY, 2 * KINDS)
                work.history[:] = lots.reshape(2, KINDS)
            if self._bonus:
                work.control[0].mask = 127 << twin.TAKEN_AT
                work.control[0].slack = BONUS_VALUE

    @property
    def nodes(self) -> int:
        """That were looked at so far."""
        return int(sum(work.control[0].nodes for work in self._searches))

    # -- values ----------------------------------------------------------------------------

    def solve(self, report: Report = lambda progress: None) -> DeckSolution:
        """The value, and a line of best play."""
        value = self._value(self._root, report)
        try:
            line = tuple(self._line(value, report))
        except KeyboardInterrupt:
            raise Stopped(self._progress(value, value)) from None
        return DeckSolution(
            self._deck_value(value), line, self.nodes, time.perf_counter() - self._started
        )

    def value(self, report: Report = lambda progress: None) -> DeckValue:
        """The value alone."""
        return self._deck_value(self._value(self._root, report))

    def values(self, report: Report = lambda progress: None) -> dict[Play, DeckValue]:
        """The value of every legal play."""
        return {
            play: self._deck_value(self._value(after(self._root, play.code), report))
            for play in self.game.plays(self.state)
        }

    def values_along(
        self, plays: Sequence[Play], report: Report = lambda progress: None
    ) -> list[DeckValue]:
        """The value of every position of a game that goes on from here by these plays, each before
        its play, to the seat to move at the root."""
        return [*self.values_back_along(plays, report)][::-1]

    def values_back_along(
        self, plays: Sequence[Play], report: Report = lambda progress: None
    ) -> Iterator[DeckValue]:
        """The same one by one, from the last position to the first: the play that was made bounds
        the value before it, and all searches share one table."""
        places, state = [self._root], self.state
        for play in plays[:-1]:
            places.append(after(places[-1], play.code))
        movers = []
        for play in plays:
            movers.append(int(state[0].turn))
            state = self.game.after(state, play)
        value: float | None = None
        for d, mover in zip(reversed(places), reversed(movers), strict=True):
            mine = mover == self._seat
            value = self._value(d, report) if value is None else self._from_below(
                d, value, mine, report
            )  # fmt: skip
            yield self._deck_value(value)

    def _from_below(self, d: Any, value: float, mine: bool, report: Report) -> float:
        """The value of a position in which one play is known to reach this value."""
        step = self._unit
        while True:
            low, high = (value, value + step) if mine else (value - step, value)
            bound = self._within(d, low, high, report)
            if bound <= value if mine else bound >= value:
                return value
            value = bound

    def _deck_value(self, value: float) -> DeckValue:
        points = round(value / twin.POINT)
        return DeckValue(points, round(value - twin.POINT * points) if self._by_cards else 0)

    def _line(self, value: float, report: Report) -> Iterator[Play]:
        """Plays that keep the value: where the search has shown it already, those."""
        state, d = self.state.copy(), self._root
        while not self.game.kernels.over(state):
            mine = int(state[0].turn) == self._seat
            # Only the play that is chosen gets a name: that takes longer than most searches.
            codes = sorted(self.game.kernels.legal(state).tolist(), key=tie)
            for code, most in [(code, 1) for code in codes] + [(code, None) for code in codes]:
                then = after(d, code)
                if self._reaches(then, value, mine, report, most):
                    yield self.game.name_play(state, code)
                    d = then
                    self.game.kernels.apply(state, code)
                    break
            else:
                raise AssertionError("no play keeps the value")

    def _reaches(
        self, d: Any, value: float, mine: bool, report: Report, most: int | None = None
    ) -> bool:
        """Whether the value of a position, to the seat at the root, is at least this one (`mine`:
        after a play of that seat) or at most this one. False also if it takes more than `most`
        nodes to know."""
        low, high = (value - self._unit, value) if mine else (value, value + self._unit)
        bound = self._within(d, low, high, report, most)
        return bound != PAUSED and (bound >= value if mine else bound <= value)

    def _value_after(self, then: Any, value: float, mine: bool, report: Report) -> float:
        """The value after a play, mine or the other player's, from a position of this value: it
        is no better for who played, so every failed test gives the next guess."""
        step = self._unit
        while True:
            low, high = (value - step, value) if mine else (value, value + step)
            bound = self._within(then, low, high, report)
            if bound >= value if mine else bound <= value:
                return value
            value = bound

    # -- the search ------------------------------------------------------------------------

    def _value(self, d: Any, report: Report) -> float:
        """The value of a position for the seat to move at the root."""
        guess = float(twin.banked(d, 0, self._seat, self._weights))
        if not self._bonus:
            return self._between(d, -np.inf, np.inf, guess, report)
        plain = d.copy()
        plain[0].bonus = BONUS_NONE
        value = self._between(plain, -np.inf, np.inf, guess, report, BONUS_VALUE)
        return self._between(d, value - BONUS_VALUE, value + BONUS_VALUE, value, report)

    def _between(
        self, d: Any, low: float, high: float, guess: float, report: Report, slack: float = 0.0
    ) -> float:
        """The value, which lies within these limits. The bounds that are reported are wider by
        `slack`."""
        while low < high:
            beta = guess + self._unit if guess == low else guess
            bounds = low - slack, high + slack

            def report_bounds(
                progress: SearchProgress, bounds: tuple[float, float] = bounds
            ) -> None:
                report(self._progress(*bounds))

            try:
                guess = self._within(d, beta - self._unit, beta, report_bounds)
            except KeyboardInterrupt:
                raise Stopped(self._progress(*bounds)) from None
            if guess < beta:
                high = guess
            else:
                low = guess
        return low

    def _progress(self, low: float, high: float) -> SearchProgress:
        least, most = (self._deck_value(v) if np.isfinite(v) else None for v in (low, high))
        return SearchProgress(least, most, self.nodes, time.perf_counter() - self._started)

    def _within(
        self, d: Any, low: float, high: float, report: Report, most: int | None = None
    ) -> float:
        """The value if it lies between low and high, else a bound of it on its side of them: the
        search is fail-soft. Slice by slice; PAUSED if it takes more than `most` nodes."""
        while True:
            with self._helped(d, low, high, most) as results:
                work = self._searches[0]
                allow(work, most or SLICE)
                value = self._search(work, d, low, high)
                while value == PAUSED and most is None and not results and not self._overflowed():
                    report(self._progress(-np.inf, np.inf))
                    allow(work, SLICE)
                    value = self._resume(work)
            if not self._overflowed():
                return results[0] if results and value == PAUSED else value
            # A table had more captures than the arrays have capacity: the value is not exact.
            self._searches = [self._larger(work) for work in self._searches]
            self._table[:] = np.zeros(1, ENTRY)

    @contextmanager
    def _helped(self, d: Any, low: float, high: float, most: int | None) -> Iterator[list[float]]:
        """Meanwhile other threads search the same position with another history, so in another
        order, and share the transposition table. Yields a list that gets the value once one of
        them has it."""
        results: list[float] = []
        ended = False

        def help_out(work: Workspace) -> None:
            allow(work, SLICE)
            value = self._search(work, d, low, high)
            while value == PAUSED and not ended:
                allow(work, SLICE)
                value = self._resume(work)
            if value != PAUSED:
                results.append(value)
                self._searches[0].control[0].node_limit = 0

        helpers = [] if most else self._searches[1:]
        futures = []
        try:
            for work in helpers:
                futures.append(self._pool.submit(help_out, work))
            yield results
        finally:
            ended = True
            for work in helpers:
                work.control[0].node_limit = 0
            for future in futures:
                future.result()

    def _search(self, work: Workspace, d: Any, low: float, high: float) -> float:
        work.stack[0] = d[0]
        work.control[0].max_depth = plies_left(d)
        return float(_search(work, np.int64(0), low, high))

    def _resume(self, work: Workspace) -> float:
        return float(_resume(work, np.int64(0)))

    def _new_search(self, capacity: int) -> Workspace:
        """The arrays of a search, for so many plays."""
        if capacity > MOST_CAPACITY:
            raise BadText("there are too many ways to capture to look at them all")
        stack = np.zeros(PLIES + 2, twin.STATE)
        made: Workspace = new_workspace.function(
            stack, self._table, self._weights, capacity, self._seat, PLIES
        )
        return made

    def _larger(self, work: Workspace) -> Workspace:
        made = self._new_search(4 * len(work.plays))
        made.history[:], made.control[:] = work.history, work.control
        made.control[0].overflows = 0
        return made

    def _overflowed(self) -> bool:
        return any(work.control[0].overflows for work in self._searches)


class Walk:
    """A game from a deck's position on, of which every position's value is known. All walks of
    a deck share its transposition table."""

    def __init__(
        self, deck: OpenDeck, value: DeckValue, report: Report = lambda progress: None
    ) -> None:
        """From the deck's position, with its value to who moves there."""
        self.game, self.state = deck.game, deck.state.copy()
        self._deck, self._d, self._report = deck, deck._root, report
        self._value = float(twin.POINT * value.points + value.cards)

    @property
    def value(self) -> DeckValue:
        """The value of the position now, to who moved at the deck's."""
        return self._deck._deck_value(self._value)

    def is_optimal(self, play: Play) -> bool:
        """Whether a play is as good as any."""
        return self._deck._reaches(
            after(self._d, play.code), self._value, self._is_mine(), self._report
        )

    def best(self) -> Play:
        """The first by the order of the strategies that is as good as any."""
        plays = sorted(self.game.plays(self.state), key=lambda play: tie(play.code))
        return next(play for play in plays if self.is_optimal(play))

    def loss(self, play: Play) -> DeckValue:
        """What a play would lose to who makes it."""
        change = self._value_after(play) - self._value
        return self._deck._deck_value(-change if self._is_mine() else change)

    def values(self) -> dict[Play, DeckValue]:
        """The value of the position after each legal play, to who makes it."""
        sign = 1 if self._is_mine() else -1
        plays = self.game.plays(self.state)
        return {play: self._deck._deck_value(sign * self._value_after(play)) for play in plays}

    def play(self, play: Play) -> None:
        """Go on."""
        self._value, self._d = self._value_after(play), after(self._d, play.code)
        self.state = self.game.after(self.state, play)

    def _value_after(self, play: Play) -> float:
        then = after(self._d, play.code)
        return self._deck._value_after(then, self._value, self._is_mine(), self._report)

    def _is_mine(self) -> bool:
        return int(self.state[0].turn) == self._deck._seat


def after(d: Any, play: int) -> Any:
    """The open-card twin after a play. It is not made anew from the state: that would number the
    cards anew, and keys in the transposition table are made of these numbers."""
    then = d.copy()
    twin.apply(then, 0, play)
    return then


def allow(work: Workspace, nodes: int) -> None:
    """So many nodes before the next pause."""
    work.control[0].node_limit = work.control[0].nodes + nodes


def plies_left(d: Any) -> int:
    held = sum(int(left).bit_count() for left in d[0].left)
    return held + 12 * int(d[0].known)


def rows_for(plies: int, memory: int) -> int:
    """Rows of a table that is large enough, and takes no more memory than it may."""
    if memory < LEAST_MEMORY:
        raise BadValue(f"memory must be at least {LEAST_MEMORY >> 20} MB")
    wanted = next(power for most, power in ROWS if plies <= most)
    allowed = (memory // ENTRY.itemsize).bit_length() - 1
    return 1 << min(wanted, allowed)


def check_cards(game: Tablic, state: Any) -> None:
    """All cards that matter are known: the piles only where cards count."""
    left_out = positions.missing(game, state)
    if game.settings["cards_bonus"] == "none" and left_out == ["the piles"]:
        return
    if left_out:
        reason = f"to solve it takes all cards; missing: {', '.join(left_out)}"
        without = "; without them it takes tablic:cards_bonus=none"
        raise BadText(reason + without * (left_out == ["the piles"]))
