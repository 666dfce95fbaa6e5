"""A stored solution of Love Letter is what was certified, whatever happened to its files."""

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
from kibitz.solvers.love_letter.public_tree import branches_in
from kibitz.solvers.love_letter.solution_file import MISSING, load_solution
from kibitz.solvers.love_letter.solver import Round, Solver
from tests.search.fast.arrays import compiled_only
from tests.solvers.love_letter.test_solver import MIXED, figures

pytestmark = compiled_only

FINER = Round((4, 0, 1, 1, 1, 1, 0, 1), ranges=((1.0,) * 8, (0.5, 0, 1.0, 0, 0, 1.0, 0, 0)))
"""Made finer, a part of it is good enough, and what comes after that part is not."""


def line_of(folder: Path) -> PublicLine:
    """The round from its beginning."""
    tree, opening, files, subgames = load_solution(folder)

    def subgame_policy(state: int, met: int) -> Any:
        if (state, met) not in subgames:
            raise KibitzError(f"{folder}: {MISSING}")
        return files.policy_of(subgames[state, met])

    return PublicLine(tree, subgame_policy, opening)


class Killed(Exception):
    pass


@pytest.mark.parametrize("moment", [1, 2, 4, 30, 60])
def test_a_killed_solution_goes_on(
    moment: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While subgames are solved, at their end, and after iterations were saved."""
    monkeypatch.setattr(love_letter, "BETWEEN_SAVES", 0.0)
    monkeypatch.setattr(love_letter, "SAVE_SHARE", 0)
    monkeypatch.setattr(love_letter, "LARGE", 0)
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


def test_a_finer_solution_that_was_killed_leaves_the_stored_one_as_it_was(tmp_path: Path) -> None:
    """It has solved subgames again: the coarser solution was not made with those."""
    solution = Solver(MIXED, folder=tmp_path).solve(1e-2)

    def kill(progress: Any) -> None:
        if progress.what == "iterations":
            raise Killed

    before = (tmp_path / "alone.bin").stat().st_size
    with pytest.raises(Killed):
        Solver(MIXED, folder=tmp_path).solve(1e-4, kill)
    assert (tmp_path / "alone.bin").stat().st_size > before
    solver = Solver(MIXED, folder=tmp_path)
    assert solver.is_complete()
    assert solver.certify() == (solution.low, solution.high)
    finer = Solver(MIXED, folder=tmp_path).solve(1e-4)
    assert Solver(MIXED, folder=tmp_path).certify() == (finer.low, finer.high)
    stored = json.loads((tmp_path / "solution.json").read_text())
    del stored["bytes_alone"]  # as older versions wrote it
    (tmp_path / "solution.json").write_text(json.dumps(stored))
    assert Solver(MIXED, folder=tmp_path).certify() == (finer.low, finer.high)


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def turned(data: bytes) -> bytes:
    """A bit in the middle is another one."""
    return data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1 :]


@pytest.mark.parametrize("file", ["alone.bin", "policy.bin", "tree.npz", "round.json"])
@pytest.mark.parametrize("damage", [cut, turned, lambda data: b"", lambda data: b"[[1]]"])
def test_damage_is_reported_to_who_plays_by_it(file: str, damage: Any, tmp_path: Path) -> None:
    """But for a changed number where there is no checksum: `verify` notices that."""
    Solver(MIXED, folder=tmp_path).solve(1e-2)
    (tmp_path / file).write_bytes(damage((tmp_path / file).read_bytes()))
    try:
        walk(line_of(tmp_path))
    except KibitzError as error:
        assert str(tmp_path) in str(error)
    else:
        assert file in ("policy.bin", "round.json") and damage is turned


def walk(line: PublicLine) -> None:
    """To all subgames that one turn leads to."""
    for branch in branches_in(line.tree, line.position.state):
        line.copy().go(*(int(branch[name]) for name in ("play", "retained", "shown")))


@pytest.mark.parametrize("content", ["", "[[1]]", "7", "null", "{}", '{"low": 1}'])
def test_an_empty_solution_is_refused(content: str, tmp_path: Path) -> None:
    Solver(MIXED, folder=tmp_path).solve(1e-2)
    (tmp_path / "solution.json").write_text(content)
    folder = Solver(MIXED, folder=tmp_path).folder
    assert folder is not None
    with pytest.raises(KibitzError, match=r"solution\.json"):
        folder.solution()


def test_a_record_cut_short_is_solved_again(tmp_path: Path) -> None:
    solution = Solver(MIXED, folder=tmp_path).solve(1e-4)
    file = tmp_path / "alone.bin"
    whole = file.read_bytes()
    for cut in (1, 17, 40, 1000):
        file.write_bytes(whole[:-cut])
        assert figures(Solver(MIXED, folder=tmp_path).solve(1e-4)) == figures(solution)
        assert len(file.read_bytes()) == len(whole)


def test_the_certificate_is_made_anew_from_the_stored_policy(tmp_path: Path) -> None:
    solution = Solver(MIXED, folder=tmp_path).solve(1e-4)
    assert Solver(MIXED, folder=tmp_path).certify() == (solution.low, solution.high)
    policy = tmp_path / "policy.bin"
    policy.write_bytes(bytes(len(policy.read_bytes())))  # now all plays are as likely
    low, high = Solver(MIXED, folder=tmp_path).certify()
    assert high - low > 10 * (solution.high - solution.low)


def test_the_folder_of_another_round_is_refused(tmp_path: Path) -> None:
    Solver(Round((1, 1, 1, 1, 0, 0, 0, 0)), folder=tmp_path).solve(1e-3)
    with pytest.raises(KibitzError, match="another"):
        Solver(MIXED, folder=tmp_path)
    (tmp_path / "round.json").write_bytes(b"\xff")
    with pytest.raises(KibitzError, match="can't be read"):
        Solver(MIXED, folder=tmp_path)


def test_a_certificate_needs_a_solution(tmp_path: Path) -> None:
    with pytest.raises(KibitzError, match="solve it again"):
        Solver(MIXED, folder=tmp_path).certify()


def test_two_do_not_write_one_folder(tmp_path: Path) -> None:
    one, two = (Solver(MIXED, folder=tmp_path) for _ in range(2))
    assert one.folder is not None
    with one.folder.locked(), pytest.raises(KibitzError, match="somebody is solving"):
        two.solve(1e-3)


@pytest.mark.parametrize(("coarse", "fine"), [(1e-2, 5e-3), (1e-2, 6e-5), (1e-3, 1e-4)])
def test_a_solution_made_finer_is_certified(coarse: float, fine: float, tmp_path: Path) -> None:
    """A subgame that is good enough may lead to one that was solved again."""
    Solver(FINER, folder=tmp_path).solve(coarse)
    solution = Solver(FINER, folder=tmp_path).solve(fine)
    assert Solver(FINER, folder=tmp_path).certify() == (solution.low, solution.high)


def test_killed_while_it_is_saved_no_solution_belongs_to_another_policy(
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
        if (stored := solver.folder.solution()) is not None:
            assert solver.certify() == (stored["low"], stored["high"])
    assert moments == 3
    assert Solver(MIXED, folder=tmp_path).certify() == (finer.low, finer.high)


def test_a_damaged_tree_is_written_again_by_verify(tmp_path: Path) -> None:
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
def test_a_solution_that_makes_no_sense_is_refused(
    figure: dict[str, float], tmp_path: Path
) -> None:
    Solver(MIXED, folder=tmp_path).solve(1e-2)
    file = tmp_path / "solution.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **figure}))
    folder = Solver(MIXED, folder=tmp_path).folder
    assert folder is not None
    with pytest.raises(KibitzError, match=r"solution\.json"):
        folder.solution()


@pytest.mark.parametrize("iterations", [-7, 10**15])
def test_tables_of_cfr_that_make_no_sense_are_refused(iterations: int, tmp_path: Path) -> None:
    solver = Solver(MIXED, folder=tmp_path)
    regrets = np.zeros(int(solver.tree.states[solver.root]["regrets"]), np.float32)
    assert solver.folder is not None
    solver.folder.save_cfr((iterations, 0), regrets, regrets)
    with pytest.raises(KibitzError, match=r"learning\.bin"):
        solver.solve(1e-2)


@pytest.mark.parametrize("seconds", ["inf", "nan", "-3", "soon"])
def test_time_that_makes_no_sense_is_none(seconds: str, tmp_path: Path) -> None:
    folder = Solver(MIXED, folder=tmp_path).folder
    assert folder is not None
    (tmp_path / "seconds").write_text(seconds)
    assert folder.load_seconds() == 0
