"""How both play from one public state on: learned by CFR+, and answered by best responses."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from math import inf
from threading import local
from typing import Any

import numpy as np

from kibitz.solvers.love_letter.public_tree import CELLS, WIDTH, Tree
from kibitz.solvers.love_letter.turns import LEARN, RESPOND
from kibitz.solvers.love_letter.walk import (
    CUT,
    DOING,
    GATHERS,
    JOB,
    NODES,
    NOWHERE,
    begin,
    do_jobs,
    learn,
    shares,
    walk,
)

DEPTH = 16
"""More than the turns of a round."""
JOB_DEPTH, MOST_JOBS = 2, 1 << 12
"""Turns after which threads share the work, and more than the nodes there."""
LEAST_MORE, MOST_MORE = 16, 1024
"""Iterations between two looks at the bounds."""
SHARED = 10_000
"""Nodes of a tree that is worth sharing."""
HELPINGS = 16
"""Into so many, of about the same size, the work is cut: a call takes longer than a small walk."""


def room(jobs: int = 1) -> tuple[Any, ...]:
    """What a walk works in."""
    return (
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


def task() -> Any:
    made = np.zeros(5, np.int64)
    made[CUT] = NOWHERE
    return made


class Policy:
    """Regrets and average play below a state, with a lead and with ranges to begin with. They
    stand from `base` on, where several policies share arrays."""

    def __init__(
        self,
        tree: Tree,
        alone: Any,
        state: int,
        lead: int,
        priors: Any,
        threads: int = 1,
        base: int = 0,
    ) -> None:
        self.tree, self.alone = tree, alone
        size = int(tree.regrets[state])
        self.regrets = np.zeros(size, np.float32)
        self.average: Any = np.zeros(size, np.float32)
        self.start = np.array([state, lead, base], np.int64)
        self.priors = priors  # of the player to move, of the other
        self.iterations = 0
        self.nodes = 0
        """That were met so far."""
        shared = threads > 1 and int(tree.nodes[state]) >= SHARED
        self._threads = threads if shared else 1
        self._pool = ThreadPoolExecutor(self._threads)  # starts no thread before it is used
        self._room = room(MOST_JOBS if shared else 1)
        self._task = task()
        unseen = tree.unseen[state]
        self._own = priors * unseen
        others = np.clip(unseen - np.eye(WIDTH), 0, None)  # by the own card
        self._weight = float(self._own[0] @ others @ priors[1])

    def learn(self, more: int) -> None:
        """So many iterations."""
        if self._threads == 1:
            self._task[DOING] = LEARN
            learn(
                self.tree,
                self.alone,
                self.regrets,
                self.average,
                self._task,
                self.start,
                self.priors,
                self.iterations,
                more,
                self._room,
            )
            self._count(self._task)
        else:
            for t in range(self.iterations + 1, self.iterations + more + 1):
                for learner in (1, 0):
                    self._walk(LEARN, learner, float(t) ** 2, self.average)
        self.iterations += more

    def bounds(self, average: Any = None) -> tuple[float, float]:
        """Between these lies the value for the player to move: what the best answers to the
        average of the other bring, or to a play that is given."""
        played = self.average if average is None else average
        low, high = -self._response(0, played), self._response(1, played)
        return low, max(low, high)  # equal ones may differ in the last place

    def shares(self) -> Any:
        """The average play, as it is kept."""
        kept = np.zeros(len(self.average), np.uint16)
        shares(self.tree, int(self.start[0]), self.average, kept)
        return kept

    def _response(self, mover: int, played: Any) -> float:
        self._walk(RESPOND, mover, 0.0, played)
        return float(self._own[1 - mover] @ self._room[2][0] / self._weight)

    def _walk(self, doing: int, mover_learns: int, weight: float, average: Any) -> None:
        arrays = (self.tree, self.alone, self.regrets, average)
        self._task[DOING] = doing
        if self._threads > 1:
            self._task[CUT], self._task[GATHERS], self._task[JOB] = JOB_DEPTH, 1, 0
            begin(self.start, self.priors, mover_learns, self._room)
            walk(*arrays, self._task, 0.0, self._room)
            self._share(arrays, int(self._task[JOB]), doing, weight)
            self._task[GATHERS], self._task[JOB] = 0, 0
        begin(self.start, self.priors, mover_learns, self._room)
        walk(*arrays, self._task, weight, self._room)
        self._count(self._task)

    def _share(self, arrays: tuple[Any, ...], jobs: int, doing: int, weight: float) -> None:
        """Let threads walk below the nodes that were gathered. What they write is apart."""
        own = local()
        tasks = []

        def do(first: int) -> None:
            if not hasattr(own, "room"):
                own.room, own.task = room(), task()
                own.task[DOING] = doing
                tasks.append(own.task)
            walks = (*self._room[7:], first, HELPINGS, jobs)
            do_jobs(*arrays, own.task, weight, *walks, own.room)

        list(self._pool.map(do, range(min(HELPINGS, jobs))))
        for each in tasks:
            self._count(each)

    def _count(self, done: Any) -> None:
        self.nodes += int(done[NODES])
        done[NODES] = 0


def next_look(iterations: int) -> int:
    """After how many to look at the bounds again. It hangs on nothing else, so that a solution
    which was interrupted ends where it would have ended."""
    look = LEAST_MORE
    while look <= iterations:
        look += min(max(look // 4, LEAST_MORE), MOST_MORE)
    return look


def learn_until(policy: Policy, epsilon: float, most: int, ends: float = inf) -> None:
    """Iterate until the bounds are within 2 ε, or so often. When it is late by the clock, once
    if nothing was learned yet."""
    while len(policy.regrets) and policy.iterations < most:
        late = time.perf_counter() >= ends
        if late and policy.iterations:
            return
        low, high = policy.bounds()
        if high - low <= 2 * epsilon:
            return
        policy.learn(1 if late else next_look(policy.iterations) - policy.iterations)
