"""The book, and what is solved again at the table: nobody gains by it, by full histories too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.core.errors import KibitzError
from kibitz.solvers.love_letter import book, book_exploitability, book_line, gadget
from kibitz.solvers.love_letter.book import SCALE, load_book, make_book, round_up
from kibitz.solvers.love_letter.book_exploitability import exploitability_of_book
from kibitz.solvers.love_letter.book_line import BookRound, Place, SolvedPlace, TrunkPlace
from kibitz.solvers.love_letter.gadget import EXCESS, BookLeaf, resolve
from kibitz.solvers.love_letter.public_line import PolicyOption
from kibitz.solvers.love_letter.public_tree import branches_in
from kibitz.solvers.love_letter.solver import Round, Solver
from tests.oracle.love_letter_equilibrium import Form, Position, count, tree
from tests.search.fast.arrays import compiled_only
from tests.solvers.love_letter.test_certificate import SINGLE, StoredPolicy, solver_of

pytestmark = compiled_only

LATE = Round((3, 1, 1, 1, 1, 1, 0, 1))
"""Six cards in the deck: some thousand public nodes."""
FEW = 12
"""Nodes of a leaf in these tests, so that small rounds have trunks too."""


@pytest.fixture(autouse=True)
def small_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "LEAF_NODES", FEW)
    monkeypatch.setattr(book, "BOUND_NODES", 3)
    monkeypatch.setattr(book_line, "BOUND_NODES", 3)
    monkeypatch.setattr(book_exploitability, "LEAF_NODES", FEW)


def written(solver: Solver, folder: Path, epsilon: float = 1e-3) -> Path:
    """The book of a round, whatever its cards."""
    content = make_book(solver, (1, 1, 1), solver.solve(epsilon))
    file = folder / f"{abs(hash(content))}.book"
    file.write_bytes(content)
    return file


class LineOfPlaces:
    """A place, followed as a line is."""

    def __init__(self, place: Place | None) -> None:
        self.place = place

    def copy(self) -> LineOfPlaces:
        return LineOfPlaces(self.place)

    def options(self, one: int, other: int) -> list[PolicyOption]:
        return self.place.options(one, other) if self.place is not None else []

    def go(self, play: int, retained: int = 0, shown: int = 0, held: int = 0) -> bool:
        if self.place is not None:
            self.place = self.place.go(play, retained, shown, held)
        return self.place is not None


def policy_by_the_book(solver: Solver, file: Path, seat: int) -> StoredPolicy:
    """Of one seat, as a policy of the oracle. The first seat is to move."""
    policy = StoredPolicy(solver, seat)
    start = BookRound(file, seat == 1).start(solver.states.state(solver.root))
    policy._at = {(): (LineOfPlaces(start), 0)}  # type: ignore[dict-item]
    return policy


ALL = ((1.0,) * 8,) * 2
POSITIONS = [
    Position(count(*cards), len(cards) - 3, protected, (0, 0), ALL)
    for protected, *cards in (
        (False, 1, 1, 2, 3, 8),
        (False, 1, 4, 5, 6, 7),
        (True, 2, 2, 3, 3, 4),
        (False, 1, 1, 3, 4, 5, 8),
        (False, 1, 2, 5, 5, 6, 8),
        (True, 1, 1, 2, 3, 6, 7),
    )
]


@pytest.mark.parametrize("position", POSITIONS, ids=range(len(POSITIONS)))
def test_nobody_gains_more_than_promised_by_full_histories(
    position: Position, tmp_path: Path
) -> None:
    """Whatever Q does: plays off the book, idle words, sure wins that are let go."""
    solver = solver_of(position)
    file = written(solver, tmp_path)
    first, second = load_book(file).header["responses"]
    form = Form(tree(position))
    to_second = -form.best(policy_by_the_book(solver, file, 1), 2)
    to_first = form.best(policy_by_the_book(solver, file, 2), 1)
    exact = exploitability_of_book(solver, load_book(file), EXCESS)
    assert (to_first, to_second) == pytest.approx(exact.played, abs=SINGLE)
    assert to_first <= first + EXCESS + SINGLE
    assert to_second <= second + EXCESS + SINGLE


def leaves_of(solver: Solver, mover_traverses: int) -> tuple[Any, Any, int]:
    policy = np.asarray(solver.policies[solver.whole], np.float32)
    cfr = solver.cfr(solver.whole)
    jobs, number = cfr.responses_at(FEW, mover_traverses, policy)
    return cfr, jobs, number


def leaf_of(solver: Solver, jobs: Any, job: int) -> tuple[BookLeaf, Any]:
    """With what a best response brings Q there for limits; and Q's weights by lane."""
    frame, lanes = jobs.frames[job], slice(8 * job, 8 * job + 8)
    state, moves, own = int(frame["state"]), bool(frame["traverses"]), jobs.ranges[lanes]
    cards = int(solver.tree.states[state]["mine" if moves else "theirs"])
    weights = gadget.weights_of(solver.tree, state, own)
    possible = [cards >> lane & 1 and weights[lane] > 0 for lane in range(8)]
    limits = np.where(possible, jobs.values[lanes] / np.maximum(weights, 1e-9), np.nan)
    return BookLeaf(state, int(frame["lead"]), moves, own, limits), weights


@pytest.mark.parametrize("mover_traverses", [0, 1])
def test_re_solving_every_leaf_adds_nothing(mover_traverses: int) -> None:
    solver = Solver(LATE)
    solution = solver.solve(2e-3)
    policy = np.asarray(solver.policies[solver.whole], np.float32)
    cfr, jobs, number = leaves_of(solver, mover_traverses)
    assert number > 50
    before = cfr.response_value(FEW, mover_traverses, policy, jobs)
    assert before == pytest.approx((-solution.low, solution.high)[mover_traverses], abs=SINGLE)
    excesses = []
    for job in range(number):
        leaf, weights = leaf_of(solver, jobs, job)
        done = resolve(solver.tree, solver.subgames.values, leaf)
        excesses.append(done.excess)
        jobs.values[8 * job : 8 * job + 8] = np.nan_to_num(done.responses) * weights
    assert np.mean(np.array(excesses) > EXCESS) < 0.001  # the cap ends a few before
    assert max(excesses) < 2 * EXCESS
    assert cfr.response_value(FEW, mover_traverses, policy, jobs) <= before + EXCESS


def test_what_the_table_loses_of_a_larger_round_is_bounded(tmp_path: Path) -> None:
    solver = Solver(LATE)
    exact = exploitability_of_book(solver, load_book(written(solver, tmp_path)), EXCESS)
    assert exact.leaves > 100
    for stored, by_limits, played in zip(*exact[:3], strict=True):
        assert stored - SINGLE <= by_limits <= stored + 2 / SCALE
        assert played <= by_limits + 2 * EXCESS


def test_limits_that_are_too_low_are_not_reached() -> None:
    """So the excess is not always small."""
    solver = Solver(LATE)
    solver.solve(2e-3)
    _, jobs, number = leaves_of(solver, 1)
    excesses = []
    for job in range(0, number, 7):
        leaf, _ = leaf_of(solver, jobs, job)
        lower = leaf._replace(limits=leaf.limits - 0.3)
        excesses.append(resolve(solver.tree, solver.subgames.values, lower).excess)
    assert max(excesses) > 0.1


def test_the_trunk_plays_as_the_solution_does(tmp_path: Path) -> None:
    solver = Solver(LATE)
    file = written(solver, tmp_path)
    line = solver.line()
    waiting: list[tuple[Place, Any]] = [
        (BookRound(file, True).start(solver.states.state(solver.root)), line)
    ]
    nodes = solved = 0
    while waiting:
        place, there = waiting.pop()
        if not isinstance(place, TrunkPlace):
            solved += 1
            continue
        nodes += 1
        for one, other in ((1, 1), (1, 3), (4, 6), (5, 8)):
            expected, actual = there.options(one, other), place.options(one, other)
            assert [each[:2] for each in expected] == [each[:2] for each in actual]
            assert [each.probability for each in actual] == pytest.approx(
                [each.probability for each in expected]
            )
        for branch in branches_in(solver.tree, there.position.state):
            turn = [int(branch[name]) for name in ("play", "retained", "shown")]
            further = there.copy()
            if branch["subgame"] < 0 and further.go(*turn):
                after = place.go(*turn)
                assert after is not None
                waiting.append((after, further))
    assert nodes == int(load_book(file).nodes[0]["nodes"]) > 5
    assert solved > 10


def test_solved_again_it_is_the_same(tmp_path: Path) -> None:
    solver = Solver(LATE)
    file = written(solver, tmp_path)

    def policies() -> list[bytes]:
        book_line.resolve_leaf.cache_clear()
        book_line.solve_subgame.cache_clear()
        place = BookRound(file, False).start(solver.states.state(solver.root))
        turns = branches_in(solver.tree, solver.root)[["play", "retained", "shown"]].tolist()
        after = (place.go(*turn) for turn in turns)
        return [each.solved.policy.tobytes() for each in after if isinstance(each, SolvedPlace)]

    assert policies() == policies() != []


def test_rounding_is_upwards_and_stays_in_range() -> None:
    values = np.array([-1.0, -0.50001, 0.0, 0.1, 0.99999, 1.0])
    rounded = round_up(values) / SCALE
    assert (rounded >= values).all()
    assert (rounded <= np.minimum(values + 1 / SCALE, 1.0)).all()


@pytest.mark.parametrize("place", [0, 20, 60, 200, -1])
def test_a_damaged_book_is_refused(place: int, tmp_path: Path) -> None:
    file = written(Solver(LATE), tmp_path, 0.05)
    content = bytearray(file.read_bytes())
    load_book(file)
    content[place] ^= 4
    file.write_bytes(content)
    with pytest.raises(KibitzError, match="damaged"):
        load_book(file)
    file.write_bytes(content[:-5])
    with pytest.raises(KibitzError, match="damaged"):
        load_book(file)
