"""Two players' Love Letter to an equilibrium: the values are those of full histories, and what
is kept of a solution is what was certified."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kibitz.errors import KibitzError
from kibitz.games.love_letter.cards import read_face_up
from kibitz.games.love_letter.game import LoveLetter
from kibitz.model import BadText
from kibitz.solvers import love_letter, love_letter_policy, love_letter_sizes
from kibitz.solvers.love_letter import EVEN, Alone, Round, Solution, Solver
from kibitz.solvers.love_letter_book import line_of
from kibitz.solvers.love_letter_line import Line
from kibitz.solvers.love_letter_sizes import Size, count, face_up_sizes
from kibitz.solvers.love_letter_states import States
from kibitz.solvers.love_letter_text import all_face_up, read_position
from kibitz.solvers.love_letter_tree import KEPT, PLAY, SHOWN
from tests.oracle.love_letter_equilibrium import Position, stored

STORED = list(stored())
ROUNDING = 1e-6
FINE = 5e-5
"""Shares are kept in two bytes: to about 1e-5."""
MIXED = Round((2, 1, 1, 1, 1, 0, 0, 1))
"""Four cards in the deck; both have to mix."""


def round_of(position: Position) -> Round:
    lead = position.sums[0] - position.sums[1]
    return Round(tuple(position.unseen), position.shield, lead, position.ranges)


def only(*cards: int) -> tuple[float, ...]:
    return tuple(float(card in cards) for card in range(1, 9))


@pytest.mark.parametrize(("position", "value"), STORED, ids=range(len(STORED)))
def test_values_are_those_of_full_histories(position: Position, value: float) -> None:
    found = Solver(round_of(position)).solve(FINE)
    assert found.epsilon <= FINE
    assert found.low - ROUNDING <= value <= found.high + ROUNDING


@pytest.mark.parametrize("left_out", ["B", "C", "E", "BCE"])
def test_reductions_change_no_value(left_out: str) -> None:
    """A and D can't be left out: full histories stand for what would be without."""
    used = "".join(letter for letter in "BCE" if letter not in left_out)
    larger = 0
    for position, value in STORED:
        if position.deck <= 3:
            plain = Solver(round_of(position), states=States(used))
            found = plain.solve(1e-4)
            assert found.low - ROUNDING <= value <= found.high + ROUNDING
            reduced = Solver(round_of(position))
            larger += int(plain.tree.regrets[plain.root] - reduced.tree.regrets[reduced.root])
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
    found = Solver(round_).solve(FINE)
    assert (found.low, found.high) == (value, value)


@pytest.mark.parametrize(("lead", "value"), [(30, 1.0), (-30, -1.0)])
def test_equal_hands_at_the_end_go_to_the_higher_discards(lead: int, value: float) -> None:
    """Handmaids in both hands, one Priest to draw: he is played, and the hands are equal."""
    hands = (only(4), only(4))
    found = Solver(Round((0, 2, 0, 2, 0, 0, 0, 0), False, lead, hands)).solve(FINE)
    assert (found.low, found.high) == (value, value)


def test_two_sets_are_as_large_together_as_each_alone() -> None:
    """Other programs counted 5.5 million nodes for two Priests and the Countess face up, and the
    other figures one set at a time."""
    alone, beside = count("published", [(2, 2, 7), (2, 2, 6)])
    assert alone == Size(5_542_344, 37_200_373)
    assert beside.public_nodes == 8_658_419


def test_sizes_are_counted_once_and_again_if_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    made = [Size(i + 1, 2 * i + 1) for i in range(92)]
    counted: list[str] = []

    def counting(deck: str, sets: Any, tell: Any) -> list[Size]:
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
    monkeypatch.setattr(love_letter_policy, "SHARED", 1)
    found = [Solver(MIXED, threads).solve(1e-4) for threads in (1, 3)]
    assert all(each.low == found[0].low and each.high == found[0].high for each in found)


# -- what is kept ------------------------------------------------------------------------


class Killed(Exception):
    pass


def figures(found: Solution) -> tuple[float, float, int]:
    return found.low, found.high, found.iterations


@pytest.mark.parametrize("moment", [1, 7, 31, 33])
def test_a_killed_solution_goes_on(
    moment: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While what stands alone is solved, at its end, and after it has learned and saved."""
    monkeypatch.setattr(love_letter, "BETWEEN_SAVES", 0.0)
    undisturbed = Solver(MIXED, folder=tmp_path / "undisturbed").solve(1e-4)
    calls = 0

    def kill(progress: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == moment:
            raise Killed

    with pytest.raises(Killed):
        Solver(MIXED, folder=tmp_path / "killed").solve(1e-4, kill)
    assert figures(Solver(MIXED, folder=tmp_path / "killed").solve(1e-4)) == figures(undisturbed)


def test_a_finer_solution_that_was_killed_leaves_what_is_kept_as_it_was(tmp_path: Path) -> None:
    """It has solved again what stands alone: the coarser solution was not made with that."""
    found = Solver(MIXED, folder=tmp_path).solve(1e-2)

    def kill(progress: Any) -> None:
        if progress.what == "iterations":
            raise Killed

    before = (tmp_path / "alone.bin").stat().st_size
    with pytest.raises(Killed):
        Solver(MIXED, folder=tmp_path).solve(1e-4, kill)
    assert (tmp_path / "alone.bin").stat().st_size > before
    solver = Solver(MIXED, folder=tmp_path)
    assert solver.is_whole()
    assert solver.certify() == (found.low, found.high)
    finer = Solver(MIXED, folder=tmp_path).solve(1e-4)
    assert Solver(MIXED, folder=tmp_path).certify() == (finer.low, finer.high)
    told = json.loads((tmp_path / "solution.json").read_text())
    del told["bytes_alone"]  # as it was kept before there was such a thing
    (tmp_path / "solution.json").write_text(json.dumps(told))
    assert Solver(MIXED, folder=tmp_path).certify() == (finer.low, finer.high)


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def turned(data: bytes) -> bytes:
    """A bit in the middle is another one."""
    return data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1 :]


@pytest.mark.parametrize("file", ["alone.bin", "policy.bin", "tree.npz", "round.json"])
@pytest.mark.parametrize("damage", [cut, turned, lambda data: b"", lambda data: b"[[1]]"])
def test_damage_is_told_to_who_plays_by_it(file: str, damage: Any, tmp_path: Path) -> None:
    """But for a number that is another one in what is not summed up: a check finds that."""
    Solver(MIXED, folder=tmp_path).solve(1e-2)
    (tmp_path / file).write_bytes(damage((tmp_path / file).read_bytes()))
    try:
        walk(line_of(tmp_path))
    except KibitzError as error:
        assert str(tmp_path) in str(error)
    else:
        assert file in ("policy.bin", "round.json") and damage is turned


def walk(line: Line) -> None:
    """To all that stands alone in one turn."""
    tree, state = line.tree, line.place.state
    for branch in tree.branches[tree.branch_from[state] : tree.branch_from[state + 1]]:
        line.copy().go(int(branch[PLAY]), int(branch[KEPT]), int(branch[SHOWN]))


@pytest.mark.parametrize("content", ["", "[[1]]", "7", "null", "{}", '{"low": 1}'])
def test_a_solution_that_says_nothing_is_told(content: str, tmp_path: Path) -> None:
    Solver(MIXED, folder=tmp_path).solve(1e-2)
    (tmp_path / "solution.json").write_text(content)
    book = Solver(MIXED, folder=tmp_path).book
    assert book is not None
    with pytest.raises(KibitzError, match=r"solution\.json"):
        book.solution()


def test_a_record_cut_short_is_solved_again(tmp_path: Path) -> None:
    found = Solver(MIXED, folder=tmp_path).solve(1e-4)
    file = tmp_path / "alone.bin"
    whole = file.read_bytes()
    for cut in (1, 17, 40, 1000):
        file.write_bytes(whole[:-cut])
        assert figures(Solver(MIXED, folder=tmp_path).solve(1e-4)) == figures(found)
        assert len(file.read_bytes()) == len(whole)


def test_the_certificate_is_made_anew_from_what_is_kept(tmp_path: Path) -> None:
    found = Solver(MIXED, folder=tmp_path).solve(1e-4)
    assert Solver(MIXED, folder=tmp_path).certify() == (found.low, found.high)
    policy = tmp_path / "policy.bin"
    policy.write_bytes(bytes(len(policy.read_bytes())))  # now all plays are as likely
    low, high = Solver(MIXED, folder=tmp_path).certify()
    assert high - low > 10 * (found.high - found.low)


def test_what_is_kept_of_another_round_is_refused(tmp_path: Path) -> None:
    Solver(Round((1, 1, 1, 1, 0, 0, 0, 0)), folder=tmp_path).solve(1e-3)
    with pytest.raises(KibitzError, match="another"):
        Solver(MIXED, folder=tmp_path)
    (tmp_path / "round.json").write_bytes(b"\xff")
    with pytest.raises(KibitzError, match="can't be read"):
        Solver(MIXED, folder=tmp_path)


def test_a_certificate_needs_a_solution(tmp_path: Path) -> None:
    with pytest.raises(KibitzError, match="solve it again"):
        Solver(MIXED, folder=tmp_path).certify()


def test_weights_count_only_beside_each_other() -> None:
    weights = (1.0, 0.5, 0.25, 1.0, 1.0, 1.0, 1.0, 1.0)
    found = [
        Solver(MIXED._replace(ranges=(tuple(scale * w for w in weights), EVEN))).solve(1e-3)
        for scale in (1.0, 2.0**-300, 2.0**300)
    ]
    assert all(figures(each) == figures(found[0]) for each in found)


def test_a_round_with_nothing_to_choose_at_first_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """He is known to keep the Princess: what is not exact comes from what stands alone."""
    monkeypatch.setattr(love_letter, "MOST", 1)
    solver = Solver(Round((2, 1, 1, 1, 1, 1, 1, 1), ranges=(only(8), only(5))))
    assert solver.tree.regrets[solver.root] == 0
    assert solver.solve(1e-9).epsilon > 1e-9


def test_two_do_not_write_one_book(tmp_path: Path) -> None:
    one, two = (Solver(MIXED, folder=tmp_path) for _ in range(2))
    assert one.book is not None
    with one.book.written(), pytest.raises(KibitzError, match="somebody is solving"):
        two.solve(1e-3)


def test_what_stands_alone_is_solved_before_what_needs_it() -> None:
    solver = Solver(MIXED)
    left = [
        {solver.states.publics[which.state].left for which in level} for level in solver.subgames()
    ]
    assert all(len(level) == 1 for level in left)
    assert [max(level) for level in left] == sorted(max(level) for level in left)
    assert Alone(solver.root, 0) not in [which for level in solver.subgames() for which in level]


# -- texts -------------------------------------------------------------------------------


def test_a_position_as_text() -> None:
    found = read_position(
        "face_up=priest priest countess; discards1=4 5; discards2=baron; protected=1; turn=2;"
        " range1=guard,handmaid:0.5; range2=king",
        LoveLetter(),
    )
    assert found.unseen == (5, 0, 1, 1, 1, 1, 0, 1)
    assert found.protected
    assert found.lead == 3 - 9
    assert found.ranges == (only(6), (1.0, 0, 0, 0.5, 0, 0, 0, 0))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("face_up=guard king", "three cards"),
        ("face_up=king king guard", "not so many"),
        ("face_up=guard guard jack", "no card 'jack'"),
        ("face_up=guard guard guard; range1=king:0", "above 0"),
        ("face_up=guard guard guard; range1=king:nan", "above 0"),
        ("face_up=guard guard guard; range1=king king", "twice"),
        ("face_up=guard king guard; range1=king", "has been seen"),
        ("face_up=guard king guard; range1=", "names no card"),
        ("face_up=guard guard guard; range1=:0.5", "no card 'nothing'"),
        ("face_up=guard guard guard; range1=king:1e9 guard", "leave it out"),
        ("face_up=guard king guard; protected=1", "has ended"),
        ("face_up=guard king guard; protected=2", "no handmaid"),
        ("face_up=guard king guard; discards2=princess", "is out"),
        ("face_up=guard king guard; discards2=guard guard priest", "turns ahead"),
        ("face_up=guard king guard; hand1=guard", "no 'hand1'"),
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


def test_without_time_each_part_is_learned_once() -> None:
    exact = Solver(MIXED).solve(1e-4)
    hasty = Solver(MIXED).solve(1e-4, seconds=0)
    assert hasty.iterations == 1
    assert hasty.low <= exact.high and exact.low <= hasty.high
    assert hasty.epsilon > 10 * exact.epsilon
