"""Safe re-solving: the rest of a round solved again at the table, with a proof.

P is the player who re-solves, Q the other one. The book says, for each card t that Q may hold
where the rest begins, what a best response to P's stored policy brings Q there: limit(t), Q's
counterfactual best-response value (Burch and others, below). P's range there follows from P's own
book, and Q's range is not needed. P looks for a policy
against which Q gets no more than that, whatever Q holds and however Q came there: then Q's best
response to the book with re-solved ends brings no more than the one to the stored policy.

The *gadget game* (N. Burch, M. Johanson and M. Bowling, "Solving Imperfect Information Games
Using Decomposition", 2014): before the rest begins Q, knowing t, may *terminate* and take
limit(t), or *follow*. With q(t) Q's counterfactual value of following, regret matching gives

    w(t) = f(t) · q(t) + (1 − f(t)) · limit(t)
    F(t) = max(0, δ · F(t) + q(t) − w(t)),   T(t) = max(0, δ · T(t) + limit(t) − w(t))
    f(t) = F(t) / (F(t) + T(t)),   ½ at first

and f is Q's range at the root when P is the traverser. Values are counterfactual: limit(t) is a
mean of won 1 and lost −1 times W(t) = Σ over o of P's range(o) · (c(o) − [t = o]).

The certificate is one best-response walk for Q against P's average policy, rounded as it is
played:

    excess = max over t of (best response(t) − limit(t)) / W(t)

−excess is the least *subgame margin* over Q's cards (M. Moravčík and others, "Refining Subgames in
Large Imperfect Information Games", AAAI 2016), which max-margin refinement makes as large as it
can; here it is enough that it is hardly below 0.

Where P re-solves everything that the book leaves open, Q gains at most the largest excess, times
the chance that the round comes there.

Example: Q holds the Guard or the Princess. Against the stored policy Q would get −0.2 with the
Guard and 0.5 with the Princess. If the new policy holds Q to −0.3 and 0.5004, the excess is
0.0004, made by the Princess; what Q loses with the Guard does not make up for it, because P does
not know how often Q comes here with either.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kibitz.jit.kernels import kernel
from kibitz.jit.vectors import LANES
from kibitz.solvers.love_letter.cfr import (
    DCFR_PLUS_GADGET,
    CfrSchedule,
    begin,
    new_subgame_tables,
    set_iteration,
)
from kibitz.solvers.love_letter.public_tree import PublicTree, unseen_in
from kibitz.solvers.love_letter.turns import AS_IT_IS, BEST_RESPONSE, ZERO
from kibitz.solvers.love_letter.walk import WalkTables, new_frame, quantize_policy, walk

EXCESS = 0.001
"""Re-solving stops when the excess is no larger."""
VISITS, FEWEST, MOST = 40_000_000, 100, 3000
"""The cap: about so many visits of nodes, but so many iterations at least and at most. It does not
depend on the clock, so that a re-solve is a function of what is public."""
FIRST_LOOK = 16
NOTHING = np.float32(-1e30)
"""Where Q can't be: below every counterfactual value."""
HALF = np.float32(0.5)


class BookLeaf(NamedTuple):
    """Where re-solving begins: a node, with what the book says of it."""

    state: int
    lead: int
    """Of the player to move."""
    opponent_moves: bool
    """Whether Q is to move."""
    own_range: Any
    """P's, by lane."""
    limits: Any
    """Q's values as means, by lane; not a number where Q can't hold that card."""


class Resolved(NamedTuple):
    policy: Any
    """P's, for the tree below the leaf: whole numbers of parts."""
    excess: float
    iterations: int
    responses: Any
    """What best responses bring Q, as means by lane."""


class GadgetGame(NamedTuple):
    """Float32 by lane."""

    own_range: Any
    limit: Any
    """Counterfactual; NOTHING where Q can't be."""
    weight: Any
    follow: Any
    terminate: Any
    """Cumulative regrets."""


class GadgetGoal(NamedTuple):
    """When re-solving stops, and who moves first."""

    excess: float
    most: int
    """Iterations."""
    opponent_moves: int
    """1 if Q is to move, or 0."""


def resolve(
    tree: PublicTree,
    subgames: Any,
    leaf: BookLeaf,
    excess: float = EXCESS,
    schedule: CfrSchedule = DCFR_PLUS_GADGET,
) -> Resolved:
    """`subgames`: the values of the independent subgames below the leaf."""
    size = int(tree.states[leaf.state]["regrets"])
    tables = new_subgame_tables(size)
    game = _gadget_game(tree, leaf)
    tables.start[:] = new_frame(leaf.state, 0, leaf.lead)
    goal = GadgetGoal(excess, most_iterations(tree, leaf.state), int(leaf.opponent_moves))
    responses = np.zeros(LANES, np.float32)
    done = run_gadget(tree, subgames, tables, game, responses, goal, schedule)
    policy = np.zeros(size, np.uint16)
    quantize_policy(tree, leaf.state, tables.cfr.average, ZERO, policy)
    possible = game.limit != NOTHING
    means = np.full(LANES, np.nan)
    means[possible] = responses[possible] / game.weight[possible]
    gained = max(0.0, *(means - leaf.limits)[possible].tolist()) if possible.any() else 0.0
    return Resolved(policy, gained, int(done), means)


def responses_to(tree: PublicTree, subgames: Any, leaf: BookLeaf, policy: Any) -> Any:
    """What best responses bring Q against a stored policy of P: counterfactual, by lane."""
    tables = new_subgame_tables(0)
    tables.start[:] = new_frame(leaf.state, 0, leaf.lead)
    tables.task["mode"], tables.task["least_probability"] = BEST_RESPONSE, AS_IT_IS
    own = np.asarray(leaf.own_range, np.float32)
    priors = np.concatenate([own, own])  # the traverser's are not used
    begin(tables.start, priors, int(leaf.opponent_moves), tables.work)
    answered = WalkTables(tables.cfr.regrets, np.asarray(policy, np.float32))
    walk(tree, subgames, answered, tables.task, tables.work, tables.jobs)
    return tables.work.values[:LANES].copy()


def most_iterations(tree: PublicTree, state: int) -> int:
    nodes = int(tree.states[state]["nodes"])
    return max(FEWEST, min(MOST, VISITS // nodes))


def _gadget_game(tree: PublicTree, leaf: BookLeaf) -> GadgetGame:
    own = np.asarray(leaf.own_range, np.float32)
    weight = weights_of(tree, leaf.state, own)
    possible = ~np.isnan(leaf.limits) & (weight > 0)
    limit = np.where(possible, np.nan_to_num(leaf.limits) * weight, NOTHING).astype(np.float32)
    return GadgetGame(own, limit, weight, np.zeros_like(own), np.zeros_like(own))


def weights_of(tree: PublicTree, state: int, own_range: Any) -> Any:
    """W(t), by lane."""
    unseen = unseen_in(tree, state)
    return np.float32(own_range @ unseen - own_range * (unseen >= 1))


@kernel
def run_gadget(
    tree: Any, subgames: Any, tables: Any, game: Any, responses: Any, goal: Any, schedule: Any
) -> int:
    """Returns how many iterations there were. `goal`: a GadgetGoal."""
    excess, most, opponent_moves = goal.excess, goal.most, goal.opponent_moves
    own = LANES if opponent_moves else 0  # the player to move comes first in the priors
    for lane in range(LANES):
        tables.priors[own + lane] = game.own_range[lane]
        there = game.limit[lane] != NOTHING
        tables.priors[LANES - own + lane] = HALF if there else ZERO
    size = tree.states[tables.start[0].state].regrets
    t = 0
    while True:
        if t > 0 or size == 0:
            gained = best_responses(tree, subgames, tables, game, responses, opponent_moves)
            if gained <= excess or t >= most or size == 0:
                return t
        look = FIRST_LOOK if t == 0 else min(max(t + 8, t * 5 // 4), most)
        while t < look:
            t += 1
            set_iteration(tables.task, schedule, t)
            begin(tables.start, tables.priors, opponent_moves, tables.work)
            walk(tree, subgames, tables.cfr, tables.task, tables.work, tables.jobs)
            update_gadget(game, tables, LANES - own)
            begin(tables.start, tables.priors, 1 - opponent_moves, tables.work)
            walk(tree, subgames, tables.cfr, tables.task, tables.work, tables.jobs)


@kernel
def update_gadget(game: Any, tables: Any, at: int) -> None:
    """Q's range from its regrets for following and terminating, after a walk with Q as the
    traverser. `at`: where Q's range stands in the priors."""
    discount = tables.task[0].discount
    for lane in range(LANES):
        if game.limit[lane] != NOTHING:
            follow, terminate = tables.work.values[lane], game.limit[lane]
            chance = tables.priors[at + lane]
            value = chance * follow + (np.float32(1) - chance) * terminate
            game.follow[lane] = max(discount * game.follow[lane] + follow - value, ZERO)
            game.terminate[lane] = max(discount * game.terminate[lane] + terminate - value, ZERO)
            both = game.follow[lane] + game.terminate[lane]
            tables.priors[at + lane] = game.follow[lane] / both if both > ZERO else HALF


@kernel
def best_responses(
    tree: Any, subgames: Any, tables: Any, game: Any, responses: Any, opponent_moves: int
) -> float:
    """Q's counterfactual values against P's average policy; returns the excess."""
    task = tables.task[0]
    task.mode = BEST_RESPONSE
    task.least_probability = ZERO
    task.least_reach = ZERO
    begin(tables.start, tables.priors, opponent_moves, tables.work)
    walk(tree, subgames, tables.cfr, tables.task, tables.work, tables.jobs)
    excess = 0.0
    for lane in range(LANES):
        responses[lane] = tables.work.values[lane]
        if game.limit[lane] != NOTHING:
            gained = (responses[lane] - game.limit[lane]) / game.weight[lane]
            excess = max(excess, float(gained))
    return excess
