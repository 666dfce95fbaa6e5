"""What is kept of a solved round of Love Letter is what was certified, whatever happened to it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.core.errors import KibitzError
from kibitz.solvers.love_letter import solver as love_letter
from kibitz.solvers.love_letter.public_line import PublicLine
from kibitz.solvers.love_letter.public_tree import PLAY, RETAINED, SHOWN
from kibitz.solvers.love_letter.solution_file import line_of
from kibitz.solvers.love_letter.solver import Round, Solver
from tests.solvers.love_letter.test_solver import MIXED, figures

FINER = Round((4, 0, 1, 1, 1, 1, 0, 1), ranges=((1.0,) * 8, (0.5, 0, 1.0, 0, 0, 1.0, 0, 0)))
"""Made finer, a part of it is good enough, and what comes after that part is not."""


class Killed(Exception):
    pass


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
    assert solver.is_complete()
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


def walk(line: PublicLine) -> None:
    """To all that stands alone in one turn."""
    tree, state = line.tree, line.position.state
    for branch in tree.branches[tree.branch_from[state] : tree.branch_from[state + 1]]:
        line.copy().go(int(branch[PLAY]), int(branch[RETAINED]), int(branch[SHOWN]))


@pytest.mark.parametrize("content", ["", "[[1]]", "7", "null", "{}", '{"low": 1}'])
def test_a_solution_that_says_nothing_is_told(content: str, tmp_path: Path) -> None:
    Solver(MIXED, folder=tmp_path).solve(1e-2)
    (tmp_path / "solution.json").write_text(content)
    book = Solver(MIXED, folder=tmp_path).folder
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


def test_two_do_not_write_one_book(tmp_path: Path) -> None:
    one, two = (Solver(MIXED, folder=tmp_path) for _ in range(2))
    assert one.folder is not None
    with one.folder.locked(), pytest.raises(KibitzError, match="somebody is solving"):
        two.solve(1e-3)


@pytest.mark.parametrize(("coarse", "fine"), [(1e-2, 5e-3), (1e-2, 6e-5), (1e-3, 1e-4)])
def test_a_solution_made_finer_bears_itself_out(coarse: float, fine: float, tmp_path: Path) -> None:
    """What is good enough to be kept may lead to what was solved again."""
    Solver(FINER, folder=tmp_path).solve(coarse)
    found = Solver(FINER, folder=tmp_path).solve(fine)
    assert Solver(FINER, folder=tmp_path).certify() == (found.low, found.high)


def test_killed_while_it_is_kept_no_solution_belongs_to_another_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Solver(MIXED, folder=tmp_path).solve(1e-2)
    finer = Solver(MIXED, folder=tmp_path / "finer").solve(1e-4)
    replace = os.replace
    moments = 0
    while True:  # at every file that takes its place
        left = moments

        def kill(source: Any, target: Any) -> None:
            nonlocal left
            if Path(target).name in ("policy.bin", "tree.npz", "solution.json"):
                if not left:
                    raise Killed
                left -= 1
            replace(source, target)

        with monkeypatch.context() as patched:
            patched.setattr(os, "replace", kill)
            try:
                Solver(MIXED, folder=tmp_path).solve(1e-4)
            except Killed:
                moments += 1
            else:
                break
        solver = Solver(MIXED, folder=tmp_path)
        assert solver.folder is not None
        if (told := solver.folder.solution()) is not None:
            assert solver.certify() == (told["low"], told["high"])
    assert moments == 3
    assert Solver(MIXED, folder=tmp_path).certify() == (finer.low, finer.high)


def test_what_it_takes_to_play_is_mended_by_a_check(tmp_path: Path) -> None:
    Solver(MIXED, folder=tmp_path).solve(1e-2)
    file = tmp_path / "tree.npz"
    whole = file.read_bytes()
    for content in (None, b"", cut(whole)):
        file.unlink() if content is None else file.write_bytes(content)
        love_letter.verify(Solver(MIXED, folder=tmp_path), lambda now: None)
        walk(line_of(tmp_path))


@pytest.mark.parametrize(
    "figure",
    [{"high": float("nan")}, {"low": -2}, {"iterations": -5}, {"public_nodes": True},
     {"seconds": float("inf")}, {"low": 0.5, "high": 0.4}],
)  # fmt: skip
def test_a_solution_that_makes_no_sense_is_told(figure: dict[str, float], tmp_path: Path) -> None:
    Solver(MIXED, folder=tmp_path).solve(1e-2)
    file = tmp_path / "solution.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **figure}))
    book = Solver(MIXED, folder=tmp_path).folder
    assert book is not None
    with pytest.raises(KibitzError, match=r"solution\.json"):
        book.solution()


@pytest.mark.parametrize("iterations", [-7, 10**15])
def test_learning_that_makes_no_sense_is_told(iterations: int, tmp_path: Path) -> None:
    solver = Solver(MIXED, folder=tmp_path)
    regrets = np.zeros(int(solver.tree.regrets[solver.root]), np.float32)
    assert solver.folder is not None
    solver.folder.save_cfr(iterations, regrets, regrets)
    with pytest.raises(KibitzError, match=r"learning\.bin"):
        solver.solve(1e-2)


@pytest.mark.parametrize("seconds", ["inf", "nan", "-3", "soon"])
def test_time_that_makes_no_sense_is_none(seconds: str, tmp_path: Path) -> None:
    book = Solver(MIXED, folder=tmp_path).folder
    assert book is not None
    (tmp_path / "seconds").write_text(seconds)
    assert book.load_seconds() == 0
