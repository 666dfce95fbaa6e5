"""Rounds of Love Letter, one after the other or on a cluster, into a table.

They do not need each other, and the solution of each is stored where it was solved: whatever
ends a run, the next one goes on.
"""

from __future__ import annotations

import shutil
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from kibitz.arena.workers import is_killed, workers
from kibitz.core.errors import BadText, KibitzError
from kibitz.core.files import atomic_write
from kibitz.core.limits import TooLarge
from kibitz.games.love_letter.cards import read_face_up
from kibitz.solvers.love_letter import solver as solving
from kibitz.solvers.love_letter.book import (
    BOOK_DECK,
    book_name,
    find_book,
    load_book,
    make_book,
)
from kibitz.solvers.love_letter.results_table import ResultsTable, Row, row_of
from kibitz.solvers.love_letter.solution_file import is_solved, solution_folder
from kibitz.solvers.love_letter.solver import Round, SolverProgress

Report = Callable[[str, SolverProgress | str], None]
"""Which rounds are on their way, and how far they are."""

NO_MEMORY = "there is not enough memory"


class NamedRound(NamedTuple):
    """A round, and the cards face up by which the table knows it."""

    face_up: str
    round: Round


class RoundOutcome(NamedTuple):
    """What came of one set of cards face up."""

    face_up: str
    row: Row | None
    """Its line of the table; None if there is none."""
    why: str = ""
    """Why there is nothing, or less than was asked for."""
    book: bytes | None = None
    """The content of its book, if it was solved to ε."""


def solve_all(
    rounds: Sequence[NamedRound],
    deck: str,
    table: ResultsTable,
    epsilon: float,
    *,
    threads: int = 1,
    cluster: str | None = None,
    most: int | None = None,
    books: Path | None = None,
    report: Report = lambda which, now: None,
) -> Generator[RoundOutcome, None, None]:
    """All that the table does not have to ε, in their order, at most so many; if a folder for
    books is named, also those that have no book. A round that can't be solved is reported, and
    the others go on."""
    waiting, running = deque(rounds), dict[Future[Any], str]()
    entered = 0
    with workers(1, cluster) as (executor, width):
        while True:
            limit = width if most is None else min(width, most - entered)
            while waiting and len(running) < limit:
                face_up, round_ = waiting.popleft()
                if not is_done(table.rows(deck), face_up, epsilon, books):  # by another run
                    how = (partial(report, face_up),) if cluster is None else ()
                    sent = executor.submit(solve, deck, face_up, round_, epsilon, threads, *how)
                    running[sent] = face_up
            if not running:
                return
            if cluster is not None:
                report(", ".join(running.values()), "on the cluster")
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                outcome = _outcome(future, running.pop(future))
                if outcome.book is not None and books is not None:
                    atomic_write({books / _book_name(outcome.face_up): outcome.book})
                if outcome.row is not None:
                    table.enter(outcome.row)
                entered += outcome.row is not None
                yield outcome


def is_in(rows: Mapping[str, Row], face_up: str, epsilon: float) -> bool:
    """Whether it needs not be solved again."""
    return face_up in rows and rows[face_up].epsilon <= epsilon


def is_done(rows: Mapping[str, Row], face_up: str, epsilon: float, books: Path | None) -> bool:
    """Whether it is in the table and, if there is a folder for them, has a book."""
    return is_in(rows, face_up, epsilon) and (
        books is None
        or (books / _book_name(face_up)).exists()
        or find_book(read_face_up(face_up, BOOK_DECK)) is not None
    )


def _book_name(face_up: str) -> str:
    return book_name(read_face_up(face_up, BOOK_DECK))


def rows_of(rounds: Sequence[NamedRound], deck: str, table: ResultsTable) -> dict[str, Row]:
    """What the table has of them; it must have no others."""
    rows = table.rows(deck)
    if strangers := rows.keys() - dict(rounds):
        raise BadText(f"{table.file}: {min(strangers)} is none of the rounds; delete its line")
    return rows


def _outcome(future: Future[Any], face_up: str) -> RoundOutcome:
    """One round that needs more memory than any worker has does not end the run."""
    if (error := future.exception()) and is_killed(error):
        return RoundOutcome(face_up, None, "every worker that tried it died; has it memory enough?")
    outcome: RoundOutcome = future.result()
    return outcome


def solve(
    deck: str,
    face_up: str,
    round_: Round,
    epsilon: float,
    threads: int,
    report: solving.ReportText = lambda now: None,
) -> RoundOutcome:
    """One of them, with what is stored on this machine. What stands in the way is reported and not
    raised: a cluster would try again and again."""
    try:
        report("looking at all public states")
        solver = solving.stored_solver(round_, threads)
        solution = solving.solve_or_load(solver, epsilon, report)
        row = row_of(deck, face_up, solver, solution)
        book = None
        if deck == BOOK_DECK and row.epsilon <= epsilon:
            report("making the book")
            book = make_book(solver, read_face_up(face_up, deck), solution)
    except (KibitzError, MemoryError, OSError) as error:
        return RoundOutcome(face_up, None, str(error) or NO_MEMORY)
    if row.epsilon > epsilon:
        return RoundOutcome(
            face_up, row, f"ε {epsilon} was not reached in {row.iterations} iterations"
        )
    return RoundOutcome(face_up, row, book=book)


def discard(rounds: Sequence[NamedRound], face_up: str) -> None:
    """Delete the solution of a round: its book is enough to play by."""
    shutil.rmtree(solution_folder(dict(rounds)[face_up]))


class CheckedRow(NamedTuple):
    """A line of the table, checked against the stored solution."""

    row: Row
    agrees: bool | None
    """Whether the stored solution bears the table out; None if that can't be checked here."""
    why: str = ""


def check_all(
    rounds: Sequence[NamedRound],
    deck: str,
    table: ResultsTable,
    *,
    threads: int = 1,
    report: Report = lambda which, now: None,
) -> Generator[CheckedRow, None, None]:
    """Everything in the table, from what is stored on this machine and from nothing else."""
    known = dict(rounds)
    for face_up, row in rows_of(rounds, deck, table).items():
        report(face_up, "verifying the stored solution")
        yield _checked(row, known[face_up], threads)


def _checked(row: Row, round_: Round, threads: int) -> CheckedRow:
    if not is_solved(solution_folder(round_)):
        return _checked_by_book(row)
    try:
        low, high = solving.stored_solver(round_, threads).certify()
    except (TooLarge, MemoryError) as error:
        return CheckedRow(row, None, str(error) or NO_MEMORY)
    except (KibitzError, OSError) as error:
        return CheckedRow(row, False, str(error))
    if solving.agree(row.low, row.high, low, high):
        return CheckedRow(row, True)
    row_text = f"{row.low:.5f} … {row.high:.5f}"
    return CheckedRow(
        row, False, f"the stored solution has the bounds {low:.5f} … {high:.5f}, not {row_text}"
    )


def _checked_by_book(row: Row) -> CheckedRow:
    """Where just the book is left of a solution."""
    file = find_book(read_face_up(row.face_up, row.deck)) if row.deck == BOOK_DECK else None
    if file is None:
        return CheckedRow(row, None, "nothing is stored here")
    try:
        low, high = load_book(file).header["value"]
    except KibitzError as error:
        return CheckedRow(row, False, str(error))
    if solving.agree(row.low, row.high, low, high):
        return CheckedRow(row, None, "only its book is stored here, and agrees")
    return CheckedRow(row, False, f"its book says {low:.5f} … {high:.5f}: {file}")
