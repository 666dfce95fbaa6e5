"""The last turns of a round: small enough to be solved interpreted too, and by plain CFR+."""

from __future__ import annotations

import pytest

from kibitz.solvers.love_letter.cfr import (
    CFR_PLUS,
    DCFR_PLUS,
    CfrSchedule,
    PublicCfr,
    next_look,
)
from kibitz.solvers.love_letter.solver import Solver
from tests.oracle.love_letter_equilibrium import Position, stored
from tests.solvers.love_letter.test_solver import round_of

FINE, ROUNDING = 5e-4, 1e-6
LATE = [(position, value) for position, value in stored() if position.deck <= 2]


def run_until(cfr: PublicCfr, epsilon: float, most: int) -> tuple[float, float]:
    """Iterate until the bounds are within 2 ε, or `most` times."""
    low, high = cfr.bounds()
    while cfr.size and cfr.iterations < most and high - low > 2 * epsilon:
        cfr.run(min(next_look(cfr.iterations, (high - low) / 2, epsilon), most))
        low, high = cfr.bounds()
    return low, high


@pytest.mark.parametrize(("position", "value"), LATE, ids=range(len(LATE)))
@pytest.mark.parametrize("schedule", [CFR_PLUS, DCFR_PLUS], ids=["CFR+", "DCFR+"])
def test_both_schedules_come_to_the_value_of_full_histories(
    position: Position, value: float, schedule: CfrSchedule
) -> None:
    solver = Solver(round_of(position))
    solver.solve_subgames(FINE)
    cfr = solver.cfr(solver.whole, schedule)
    low, high = run_until(cfr, FINE, 2000)
    assert high - low <= 2 * FINE
    assert low - ROUNDING <= value <= high + ROUNDING
