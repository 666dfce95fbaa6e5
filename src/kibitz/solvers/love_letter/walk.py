"""One walk through the tree of a round: counterfactual regrets, or a best response.

A walk is made for one player, the *learner*. It carries down how likely the other, the
*modelled*, is to come here with each card by his own choices, and brings up what the learner
can expect with each of his cards. With c the unseen cards before a hand is taken out, the hands
(t, o) of learner and modelled weigh

    own(t) · range(o) · c(t) · (c(o) − [t = o])

so the learner's own range is not needed on the way, and a value by his cards is

    value(t) = Σ over o of range(o) · (c(o) − [t = o]) · what the round is worth

A modelled range of zeros ends the walk: nothing there changes anything. Average policies are
added up where a player is modelled, since his own reach is at hand there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.jit.intrinsics import borrowed
from kibitz.jit.kernels import inlined, kernel
from kibitz.solvers.love_letter.public_states import DUEL, OVER, TRADE
from kibitz.solvers.love_letter.public_tree import (
    FIRST_REGRET,
    LEAD,
    NEXT,
    OFFSET,
    OPTIONS,
    PLAY,
    STANDS_ALONE,
    WIDTH,
    Tree,
)
from kibitz.solvers.love_letter.turns import (
    AHEAD,
    BASE,
    BRANCH,
    LEARNS,
    STATE,
    all_is_open,
    bring_to_learner,
    bring_to_modelled,
    compare_hands,
    decide,
    learner_at_once,
    model,
    modelled_at_once,
    range_after,
    spread,
    worth_alone,
)

DOING, NODES, CUT, GATHERS, JOB = range(5)
"""Of a task: LEARN or RESPOND; the nodes met so far; the depth below which others walk; whether
the nodes there are gathered for them now, or their values known; how many were met."""
NOWHERE = -1
WHOLE = 65535
MOST_WAITING = 4096
"""More than the branches of all states on one way down."""


@kernel
def walk(
    tree: Any, alone: Any, regrets: Any, average: Any, task: Any, weight: float, room: Any
) -> None:
    """From node 0 of the room; the learner's values come to row 0 of its values."""
    tree = _lent(tree)
    alone, regrets, average = borrowed(alone), borrowed(regrets), borrowed(average)
    places, ranges = borrowed(room[0]), borrowed(room[1])
    values, cells = borrowed(room[2]), borrowed(room[3])
    range_, value, few = borrowed(room[4]), borrowed(room[5]), borrowed(room[6])
    jobs, job_ranges, job_values = borrowed(room[7]), borrowed(room[8]), borrowed(room[9])
    doing = task[DOING]
    d = 0
    entering = True
    while True:
        i = places[d, STATE]
        if entering:
            task[NODES] += 1
            entering = False
            places[d, BRANCH] = tree.branch_from[i]
            for t in range(WIDTH):
                values[d, t] = 0.0
            for j in range(WIDTH * (tree.row_from[i + 1] - tree.row_from[i])):
                cells[d, j] = 0.0
            if places[d, LEARNS]:
                learner_at_once(tree, i, ranges, cells, d)
            else:
                model(tree, i, places[d, BASE], regrets, average, doing, weight, ranges, cells, d)
                modelled_at_once(tree, i, values, cells, d)
        if places[d, BRANCH] < tree.branch_from[i + 1]:
            j = places[d, BRANCH]
            places[d, BRANCH] += 1
            play = tree.branches[j, PLAY]
            ahead = places[d, AHEAD] + tree.branches[j, LEAD]
            if (play in (DUEL, TRADE)) and not tree.protected[i]:
                all_is_open(tree, i, j, ahead, alone, doing, places, ranges, values, cells, d)
                continue
            if not range_after(tree, i, j, places[d, LEARNS], ranges, cells, d, range_):
                continue
            if tree.branches[j, NEXT] == OVER:
                compare_hands(tree, i, j, ahead if places[d, LEARNS] else -ahead, range_, value)
            elif tree.branches[j, STANDS_ALONE] >= 0:
                worth = worth_alone(
                    alone, tree.branches[j, STANDS_ALONE], ahead, doing, places[d, LEARNS]
                )
                spread(tree, i, j, worth, range_, value)
            elif d + 1 == task[CUT]:
                job = task[JOB]
                task[JOB] += 1
                if task[GATHERS]:
                    jobs[job, STATE] = tree.branches[j, NEXT]
                    jobs[job, BASE] = places[d, BASE] + tree.branches[j, OFFSET]
                    jobs[job, AHEAD] = -ahead
                    jobs[job, LEARNS] = 1 - places[d, LEARNS]
                    for t in range(WIDTH):
                        job_ranges[job, t] = range_[t]
                        value[t] = 0.0
                else:
                    for t in range(WIDTH):
                        value[t] = job_values[job, t]
            else:
                d += 1
                places[d, STATE] = tree.branches[j, NEXT]
                places[d, BASE] = places[d - 1, BASE] + tree.branches[j, OFFSET]
                places[d, AHEAD] = -ahead
                places[d, LEARNS] = 1 - places[d - 1, LEARNS]
                for t in range(WIDTH):
                    ranges[d, t] = range_[t]
                entering = True
                continue
        else:
            if places[d, LEARNS] and not task[GATHERS]:
                decide(tree, i, places[d, BASE], regrets, doing, values, cells, d, few)
            if d == 0:
                return
            for t in range(WIDTH):
                value[t] = values[d, t]
            d -= 1
            i = places[d, STATE]
            j = places[d, BRANCH] - 1
        if places[d, LEARNS]:
            bring_to_learner(tree, i, j, value, cells, d)
        else:
            bring_to_modelled(tree, i, j, value, values, d)


@inlined
def _lent(tree: Any) -> Any:
    return Tree(
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
        borrowed(tree.alone),
    )


# -- whole walks -----------------------------------------------------------------------------


@kernel
def learn(
    tree: Any,
    alone: Any,
    regrets: Any,
    average: Any,
    task: Any,
    start: Any,
    priors: Any,
    done: int,
    more: int,
    room: Any,
) -> None:
    """Iterations of CFR+ with alternating players; the t-th weighs t²."""
    for t in range(done + 1, done + more + 1):
        for learner in (1, 0):
            begin(start, priors, learner, room)
            walk(tree, alone, regrets, average, task, float(t) * float(t), room)


@kernel
def begin(start: Any, priors: Any, mover_learns: int, room: Any) -> None:
    """Node 0. `start`: the state, the mover's lead, where its regrets are; `priors`: a range for
    each, his first."""
    places, ranges = room[0], room[1]
    places[0, STATE] = start[0]
    places[0, BASE] = start[2]
    places[0, AHEAD] = start[1]
    places[0, LEARNS] = mover_learns
    for t in range(WIDTH):
        ranges[0, t] = priors[mover_learns, t]


@kernel
def do_jobs(
    tree: Any,
    alone: Any,
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
    room: Any,
) -> None:
    """The walks below nodes that were gathered, from the first on, so many steps apart."""
    places, ranges, values = room[0], room[1], room[2]
    for job in range(first, end, step):
        for k in range(BRANCH):
            places[0, k] = jobs[job, k]
        for t in range(WIDTH):
            ranges[0, t] = job_ranges[job, t]
        walk(tree, alone, regrets, average, task, weight, room)
        for t in range(WIDTH):
            job_values[job, t] = values[0, t]


@kernel
def shares(tree: Any, state: int, average: Any, out: Any) -> None:
    """Average play below a state as whole numbers, of WHOLE for each hand."""
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
                    share = average[at + k] / total if total > 0.0 else 1.0 / n
                    out[at + k] = int(WHOLE * share + 0.5)
        for j in range(tree.branch_from[i], tree.branch_from[i + 1]):
            if tree.branches[j, NEXT] != OVER and tree.branches[j, STANDS_ALONE] < 0:
                stack[waiting, 0] = tree.branches[j, NEXT]
                stack[waiting, 1] = base + tree.branches[j, OFFSET]
                waiting += 1
