"""One walk through the public tree of a round: counterfactual regrets, or a best response.

Vector form over public states, as in M. Johanson and others, "Accelerating Best Response
Calculation in Large Extensive Games" (2011).

A walk is made for one player, the *traverser*. It carries down the *range* of the *opponent*:
for each card, the reach probability by the opponent's own choices. It brings up a counterfactual
value for each card of the traverser. With c the counts of unseen cards before a hand is taken out,
the hands (t, o) of traverser and opponent weigh

    own(t) · range(o) · c(t) · (c(o) − [t = o])

so the traverser's own reach is not needed on the way, and the counterfactual value of card t is

    value(t) = Σ over o of  range(o) · (c(o) − [t = o]) · u(t, o)

where u is won 1, lost −1. An opponent's range of zeros ends the walk: nothing there changes
anything. Average policies are added up where a player is the opponent, since that player's own
reach is known there.

Example: one card is left in the deck, unseen are Guard, Baron, King and Princess, each once, and
the traverser has laid the last card, so that hands are compared. The opponent comes here with
the Baron for sure and with the King in half of the cases: range = (0, 0, 1, 0, 0, ½, 0, 0). With
the Princess the traverser wins 1 + ½, with the Guard he loses as much, with the King he wins 1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kibitz.jit.intrinsics import borrowed, constants, pointers, prefetch
from kibitz.jit.kernels import inlined, kernel
from kibitz.jit.vectors import LANES, load, splat, store
from kibitz.solvers.love_letter.public_states import OVER
from kibitz.solvers.love_letter.public_tree import CELLS
from kibitz.solvers.love_letter.turns import (
    ALL_ROWS,
    SKIPPED,
    UPDATE_REGRETS,
    ZERO,
    back_up_to_traverser,
    opponent_branches,
    opponent_decision,
    opponent_terminal_values,
    round_probability,
    rows_to_walk,
    seen_by_opponent,
    sum_of,
    traverser_branches,
    traverser_decision,
    traverser_terminal_values,
)

DEPTH = 16
"""More than the turns of a round."""
MOST_WAITING = 4096
"""More than the branches of all states on one way down."""
MOST_OPTIONS = 32
"""More than the options of a hand."""

FRAME = np.dtype(
    (
        np.record,
        [(name, np.int64) for name in ("state", "offset", "lead", "traverses", "branch", "rows")],
    )
)
"""A node on the path: its state, the offset of its regrets, the lead of the player to move,
whether that is the traverser, the branch to go next, the rows whose branches are walked."""

TASK = np.dtype(
    (
        np.record,
        [
            ("mode", np.int64),
            ("iteration", np.int64),
            ("is_lazy", np.int64),
            ("nodes", np.int64),
            ("job_nodes", np.int64),
            ("gathers", np.int64),
            ("jobs", np.int64),
            ("weight", np.float32),
            ("discount", np.float32),
            ("least_reach", np.float32),
            ("least_probability", np.float32),
        ],
    )
)
"""What a walk does. `mode`: UPDATE_REGRETS or BEST_RESPONSE. `is_lazy`: rows that nobody plays are
left out at times. `nodes`: met so far. `job_nodes`: trees of at most so many nodes are
*jobs*: others walk them; `gathers`: whether jobs are gathered now, or their values known; `jobs`:
how many were met. `weight`: of this iteration in the average policy. `discount`: of earlier
regrets. `least_reach`: where the opponent's range sums to less, regrets are not updated.
`least_probability`: best responses answer the average policy rounded, without smaller
probabilities than this, or AS_IT_IS."""


class WalkTables(NamedTuple):
    """Float32, one number for each option of each hand of each node, by depth-first offset."""

    regrets: Any
    average: Any


class WalkWorkspace(NamedTuple):
    """What a walk writes into: so many numbers for each depth; float32 but for the frames."""

    frames: Any
    """The nodes from the root to the current one, FRAME."""
    ranges: Any
    """The opponent's range, LANES."""
    values: Any
    """The traverser's counterfactual values, LANES."""
    cells: Any
    """CELLS, see `turns.py`."""
    policy: Any
    """Of one hand, at one depth."""


class WalkJobs(NamedTuple):
    """First nodes of trees that others walk: other threads, or who solves them again."""

    frames: Any
    ranges: Any
    values: Any


class JobSlice(NamedTuple):
    """Which jobs a thread walks: range(first, end, step)."""

    first: int
    end: int
    step: int


def new_frame(state: int, offset: int, lead: int) -> Any:
    """Where a walk begins: an array of one FRAME."""
    frame = np.zeros(1, FRAME)
    frame["state"], frame["offset"], frame["lead"] = state, offset, lead
    return frame


def new_workspace() -> WalkWorkspace:
    return WalkWorkspace(
        np.zeros(DEPTH, FRAME),
        np.zeros(DEPTH * LANES, np.float32),
        np.zeros(DEPTH * LANES, np.float32),
        np.zeros(DEPTH * CELLS, np.float32),
        np.zeros(MOST_OPTIONS, np.float32),
    )


def new_jobs(number: int) -> WalkJobs:
    return WalkJobs(
        np.zeros(number, FRAME),
        np.zeros(number * LANES, np.float32),
        np.zeros(number * LANES, np.float32),
    )


def new_task() -> Any:
    return np.zeros(1, TASK)


@kernel
def walk(tree: Any, subgames: Any, tables: Any, task: Any, work: Any, jobs: Any) -> None:
    """From frame 0; the traverser's values come to the first lanes of the values."""
    tree, tables, work, jobs = constants(tree), pointers(tables), pointers(work), pointers(jobs)
    task, subgames = pointers(task)[0], borrowed(subgames)
    frames = work.frames
    d = 0
    entering = True
    while True:
        frame = frames[d]
        i = frame.state
        if entering:
            task.nodes += 1
            entering = False
            _enter(tree, tables, task, work, d)
        if frame.traverses != 0:
            j = traverser_branches(tree, subgames, task, work, d)
        else:
            j = opponent_branches(tree, subgames, task, work, d)
        if j < tree.states[i].branch_to:
            if tree.states[tree.branches[j].next].nodes > task.job_nodes:
                d += 1
                _go_down(frames[d], frame, tree.branches[j])
                entering = True
                continue
            value = _leave_to_others(task, jobs, frame, tree.branches[j], work, d)
        else:
            if frame.traverses != 0 and task.gathers == 0:
                traverser_decision(tree, i, frame.offset, tables.regrets, task, work, d)
            if d == 0:
                return
            value = load(work.values, LANES * d)
            d -= 1
            i = frames[d].state
            j = frames[d].branch - 1
        if frames[d].traverses != 0:
            back_up_to_traverser(tree, i, j, value, work, d)
        else:
            values = load(work.values, LANES * d) + seen_by_opponent(tree, i, j, value)
            store(work.values, LANES * d, values)


@inlined
def _enter(tree: Any, tables: Any, task: Any, work: Any, d: int) -> None:
    frame = work.frames[d]
    i = frame.state
    frame.branch = tree.states[i].branch_from
    frame.rows = ALL_ROWS
    if frame.traverses == 0:
        opponent_decision(tree, i, frame.offset, tables, task, work, d)
        store(work.values, LANES * d, opponent_terminal_values(tree, i, work, d))
        return
    prefetch(tables.regrets, frame.offset)
    traverser_terminal_values(tree, i, work, d)
    if task.mode == UPDATE_REGRETS and task.is_lazy != 0:
        frame.rows = rows_to_walk(tree, i, frame.offset, tables.regrets, task.iteration)
        if frame.rows != ALL_ROWS:
            for row in range(tree.states[i].row_to - tree.states[i].row_from):
                if frame.rows >> row & 1 == 0:
                    store(work.cells, CELLS * d + LANES * row, splat(SKIPPED))


@inlined
def _go_down(there: Any, frame: Any, branch: Any) -> None:
    there.state = branch.next
    there.offset = frame.offset + branch.offset
    there.lead = -(frame.lead + branch.lead)
    there.traverses = 1 - frame.traverses


@inlined
def _leave_to_others(task: Any, jobs: Any, frame: Any, branch: Any, work: Any, d: int) -> Any:
    """The value behind a branch below which other threads walk, if it is known."""
    job = task.jobs
    task.jobs += 1
    if task.gathers == 0:
        return load(jobs.values, LANES * job)
    _go_down(jobs.frames[job], frame, branch)
    store(jobs.ranges, LANES * job, load(work.ranges, LANES * (d + 1)))
    return splat(ZERO)


@kernel
def walk_jobs(
    tree: Any, subgames: Any, tables: Any, task: Any, work: Any, jobs: Any, which: Any
) -> None:
    """The walks below nodes that were gathered. `which`: a JobSlice."""
    for job in range(which.first, which.end, which.step):
        work.frames[0] = jobs.frames[job]
        store(work.ranges, 0, load(jobs.ranges, LANES * job))
        walk(tree, subgames, tables, task, work, jobs)
        store(jobs.values, LANES * job, load(work.values, 0))


@kernel
def quantize_policy(tree: Any, state: int, average: Any, least_probability: Any, out: Any) -> None:
    """The average policy below a state as whole numbers: probabilities of PARTS, for each hand."""
    stack = np.empty((MOST_WAITING, 2), np.int64)
    stack[0, 0] = state
    stack[0, 1] = 0
    waiting = 1
    while waiting:
        waiting -= 1
        here = tree.states[stack[waiting, 0]]
        base = stack[waiting, 1]
        for h in range(here.hand_from, here.hand_to):
            hand = tree.hands[h]
            n = np.int64(hand.options)
            if n > 1:
                at = base + np.int64(hand.first_regret)
                weight = sum_of(average, at, n)
                for k in range(n):
                    if weight > ZERO:
                        out[at + k] = np.int64(
                            round_probability(average[at + k], weight, least_probability)
                        )
                    else:
                        out[at + k] = 1
        for j in range(here.branch_from, here.branch_to):
            branch = tree.branches[j]
            if branch.next != OVER and branch.subgame < 0:
                stack[waiting, 0] = branch.next
                stack[waiting, 1] = base + branch.offset
                waiting += 1
