"""The table of rounds that were solved: a text file with one line for each.

Several runs may share one: each reads it again before it writes, and meanwhile nobody else does.
"""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from kibitz.core.errors import BadText, KibitzError
from kibitz.core.files import atomic_write
from kibitz.core.folders import data_folder
from kibitz.solvers.love_letter.solver import RoundSolution, Solver
from kibitz.version import __version__

HALF = 1e-12
"""So exactly ε is half the distance of the bounds."""


class Row(NamedTuple):
    deck: str
    face_up: str
    low: float
    high: float
    epsilon: float
    iterations: int
    public_nodes: int
    regrets: int
    seconds: float
    kibitz: str
    """The versions that solved it, or that verified the stored solution."""
    numba: str
    numpy: str


def row_of(deck: str, face_up: str, solver: Solver, solution: RoundSolution) -> Row:
    return Row(
        deck,
        face_up,
        solution.low,
        solution.high,
        solution.epsilon,
        solution.iterations,
        solution.public_nodes,
        int(solver.tree.states[solver.root]["regrets"]),
        round(solution.seconds, 3),
        __version__,
        metadata.version("numba"),
        metadata.version("numpy"),
    )


def user_table() -> Path:
    """Where results go if nobody says."""
    return data_folder() / "love-letter-solved.csv"


class ResultsTable:
    def __init__(self, file: Path) -> None:
        self.file = file

    def rows(self, deck: str) -> dict[str, Row]:
        """By the cards face up, the smallest round first."""
        return {row.face_up: row for row in self._read() if row.deck == deck}

    def enter(self, row: Row) -> None:
        """Instead of a coarser one."""
        with self._locked():
            rows = {row[:2]: row for row in self._read()}
            known = rows.get(row[:2])
            if known is None or row.epsilon <= known.epsilon:
                rows[row[:2]] = row
                self._write(sorted(rows.values(), key=lambda row: (row.public_nodes, row[:2])))

    def check(self) -> None:
        """That it can be read and written: better now than after an hour."""
        self._read()
        if self.file.parent.exists():
            with self._locked():
                pass
            return
        there = next(folder for folder in self.file.absolute().parents if folder.exists())
        if not os.access(there, os.W_OK | os.X_OK):
            raise KibitzError(f"{self.file}: can't be written (no folder can be made in {there})")

    def _write(self, rows: list[Row]) -> None:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(Row._fields)
        writer.writerows(rows)
        atomic_write({self.file: text.getvalue().encode()})

    def _read(self) -> list[Row]:
        try:
            if self.file.exists() and not self.file.is_file():  # a pipe has no end
                raise BadText(f"{self.file}: not a file that can be a table")
            lines = self.file.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError) as error:
            raise BadText(f"{self.file}: can't be read as a table ({error})") from None
        if not lines or lines[0] != ",".join(Row._fields):
            raise BadText(f"{self.file}: not a table of rounds that were solved")
        rows: list[Row] = []
        for number, line in enumerate(lines[1:], 2):
            row = _row(line)
            if row is None or row[:2] in (known[:2] for known in rows):
                raise BadText(f"{self.file}: line {number} is damaged; correct or delete it")
            rows.append(row)
        return rows

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """By a file beside it, which is removed afterwards."""
        from filelock import FileLock

        file = self.file.with_name(f".{self.file.name}.lock")
        lock = FileLock(file)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            lock.acquire()
        except OSError as error:
            raise KibitzError(f"{self.file}: can't be written ({error.strerror})") from None
        try:
            yield
        finally:
            file.unlink(missing_ok=True)  # whoever waits for it notices, and makes a new one
            lock.release()


def _row(line: str) -> Row | None:
    """Nothing if it makes no sense."""
    try:
        cells = next(csv.reader([line]), [])
    except csv.Error:  # endless
        return None
    if len(cells) != len(Row._fields) or not all(cells):
        return None
    deck, face_up, *figures = cells
    try:
        low, high, epsilon, seconds = (float(figures[i]) for i in (0, 1, 2, 6))
        iterations, nodes, regrets = map(int, figures[3:6])
    except ValueError:
        return None
    sound = (
        -1 <= low <= high <= 1
        and abs(epsilon - (high - low) / 2) <= HALF
        and 0 <= seconds < math.inf
        and min(iterations, nodes, regrets) >= 0
    )
    row = Row(deck, face_up, low, high, epsilon, iterations, nodes, regrets, seconds, *figures[7:])
    return row if sound else None
