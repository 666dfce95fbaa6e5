"""Counterfactual regret minimization from one public state on, with certified bounds.

DCFR+ (H. Xu, K. Li, B. Liu, H. Fu, Q. Fu, J. Xing and J. Cheng, "Minimizing Weighted
Counterfactual Regret with Optimistic Online Mirror Descent", IJCAI 2024) is regret matching+ whose
regrets are discounted: CFR+ (O. Tammelin, "Solving Large Imperfect Information Games Using CFR+",
2014) with the discounts of N. Brown and T. Sandholm, "Solving Imperfect-Information Games via
Discounted Regret Minimization" (2019). In iteration t = 1, 2, … the player to move is the
traverser, then the other:

    R_t(a) = max(0, δ_t · R_{t−1}(a) + v_t(a) − v_t),   δ_t = (t−1)^α / ((t−1)^α + 1),   δ_1 = 1

and the policies of iteration t weigh t^gamma in the average policy. Xu and others have α = 1.5 and
gamma = 4; ours are α = 2.3 and gamma = 3, and α = 1.5 where a rest is solved again (`gadget.py`).
Their PDCFR+ also predicts the next regrets, which ours does not. With δ = 1 and gamma = 2 it is
CFR+ with quadratic averaging, the reference of the tests.

Two savings, which are heuristics: *lazy rows* (`turns.rows_to_walk`), and in the first EARLY
iterations branches with next to no reach are left out. What they do to the result is certified
with it: exact best responses to the average policy, rounded as it is stored, bound the value
from both sides. Sums are in single precision.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import local
from typing import Any, NamedTuple

import numpy as np

from kibitz.jit.kernels import kernel
from kibitz.jit.vectors import LANES
from kibitz.solvers.love_letter.public_tree import PublicTree, branches_in, is_deep
from kibitz.solvers.love_letter.turns import (
    AS_IT_IS,
    BEST_RESPONSE,
    LEAST_PROBABILITY,
    ONE,
    UPDATE_REGRETS,
    ZERO,
)
from kibitz.solvers.love_letter.walk import (
    JobSlice,
    WalkJobs,
    WalkTables,
    new_frame,
    new_jobs,
    new_task,
    new_workspace,
    quantize_policy,
    walk,
    walk_jobs,
)

JOB_SHARE = 200
"""Threads share trees that have at most the 200th part of the nodes."""
PARALLEL_NODES = 10_000
"""So many nodes of a tree are walked by several threads."""
BATCHES = 16
"""Of jobs, of about the same size: one call for each job would take longer than a small walk."""
EARLY = 8
FIRST_SUBGAME_LOOK = 12


class CfrSchedule(NamedTuple):
    """How CFR is varied."""

    alpha: float
    """Of the discounts; 0: there are none."""
    gamma: float
    is_lazy: int
    early_reach: float
    """Least reach of a branch in the first EARLY iterations."""


CFR_PLUS = CfrSchedule(0.0, 2.0, 0, 0.0)
DCFR_PLUS = CfrSchedule(2.3, 3.0, 1, 0.2)
"""For a whole round."""
DCFR_PLUS_SUBGAME = DCFR_PLUS._replace(early_reach=0.0)
DCFR_PLUS_GADGET = CfrSchedule(1.5, 3.0, 0, 0.0)
"""For re-solving: on 12 740 leaves of a late position it needs a half to two thirds of the
iterations that the others do."""

SUBGAME = np.dtype(
    (
        np.record,
        [
            ("state", np.int64),
            ("lead", np.int64),
            ("place", np.int64),
            ("iterations", np.int64),
            ("low", np.float64),
            ("high", np.float64),
        ],
    )
)
"""An independent subgame: its first state and the lead of the player to move; where its policy
stands; how long it took, and the bounds on its value to the player to move."""


class CfrRoot(NamedTuple):
    """Where iterations begin, and which: first to end − 1."""

    start: Any
    """FRAME, an array of one."""
    priors: Any
    """float32[2 · LANES]: the ranges of the player to move and of the other."""
    first: int
    end: int


class SubgameGoal(NamedTuple):
    """How far the subgames of a batch are solved, and which of them by this thread."""

    epsilon: float
    most: int
    """Iterations of each."""
    first: int
    step: int


class BatchSlice(NamedTuple):
    """Which subgames of a batch are this thread's."""

    first: int
    step: int


# -- kernels ---------------------------------------------------------------------------------


@kernel
def set_iteration(task: Any, schedule: Any, t: int) -> None:
    it = task[0]
    it.mode = UPDATE_REGRETS
    it.iteration = t
    it.is_lazy = schedule.is_lazy
    it.weight = np.float32(float(t) ** schedule.gamma)
    it.discount = ONE
    if schedule.alpha > 0.0:
        power = float(t - 1) ** schedule.alpha
        it.discount = np.float32(power / (power + 1.0)) if t > 1 else ONE
    it.least_reach = np.float32(schedule.early_reach) if t <= EARLY else ZERO


@kernel
def begin(start: Any, priors: Any, mover_traverses: int, work: Any) -> None:
    """Frame 0. `start`: a frame, whose player to move traverses or not; `priors`: the ranges of
    the player to move and of the other, LANES each."""
    frame = work.frames[0]
    frame.state = start[0].state
    frame.offset = start[0].offset
    frame.lead = start[0].lead
    frame.traverses = mover_traverses
    opponent = LANES * mover_traverses
    for lane in range(LANES):
        work.ranges[lane] = priors[opponent + lane]


@kernel
def run_iterations(
    tree: Any, subgames: Any, tables: Any, task: Any, root: Any, schedule: Any, work: Any, jobs: Any
) -> None:
    """`root`: a CfrRoot."""
    for t in range(root.first, root.end):
        set_iteration(task, schedule, t)
        for traverser in (1, 0):
            begin(root.start, root.priors, traverser, work)
            walk(tree, subgames, tables, task, work, jobs)


@kernel
def priors_of(tree: Any, state: int, priors: Any) -> None:
    """Of an independent subgame: all that each may hold, copy for copy equally likely."""
    for lane in range(LANES):
        priors[lane] = np.float32(tree.states[state].mine >> lane & 1)
        priors[LANES + lane] = np.float32(tree.states[state].theirs >> lane & 1)


@kernel
def root_value(tree: Any, state: int, priors: Any, mover_traverses: int, values: Any) -> float:
    """To the traverser, on average of all hands."""
    won = 0.0
    weight = 0.0
    own = 0 if mover_traverses else LANES
    for t in range(LANES):
        count = float(tree.unseen[LANES * state + t])
        won += priors[own + t] * count * values[t]
        for o in range(LANES):
            others = float(tree.unseen[LANES * state + o]) - (t == o)
            weight += priors[own + t] * count * priors[LANES - own + o] * max(others, 0.0)
    return won / weight


@kernel
def solve_subgames(
    tree: Any, subgames: Any, tables: Any, policies: Any, batch: Any, goal: Any, schedule: Any
) -> None:
    """Every subgame of a batch that is this thread's, each to ε or as far as it comes. None needs
    another one of them. `goal`: a SubgameGoal."""
    epsilon, most = goal.epsilon, goal.most
    for k in range(goal.first, len(batch), goal.step):
        which = batch[k]
        size = tree.states[which.state].regrets
        tables.cfr.regrets[:size] = ZERO
        tables.cfr.average[:size] = ZERO
        begin_subgame(tree, which, tables)
        which.iterations = 0
        which.low, which.high = -1.0, 1.0
        if size == 0:
            bound_subgame(tree, subgames, tables.cfr, tables, which, LEAST_PROBABILITY)
        look = min(FIRST_SUBGAME_LOOK, int(most))
        while size > 0 and which.iterations < most and which.high - which.low > 2.0 * epsilon:
            root = CfrRoot(tables.start, tables.priors, which.iterations + 1, look + 1)
            run_iterations(
                tree, subgames, tables.cfr, tables.task, root, schedule, tables.work, tables.jobs
            )
            which.iterations = look
            bound_subgame(tree, subgames, tables.cfr, tables, which, LEAST_PROBABILITY)
            # ε falls about as 1 / t²; far from the goal that is not sure enough to look rarely.
            goals = (which.high - which.low) / (2.0 * epsilon) if epsilon > 0.0 else 4.0
            factor = min(goals**0.5, 2.0)
            look = min(max(look + 4, int(look * factor)), int(most))
        policy = policies[which.place : which.place + size]
        quantize_policy(tree, which.state, tables.cfr.average, LEAST_PROBABILITY, policy)


@kernel
def bound_subgames(
    tree: Any, subgames: Any, tables: Any, policies: Any, batch: Any, mine: Any
) -> None:
    """The bounds that given policies have, float32, each from its place on. `mine`: BatchSlice."""
    for k in range(mine.first, len(batch), mine.step):
        which = batch[k]
        begin_subgame(tree, which, tables)
        tables.start[0].offset = which.place
        policy = WalkTables(tables.cfr.regrets, policies)
        bound_subgame(tree, subgames, policy, tables, which, AS_IT_IS)


@kernel
def begin_subgame(tree: Any, which: Any, tables: Any) -> None:
    start = tables.start[0]
    start.state = which.state
    start.offset = 0
    start.lead = which.lead
    priors_of(tree, which.state, tables.priors)


@kernel
def bound_subgame(
    tree: Any, subgames: Any, cfr: Any, tables: Any, which: Any, least_probability: Any
) -> None:
    """By best responses of both players to the average policy of `cfr`."""
    task, work, priors = tables.task, tables.work, tables.priors
    task[0].mode = BEST_RESPONSE
    task[0].least_probability = least_probability
    task[0].least_reach = ZERO
    for traverser in (1, 0):
        begin(tables.start, priors, traverser, work)
        walk(tree, subgames, cfr, task, work, tables.jobs)
        value = root_value(tree, which.state, priors, traverser, work.values)
        if traverser == 1:
            which.high = value
        else:
            which.low = -value
    which.high = max(which.low, which.high)  # equal ones may differ in the last place


class SubgameTables(NamedTuple):
    """What one thread needs to solve subgames."""

    cfr: WalkTables
    work: Any
    task: Any
    jobs: Any
    start: Any
    priors: Any


def new_subgame_tables(regrets: int) -> SubgameTables:
    """For subgames of at most so many regrets."""
    numbers = (np.zeros(max(regrets, 1), np.float32) for _ in range(2))
    return SubgameTables(
        WalkTables(*numbers),
        new_workspace(),
        new_task(),
        new_jobs(1),
        new_frame(0, 0, 0),
        np.zeros(2 * LANES, np.float32),
    )


def count_jobs(tree: PublicTree, root: int, job_nodes: int) -> int:
    """How many trees of at most so many nodes begin below a state, and not below another one."""
    count, waiting = 0, [root]
    while waiting:
        branches = branches_in(tree, waiting.pop())
        below = branches["next"][is_deep(branches)]
        larger = below[tree.states["nodes"][below] > job_nodes]
        waiting += larger.tolist()
        count += len(below) - len(larger)
    return count


# -- one state -------------------------------------------------------------------------------


class PublicCfr:
    """Cumulative regrets and average policy below a public state, with a lead and with ranges to
    begin with. They stand from `base` on, where several states share arrays."""

    def __init__(
        self,
        tree: PublicTree,
        subgames: Any,
        state: int,
        lead: int,
        priors: Any,
        *,
        threads: int = 1,
        base: int = 0,
        schedule: CfrSchedule = DCFR_PLUS,
    ) -> None:
        self.tree, self.subgames, self.schedule = tree, subgames, schedule
        size = int(tree.states[state]["regrets"])
        self.tables = WalkTables(np.zeros(size, np.float32), np.zeros(size, np.float32))
        self.state = state
        self.start = new_frame(state, base, lead)
        self.priors = np.ascontiguousarray(priors, np.float32).ravel()
        self.iterations = 0
        self.nodes = 0
        """That were met so far."""
        shared = threads > 1 and int(tree.states[state]["nodes"]) >= PARALLEL_NODES
        self._threads = threads if shared else 1
        self._pool = ThreadPoolExecutor(self._threads)  # starts no thread before it is used
        self._work = new_workspace()
        self._job_nodes = int(tree.states[state]["nodes"]) // JOB_SHARE if shared else 0
        self._jobs = new_jobs(1 if not shared else count_jobs(tree, state, self._job_nodes))
        self._task = new_task()

    @property
    def size(self) -> int:
        return len(self.tables.regrets)

    def run(self, until: int) -> None:
        """To this iteration."""
        if self._threads == 1:
            root = CfrRoot(self.start, self.priors, self.iterations + 1, until + 1)
            run_iterations(
                self.tree, self.subgames, self.tables, self._task, root, self.schedule,
                self._work, self._jobs,
            )  # fmt: skip
            self._count(self._task)
        else:
            for t in range(self.iterations + 1, until + 1):
                set_iteration(self._task, self.schedule, t)
                for mover_traverses in (1, 0):
                    self._walk(mover_traverses, self.tables)
        self.iterations = until

    def bounds(self, policy: Any = None) -> tuple[float, float]:
        """Between these lies the value for the player to move: what best responses bring to a
        policy, or to the average policy as it is going to be stored."""
        tables = self._begin_response(policy)
        low, high = -self._best_response(0, tables), self._best_response(1, tables)
        return low, max(low, high)  # equal ones may differ in the last place

    def average_policy(self, into: Any = None) -> Any:
        """As it is stored: probabilities in two bytes each."""
        policy = np.zeros(self.size, np.uint16) if into is None else into[: self.size]
        quantize_policy(self.tree, self.state, self.tables.average, LEAST_PROBABILITY, policy)
        return policy

    def _best_response(self, mover_traverses: int, tables: WalkTables) -> float:
        self._walk(mover_traverses, tables)
        return self._root_value(mover_traverses)

    def _root_value(self, mover_traverses: int) -> float:
        values = self._work.values
        return float(root_value(self.tree, self.state, self.priors, mover_traverses, values))

    def responses_at(
        self, job_nodes: int, mover_traverses: int, policy: Any
    ) -> tuple[WalkJobs, int]:
        """What a best response to a policy brings the traverser at the first nodes whose trees
        have at most so many nodes, with the opponent's ranges there; and how many these are."""
        jobs = new_jobs(max(1, count_jobs(self.tree, self.state, job_nodes)))
        tables = self._begin_response(policy)
        self._gather(mover_traverses, tables, job_nodes, jobs)
        number = int(self._task[0]["jobs"])
        self._walk_jobs(tables, jobs, number)
        return jobs, number

    def response_value(
        self, job_nodes: int, mover_traverses: int, policy: Any, jobs: WalkJobs
    ) -> float:
        """To the traverser on average, with the values of jobs as they are given."""
        tables = self._begin_response(policy)
        self._finish(mover_traverses, tables, job_nodes, jobs)
        return self._root_value(mover_traverses)

    def _begin_response(self, policy: Any) -> WalkTables:
        self._task["mode"] = BEST_RESPONSE
        self._task["least_probability"] = LEAST_PROBABILITY if policy is None else AS_IT_IS
        self._task["least_reach"] = ZERO
        return self.tables if policy is None else WalkTables(self.tables.regrets, policy)

    def _walk(self, mover_traverses: int, tables: WalkTables) -> None:
        if self._job_nodes:
            self._gather(mover_traverses, tables, self._job_nodes, self._jobs)
            self._walk_jobs(tables, self._jobs, int(self._task[0]["jobs"]))
        self._finish(mover_traverses, tables, self._job_nodes, self._jobs)

    def _gather(
        self, mover_traverses: int, tables: WalkTables, job_nodes: int, jobs: WalkJobs
    ) -> None:
        """The jobs, with the opponent's ranges. Nothing is updated: that is for `_finish`."""
        task = self._task[0]
        weight, task["weight"] = task["weight"], 0.0
        task["job_nodes"], task["gathers"], task["jobs"] = job_nodes, 1, 0
        begin(self.start, self.priors, mover_traverses, self._work)
        walk(self.tree, self.subgames, tables, self._task, self._work, jobs)
        task["weight"], task["gathers"] = weight, 0

    def _finish(
        self, mover_traverses: int, tables: WalkTables, job_nodes: int, jobs: WalkJobs
    ) -> None:
        """All but the jobs, whose values are known."""
        task = self._task[0]
        task["job_nodes"], task["jobs"] = job_nodes, 0
        begin(self.start, self.priors, mover_traverses, self._work)
        walk(self.tree, self.subgames, tables, self._task, self._work, jobs)
        task["job_nodes"] = 0
        self._count(self._task)

    def _walk_jobs(self, tables: WalkTables, jobs: WalkJobs, number: int) -> None:
        """Let threads walk below the nodes that were gathered. They write to separate places."""
        own = local()
        tasks = []

        def do(first: int) -> None:
            if not hasattr(own, "work"):
                own.work, own.task = new_workspace(), self._task.copy()
                own.task["job_nodes"], own.task["gathers"], own.task["nodes"] = 0, 0, 0
                tasks.append(own.task)
            which = JobSlice(first, number, BATCHES)
            walk_jobs(self.tree, self.subgames, tables, own.task, own.work, jobs, which)

        list(self._pool.map(do, range(min(BATCHES, number))))
        for each in tasks:
            self._count(each)

    def _count(self, task: Any) -> None:
        self.nodes += int(task["nodes"][0])
        task["nodes"] = 0


FIRST_LOOK = 40
LOOK_AHEAD = 1.05


def next_look(iterations: int, reached: float, target: float) -> int:
    """The iteration after which to compute the bounds again: ε falls about as 1 / t²."""
    if not iterations:
        return FIRST_LOOK
    return max(iterations + 4, int(iterations * LOOK_AHEAD * (reached / target) ** 0.5))
