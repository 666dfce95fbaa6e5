"""Rounds of Love Letter, one after the other or on a cluster, into a table.

They do not need each other, and what was found of each is kept where it was solved: whatever
ends a run, the next one goes on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import partial
from typing import Any, NamedTuple

from kibitz.arena.workers import is_killed, workers
from kibitz.core.errors import BadText, KibitzError
from kibitz.core.limits import TooLarge
from kibitz.solvers.love_letter import solver as solving
from kibitz.solvers.love_letter.results_table import ResultsTable, Row, row_of
from kibitz.solvers.love_letter.solution_file import is_solved, solution_folder
from kibitz.solvers.love_letter.solver import Round, SolverProgress

Tell = Callable[[str, SolverProgress | str], None]
"""Which rounds are on their way, and how far they are."""

NO_MEMORY = "there is not enough memory"


class Named(NamedTuple):
    """A round, and the cards face up by which the table knows it."""

    face_up: str
    round: Round


class Outcome(NamedTuple):
    face_up: str
    row: Row | None
    """What was found."""
    why: str = ""
    """Why there is nothing, or less than was asked for."""


def solve_all(
    rounds: Sequence[Named],
    deck: str,
    table: ResultsTable,
    epsilon: float,
    *,
    threads: int = 1,
    cluster: str | None = None,
    most: int | None = None,
    tell: Tell = lambda which, now: None,
) -> Generator[Outcome, None, None]:
    """All that the table does not have to ε, in their order, at most so many. A round that
    can't be solved is told, and the others go on."""
    waiting, running = deque(rounds), dict[Future[Any], str]()
    entered = 0
    with workers(1, cluster) as (executor, width):
        while True:
            room = width if most is None else min(width, most - entered)
            while waiting and len(running) < room:
                face_up, round_ = waiting.popleft()
                if not is_in(table.rows(deck), face_up, epsilon):  # another run may share it
                    how = (partial(tell, face_up),) if cluster is None else ()
                    sent = executor.submit(solve, deck, face_up, round_, epsilon, threads, *how)
                    running[sent] = face_up
            if not running:
                return
            if cluster is not None:
                tell(", ".join(running.values()), "on the cluster")
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                outcome = _outcome(future, running.pop(future))
                if outcome.row is not None:
                    table.enter(outcome.row)
                entered += outcome.row is not None
                yield outcome


def is_in(rows: Mapping[str, Row], face_up: str, epsilon: float) -> bool:
    """Whether it needs not be solved again."""
    return face_up in rows and rows[face_up].epsilon <= epsilon


def rows_of(rounds: Sequence[Named], deck: str, table: ResultsTable) -> dict[str, Row]:
    """What the table has of them; it must have no others."""
    rows = table.rows(deck)
    if strangers := rows.keys() - dict(rounds):
        raise BadText(f"{table.file}: {min(strangers)} is none of the rounds; delete its line")
    return rows


def _outcome(future: Future[Any], face_up: str) -> Outcome:
    """One round that needs more memory than any worker has does not end the run."""
    if (error := future.exception()) and is_killed(error):
        return Outcome(face_up, None, "every worker that tried it died; has it memory enough?")
    found: Outcome = future.result()
    return found


def solve(
    deck: str,
    face_up: str,
    round_: Round,
    epsilon: float,
    threads: int,
    tell: solving.ReportText = lambda now: None,
) -> Outcome:
    """One of them, with what is kept on this machine. What stands in the way is told and not
    raised: a cluster would try again and again."""
    try:
        tell("looking at all public states")
        solver = solving.stored_solver(round_, threads)
        row = row_of(deck, face_up, solver, solving.solve_or_load(solver, epsilon, tell))
    except (KibitzError, MemoryError, OSError) as error:
        return Outcome(face_up, None, str(error) or NO_MEMORY)
    if row.epsilon > epsilon:
        return Outcome(face_up, row, f"ε {epsilon} was not reached in {row.iterations} iterations")
    return Outcome(face_up, row)


class Checked(NamedTuple):
    row: Row
    agrees: bool | None
    """Whether what is kept bears the table out; None if that can't be told here."""
    why: str = ""


def check_all(
    rounds: Sequence[Named],
    deck: str,
    table: ResultsTable,
    *,
    threads: int = 1,
    tell: Tell = lambda which, now: None,
) -> Generator[Checked, None, None]:
    """Everything in the table, from what is kept on this machine and from nothing else."""
    known = dict(rounds)
    for face_up, row in rows_of(rounds, deck, table).items():
        tell(face_up, "checking what is kept of it")
        yield _checked(row, known[face_up], threads)


def _checked(row: Row, round_: Round, threads: int) -> Checked:
    if not is_solved(solution_folder(round_)):
        return Checked(row, None, "nothing is kept here")
    try:
        low, high = solving.stored_solver(round_, threads).certify()
    except (TooLarge, MemoryError) as error:
        return Checked(row, None, str(error) or NO_MEMORY)
    except (KibitzError, OSError) as error:
        return Checked(row, False, str(error))
    if solving.agree(row.low, row.high, low, high):
        return Checked(row, True)
    told = f"{row.low:.5f} … {row.high:.5f}"
    return Checked(row, False, f"what is kept is worth {low:.5f} … {high:.5f}, not {told}")
