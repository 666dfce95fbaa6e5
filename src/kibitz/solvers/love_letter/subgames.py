"""The independent subgames of a round: which there are, and their values.

An *independent subgame* begins at a public state where both ranges are uniform, however the two
have played before: it depends on nothing above it but the lead in discards. So, unlike in CFR-D
(N. Burch, M. Johanson and M. Bowling, "Solving Imperfect
Information Games Using Decomposition", 2014), it needs no ranges from the trunk and no gadget
game: subgames are solved first, those with the fewest cards left before the others, and each is
a number from then on, one for each lead in discards with which it can be met.

Subgames with equally many cards left do not need each other: they are solved in batches, by
compiled code, and threads share a batch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from kibitz.jit.vectors import LANES
from kibitz.solvers.love_letter.cfr import (
    DCFR_PLUS_SUBGAME,
    SUBGAME,
    BatchSlice,
    CfrSchedule,
    SubgameGoal,
    bound_subgames,
    new_subgame_tables,
    solve_subgames,
)
from kibitz.solvers.love_letter.public_states import OVER
from kibitz.solvers.love_letter.public_tree import (
    LEADS,
    PublicTree,
    furthest_lead,
    furthest_leads,
    unseen_in,
)
from kibitz.solvers.love_letter.turns import LOWER, MIDDLE, UPPER

MAX_ITERATIONS = 3000
"""Single precision ends what more iterations can do for a subgame."""
BATCH_REGRETS = 1 << 22
"""Subgames are solved in batches of about so many regrets, and stored after each."""


class Subgame(NamedTuple):
    """An independent subgame: its first state, and a lead with which it is met."""

    state: int
    lead: int


class SolvedSubgame(NamedTuple):
    which: Subgame
    low: float
    high: float
    iterations: int
    policy: Any
    """Probabilities as whole numbers of parts, two bytes each."""


class SubgameValues:
    """The subgames below a public state, and what is known of their values."""

    def __init__(self, tree: PublicTree, root: int, lead: int, threads: int = 1) -> None:
        self.tree, self.root, self.threads = tree, root, threads
        rows = int(tree.states["subgame"].max()) + 1
        self.values = np.zeros((3, rows, 2 * LEADS + 1), np.float32)
        """MIDDLE, UPPER and LOWER; by row of the subgame; by lead, from -LEADS."""
        self.levels = self._levels(lead)
        """All that a solution needs, by cards left, the fewest first."""
        self.nodes = 0
        """That were met so far."""

    def set_bounds(self, which: Subgame, low: float, high: float) -> None:
        """Also for leads that are equivalent to this one."""
        furthest = furthest_lead(unseen_in(self.tree, which.state))
        same = np.clip(np.arange(-LEADS, LEADS + 1), -furthest, furthest) == which.lead
        row = int(self.tree.states[which.state]["subgame"])
        for bound, value in ((MIDDLE, (low + high) / 2), (UPPER, high), (LOWER, low)):
            self.values[bound, row, same] = value

    def bounds_of(self, which: Subgame) -> tuple[float, float]:
        row = int(self.tree.states[which.state]["subgame"])
        low, high = self.values[(LOWER, UPPER), row, LEADS + which.lead]
        return float(low), float(high)

    def solve(
        self, level: Sequence[Subgame], epsilon: float, schedule: CfrSchedule = DCFR_PLUS_SUBGAME
    ) -> Iterator[list[SolvedSubgame]]:
        """Those of one level, batch by batch, each to ε or as far as it comes."""
        for batch in self._batches(level):
            rows, policies = self._rows(batch)
            self._share(
                rows,
                lambda tables, first, rows=rows, policies=policies: solve_subgames(
                    self.tree, self.values, tables, policies, rows,
                    SubgameGoal(epsilon, MAX_ITERATIONS, first, self.threads), schedule,
                ),
            )  # fmt: skip
            yield self._enter(batch, rows, policies)

    def bound(self, level: Sequence[tuple[Subgame, Any]]) -> Iterator[list[SolvedSubgame]]:
        """The same for given policies: what best responses to them bring."""
        policy_of = dict(level)
        for batch in self._batches(list(policy_of)):
            rows, policies = self._rows(batch)
            policies[:] = np.concatenate([policy_of[which] for which in batch])
            yield self.bound_in(batch, rows["place"], policies)

    def bound_in(self, batch: Sequence[Subgame], places: Any, policies: Any) -> list[SolvedSubgame]:
        """The same for policies that stand in one array, each from its place on."""
        rows, _ = self._rows(batch)
        rows["place"] = places
        numbers = np.asarray(policies, np.float32)
        self._share(
            rows,
            lambda tables, first: bound_subgames(
                self.tree, self.values, tables, numbers, rows, BatchSlice(first, self.threads)
            ),
        )
        return self._enter(batch, rows, policies)

    # -- batches -------------------------------------------------------------------------

    def _size(self, which: Subgame) -> int:
        return int(self.tree.states[which.state]["regrets"])

    def _batches(self, level: Sequence[Subgame]) -> Iterator[list[Subgame]]:
        batch: list[Subgame] = []
        size = 0
        for which in sorted(level, key=self._size, reverse=True):
            if batch and size + self._size(which) > BATCH_REGRETS:
                yield batch
                batch, size = [], 0
            batch.append(which)
            size += self._size(which)
        if batch:
            yield batch

    def _rows(self, batch: Sequence[Subgame]) -> tuple[Any, Any]:
        """The batch as records, and an array for its policies."""
        rows = np.zeros(len(batch), SUBGAME)
        rows["state"], rows["lead"] = np.array(batch).T
        sizes = self.tree.states["regrets"][rows["state"]]
        rows["place"] = np.cumsum(sizes) - sizes
        return rows, np.zeros(int(sizes.sum()), np.uint16)

    def _share(self, rows: Any, work: Any) -> None:
        most = int(self.tree.states["regrets"][rows["state"]].max(initial=0))
        tables = [new_subgame_tables(most) for _ in range(self.threads)]
        with ThreadPoolExecutor(self.threads) as pool, cancelled_if_left(pool):
            list(pool.map(work, tables, range(self.threads)))
        self.nodes += sum(int(each.task["nodes"][0]) for each in tables)

    def _enter(self, batch: Sequence[Subgame], rows: Any, policies: Any) -> list[SolvedSubgame]:
        solved = []
        for which, row in zip(batch, rows, strict=True):
            low, high, place = float(row["low"]), float(row["high"]), int(row["place"])
            self.set_bounds(which, low, high)
            policy = policies[place : place + self._size(which)]
            iterations = int(row["iterations"])
            solved.append(SolvedSubgame(which, low, high, iterations, policy))
        return solved

    # -- which there are -----------------------------------------------------------------

    def _levels(self, lead: int) -> list[list[Subgame]]:
        states = np.flatnonzero(self.tree.states["subgame"] >= 0)
        states = states[states != self.root]
        rows, leads = _true_in(self._leads(lead)[states])
        furthest = furthest_leads(self.tree.unseen.reshape(-1, LANES)[states])[rows]
        met = np.zeros((len(states), 2 * LEADS + 1), np.bool_)
        met[rows, np.clip(leads - LEADS, -furthest, furthest) + LEADS] = True
        rows, leads = _true_in(met)
        totals = self.tree.states["total"][states]
        levels = []
        for total in np.unique(totals):
            level = totals[rows] == total
            pairs = states[rows[level]].tolist(), (leads[level] - LEADS).tolist()
            levels.append(list(map(Subgame, *pairs)))
        return levels

    def _leads(self, lead: int) -> Any:
        """With which leads of the player to move each state can be met: by lead, from -LEADS."""
        places, branches = self.tree.states, self.tree.branches
        met = np.zeros((len(places), 2 * LEADS + 1), np.bool_)
        met[self.root, LEADS + lead] = True
        here = np.repeat(np.arange(len(places)), places["branch_to"] - places["branch_from"])
        goes_on = np.flatnonzero(branches["next"] != OVER)
        here, there, gained = here[goes_on], branches["next"][goes_on], branches["lead"][goes_on]
        totals = places["total"][here]
        for total in np.unique(totals)[::-1]:
            level = np.flatnonzero(totals == total)
            which, ahead = _true_in(met[here[level]])
            level = level[which]
            behind = 2 * LEADS - ahead - gained[level]
            counted = (behind >= 0) & (behind <= 2 * LEADS)
            met[there[level[counted]], behind[counted]] = True
        return met


def _true_in(table: Any) -> tuple[Any, Any]:
    """The rows and columns of what is true, as np.nonzero gives them, but faster."""
    rows, columns = np.divmod(np.flatnonzero(table), table.shape[1])
    return rows, columns


@contextmanager
def cancelled_if_left(pool: ThreadPoolExecutor) -> Iterator[None]:
    """If the work is interrupted, what has not begun is cancelled."""
    try:
        yield
    except BaseException:
        pool.shutdown(cancel_futures=True)
        raise
