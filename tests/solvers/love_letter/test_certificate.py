"""The bounds of a solution, made again by a program that knows the rules and nothing else.

The stored policy becomes a policy of full histories, and the oracle finds the best responses
to it in the whole game: with every idle guess, every sure win that is let go, every play that the
reductions leave out. They must bring what the certificate says, to the last positions.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

import numpy as np
import pytest

from kibitz.solvers.love_letter import public_line
from kibitz.solvers.love_letter.public_line import PublicLine
from kibitz.solvers.love_letter.public_states import (
    BY_CARD,
    GUARD_NAMES,
    GUARD_NAMES_NOBODY,
    LAID,
    PRINCE_ON_OTHER,
    PRINCE_ON_SELF,
)
from kibitz.solvers.love_letter.solver import Round, Solver
from kibitz.solvers.love_letter.subgames import Subgame
from tests.oracle.love_letter_equilibrium import (
    BARON,
    GUARD,
    KING,
    PRIEST,
    PRINCE,
    Form,
    Play,
    Position,
    Sees,
    count,
    only,
    stored,
    tree,
    without,
)
from tests.search.fast.arrays import compiled_only

pytestmark = compiled_only

SINGLE = 2e-6
"""The solver adds up in single precision."""


class StoredPolicy:
    """The policy of one seat that a solver has, as a policy of the oracle."""

    def __init__(self, solver: Solver, seat: int) -> None:
        self.seat = seat
        self._at: dict[Sees, tuple[PublicLine | None, int]] = {(): (solver.line(), 0)}
        """After what was seen: the line, unless it was left, and the card that he holds."""

    def __call__(self, sees: Sees, plays: tuple[Play, ...]) -> Mapping[Play, float]:
        *_, (_, drawn) = sees
        line, held = self._after(sees[:-1])
        options = line.options(held, int(drawn)) if line is not None else []
        if not options:  # the other has let a sure win go: he may have it
            return {plays[0]: 1.0}
        chances: dict[Play, float] = {}
        for option in options:
            play = self._play(option.play, plays)
            chances[play] = chances.get(play, 0.0) + option.probability
        return chances

    def _play(self, play: int, plays: tuple[Play, ...]) -> Play:
        card = LAID[play]
        if play < GUARD_NAMES:
            return Play(card, 3 - self.seat, play + 2)
        if card == PRINCE:
            return Play(card, self.seat if play == PRINCE_ON_SELF else 3 - self.seat)
        return next(each for each in plays if each.card == card)

    def _after(self, sees: Sees) -> tuple[PublicLine | None, int]:
        """Each turn is a draw, a play, and what comes of it."""
        if sees not in self._at:
            start = max(i for i, event in enumerate(sees) if event[0] in ("play", "hold"))
            while start and sees[start][0] != "play":
                start -= 1
            self._at[sees] = self._turn(sees[:start], sees[start:])
        return self._at[sees]

    def _turn(self, before: Sees, turn: Sees) -> tuple[PublicLine | None, int]:
        if not before:  # the first card
            return self._at[()][0], int(turn[0][1])
        ((_, mover, card, target, guess), *more) = turn
        news = {str(event[0]): int(event[-1]) for event in more}
        drawn = 0
        if mover == self.seat:
            before, drawn = before[:-1], int(before[-1][1])
        line, held = self._after(before)
        retained = drawn if drawn and card == held else held
        now = news.get("hold", retained)
        if line is None:
            return None, now
        seen = (0, 0)
        if card == PRINCE:
            play = PRINCE_ON_SELF if target == mover else PRINCE_ON_OTHER
            seen = (news["discard"], 0) if play == PRINCE_ON_SELF else (0, news["discard"])
        elif card == GUARD:
            play = int(guess) - 2 if target else GUARD_NAMES_NOBODY
        else:
            play = BY_CARD[int(card)]
            if card == PRIEST and target:
                seen = 0, news.get("shown", retained)
            elif card == BARON and target:
                seen = retained, retained
            elif card == KING and target:
                seen = (retained, now) if mover == self.seat else (now, retained)
        line = line.copy()
        return line if line.go(play, *seen, held=retained) else None, now


def solver_of(position: Position) -> Solver:
    lead = position.sums[0] - position.sums[1]
    return Solver(Round(position.unseen, position.shield, lead, position.ranges))


def by_full_histories(position: Position, solver: Solver) -> tuple[float, float]:
    form = Form(tree(position))
    return form.best(StoredPolicy(solver, 1), 2), form.best(StoredPolicy(solver, 2), 1)


def random_policy(solver: Solver, lots: np.random.Generator) -> tuple[float, float]:
    """Any policy at all, in some places without lots; and the bounds by best responses to it."""
    for which in [Subgame(solver.root, solver.round.lead), *chain(*solver.subgames.levels)]:
        size = int(solver.tree.states[which.state]["regrets"])
        policy = lots.integers(0, 1 << 16, size) * lots.integers(0, 2, size)
        solver.policies[which] = policy.astype(np.uint16)
    return solver.best_response_bounds(solver.policies.__getitem__)


ODD = [
    # protected, and the Countess must go with the Prince and the King
    Position(count(1, 4, 5, 6, 7), 2, True, (3, 10), (only(4, 7), without())),
    # known to both; naming all but the Priest is idle, and to let him live too
    Position(count(1, 1, 2, 3, 8), 2, False, (0, 0), (only(1), only(2))),
    # no Guard is left, equal cards are, and the lead decides
    Position(count(2, 2, 3, 3, 4, 4), 3, False, (0, 1), (without(4), without(2))),
    # he may have a Guard or a Princess, and very seldom comes with her
    Position(count(1, 1, 1, 2, 5, 8), 3, False, (9, 2), (without(), (1, 0, 0, 0, 0, 0, 0, 0.01))),
    # one may hold what the other does
    Position(count(1, 3, 3, 5, 6, 8), 3, False, (0, 40), (only(3), only(3, 8))),
]
SOLVED = [position for position, _ in stored() if position.deck <= 2] + ODD
ANYHOW = [*SOLVED, *(position for position, _ in stored() if position.deck == 3)]


@pytest.mark.parametrize("position", SOLVED, ids=range(len(SOLVED)))
def test_bounds_of_a_solution_are_those_of_full_histories(position: Position) -> None:
    solver = solver_of(position)
    solution = solver.solve(0.01)  # the coarser, the more a best response can gain
    assert by_full_histories(position, solver) == pytest.approx(
        (solution.low, solution.high), abs=SINGLE
    )


@pytest.mark.parametrize("position", ANYHOW, ids=range(len(ANYHOW)))
def test_bounds_of_any_policy_are_those_of_full_histories(position: Position) -> None:
    """A best response gains nothing by the plays that the reductions leave out."""
    solver = solver_of(position)
    bounds = random_policy(solver, np.random.default_rng(5))
    assert by_full_histories(position, solver) == pytest.approx(bounds, abs=SINGLE)


def test_other_responses_to_idle_guesses_can_be_exploited(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the oracle does look at them."""
    position = next(position for position, _ in stored() if position.deck == 3)
    solver = solver_of(position)
    low, high = random_policy(solver, np.random.default_rng(5))

    def without_idle_guesses(branches: list[tuple[int, ...]], *turn: int) -> int | None:
        return branches.index(turn[:3]) if turn[:3] in branches else None

    monkeypatch.setattr(public_line, "matching_branch", without_idle_guesses)
    worse, better = by_full_histories(position, solver)
    assert worse < low - 0.001 or better > high + 0.001
