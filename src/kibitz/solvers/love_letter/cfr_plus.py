"""CFR+ from one public state on, and the best responses that bound the value there."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from math import inf
from threading import local
from typing import Any

import numpy as np

from kibitz.solvers.love_letter.public_tree import CELLS, WIDTH, PublicTree
from kibitz.solvers.love_letter.turns import BEST_RESPONSE, UPDATE_REGRETS
from kibitz.solvers.love_letter.walk import (
    CUT,
    GATHERS,
    JOB,
    MODE,
    NODES,
    NOWHERE,
    WalkWorkspace,
    begin,
    quantize_policy,
    run_cfr_plus,
    walk,
    walk_jobs,
)

DEPTH = 16
"""More than the turns of a round."""
JOB_DEPTH, MOST_JOBS = 2, 1 << 12
"""Turns after which threads share the work, and more than the nodes there."""
LEAST_MORE, MOST_MORE = 16, 1024
"""Iterations between two computations of the bounds."""
PARALLEL_NODES = 10_000
"""So many nodes of a tree are walked by several threads."""
BATCHES = 16
"""Of jobs, of about the same size: one call for each job would take longer than a small walk."""


def new_workspace(jobs: int = 1) -> WalkWorkspace:
    return WalkWorkspace(
        np.zeros((DEPTH, 5), np.int64),
        np.zeros((DEPTH, WIDTH)),
        np.zeros((DEPTH, WIDTH)),
        np.zeros((DEPTH, CELLS)),
        np.zeros(WIDTH),
        np.zeros(WIDTH),
        np.zeros(2 * CELLS // WIDTH),
        np.zeros((jobs, 4), np.int64),
        np.zeros((jobs, WIDTH)),
        np.zeros((jobs, WIDTH)),
    )


def new_task() -> Any:
    task = np.zeros(5, np.int64)
    task[CUT] = NOWHERE
    return task


class CfrPlus:
    """Cumulative regrets and average policy below a public state, with a lead and with ranges to
    begin with. They stand from `base` on, where several states share arrays."""

    def __init__(
        self,
        tree: PublicTree,
        subgames: Any,
        state: int,
        lead: int,
        priors: Any,
        threads: int = 1,
        base: int = 0,
    ) -> None:
        self.tree, self.subgames = tree, subgames
        size = int(tree.regrets[state])
        self.regrets = np.zeros(size, np.float32)
        self.average: Any = np.zeros(size, np.float32)
        self.start = np.array([state, lead, base], np.int64)
        self.priors = priors  # of the player to move, of the other
        self.iterations = 0
        self.nodes = 0
        """That were met so far."""
        shared = threads > 1 and int(tree.nodes[state]) >= PARALLEL_NODES
        self._threads = threads if shared else 1
        self._pool = ThreadPoolExecutor(self._threads)  # starts no thread before it is used
        self._workspace = new_workspace(MOST_JOBS if shared else 1)
        self._task = new_task()
        unseen = tree.unseen[state]
        self._own = priors * unseen
        others = np.clip(unseen - np.eye(WIDTH), 0, None)  # by the own card
        self._weight = float(self._own[0] @ others @ priors[1])

    def run(self, more: int) -> None:
        """So many iterations."""
        if self._threads == 1:
            self._task[MODE] = UPDATE_REGRETS
            run_cfr_plus(
                self.tree,
                self.subgames,
                self.regrets,
                self.average,
                self._task,
                self.start,
                self.priors,
                self.iterations,
                more,
                self._workspace,
            )
            self._count(self._task)
        else:
            for t in range(self.iterations + 1, self.iterations + more + 1):
                for mover_traverses in (1, 0):
                    self._walk(UPDATE_REGRETS, mover_traverses, float(t) ** 2, self.average)
        self.iterations += more

    def bounds(self, average: Any = None) -> tuple[float, float]:
        """Between these lies the value for the player to move: what best responses to the average
        policy bring, or to a policy that is given."""
        policy = self.average if average is None else average
        low, high = -self._best_response(0, policy), self._best_response(1, policy)
        return low, max(low, high)  # equal ones may differ in the last place

    def average_policy(self) -> Any:
        """As it is stored: probabilities in two bytes each."""
        policy = np.zeros(len(self.average), np.uint16)
        quantize_policy(self.tree, int(self.start[0]), self.average, policy)
        return policy

    def _best_response(self, mover_traverses: int, policy: Any) -> float:
        self._walk(BEST_RESPONSE, mover_traverses, 0.0, policy)
        own = self._own[1 - mover_traverses]
        return float(own @ self._workspace.values[0] / self._weight)

    def _walk(self, mode: int, mover_traverses: int, weight: float, average: Any) -> None:
        arrays = (self.tree, self.subgames, self.regrets, average)
        self._task[MODE] = mode
        if self._threads > 1:
            self._task[CUT], self._task[GATHERS], self._task[JOB] = JOB_DEPTH, 1, 0
            begin(self.start, self.priors, mover_traverses, self._workspace)
            walk(*arrays, self._task, 0.0, self._workspace)
            self._walk_jobs(arrays, int(self._task[JOB]), mode, weight)
            self._task[GATHERS], self._task[JOB] = 0, 0
        begin(self.start, self.priors, mover_traverses, self._workspace)
        walk(*arrays, self._task, weight, self._workspace)
        self._count(self._task)

    def _walk_jobs(self, arrays: tuple[Any, ...], jobs: int, mode: int, weight: float) -> None:
        """Let threads walk below the nodes that were gathered. They write to separate places."""
        own = local()
        tasks = []

        def do(first: int) -> None:
            if not hasattr(own, "workspace"):
                own.workspace, own.task = new_workspace(), new_task()
                own.task[MODE] = mode
                tasks.append(own.task)
            work = self._workspace
            walks = (work.jobs, work.job_ranges, work.job_values, first, BATCHES, jobs)
            walk_jobs(*arrays, own.task, weight, *walks, own.workspace)

        list(self._pool.map(do, range(min(BATCHES, jobs))))
        for each in tasks:
            self._count(each)

    def _count(self, done: Any) -> None:
        self.nodes += int(done[NODES])
        done[NODES] = 0


def next_check(iterations: int) -> int:
    """After how many iterations to compute the bounds again. It depends on nothing else, so that a
    solution which was interrupted ends where it would have ended."""
    check = LEAST_MORE
    while check <= iterations:
        check += min(max(check // 4, LEAST_MORE), MOST_MORE)
    return check


def run_until(cfr: CfrPlus, epsilon: float, most: int, ends: float = inf) -> None:
    """Iterate until the bounds are within 2 ε, or `most` times. When `ends` has passed, once
    if there was no iteration yet."""
    while len(cfr.regrets) and cfr.iterations < most:
        late = time.perf_counter() >= ends
        if late and cfr.iterations:
            return
        low, high = cfr.bounds()
        if high - low <= 2 * epsilon:
            return
        cfr.run(1 if late else next_check(cfr.iterations) - cfr.iterations)
