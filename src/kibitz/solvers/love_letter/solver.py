"""A two-player round of Love Letter to an equilibrium, with a proof of how good it is.

Independent subgames first (`subgames.py`), then the whole, by DCFR+ on the public tree
(`cfr.py`, `walk.py`).

Exact best responses to the stored average policy bound the value from both sides. ε is half the
distance of the bounds: the exploitability, NashConv / 2.

Everything is saved to a folder, so that a solution which was killed goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.errors import KibitzError
from kibitz.core.limits import check_memory, check_parallel
from kibitz.jit.cache import building_seconds
from kibitz.solvers.love_letter.cfr import (
    DCFR_PLUS,
    CfrSchedule,
    PublicCfr,
    next_look,
)
from kibitz.solvers.love_letter.listing import Listing
from kibitz.solvers.love_letter.public_line import LinePosition, PublicLine
from kibitz.solvers.love_letter.public_states import CARDS, PublicStates, bit, start
from kibitz.solvers.love_letter.public_tree import tree_of
from kibitz.solvers.love_letter.solution_file import (
    MISSING,
    SolutionFolder,
    StoredSubgame,
    solution_folder,
    stored_solution,
)
from kibitz.solvers.love_letter.subgames import SolvedSubgame, Subgame, SubgameValues

NO_BOUNDS = "the bounds are no numbers between -1 and 1; this is a fault of the solver"
EVEN = (1.0,) * 8
BETWEEN_SAVES, SAVE_SHARE = 60.0, 10
"""Seconds, and how much longer than a save the work before it must have taken: what a kill can
cost."""
LARGE = 1_000_000
"""Regrets: with so many, every iteration is reported."""
MAX_ITERATIONS = 1 << 14
ROUNDING = 1e-9
"""Bounds that differ by less are equal."""


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
        self.states = Listing() if states is None else states
        self.root = self.states.add(start(round_.unseen, round_.protected, *round_.ranges))
        self.ranges = np.array([np.asarray(each) / max(each) for each in round_.ranges])
        listed = self.states
        self.tree = listed.tree() if isinstance(listed, Listing) else tree_of(listed)
        self.subgames = SubgameValues(self.tree, self.root, round_.lead, threads)
        self.folder = SolutionFolder(folder, round_, self.tree) if folder is not None else None
        self.policies: dict[Subgame, Any] = {}
        """Without a folder: the average policy of each subgame and of the whole."""
        self.nodes = 0
        """That were met so far, those of subgames not counted."""
        self._started = _clock() - (self.folder.load_seconds() if self.folder is not None else 0.0)
        self._saved = time.perf_counter()

    @property
    def whole(self) -> Subgame:
        return Subgame(self.root, self.round.lead)

    def solve(self, epsilon: float, report: Report = lambda progress: None) -> RoundSolution:
        """To ε, unless it takes too many iterations: the solution has the ε that was reached."""
        with self.folder.locked() if self.folder is not None else nullcontext():
            self.solve_subgames(epsilon, report)
            return self._solve_whole(epsilon, report)

    def _solve_whole(self, epsilon: float, report: Report) -> RoundSolution:
        cfr = self.cfr(self.whole)
        look = next_look(0, 1, 1) if cfr.size else 0
        if self.folder is not None:
            cfr.iterations, look = self.folder.load_cfr(*cfr.tables, MAX_ITERATIONS) or (0, look)
        while True:
            if look > cfr.iterations:
                self._run(cfr, look, report)
            low, high = cfr.bounds()
            if not high - low <= 2.0:
                raise KibitzError(f"after {cfr.iterations} iterations: {NO_BOUNDS}")
            report(self.progress("iterations", cfr.iterations, 0, (low, high), cfr.nodes))
            if high - low <= 2 * epsilon or not cfr.size or cfr.iterations >= MAX_ITERATIONS:
                break
            look = min(next_look(cfr.iterations, (high - low) / 2, epsilon), MAX_ITERATIONS)
        self.nodes += cfr.nodes
        nodes = int(self.tree.states[self.root]["nodes"])
        solution = RoundSolution(low, high, cfr.iterations, nodes, self._seconds())
        self._store_whole(cfr, solution, solution.epsilon <= epsilon)
        return solution

    def _store_whole(self, cfr: PublicCfr, solution: RoundSolution, enough: bool) -> None:
        if self.folder is None:
            self.policies[self.whole] = cfr.average_policy()
            return
        if not enough:  # there may be more time another day
            self.folder.save_cfr((cfr.iterations, 0), *cfr.tables)
        # The regrets are not needed any more: the policy takes their place in memory.
        policy = cfr.average_policy(into=cfr.tables.regrets.view(np.uint16))
        self.folder.save_solution(policy, self.tree, asdict(solution), enough)

    def _run(self, cfr: PublicCfr, until: int, report: Report) -> None:
        """Iterate, with pauses to save and to report."""
        pause = BETWEEN_SAVES
        while cfr.iterations < until:
            cfr.run(cfr.iterations + 1 if cfr.size >= LARGE else until)
            report(self.progress("iterations", cfr.iterations, 0, (-1, 1), cfr.nodes))
            if self.folder is not None and time.perf_counter() - self._saved > pause:
                started = time.perf_counter()
                self.folder.save_cfr((cfr.iterations, until), *cfr.tables)
                self.folder.save_seconds(self._seconds())
                self._saved = time.perf_counter()
                pause = max(BETWEEN_SAVES, SAVE_SHARE * (self._saved - started))

    def line(self) -> PublicLine:
        """The round from its beginning, as it was solved."""
        policy_of = self.stored_policies()
        opening = LinePosition(policy_of(self.whole), self.root, 0, self.round.lead)
        return PublicLine(self.tree, lambda state, lead: policy_of(Subgame(state, lead)), opening)

    def _stored_subgames(self, solved: bool = False) -> dict[Subgame, StoredSubgame]:
        """The last of each, if there are several: the finest."""
        stored = self.folder.subgames(solved) if self.folder is not None else ()
        return {Subgame(each.state, each.lead): each for each in stored}

    def is_complete(self) -> bool:
        """Whether the folder has all subgames of its solution."""
        stored = self._stored_subgames(solved=True)
        return all(which in stored for level in self.subgames.levels for which in level)

    def certify(self) -> tuple[float, float]:
        """The bounds computed again from the stored policy, and from nothing else."""
        return self.best_response_bounds(self.stored_policies())

    def stored_policies(self) -> Callable[[Subgame], Any]:
        """The policy of each subgame and of the whole, from the folder or from memory."""
        if self.folder is None:
            return self.policies.__getitem__
        folder, stored = self.folder, self._stored_subgames(solved=True)

        def stored_policy(which: Subgame) -> Any:
            if which == self.whole:
                return folder.root_policy(int(self.tree.states[self.root]["regrets"]))
            if which not in stored:
                raise KibitzError(f"{folder.path}: {MISSING}")
            return folder.policy_of(stored[which])

        return stored_policy

    def best_response_bounds(
        self, policy_of: Callable[[Subgame], Any], report: Report = lambda progress: None
    ) -> tuple[float, float]:
        """The bounds on the value for the player to move that best responses to a policy give.
        `policy_of` gives the policy of each subgame and of the whole."""
        done = 0
        for level in self.subgames.levels:
            for batch in self.subgames.bound([(which, policy_of(which)) for which in level]):
                done += len(batch)
                report(self.progress("subgames", done, self.number_of_subgames))
        cfr = self.cfr(self.whole)
        bounds = cfr.bounds(np.asarray(policy_of(self.whole), np.float32))
        self.nodes += cfr.nodes
        return bounds

    @property
    def number_of_subgames(self) -> int:
        return sum(map(len, self.subgames.levels))

    def progress(
        self,
        what: str,
        done: int,
        of: int,
        bounds: tuple[float, float] = (-1, 1),
        nodes: int = 0,
    ) -> SolverProgress:
        met = self.nodes + self.subgames.nodes + nodes
        return SolverProgress(what, done, of, *bounds, met, self._seconds())

    def _seconds(self) -> float:
        return _clock() - self._started

    def cfr(self, which: Subgame, schedule: CfrSchedule = DCFR_PLUS) -> PublicCfr:
        state = self.tree.states[which.state]
        priors = np.array([as_vector(state["mine"]), as_vector(state["theirs"])])
        if which.state == self.root:
            priors *= self.ranges
        return PublicCfr(
            self.tree,
            self.subgames.values,
            which.state,
            which.lead,
            priors,
            threads=self.threads if which.state == self.root else 1,
            schedule=schedule,
        )

    def solve_subgames(self, epsilon: float, report: Report = lambda progress: None) -> None:
        """What is stored and good enough stays. Its bounds are computed again: later subgames may
        have been solved anew since."""
        stored = self._stored_subgames()
        done = 0
        for level in self.subgames.levels:
            waiting = set(level)
            ready = [
                (which, self.folder.policy_of(stored[which]))
                for which in level
                if self.folder is not None and which in stored
            ]
            for batch in self.subgames.bound(ready):
                waiting -= {each.which for each in batch if each.high - each.low <= 2 * epsilon}
            done += len(level) - len(waiting)
            for batch in self.subgames.solve([w for w in level if w in waiting], epsilon):
                self._store_subgames(batch)
                done += len(batch)
                report(self.progress("subgames", done, self.number_of_subgames))

    def _store_subgames(self, batch: Sequence[SolvedSubgame]) -> None:
        if self.folder is None:
            self.policies.update((each.which, each.policy) for each in batch)
            return
        self.folder.add_subgames(batch)
        self.folder.save_seconds(self._seconds())


def _clock() -> float:
    """Without the time of compilation."""
    return time.perf_counter() - building_seconds()


def as_vector(cards: int) -> Any:
    return np.array([float(cards & bit(card) > 0) for card in CARDS])


# -- solutions on the user's disk -----------------------------------------------------------


def stored_solver(round_: Round, threads: int) -> Solver:
    """With the folder where the user's solutions are stored."""
    solver = Solver(round_, threads, solution_folder(round_))
    check_memory("this round", 8 * int(solver.tree.states[solver.root]["regrets"]))
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
    report("verifying the stored solution")
    low, high = solver.certify()
    if not agree(stored["low"], stored["high"], low, high):
        raise KibitzError(
            f"{solver.folder.path}: the stored solution has the bounds {low} … {high}, not"
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
