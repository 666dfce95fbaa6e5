"""A two-player round of Love Letter to an equilibrium, with a proof of how good it is.

CFR+ on the public tree (`walk.py`). A *stand-alone subgame* begins at a public state where both
ranges are fixed, however the two have played before. So, unlike in CFR-D (N. Burch, M. Johanson
and M. Bowling, "Solving Imperfect Information Games Using Decomposition", 2014), it needs no
ranges from the trunk and no gadget game: subgames are solved first, the smallest first, and each
is a number from then on.

Exact best responses to the stored average policy bound the value from both sides. ε is half the
distance of the bounds: the exploitability, NashConv / 2.

Everything is saved to a folder, so that a solution which was killed goes on.
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
from kibitz.core.limits import check_memory, check_parallel
from kibitz.jit.cache import building_seconds
from kibitz.solvers.love_letter.cfr_plus import CfrPlus, next_check, run_until
from kibitz.solvers.love_letter.public_line import LinePosition, PublicLine
from kibitz.solvers.love_letter.public_states import CARDS, OVER, PublicStates, bit, start
from kibitz.solvers.love_letter.public_tree import (
    LEAD,
    LEADS,
    NEXT,
    WIDTH,
    equivalent_lead,
    furthest_lead,
    tree_of,
)
from kibitz.solvers.love_letter.solution_file import (
    MISSING,
    SolutionFolder,
    StoredSubgame,
    solution_folder,
    stored_solution,
)
from kibitz.solvers.love_letter.turns import LOWER, MIDDLE, UPPER

EVEN = (1.0,) * 8
FINER = 4
"""Subgames are solved so much more exactly than the whole."""
BETWEEN_SAVES = 60.0
"""Seconds: so much work a kill can cost."""
MAX_ITERATIONS = 1 << 14
ROUNDING = 1e-9
"""Bounds that differ by less are equal."""
COARSER = 1.5
"""The stored policy, rounded to two bytes, may be so much more exploitable than the average."""


class Round(NamedTuple):
    """What is solved. Ranges are of the player to move and of the other: the reach probability of
    each card by the player's own choices so far. Copies of a card count besides."""

    unseen: tuple[int, ...]
    """How many of each card, Guard first: both hands, the deck, the card aside."""
    protected: bool = False
    """The other player."""
    lead: int = 0
    """Of the player to move, in the sum of discards."""
    ranges: tuple[Sequence[float], Sequence[float]] = (EVEN, EVEN)


class SolverProgress(NamedTuple):
    what: str
    done: int
    of: int
    """Subgames; or iterations, whose number is not known."""
    low: float
    high: float
    nodes: int
    seconds: float


Report = Callable[[SolverProgress], None]
ReportText = Callable[[SolverProgress | str], None]


@dataclass(frozen=True)
class RoundSolution:
    low: float
    high: float
    """Between these lies the value for the player to move: won 1, lost -1."""
    iterations: int
    public_nodes: int
    """Decision points of the public tree; those of a subgame count once."""
    seconds: float

    @property
    def epsilon(self) -> float:
        """The exploitability, NashConv / 2: the mean of what both can gain by best responses. One
        of them alone can gain up to twice that."""
        return (self.high - self.low) / 2


class Subgame(NamedTuple):
    """A stand-alone subgame: its first state, and a lead with which it is met."""

    state: int
    lead: int


class Solver:
    """`folder`: where the solution is saved."""

    def __init__(
        self,
        round_: Round,
        threads: int = 1,
        folder: Path | None = None,
        states: PublicStates | None = None,
    ) -> None:
        check_parallel("threads", threads)
        self.round, self.threads = round_, threads
        self.states = PublicStates() if states is None else states
        self.root = self.states.add(start(round_.unseen, round_.protected, *round_.ranges))
        self.ranges = np.zeros((2, WIDTH))
        self.ranges[:, 1:] = [np.asarray(each) / max(each) for each in round_.ranges]
        self.tree = tree_of(self.states)
        self.subgame_values = np.zeros((3, int(self.tree.subgame.max()) + 1, 2 * LEADS + 1))
        self.folder = SolutionFolder(folder, round_, self.tree) if folder is not None else None
        self.policies: dict[Subgame, Any] = {}
        """Without a folder: the average policy of each subgame and of the whole."""
        self.nodes = 0
        """That were met so far."""
        self._started = _clock() - (self.folder.load_seconds() if self.folder is not None else 0.0)
        self._saved = time.perf_counter()
        self._ends = inf

    def solve(
        self, epsilon: float, report: Report = lambda progress: None, seconds: float = inf
    ) -> RoundSolution:
        """To ε, unless it takes too many iterations or too long: the solution has the ε that was
        reached. Each part gets one iteration at least."""
        self._ends = time.perf_counter() + seconds
        with self.folder.locked() if self.folder is not None else nullcontext():
            return self._solve(epsilon, report)

    def _solve(self, epsilon: float, report: Report) -> RoundSolution:
        self.solve_subgames(epsilon / FINER, report)
        cfr = self.cfr(Subgame(self.root, self.round.lead))
        if self.folder is not None:
            cfr.iterations = self.folder.load_cfr(cfr.regrets, cfr.average, MAX_ITERATIONS)
        while True:
            low, high = cfr.bounds()
            nodes = self.nodes + cfr.nodes
            report(
                SolverProgress("iterations", cfr.iterations, 0, low, high, nodes, self._seconds())
            )
            enough = high - low <= 2 * epsilon
            late = time.perf_counter() >= self._ends
            ended = not len(cfr.regrets) or cfr.iterations >= (1 if late else MAX_ITERATIONS)
            if enough or ended:
                policy = cfr.average_policy()
                low, high = cfr.bounds(policy)  # rounded to two bytes it is a little worse
                if ended or high - low <= 2 * epsilon:
                    break
            self._run(cfr, 1 if late else next_check(cfr.iterations))
        self.nodes += cfr.nodes
        nodes = int(self.tree.nodes[self.root])
        solution = RoundSolution(low, high, cfr.iterations, nodes, self._seconds())
        if self.folder is not None:
            if solution.epsilon > epsilon:  # there may be more time another day
                self.folder.save_cfr(cfr.iterations, cfr.regrets, cfr.average)
            self.folder.save_solution(
                policy, self.tree, asdict(solution), solution.epsilon <= epsilon
            )
        else:
            self.policies[Subgame(self.root, self.round.lead)] = policy
        return solution

    def _run(self, cfr: CfrPlus, until: int) -> None:
        """Iterate, with pauses to save."""
        piece = 1
        while cfr.iterations < until:
            started = time.perf_counter()
            cfr.run(min(piece, until - cfr.iterations))
            each = (time.perf_counter() - started) / piece
            piece = max(1, min(2 * piece, int(BETWEEN_SAVES / 4 / max(each, 1e-9))))
            if self.folder is not None and time.perf_counter() - self._saved > BETWEEN_SAVES:
                self.folder.save_cfr(cfr.iterations, cfr.regrets, cfr.average)
                self.folder.save_seconds(self._seconds())
                self._saved = time.perf_counter()

    def line(self) -> PublicLine:
        """The round from its beginning, if it was solved without a folder."""
        root = Subgame(self.root, self.round.lead)
        opening = LinePosition(self.policies[root], self.root, 0, self.round.lead)
        return PublicLine(
            self.tree, lambda state, lead: self.policies[Subgame(state, lead)], opening
        )

    def _stored_subgames(self, solved: bool = False) -> dict[Subgame, StoredSubgame]:
        """The last of each, if there are several: the finest."""
        stored = self.folder.subgames(solved) if self.folder is not None else ()
        return {Subgame(each.state, each.lead): each for each in stored}

    def is_complete(self) -> bool:
        """Whether the folder has all subgames of its solution."""
        stored = self._stored_subgames(solved=True)
        return all(which in stored for level in self.subgames() for which in level)

    def certify(self) -> tuple[float, float]:
        """The bounds computed again from the stored policy, and from nothing else."""
        assert self.folder is not None
        folder, stored = self.folder, self._stored_subgames(solved=True)

        def stored_policy(which: Subgame) -> Any:
            if which.state == self.root:
                return folder.root_policy(int(self.tree.regrets[self.root]))
            if which not in stored:
                raise KibitzError(f"{folder.path}: {MISSING}")
            return folder.policy_of(stored[which])

        return self.best_response_bounds(stored_policy)

    def best_response_bounds(
        self, policy_of: Callable[[Subgame], Any], report: Report = lambda progress: None
    ) -> tuple[float, float]:
        """The bounds on the value for the player to move that best responses to a policy give.
        `policy_of` gives the policy of each subgame and of the whole."""
        waiting = [which for level in self.subgames() for which in level]
        for done, which in enumerate(waiting):
            cfr = self.cfr(which)
            self._set_values(which, *cfr.bounds(policy_of(which)))
            self.nodes += cfr.nodes
            now = SolverProgress(
                "subgames", done + 1, len(waiting), -1, 1, self.nodes, self._seconds()
            )
            report(now)
        whole = Subgame(self.root, self.round.lead)
        cfr = self.cfr(whole)
        bounds = cfr.bounds(policy_of(whole))
        self.nodes += cfr.nodes
        return bounds

    def _seconds(self) -> float:
        return _clock() - self._started

    def cfr(self, which: Subgame) -> CfrPlus:
        public = self.states.states[which.state]
        priors = np.array([as_vector(public.mine), as_vector(public.theirs)])
        if which.state == self.root:
            priors *= self.ranges
        threads = self.threads if which.state == self.root else 1
        base = self.base_of(which.state)
        return CfrPlus(
            self.tree, self.subgame_values, which.state, which.lead, priors, threads, base
        )

    def base_of(self, state: int) -> int:
        """Where the policy of a state begins, if that of all states is one array."""
        return 0

    # -- stand-alone subgames ------------------------------------------------------------

    def solve_subgames(self, epsilon: float, report: Report = lambda progress: None) -> None:
        """Subgames with equally many cards left do not need each other: threads share them."""
        waiting = self.subgames()
        done, of = 0, sum(len(level) for level in waiting)

        with ThreadPoolExecutor(self.threads) as pool, cancelled_if_left(pool):
            stored = self._stored_subgames()
            for level in waiting:
                solved = pool.map(lambda which: self._solve_subgame(which, stored, epsilon), level)
                for which, (bounds, fresh, nodes) in zip(level, solved, strict=True):
                    self._set_values(which, *bounds)
                    if fresh is not None:
                        self._store_policy(which, *bounds, fresh)
                    self.nodes += nodes
                    done += 1
                    report(SolverProgress("subgames", done, of, -1, 1, self.nodes, self._seconds()))
                if self.folder is not None:
                    self.folder.save_seconds(self._seconds())

    def _solve_subgame(
        self, which: Subgame, stored: Mapping[Subgame, StoredSubgame], epsilon: float
    ) -> tuple[tuple[float, float], Any, int]:
        """Its bounds, its policy if that is new, and the nodes that were met. The bounds of
        a stored policy are computed again: later subgames may have been solved anew since."""
        cfr = self.cfr(which)
        if self.folder is not None and which in stored:
            bounds = cfr.bounds(self.folder.policy_of(stored[which]))
            if bounds[1] - bounds[0] <= 2 * COARSER * epsilon:
                return bounds, None, cfr.nodes
        run_until(cfr, epsilon, MAX_ITERATIONS, self._ends)
        policy = cfr.average_policy()
        return cfr.bounds(policy), policy, cfr.nodes

    def _store_policy(self, which: Subgame, low: float, high: float, policy: Any) -> None:
        if self.folder is not None:
            self.folder.add_subgame(*which, low, high, policy)
        else:
            self.policies[which] = policy

    def subgames(self) -> list[list[Subgame]]:
        """All that a solution needs, by cards left, the fewest first."""
        met = self._leads()
        levels: dict[int, list[Subgame]] = {}
        for state, public in enumerate(self.states.states):
            if public.is_subgame and state != self.root:
                leads = {equivalent_lead(self.tree.unseen[state], lead) for lead in met[state]}
                level = levels.setdefault(public.left, [])
                level += [Subgame(state, lead) for lead in sorted(leads)]
        return [levels[left] for left in sorted(levels)]

    def _leads(self) -> list[list[int]]:
        """With which leads of the player to move each state can be met. Sets of leads are bits."""
        states = self.states.states
        met, mirrored = [0] * len(states), [0] * len(states)
        met[self.root] = 1 << (LEADS + self.round.lead)
        mirrored[self.root] = 1 << (LEADS - self.round.lead)
        branches, starts = self.tree.branches.tolist(), self.tree.branch_from.tolist()
        for i in sorted(range(len(states)), key=lambda i: -states[i].left):
            for branch in branches[starts[i] : starts[i + 1]]:
                state, lead = branch[NEXT], branch[LEAD]
                if state != OVER:
                    mirrored[state] |= _shifted(met[i], lead)
                    met[state] |= _shifted(mirrored[i], -lead)
        return [list(_leads_in(leads)) for leads in met]

    def _set_values(self, which: Subgame, low: float, high: float) -> None:
        """Also for leads that are equivalent to this one."""
        furthest = furthest_lead(self.tree.unseen[which.state])
        same = np.clip(np.arange(-LEADS, LEADS + 1), -furthest, furthest) == which.lead
        row = int(self.tree.subgame[which.state])
        for bound, value in ((MIDDLE, (low + high) / 2), (UPPER, high), (LOWER, low)):
            self.subgame_values[bound, row, same] = value


@contextmanager
def cancelled_if_left(pool: ThreadPoolExecutor) -> Iterator[None]:
    """If the work is interrupted, what has not begun is cancelled."""
    try:
        yield
    except BaseException:
        pool.shutdown(cancel_futures=True)
        raise


def _clock() -> float:
    """Without the time of compilation."""
    return time.perf_counter() - building_seconds()


def as_vector(cards: int) -> Any:
    return np.array([0.0, *(float(cards & bit(card) > 0) for card in CARDS)])


def _shifted(leads: int, by: int) -> int:
    return leads << by if by >= 0 else leads >> -by


def _leads_in(leads: int) -> Iterator[int]:
    return (k - LEADS for k in range(2 * LEADS + 1) if leads >> k & 1)


# -- solutions on the user's disk -----------------------------------------------------------


def stored_solver(round_: Round, threads: int) -> Solver:
    """With the folder where the user's solutions are stored."""
    solver = Solver(round_, threads, solution_folder(round_))
    check_memory("this round", 8 * int(solver.tree.regrets[solver.root]))
    return solver


def solve_or_load(solver: Solver, epsilon: float, report: ReportText) -> RoundSolution:
    """The stored solution, if it is good enough and verified; else solving goes on."""
    assert solver.folder is not None
    stored = solver.folder.solution()
    if (
        stored is not None
        and stored["high"] - stored["low"] <= 2 * epsilon
        and solver.is_complete()
    ):
        return verify(solver, report)
    return solver.solve(epsilon, report)


def verify(solver: Solver, report: ReportText) -> RoundSolution:
    """The stored solution, if its bounds are confirmed. A damaged tree.npz is written again."""
    assert solver.folder is not None
    stored = solver.folder.solution()
    assert stored is not None
    report("checking what is kept of it")
    low, high = solver.certify()
    if not agree(stored["low"], stored["high"], low, high):
        raise KibitzError(
            f"{solver.folder.path}: what is kept is worth {low} … {high}, not"
            f" {stored['low']} … {stored['high']}; delete the folder to solve anew"
        )
    if not solver.folder.is_playable():
        solver.folder.save_tree(solver.tree)
    return RoundSolution(**stored)


def known_bounds(round_: Round) -> tuple[float, float] | None:
    """Of the value, if the round has been solved here."""
    stored = stored_solution(solution_folder(round_))
    return None if stored is None else (stored["low"], stored["high"])


def agree(low: float, high: float, low_again: float, high_again: float) -> bool:
    """Whether bounds that were computed again are the stated ones."""
    return abs(low - low_again) <= ROUNDING and abs(high - high_again) <= ROUNDING
