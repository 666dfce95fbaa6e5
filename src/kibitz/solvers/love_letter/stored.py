"""A round solved where the user's solutions are kept, or just checked if it is there."""

from __future__ import annotations

from collections.abc import Callable

from kibitz.core.errors import KibitzError
from kibitz.core.limits import TooLarge as TooLarge
from kibitz.core.limits import check_memory
from kibitz.solvers.love_letter.solution_file import folder_of, solution_in
from kibitz.solvers.love_letter.solver import Progress, Round, Solution, Solver

ROUNDING = 1e-9

Tell = Callable[[Progress | str], None]


def solver_of(round_: Round, threads: int) -> Solver:
    solver = Solver(round_, threads, folder_of(round_))
    check_memory("this round", 8 * int(solver.tree.regrets[solver.root]))
    return solver


def find(solver: Solver, epsilon: float, tell: Tell) -> Solution:
    """What is kept, if it is good enough and bears itself out; else it is solved on."""
    assert solver.book is not None
    kept = solver.book.solution()
    if kept is not None and kept["high"] - kept["low"] <= 2 * epsilon and solver.is_whole():
        return check(solver, tell)
    return solver.solve(epsilon, tell)


def check(solver: Solver, tell: Tell) -> Solution:
    """What is kept, if it bears itself out. What it takes to play it is mended."""
    assert solver.book is not None
    kept = solver.book.solution()
    assert kept is not None
    tell("checking what is kept of it")
    low, high = solver.certify()
    if not agree(kept["low"], kept["high"], low, high):
        raise KibitzError(
            f"{solver.book.folder}: what is kept is worth {low} … {high}, not"
            f" {kept['low']} … {kept['high']}; delete the folder to solve anew"
        )
    if not solver.book.has_tree():
        solver.book.keep_tree(solver.tree)
    return Solution(**kept)


def known_bounds(round_: Round) -> tuple[float, float] | None:
    """Of the value, if the round has been solved here."""
    found = solution_in(folder_of(round_))
    return None if found is None else (found["low"], found["high"])


def agree(low: float, high: float, low_again: float, high_again: float) -> bool:
    """Whether bounds that were made anew are those that were told."""
    return abs(low - low_again) <= ROUNDING and abs(high - high_again) <= ROUNDING
