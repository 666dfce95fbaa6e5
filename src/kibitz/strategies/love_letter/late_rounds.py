"""What every play of a late round of Love Letter is worth, two players: the rest is solved.

The rest of the round is solved to an equilibrium from what both can know (`rest_of`: the other's
cards weighed by how he has played, the own ones by what he can know of them). Then a walk with the
seat to move as the traverser, against the average policy of the other, gives the counterfactual
value of each of its plays: its cells, divided by the reach of the other. At the root every legal
play is listed, also those that the solver would leave out as dominated.

Exact up to ε for these ranges. It is no statement about a hand of the other that the model of his
play makes unlikely.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.core.game import View
from kibitz.games.love_letter.game import LoveLetter
from kibitz.games.love_letter.plays import parts_of
from kibitz.jit.vectors import LANES
from kibitz.solvers.love_letter.public_line import play_of
from kibitz.solvers.love_letter.public_states import (
    GUARD_NAMES,
    GUARD_NAMES_NOBODY,
    Hand,
    PublicState,
    PublicStates,
)
from kibitz.solvers.love_letter.public_tree import unseen_in
from kibitz.solvers.love_letter.solver import Solver
from kibitz.strategies.common.base import turns_before
from kibitz.strategies.love_letter import play_model
from kibitz.strategies.love_letter.equilibrium import rest_of

JUDGE = "the rest of the round solved"
CARDS = 4
"""So many in the deck before the seat to move has drawn: more take too long for a review."""
EPSILON = 0.0005


class StatesFromRoot(PublicStates):
    """Public states of which the first has every legal play, dominated or not."""

    def hands_of(self, public: PublicState) -> list[Hand]:
        reductions = self.reductions
        self.reductions = "" if len(self.states) == 1 else reductions
        try:
            return super().hands_of(public)
        finally:
            self.reductions = reductions


def exact_plays(view: View[Any]) -> tuple[Mapping[Any, float], str] | None:
    """What each play returns to the seat in an equilibrium of the rest, and who says so; None if
    too many cards are left, or if more than two play."""
    game, x = view.game, view.state[0]
    if not isinstance(game, LoveLetter) or game.players != 2 or x.left + 1 > CARDS:
        return None
    past, plays = turns_before(game, view)
    belief = np.ones(play_model.SIZE)
    if len(past):
        play_model.recall(view.state, past, plays, belief)
    solver = Solver(rest_of(game, view, belief), states=StatesFromRoot())
    solver.solve(EPSILON)
    cells = _cells(solver)
    low, high = sorted((int(x.hand[view.seat]), int(x.drawn)))
    weight = _reach(solver, low, high)
    place = solver.tree.states[solver.root]
    rows = solver.tree.rows[place["row_from"] : place["row_to"]].tolist()
    values = {}
    for play in game.plays(view.state):
        code = play.code
        retained = low + high - parts_of(code).card
        row = play_of(code, view.seat)
        if row not in rows and row < GUARD_NAMES:
            row = GUARD_NAMES_NOBODY
        if row not in rows:
            return None
        values[play] = float(cells[rows.index(row) * LANES + retained - 1]) / weight
    return values, JUDGE


def _cells(solver: Solver) -> Any:
    """The counterfactual values of the root's plays, by play and card retained."""
    cfr = solver.cfr(solver.whole)
    tables = cfr._begin_response(np.asarray(solver.policies[solver.whole], np.float32))
    cfr._walk(1, tables)
    return cfr._work.cells


def _reach(solver: Solver, low: int, high: int) -> float:
    """How likely the other is to have come here, up to a factor, if these cards are held."""
    unseen = unseen_in(solver.tree, solver.root).copy()
    unseen[low - 1] -= 1
    unseen[high - 1] -= 1
    state = solver.tree.states[solver.root]
    theirs = np.array([float(int(state["theirs"]) >> lane & 1) for lane in range(LANES)])
    return float((solver.ranges[1] * theirs) @ unseen)
