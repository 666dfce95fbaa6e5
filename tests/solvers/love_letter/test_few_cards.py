"""The last turns of a round: small enough to be solved interpreted too, and by plain CFR+."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.core.errors import KibitzError
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


@pytest.mark.parametrize("regret", [1e-45, 1e-39, 1e-37, 1e-30])
def test_regrets_next_to_nothing_overflow_nothing(regret: float) -> None:
    """Where the opponent next to never comes, regrets add up to less than a number may be divided
    by in single precision."""
    position, value = LATE[-1]
    solver = Solver(round_of(position))
    solver.solve_subgames(FINE)
    cfr = solver.cfr(solver.whole)
    cfr.tables.regrets[:] = regret
    cfr.run(2)
    assert np.isfinite(cfr.tables.regrets).all() and np.isfinite(cfr.tables.average).all()
    low, high = run_until(cfr, FINE, 2000)
    assert low - ROUNDING <= value <= high + ROUNDING


def test_bounds_that_are_no_numbers_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PublicCfr, "bounds", lambda self: (float("nan"), float("nan")))
    with pytest.raises(KibitzError, match="iterations: the bounds are no numbers"):
        Solver(round_of(LATE[-1][0])).solve(FINE)
