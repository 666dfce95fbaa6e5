"""A two-player round of Love Letter to an equilibrium, with a proof of how good it is.

CFR+ on the public tree. What stands alone is solved first, the smallest first, and is a number
from then on. Exact best responses to the play that is kept bound the value from both sides. ε is
half the distance: what the two players give away, on average of both.

All that was found is kept in a folder, so that a solution which was killed goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.errors import KibitzError
from kibitz.core.limits import check_parallel
from kibitz.jit.cache import building_seconds
from kibitz.solvers.love_letter.policy import Policy, learn_until, next_look
from kibitz.solvers.love_letter.public_line import Line, Place
from kibitz.solvers.love_letter.public_states import CARDS, OVER, States, bit, start
from kibitz.solvers.love_letter.public_tree import (
    LEAD,
    LEADS,
    NEXT,
    WIDTH,
    furthest_lead,
    met_as,
    tree_of,
)
from kibitz.solvers.love_letter.solution_file import MISSING, Book, Record
from kibitz.solvers.love_letter.turns import LOWER, MIDDLE, UPPER

EVEN = (1.0,) * 8
FINER = 4
"""What stands alone is solved so much more exactly than the whole."""
BETWEEN_SAVES = 60.0
"""Seconds that a kill can cost."""
MOST = 1 << 14
"""Iterations."""
COARSER = 1.5
"""What is kept may be so much worse than what was learned."""


class Round(NamedTuple):
    """What is solved. Ranges are of the player to move and of the other: how likely each card
    is by his own choices so far. That there are several copies of a card counts besides."""

    unseen: tuple[int, ...]
    """How many of each card, Guard first: both hands, the deck, the card aside."""
    protected: bool = False
    """The other player."""
    lead: int = 0
    """Of the player to move, in the sum of discards."""
    ranges: tuple[Sequence[float], Sequence[float]] = (EVEN, EVEN)


class Progress(NamedTuple):
    what: str
    done: int
    of: int
    """Subgames; or iterations, whose number is not known."""
    low: float
    high: float
    nodes: int
    seconds: float


Tell = Callable[[Progress], None]


@dataclass(frozen=True)
class Solution:
    low: float
    high: float
    """Between these lies the value for the player to move: won 1, lost -1."""
    iterations: int
    public_nodes: int
    """Decision points of the tree; those of what stands alone count once for each."""
    seconds: float

    @property
    def epsilon(self) -> float:
        """NashConv / 2: what the two give away, on average of both. One alone may give away
        twice that, and the bounds say how much at most."""
        return (self.high - self.low) / 2


class Alone(NamedTuple):
    """A state that stands alone, and a lead with which it is met."""

    state: int
    lead: int


class Solver:
    """`folder`: where to keep what is found."""

    def __init__(
        self,
        round_: Round,
        threads: int = 1,
        folder: Path | None = None,
        states: States | None = None,
    ) -> None:
        check_parallel("threads", threads)
        self.round, self.threads = round_, threads
        self.states = States() if states is None else states
        self.root = self.states.add(start(round_.unseen, round_.protected, *round_.ranges))
        self.ranges = np.zeros((2, WIDTH))
        self.ranges[:, 1:] = [np.asarray(each) / max(each) for each in round_.ranges]
        self.tree = tree_of(self.states)
        self.alone = np.zeros((3, int(self.tree.alone.max()) + 1, 2 * LEADS + 1))
        self.book = Book(folder, round_, self.tree) if folder is not None else None
        self.shares: dict[Alone, Any] = {}
        """Without a book: how to play, for what stands alone and for the whole."""
        self.nodes = 0
        """That were met so far."""
        self._started = _clock() - (self.book.spent() if self.book is not None else 0.0)
        self._saved = time.perf_counter()
        self._ends = inf

    def solve(
        self, epsilon: float, tell: Tell = lambda progress: None, seconds: float = inf
    ) -> Solution:
        """To ε, unless it takes too many iterations or too long: the solution says what it came
        to. Each part is learned once at least."""
        self._ends = time.perf_counter() + seconds
        with self.book.written() if self.book is not None else nullcontext():
            return self._solve(epsilon, tell)

    def _solve(self, epsilon: float, tell: Tell) -> Solution:
        self.solve_alone(epsilon / FINER, tell)
        policy = self.policy(Alone(self.root, self.round.lead))
        if self.book is not None:
            policy.iterations = self.book.load_learning(policy.regrets, policy.average, MOST)
        while True:
            low, high = policy.bounds()
            nodes = self.nodes + policy.nodes
            tell(Progress("iterations", policy.iterations, 0, low, high, nodes, self._seconds()))
            enough = high - low <= 2 * epsilon
            late = time.perf_counter() >= self._ends
            ended = not len(policy.regrets) or policy.iterations >= (1 if late else MOST)
            if enough or ended:
                shares = policy.shares()
                low, high = policy.bounds(shares)  # what is kept is a little coarser
                if ended or high - low <= 2 * epsilon:
                    break
            self._learn(policy, 1 if late else next_look(policy.iterations))
        self.nodes += policy.nodes
        nodes = int(self.tree.nodes[self.root])
        found = Solution(low, high, policy.iterations, nodes, self._seconds())
        if self.book is not None:
            if found.epsilon > epsilon:  # there may be more time another day
                self.book.save_learning(policy.iterations, policy.regrets, policy.average)
            self.book.finish(shares, self.tree, asdict(found), found.epsilon <= epsilon)
        else:
            self.shares[Alone(self.root, self.round.lead)] = shares
        return found

    def _learn(self, policy: Policy, until: int) -> None:
        """In pieces that are short enough to be saved between them."""
        piece = 1
        while policy.iterations < until:
            started = time.perf_counter()
            policy.learn(min(piece, until - policy.iterations))
            each = (time.perf_counter() - started) / piece
            piece = max(1, min(2 * piece, int(BETWEEN_SAVES / 4 / max(each, 1e-9))))
            if self.book is not None and time.perf_counter() - self._saved > BETWEEN_SAVES:
                self.book.save_learning(policy.iterations, policy.regrets, policy.average)
                self.book.spend(self._seconds())
                self._saved = time.perf_counter()

    def line(self) -> Line:
        """The round from its beginning, as it was solved without a book."""
        root = Alone(self.root, self.round.lead)
        opening = Place(self.shares[root], self.root, 0, self.round.lead)
        return Line(self.tree, lambda state, lead: self.shares[Alone(state, lead)], opening)

    def _records(self, solved: bool = False) -> dict[Alone, Record]:
        """The last of each, if there are several: the finest."""
        records = self.book.records(solved) if self.book is not None else ()
        return {Alone(record.state, record.lead): record for record in records}

    def is_whole(self) -> bool:
        """Whether the book has all that stands alone of its solution."""
        records = self._records(solved=True)
        return all(which in records for level in self.subgames() for which in level)

    def certify(self) -> tuple[float, float]:
        """The bounds made anew from the play that is kept, and from nothing else."""
        assert self.book is not None
        book, records = self.book, self._records(solved=True)

        def kept(which: Alone) -> Any:
            if which.state == self.root:
                return book.policy(int(self.tree.regrets[self.root]))
            if which not in records:
                raise KibitzError(f"{book.folder}: {MISSING}")
            return book.shares_of(records[which])

        return self.answers(kept)

    def answers(
        self, played: Callable[[Alone], Any], tell: Tell = lambda progress: None
    ) -> tuple[float, float]:
        """What the best answers to a play bring, to it and against it, for the player to move.
        `played` gives it for what stands alone and for the whole."""
        waiting = [which for level in self.subgames() for which in level]
        for done, which in enumerate(waiting):
            policy = self.policy(which)
            self._keep(which, *policy.bounds(played(which)))
            self.nodes += policy.nodes
            now = Progress("subgames", done + 1, len(waiting), -1, 1, self.nodes, self._seconds())
            tell(now)
        whole = Alone(self.root, self.round.lead)
        policy = self.policy(whole)
        bounds = policy.bounds(played(whole))
        self.nodes += policy.nodes
        return bounds

    def _seconds(self) -> float:
        return _clock() - self._started

    def policy(self, which: Alone) -> Policy:
        public = self.states.publics[which.state]
        priors = np.array([as_vector(public.mine), as_vector(public.theirs)])
        if which.state == self.root:
            priors *= self.ranges
        threads = self.threads if which.state == self.root else 1
        base = self.base_of(which.state)
        return Policy(self.tree, self.alone, which.state, which.lead, priors, threads, base)

    def base_of(self, state: int) -> int:
        """Where the play from a state on is kept, if all of it is one array."""
        return 0

    # -- what stands alone ---------------------------------------------------------------

    def solve_alone(self, epsilon: float, tell: Tell = lambda progress: None) -> None:
        """Those with as many cards left do not need each other: threads share them."""
        waiting = self.subgames()
        done, of = 0, sum(len(level) for level in waiting)

        with ThreadPoolExecutor(self.threads) as pool, cancelled_if_left(pool):
            records = self._records()
            for level in waiting:
                solved = pool.map(lambda which: self._alone(which, records, epsilon), level)
                for which, (bounds, fresh, nodes) in zip(level, solved, strict=True):
                    self._keep(which, *bounds)
                    if fresh is not None:
                        self._add(which, *bounds, fresh)
                    self.nodes += nodes
                    done += 1
                    tell(Progress("subgames", done, of, -1, 1, self.nodes, self._seconds()))
                if self.book is not None:
                    self.book.spend(self._seconds())

    def _alone(
        self, which: Alone, records: Mapping[Alone, Record], epsilon: float
    ) -> tuple[tuple[float, float], Any, int]:
        """Its bounds, how to play if that is new, and the nodes that were met. What is kept is
        answered again: what comes after it may have been solved anew since."""
        policy = self.policy(which)
        if self.book is not None and which in records:
            bounds = policy.bounds(self.book.shares_of(records[which]))
            if bounds[1] - bounds[0] <= 2 * COARSER * epsilon:
                return bounds, None, policy.nodes
        learn_until(policy, epsilon, MOST, self._ends)
        shares = policy.shares()
        return policy.bounds(shares), shares, policy.nodes

    def _add(self, which: Alone, low: float, high: float, shares: Any) -> None:
        """To what is kept."""
        if self.book is not None:
            self.book.add(*which, low, high, shares)
        else:
            self.shares[which] = shares

    def subgames(self) -> list[list[Alone]]:
        """By cards left, the fewest first: what a solution needs of them."""
        met = self._leads()
        levels: dict[int, list[Alone]] = {}
        for state, public in enumerate(self.states.publics):
            if public.free and state != self.root:
                leads = {met_as(self.tree.unseen[state], lead) for lead in met[state]}
                level = levels.setdefault(public.left, [])
                level += [Alone(state, lead) for lead in sorted(leads)]
        return [levels[left] for left in sorted(levels)]

    def _leads(self) -> list[list[int]]:
        """With which leads of the player to move each state can be met."""
        publics = self.states.publics
        met, mirrored = [0] * len(publics), [0] * len(publics)
        met[self.root] = 1 << (LEADS + self.round.lead)
        mirrored[self.root] = 1 << (LEADS - self.round.lead)
        branches, starts = self.tree.branches.tolist(), self.tree.branch_from.tolist()
        for i in sorted(range(len(publics)), key=lambda i: -publics[i].left):
            for branch in branches[starts[i] : starts[i + 1]]:
                state, lead = branch[NEXT], branch[LEAD]
                if state != OVER:
                    mirrored[state] |= _shifted(met[i], lead)
                    met[state] |= _shifted(mirrored[i], -lead)
        return [list(_places(leads)) for leads in met]

    def _keep(self, which: Alone, low: float, high: float) -> None:
        """Also for leads that are as good as this one."""
        furthest = furthest_lead(self.tree.unseen[which.state])
        same = np.clip(np.arange(-LEADS, LEADS + 1), -furthest, furthest) == which.lead
        row = int(self.tree.alone[which.state])
        for bound, value in ((MIDDLE, (low + high) / 2), (UPPER, high), (LOWER, low)):
            self.alone[bound, row, same] = value


@contextmanager
def cancelled_if_left(pool: ThreadPoolExecutor) -> Iterator[None]:
    """Nobody waits for what has not begun, if the work is interrupted."""
    try:
        yield
    except BaseException:
        pool.shutdown(cancel_futures=True)
        raise


def _clock() -> float:
    """Without the time that the compiler takes, once."""
    return time.perf_counter() - building_seconds()


def as_vector(cards: int) -> Any:
    return np.array([0.0, *(float(cards & bit(card) > 0) for card in CARDS)])


def _shifted(leads: int, by: int) -> int:
    return leads << by if by >= 0 else leads >> -by


def _places(leads: int) -> Iterator[int]:
    return (k - LEADS for k in range(2 * LEADS + 1) if leads >> k & 1)
