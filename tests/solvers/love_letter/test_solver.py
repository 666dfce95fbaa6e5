"""Two players' Love Letter to an equilibrium: the values are those of full histories."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kibitz.core.errors import BadText
from kibitz.games.love_letter.cards import read_face_up
from kibitz.games.love_letter.game import LoveLetter
from kibitz.solvers.love_letter import cfr as love_letter_cfr
from kibitz.solvers.love_letter import sizes as love_letter_sizes
from kibitz.solvers.love_letter import subgames
from kibitz.solvers.love_letter.public_states import PublicStates
from kibitz.solvers.love_letter.sizes import RoundSize, count, face_up_sizes
from kibitz.solvers.love_letter.solver import EVEN, Round, RoundSolution, Solver
from kibitz.solvers.love_letter.subgames import Subgame
from kibitz.solvers.love_letter.text import all_face_up, read_position
from tests.oracle.love_letter_equilibrium import Position, stored
from tests.search.fast.arrays import compiled_only

pytestmark = compiled_only

STORED = list(stored())
ROUNDING = 1e-6
FINE = 5e-5
"""Probabilities are stored in two bytes: to about 1e-5."""
MIXED = Round((2, 1, 1, 1, 1, 0, 0, 1))
"""Four cards in the deck; both have to mix."""


def round_of(position: Position) -> Round:
    lead = position.sums[0] - position.sums[1]
    return Round(tuple(position.unseen), position.shield, lead, position.ranges)


def only(*cards: int) -> tuple[float, ...]:
    return tuple(float(card in cards) for card in range(1, 9))


def figures(solution: RoundSolution) -> tuple[float, float, int]:
    return solution.low, solution.high, solution.iterations


@pytest.mark.parametrize(("position", "value"), STORED, ids=range(len(STORED)))
def test_values_are_those_of_full_histories(position: Position, value: float) -> None:
    solution = Solver(round_of(position)).solve(FINE)
    assert solution.epsilon <= FINE
    assert solution.low - ROUNDING <= value <= solution.high + ROUNDING


def _regrets(solver: Solver) -> int:
    return int(solver.tree.states[solver.root]["regrets"])


@pytest.mark.parametrize("left_out", ["B", "C", "E", "BCE"])
def test_reductions_change_no_value(left_out: str) -> None:
    """A and D can't be left out: full histories stand for what would be without."""
    used = "".join(letter for letter in "BCE" if letter not in left_out)
    larger = 0
    for position, value in STORED:
        if position.deck <= 3:
            plain = Solver(round_of(position), states=PublicStates(used))
            solution = plain.solve(1e-4)
            assert solution.low - ROUNDING <= value <= solution.high + ROUNDING
            reduced = Solver(round_of(position))
            larger += _regrets(plain) - _regrets(reduced)
    assert larger > 0


@pytest.mark.parametrize(
    ("round_", "value"),
    [
        (Round((2, 1, 0, 0, 0, 0, 1, 1), ranges=(only(1), only(8))), 1.0),
        (Round((0, 1, 2, 1, 0, 0, 0, 1), ranges=(only(8), only(2))), 1.0),
    ],
    ids=["Guard and a known card", "Baron or not, the Princess is higher"],
)
def test_values_by_hand(round_: Round, value: float) -> None:
    solution = Solver(round_).solve(FINE)
    assert (solution.low, solution.high) == (value, value)


@pytest.mark.parametrize(("lead", "value"), [(30, 1.0), (-30, -1.0)])
def test_equal_hands_at_the_end_go_to_the_higher_discards(lead: int, value: float) -> None:
    """Handmaids in both hands, one Priest to draw: he is played, and the hands are equal."""
    hands = (only(4), only(4))
    solution = Solver(Round((0, 2, 0, 2, 0, 0, 0, 0), False, lead, hands)).solve(FINE)
    assert (solution.low, solution.high) == (value, value)


def test_two_sets_are_as_large_together_as_each_alone() -> None:
    """Other programs counted 5.5 million nodes for two Priests and the Countess face up, and the
    other figures one set at a time."""
    alone, beside = count("published", [(2, 2, 7), (2, 2, 6)])
    assert alone == RoundSize(5_542_344, 37_200_373)
    assert beside.public_nodes == 8_658_419


def test_sizes_are_counted_once_and_again_if_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    made = [RoundSize(i + 1, 2 * i + 1) for i in range(92)]
    counted: list[str] = []

    def counting(deck: str, sets: Any, tell: Any) -> list[RoundSize]:
        counted.append(deck)
        return made

    monkeypatch.setattr(love_letter_sizes, "count", counting)
    for _ in range(2):
        assert list(face_up_sizes("thesis").values()) == made
    assert counted == ["thesis"]
    (file,) = (tmp_path / "equilibria").iterdir()
    whole = json.loads(file.read_text())
    damaged = [
        b"\xff",
        b"{}",
        json.dumps({**whole, "kibitz": "0"}).encode(),
        json.dumps({**whole, "sizes": whole["sizes"][1:]}).encode(),
        json.dumps({**whole, "sizes": [[1]] * 92}).encode(),
    ]
    for number, content in enumerate(damaged, 2):
        file.write_bytes(content)
        assert list(face_up_sizes("thesis").values()) == made
        assert len(counted) == number
        assert json.loads(file.read_text()) == whole


def test_there_are_92_sets_face_up() -> None:
    assert len(all_face_up("published")) == 92


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(love_letter_cfr, "PARALLEL_NODES", 1)
    solutions = [Solver(MIXED, threads).solve(1e-4) for threads in (1, 3)]
    assert all(
        each.low == solutions[0].low and each.high == solutions[0].high for each in solutions
    )


def test_weights_count_only_beside_each_other() -> None:
    weights = (1.0, 0.5, 0.25, 1.0, 1.0, 1.0, 1.0, 1.0)
    solutions = [
        Solver(MIXED._replace(ranges=(tuple(scale * w for w in weights), EVEN))).solve(1e-3)
        for scale in (1.0, 2.0**-300, 2.0**300)
    ]
    assert all(figures(each) == figures(solutions[0]) for each in solutions)


def test_a_round_with_nothing_to_choose_at_first_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """He is known to keep the Princess: what is not exact comes from the subgames."""
    monkeypatch.setattr(subgames, "MAX_ITERATIONS", 1)
    solver = Solver(Round((2, 1, 1, 1, 1, 1, 1, 1), ranges=(only(8), only(5))))
    assert _regrets(solver) == 0
    assert solver.solve(1e-9).epsilon > 1e-4


def test_subgames_are_solved_before_what_needs_them() -> None:
    solver = Solver(MIXED)
    left = [
        {solver.states.state(which.state).left for which in level}
        for level in solver.subgames.levels
    ]
    assert all(len(level) == 1 for level in left)
    assert [max(level) for level in left] == sorted(max(level) for level in left)
    assert Subgame(solver.root, 0) not in [
        which for level in solver.subgames.levels for which in level
    ]


# -- texts -------------------------------------------------------------------------------


def test_a_position_as_text() -> None:
    face_up, round_ = read_position(
        "face_up=priest priest countess; discards1=4 5; discards2=baron; protected=1; turn=2;"
        " range1=guard,handmaid:0.5 princess:0; range2=king",
        LoveLetter(),
    )
    assert face_up == (2, 2, 7)
    assert round_.unseen == (5, 0, 1, 1, 1, 1, 0, 1)
    assert round_.protected
    assert round_.lead == 3 - 9
    assert round_.ranges == (only(6), (1.0, 0, 0, 0.5, 0, 0, 0, 0))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("face_up=guard king", "three cards"),
        ("face_up=king king guard", "not so many"),
        ("face_up=guard guard jack", "no card 'jack'"),
        ("face_up=guard guard guard; range1=king:0", "no card that can be held"),
        ("face_up=guard guard guard; range1=king:-1", "with a weight"),
        ("face_up=guard guard guard; range1=king:nan", "with a weight"),
        ("face_up=guard guard guard; range1=king king", "twice"),
        ("face_up=guard king guard; range1=king", "has been seen"),
        ("face_up=guard king guard; range1=", "no card that can be held"),
        ("face_up=guard guard guard; range1=:0.5", "no card 'nothing'"),
        ("face_up=guard guard guard; range1=king:1e9 guard", "leave it out"),
        ("face_up=guard king guard; protected=1", "has ended"),
        ("face_up=guard king guard; protected=2", "no handmaid"),
        ("face_up=guard king guard; discards2=princess", "is out"),
        ("face_up=guard king guard; discards2=guard guard priest", "turns ahead"),
        ("face_up=guard king guard; hand1=guard", "leave out hand1 and hand2"),
        (
            "face_up=1 1 1; discards1=1 1 2 2 3; discards2=3 4 4 5 5",
            "the round is over",
        ),
    ],
)
def test_bad_positions(text: str, complaint: str) -> None:
    with pytest.raises(BadText, match=complaint):
        read_position(text, LoveLetter())


def test_hands_that_nobody_can_hold() -> None:
    with pytest.raises(BadText, match="nobody"):
        Solver(Round((3, 0, 0, 0, 0, 1, 0, 1), ranges=(only(6), only(6))))


def test_face_up_in_any_order() -> None:
    assert read_face_up("countess 2 Priest", "published") == (2, 2, 7)
