"""Two players' Tablić with all cards known, deck included: the exact value and the best line.

The search is `deck_search.py`, with null windows around a first guess that is improved until the
bounds meet (MTD(f), A. Plaat and others, 1996). It works in slices, so that it can be watched, and
interrupted with the bounds that it has by then.

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
from kibitz.games.tablic.game import Tablic
from kibitz.solvers.tablic import deck_search
from kibitz.solvers.tablic.deck_captures import CaptureLists, new_lists
from kibitz.solvers.tablic.deck_search import BONUS, HISTORY, PAUSED, DeckSearch
from kibitz.solvers.tablic.deck_table import ENTRY, make_key, new_table

MEMORY = 1 << 29
LEAST_MEMORY = 1 << 20
SLICE = 100_000
"""Nodes between two looks at the clock."""
OTHER_HISTORY = 30
CAPACITY, MOST_CAPACITY = 1 << 14, 1 << 22
"""For plays, at first and at most."""
ROWS = ((12, 14), (24, 19), (36, 22), (48, 24))
"""So many plies, and the table they can fill: powers of two."""
LEXICAL = 128
"""What a point counts where cards decide between equal points: more than twice all of them."""
NO_LIMIT = 1 << 30


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


class Searcher(NamedTuple):
    """What one thread searches with."""

    search: DeckSearch
    lists: CaptureLists

    @property
    def control(self) -> Any:
        return self.search.control[0]


class KeyedPosition(NamedTuple):
    """A position as the search knows it."""

    key: int
    holder: int
    mover: int
    banked: int
    """What the seat at the root has won by then, less the other: the bonus too if it is decided."""


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
        self._point = LEXICAL if self._by_cards else 1
        self._seat, self._root = int(state[0].turn), np.zeros(1, twin.STATE)
        twin.set_up(state, self._root)
        twin.see_deck(state, self._root)
        self._plies = plies_left(self._root)
        self._table = new_table(rows_for(self._plies, memory))
        self._searches = [self._new_search(CAPACITY) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(max(threads - 1, 1))
        for number, work in enumerate(self._searches):
            if number:  # so that they do not all go the same way
                lots = np.random.default_rng(number).integers(0, 1 << OTHER_HISTORY, HISTORY)
                work.search.history[:] = lots

    @property
    def nodes(self) -> int:
        """That were looked at so far."""
        return int(sum(work.control.nodes for work in self._searches))

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
        value: int | None = None
        for d, mover in zip(reversed(places), reversed(movers), strict=True):
            mine = mover == self._seat
            value = self._value(d, report) if value is None else self._from_below(
                d, value, mine, report
            )  # fmt: skip
            yield self._deck_value(value)

    def _from_below(self, d: Any, value: int, mine: bool, report: Report) -> int:
        """The value of a position in which one play is known to reach this value."""
        while True:
            bound = self._asked(d, value + 1 if mine else value, report)
            if bound <= value if mine else bound >= value:
                return value
            value = bound

    def _deck_value(self, value: int) -> DeckValue:
        points = round(value / self._point)
        return DeckValue(points, value - self._point * points)

    def _line(self, value: int, report: Report) -> Iterator[Play]:
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
        self, d: Any, value: int, mine: bool, report: Report, most: int | None = None
    ) -> bool:
        """Whether the value of a position, to the seat at the root, is at least this one (`mine`:
        after a play of that seat) or at most this one. False also if it takes more than `most`
        nodes to know."""
        bound = self._asked(d, value if mine else value + 1, report, most)
        return bound != PAUSED and (bound >= value if mine else bound <= value)

    def _value_after(self, then: Any, value: int, mine: bool, report: Report) -> int:
        """The value after a play, mine or the other player's, from a position of this value: it
        is no better for who played, so every failed test gives the next guess."""
        while True:
            bound = self._asked(then, value if mine else value + 1, report)
            if bound >= value if mine else bound <= value:
                return value
            value = bound

    # -- the search ------------------------------------------------------------------------

    def _value(self, d: Any, report: Report) -> int:
        """The value of a position for the seat to move at the root."""
        guess = self._place(d, plain=True).banked
        if not self._bonus:
            return self._between(d, -NO_LIMIT, NO_LIMIT, guess, report)
        value = self._between(d, -NO_LIMIT, NO_LIMIT, guess, report, plain=True)
        return self._between(d, value - BONUS, value + BONUS, value, report)

    def _between(
        self, d: Any, low: int, high: int, guess: int, report: Report, plain: bool = False
    ) -> int:
        """The value, which lies within these limits; `plain`: without the bonus for cards, which
        widens the bounds that are reported."""
        slack = BONUS if plain else 0
        while low < high:
            want = min(max(guess, low + 1), high)
            bounds = low - slack, high + slack

            def report_bounds(progress: SearchProgress, bounds: tuple[int, int] = bounds) -> None:
                report(self._progress(*bounds))

            try:
                bound = self._asked(d, want, report_bounds, plain=plain)
            except KeyboardInterrupt:
                raise Stopped(self._progress(*bounds)) from None
            if bound < want:
                high = guess = bound
            else:
                low, guess = bound, bound + 1
        return low

    def _progress(self, low: int = -NO_LIMIT, high: int = NO_LIMIT) -> SearchProgress:
        most_known = NO_LIMIT - BONUS
        least, most = (self._deck_value(v) if abs(v) < most_known else None for v in (low, high))
        return SearchProgress(least, most, self.nodes, time.perf_counter() - self._started)

    def _place(self, d: Any, plain: bool = False) -> KeyedPosition:
        """A position of the twin for the search; `plain`: without the bonus for cards."""
        y = d[0]
        points, taken = int(y.points[0] - y.points[1]), [int(n) for n in y.taken[:2]]
        won = self._point * points + (taken[0] - taken[1] if self._by_cards else 0)
        open_yet = self._bonus and not plain and max(taken) <= deck_search.HALF
        if self._bonus and not plain and not open_yet:
            won += BONUS if taken[0] > taken[1] else -BONUS
        holder = int(y.last) if y.rest_to < 0 <= y.last else int(y.dealer)
        held = int(y.left[0]), int(y.left[1])
        key = make_key(int(y.table), *held, int(y.known), taken[0] + 1 if open_yet else 0)
        return KeyedPosition(int(key), holder, int(y.turn), -won if self._seat else won)

    def _asked(
        self, d: Any, want: int, report: Report, most: int | None = None, plain: bool = False
    ) -> int:
        """Whether the value of a position to the seat at the root is at least `want`, as a bound:
        at least that, or less (the search is fail-soft). Slice by slice; PAUSED if it takes more
        than `most` nodes."""
        place = self._place(d, plain)
        mine = place.mover == self._seat
        # The search answers for who moves: "at least" to him is "at most" to the other.
        its_want = want - place.banked if mine else place.banked - want + 1
        while True:
            with self._helped(place, its_want, most) as results:
                work = self._searches[0]
                allow(work, most or SLICE)
                value = search(work, place, its_want)
                while value == PAUSED and most is None and not results and not self._overflowed():
                    report(self._progress())
                    allow(work, SLICE)
                    value = resume(work)
            if not self._overflowed():
                value = results[0] if results and value == PAUSED else value
                if value == PAUSED:
                    return value
                return place.banked + value if mine else place.banked - value
            # A table had more captures than the arrays have capacity: the value is not exact.
            self._searches = [self._larger(work) for work in self._searches]
            self._table[:] = np.zeros(1, ENTRY)

    @contextmanager
    def _helped(self, place: KeyedPosition, want: int, most: int | None) -> Iterator[list[int]]:
        """Meanwhile other threads search the same position with another history, so in another
        order, and share the transposition table. Yields a list that gets the value once one of
        them has it."""
        results: list[int] = []
        ended = False

        def help_out(work: Searcher) -> None:
            allow(work, SLICE)
            value = search(work, place, want)
            while value == PAUSED and not ended:
                allow(work, SLICE)
                value = resume(work)
            if value != PAUSED:
                results.append(value)
                self._searches[0].control.node_limit = 0

        helpers = [] if most else self._searches[1:]
        futures = []
        try:
            for work in helpers:
                futures.append(self._pool.submit(help_out, work))
            yield results
        finally:
            ended = True
            for work in helpers:
                work.control.node_limit = 0
            for future in futures:
                future.result()

    def _new_search(self, capacity: int) -> Searcher:
        """The arrays of a search, for so many plays."""
        if capacity > MOST_CAPACITY:
            raise BadText("there are too many ways to capture to look at them all")
        hands = hands_of(self._root)
        made = deck_search.new_search(self._table, hands, capacity)
        made.control[0].forced = self._root[0].forced
        made.control[0].rest_to = self._root[0].rest_to
        made.control[0].point, made.control[0].card = self._point, int(self._by_cards)
        return Searcher(made, new_lists(ranks_of(hands), self._plies, capacity))

    def _larger(self, work: Searcher) -> Searcher:
        made = self._new_search(4 * len(work.search.moves))
        made.search.history[:], made.search.control[:] = work.search.history, work.search.control
        made.control.overflows = 0
        return made

    def _overflowed(self) -> bool:
        return any(work.control.overflows for work in self._searches)


class Walk:
    """A game from a deck's position on, of which every position's value is known. All walks of
    a deck share its transposition table."""

    def __init__(
        self, deck: OpenDeck, value: DeckValue, report: Report = lambda progress: None
    ) -> None:
        """From the deck's position, with its value to who moves there."""
        self.game, self.state = deck.game, deck.state.copy()
        self._deck, self._d, self._report = deck, deck._root, report
        self._value = deck._point * value.points + value.cards

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

    def _value_after(self, play: Play) -> int:
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


def search(work: Searcher, place: KeyedPosition, want: int) -> int:
    """Whether the value to the mover is at least `want`: a bound, or PAUSED."""
    return int(deck_search.search(*work, place.key, place.holder, place.mover, want))


def resume(work: Searcher) -> int:
    return int(deck_search.resume(*work))


def allow(work: Searcher, nodes: int) -> None:
    """So many nodes before the next pause."""
    work.control.node_limit = work.control.nodes + nodes


def hands_of(d: Any) -> Any:
    """The hands as dealt, now and in the deals to come, five bits a card: hands[2 · deals to come
    + seat]."""
    y = d[0]
    hands = np.zeros(2 * deck_search.DEALS_OF_GAME, np.int64)
    for known in range(int(y.known) + 1):
        for seat in (0, 1):
            now = known == y.known
            hands[2 * known + seat] = y.cards[seat] if now else y.coming[known, seat]
    return hands


def ranks_of(hands: Any) -> Any:
    """The ranks of both hands of each deal, as counts of one. An empty place looks like an ace."""
    ranks = np.zeros(deck_search.DEALS_OF_GAME, np.int64)
    for i, hand in enumerate(hands):
        for n in range(6):
            ranks[i // 2] |= 1 << 4 * ((int(hand) >> 5 * n & 31) >> 1)
    return ranks


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
