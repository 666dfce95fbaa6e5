"""One walk through the public tree of a round: CFR+, or a best response.

Vector form over public states, as in M. Johanson and others, "Accelerating Best Response
Calculation in Large Extensive Games" (2011); CFR+ by O. Tammelin (2014).

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
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kibitz.jit.intrinsics import borrowed
from kibitz.jit.kernels import inlined, kernel
from kibitz.solvers.love_letter.public_states import OVER, PLAY_BARON, PLAY_KING
from kibitz.solvers.love_letter.public_tree import (
    FIRST_REGRET,
    LEAD,
    NEXT,
    OFFSET,
    OPTIONS,
    PLAY,
    SUBGAME,
    WIDTH,
    PublicTree,
)
from kibitz.solvers.love_letter.turns import (
    AHEAD,
    BASE,
    BRANCH,
    IS_TRAVERSER,
    STATE,
    back_up_to_opponent,
    back_up_to_traverser,
    both_hands_known,
    compare_hands,
    opponent_decision,
    opponent_terminal_values,
    range_after,
    spread,
    subgame_value,
    traverser_decision,
    traverser_terminal_values,
)

MODE, NODES, CUT, GATHERS, JOB = range(5)
"""Of a task: UPDATE_REGRETS or BEST_RESPONSE; the nodes met so far; the depth below which other
threads walk; whether the nodes there are gathered for them now, or their values known; how many
were met."""
NOWHERE = -1
ONE = 65535
MOST_WAITING = 4096
"""More than the branches of all states on one way down."""


class WalkWorkspace(NamedTuple):
    """What a walk writes into. Rows by depth, unless said otherwise."""

    path: Any
    """The nodes from the root to the current one: STATE, BASE, AHEAD, IS_TRAVERSER, BRANCH."""
    ranges: Any
    """The opponent's range, by card."""
    values: Any
    """The traverser's counterfactual values, by card."""
    cells: Any
    """See `turns.py`."""
    range_: Any
    """The opponent's range behind the current branch."""
    value: Any
    """The traverser's values behind the current branch."""
    play_values: Any
    """Of one hand."""
    jobs: Any
    """One row a node that is left to other threads, as in `path`."""
    job_ranges: Any
    job_values: Any


@kernel
def walk(
    tree: Any, subgames: Any, regrets: Any, average: Any, task: Any, weight: float, workspace: Any
) -> None:
    """From node 0 of the path; the traverser's values come to row 0 of the values."""
    tree = _borrowed_tree(tree)
    subgames, regrets, average = borrowed(subgames), borrowed(regrets), borrowed(average)
    path, ranges = borrowed(workspace.path), borrowed(workspace.ranges)
    values, cells = borrowed(workspace.values), borrowed(workspace.cells)
    range_, value, play_values = (
        borrowed(workspace.range_),
        borrowed(workspace.value),
        borrowed(workspace.play_values),
    )
    jobs, job_ranges, job_values = (
        borrowed(workspace.jobs),
        borrowed(workspace.job_ranges),
        borrowed(workspace.job_values),
    )
    mode = task[MODE]
    d = 0
    entering = True
    while True:
        i = path[d, STATE]
        if entering:
            task[NODES] += 1
            entering = False
            path[d, BRANCH] = tree.branch_from[i]
            for t in range(WIDTH):
                values[d, t] = 0.0
            for j in range(WIDTH * (tree.row_from[i + 1] - tree.row_from[i])):
                cells[d, j] = 0.0
            if path[d, IS_TRAVERSER]:
                traverser_terminal_values(tree, i, ranges, cells, d)
            else:
                opponent_decision(
                    tree, i, path[d, BASE], regrets, average, mode, weight, ranges, cells, d
                )
                opponent_terminal_values(tree, i, values, cells, d)
        if path[d, BRANCH] < tree.branch_from[i + 1]:
            j = path[d, BRANCH]
            path[d, BRANCH] += 1
            play = tree.branches[j, PLAY]
            ahead = path[d, AHEAD] + tree.branches[j, LEAD]
            if (play in (PLAY_BARON, PLAY_KING)) and not tree.protected[i]:
                both_hands_known(tree, i, j, ahead, subgames, mode, path, ranges, values, cells, d)
                continue
            if not range_after(tree, i, j, path[d, IS_TRAVERSER], ranges, cells, d, range_):
                continue
            if tree.branches[j, NEXT] == OVER:
                compare_hands(tree, i, j, ahead if path[d, IS_TRAVERSER] else -ahead, range_, value)
            elif tree.branches[j, SUBGAME] >= 0:
                number = subgame_value(
                    subgames, tree.branches[j, SUBGAME], ahead, mode, path[d, IS_TRAVERSER]
                )
                spread(tree, i, j, number, range_, value)
            elif d + 1 == task[CUT]:
                job = task[JOB]
                task[JOB] += 1
                if task[GATHERS]:
                    jobs[job, STATE] = tree.branches[j, NEXT]
                    jobs[job, BASE] = path[d, BASE] + tree.branches[j, OFFSET]
                    jobs[job, AHEAD] = -ahead
                    jobs[job, IS_TRAVERSER] = 1 - path[d, IS_TRAVERSER]
                    for t in range(WIDTH):
                        job_ranges[job, t] = range_[t]
                        value[t] = 0.0
                else:
                    for t in range(WIDTH):
                        value[t] = job_values[job, t]
            else:
                d += 1
                path[d, STATE] = tree.branches[j, NEXT]
                path[d, BASE] = path[d - 1, BASE] + tree.branches[j, OFFSET]
                path[d, AHEAD] = -ahead
                path[d, IS_TRAVERSER] = 1 - path[d - 1, IS_TRAVERSER]
                for t in range(WIDTH):
                    ranges[d, t] = range_[t]
                entering = True
                continue
        else:
            if path[d, IS_TRAVERSER] and not task[GATHERS]:
                traverser_decision(
                    tree, i, path[d, BASE], regrets, mode, values, cells, d, play_values
                )
            if d == 0:
                return
            for t in range(WIDTH):
                value[t] = values[d, t]
            d -= 1
            i = path[d, STATE]
            j = path[d, BRANCH] - 1
        if path[d, IS_TRAVERSER]:
            back_up_to_traverser(tree, i, j, value, cells, d)
        else:
            back_up_to_opponent(tree, i, j, value, values, d)


@inlined
def _borrowed_tree(tree: Any) -> Any:
    return PublicTree(
        borrowed(tree.unseen),
        borrowed(tree.total),
        borrowed(tree.protected),
        borrowed(tree.hand_from),
        borrowed(tree.hands),
        borrowed(tree.options),
        borrowed(tree.row_from),
        borrowed(tree.rows),
        borrowed(tree.branch_from),
        borrowed(tree.branches),
        borrowed(tree.regrets),
        borrowed(tree.nodes),
        borrowed(tree.subgame),
    )


# -- whole walks -----------------------------------------------------------------------------


@kernel
def run_cfr_plus(
    tree: Any,
    subgames: Any,
    regrets: Any,
    average: Any,
    task: Any,
    start: Any,
    priors: Any,
    done: int,
    more: int,
    workspace: Any,
) -> None:
    """Iterations of CFR+ with alternating updates. Iteration t counts t² times in the average
    policy, as with an exponent of 2 in N. Brown and T. Sandholm, "Solving Imperfect-Information
    Games via Discounted Regret Minimization" (2019); in Tammelin's paper it counts t times."""
    for t in range(done + 1, done + more + 1):
        for traverser in (1, 0):
            begin(start, priors, traverser, workspace)
            walk(tree, subgames, regrets, average, task, float(t) * float(t), workspace)


@kernel
def begin(start: Any, priors: Any, mover_traverses: int, workspace: Any) -> None:
    """Node 0. `start`: the state, the mover's lead, where its regrets are; `priors`: the
    ranges, the mover's first."""
    path, ranges = workspace.path, workspace.ranges
    path[0, STATE] = start[0]
    path[0, BASE] = start[2]
    path[0, AHEAD] = start[1]
    path[0, IS_TRAVERSER] = mover_traverses
    for t in range(WIDTH):
        ranges[0, t] = priors[mover_traverses, t]


@kernel
def walk_jobs(
    tree: Any,
    subgames: Any,
    regrets: Any,
    average: Any,
    task: Any,
    weight: float,
    jobs: Any,
    job_ranges: Any,
    job_values: Any,
    first: int,
    step: int,
    end: int,
    workspace: Any,
) -> None:
    """The walks below nodes that were gathered, from the first on, so many steps apart."""
    path, ranges, values = workspace.path, workspace.ranges, workspace.values
    for job in range(first, end, step):
        for k in range(BRANCH):
            path[0, k] = jobs[job, k]
        for t in range(WIDTH):
            ranges[0, t] = job_ranges[job, t]
        walk(tree, subgames, regrets, average, task, weight, workspace)
        for t in range(WIDTH):
            job_values[job, t] = values[0, t]


@kernel
def quantize_policy(tree: Any, state: int, average: Any, out: Any) -> None:
    """The average policy below a state as whole numbers: probabilities of ONE, for each hand."""
    stack = np.empty((MOST_WAITING, 2), np.int64)
    stack[0, 0] = state
    stack[0, 1] = 0
    waiting = 1
    while waiting:
        waiting -= 1
        i = stack[waiting, 0]
        base = stack[waiting, 1]
        for h in range(tree.hand_from[i], tree.hand_from[i + 1]):
            n = tree.hands[h, OPTIONS]
            if n > 1:
                at = base + tree.hands[h, FIRST_REGRET]
                total = 0.0
                for k in range(n):
                    total += average[at + k]
                for k in range(n):
                    probability = average[at + k] / total if total > 0.0 else 1.0 / n
                    out[at + k] = int(ONE * probability + 0.5)
        for j in range(tree.branch_from[i], tree.branch_from[i + 1]):
            if tree.branches[j, NEXT] != OVER and tree.branches[j, SUBGAME] < 0:
                stack[waiting, 0] = tree.branches[j, NEXT]
                stack[waiting, 1] = base + tree.branches[j, OFFSET]
                waiting += 1
