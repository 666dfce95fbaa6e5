"""Finished parts of comparisons in a file: a run that was killed goes on where it was.

The file is an SQLite database with a write-ahead log. A part is one transaction, so it is there
whole or not at all; a commit waits for the disk, so that a power cut takes nothing back. Several
processes may share a file, even a run: no pair is stored twice.

A file that is not a whole store is refused before anything is written. If it may be in use,
only SQLite opens it: to open and close it besides would end the locks this process has on it.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from errno import EACCES, ENOENT
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kibitz.arena.environment import machine, versions
from kibitz.arena.plan import Plan, PlayedPart
from kibitz.arena.statistics.sequential import Verdict
from kibitz.arena.store.rows import (
    DAMAGED,
    MORE_TABLES,
    UntilClear,
    as_damage,
    as_json,
    check_rows,
    fits_plan,
    format_plan,
    pack_part,
    parse_environment,
    parse_plan,
    row_checksum,
    unpack_part,
)
from kibitz.core.errors import BadText
from kibitz.version import __version__

MARK = int.from_bytes(b"Kbtz", "big")
"""SQLite's application_id of our files."""
FORMAT = 1
"""Their user_version. Another one means other tables, plans or failures."""
PATIENCE = 60.0
"""Seconds to wait for another process."""
PAUSE, TRIALS = 0.02, 100
"""Seconds between looks at a file that seems damaged, and how many there are at most."""
FOREIGN = "not a store of Kibitz"

TABLES = {
    "run": "CREATE TABLE run (id INTEGER PRIMARY KEY, plan TEXT NOT NULL, kibitz TEXT NOT NULL,"
    " created TEXT NOT NULL, versions TEXT NOT NULL, machine TEXT NOT NULL,"
    " checksum INTEGER NOT NULL)",
    "part": "CREATE TABLE part (run INTEGER NOT NULL, lineup INTEGER NOT NULL,"
    " start INTEGER NOT NULL, pairs INTEGER NOT NULL, results BLOB NOT NULL,"
    " decisions BLOB NOT NULL, seconds TEXT NOT NULL, failures TEXT NOT NULL,"
    " checksum INTEGER NOT NULL)",
    "what": "CREATE UNIQUE INDEX what ON run (plan, kibitz)",
    "place": "CREATE UNIQUE INDEX place ON part (run, lineup, start, pairs)",
}
"""What SQLite says in sqlite_master, word for word. A checksum is of the rest of its row."""


@dataclass(frozen=True)
class StoredRun:
    """A plan that was begun, by whom and where, and how much of it is done."""

    id: int
    plan: Plan
    created: str
    """When, in UTC, as in ISO 8601."""
    versions: dict[str, str | int]
    machine: dict[str, str | int]
    pairs: list[int]
    """How many are stored of each line-up."""
    until_clear: list[UntilClear]
    """Which line-ups were asked for a clear difference, and what came of it."""


class Store:
    """A file of runs and their parts. For one thread; a forked child leaves it alone."""

    def __init__(self, path: Path, *, create: bool = True) -> None:
        """Open a store, or make it; not to create is to look only: a file that is not there is
        refused, and one that can't be written will do."""
        self.path = path
        self._borrowed = ExitStack()
        with _name_file_in_errors(path):
            file = Path(os.path.realpath(path))
            if not file.exists():
                if not create:
                    raise FileNotFoundError(ENOENT, os.strerror(ENOENT))
                _create(file)
            _verify_settled(file, create)
            if create or _is_writable(file):
                self._database = _connect(file, "mode=rw")
            else:
                self._database = self._borrowed.enter_context(_readable(file))
            try:
                self._database.execute("PRAGMA synchronous = FULL")
            except BaseException:
                self.close()
                raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. The store can't be used afterwards."""
        with _name_file_in_errors(self.path):
            self._database.close()
        self._borrowed.close()

    def find_or_begin_run(self, plan: Plan) -> int:
        """The number of this plan's run with this version of Kibitz, begun if there is none."""
        text = format_plan(plan)
        with _name_file_in_errors(self.path), self._database:
            self._database.execute("BEGIN IMMEDIATE")
            find = "SELECT id FROM run WHERE plan = ? AND kibitz = ?"
            for (number,) in self._select(find, text, __version__):
                return int(number)
            ((last,),) = self._select("SELECT coalesce(max(id), 0) FROM run")
            created = datetime.now(UTC).isoformat(timespec="seconds")
            about = as_json(versions()), as_json(machine())
            self._insert("run", last + 1, text, __version__, created, *about)
            return int(last + 1)

    def load_parts(self, run: int, lineup: int) -> Iterator[PlayedPart]:
        """The stored parts of a line-up, in order; one part at a time is in memory."""
        plan = self._plan(run, lineup)
        query = "SELECT * FROM part WHERE run = ? AND lineup = ? AND start >= ? ORDER BY start"
        start = 0
        # A query for each part: while one is open, its old view of the file bars adding to it.
        while True:
            with _name_file_in_errors(self.path):
                rows = self._checked(f"{query} LIMIT 1", run, lineup, start)
                parts = [unpack_part(row, plan) for row in rows]
            yield from parts
            if not parts:
                return
            start = parts[0].start + len(parts[0].results)

    def save_part(self, run: int, lineup: int, played: PlayedPart) -> bool:
        """Store a part; False, and nothing is changed, if a pair of it is there already."""
        if not fits_plan(played, self._plan(run, lineup)):
            raise ValueError("the part does not fit its line-up")
        if not len(played.results):
            return True
        start, pairs = int(played.start), len(played.results)
        packed = pack_part(played)
        with _name_file_in_errors(self.path), self._database:
            self._database.execute("BEGIN IMMEDIATE")
            # Stored parts don't overlap: so the last that begins early enough decides.
            ends = "SELECT start + pairs FROM part WHERE run = ? AND lineup = ? AND start < ?"
            last = f"{ends} ORDER BY start DESC LIMIT 1"
            if any(end > start for (end,) in self._select(last, run, lineup, start + pairs)):
                return False
            self._insert("part", run, lineup, start, pairs, *packed)
            return True

    def missing_pairs(self, run: int, lineup: int, start: int, end: int) -> list[tuple[int, int]]:
        """Which of the pairs start to end − 1 are not stored: where they begin and end."""
        parts = "SELECT start, start + pairs FROM part WHERE run = ? AND lineup = ?"
        within = f"{parts} AND start < ? AND start + pairs > ? ORDER BY start"
        with _name_file_in_errors(self.path):
            stored = self._select(within, run, lineup, end, start)
        edges = [start, *(edge for part in stored for edge in part), end]
        return [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if a < b]

    def save_verdict(
        self, run: int, lineup: int, alpha: float, limit: int, verdict: Verdict | None
    ) -> None:
        """Store that a line-up is asked for a clear difference, and the answer if there is one."""
        decided = verdict and (verdict.pairs, verdict.better, verdict.z, verdict.boundary)
        row = (run, lineup, alpha, limit, *(decided or [None] * 4))
        with _name_file_in_errors(self.path), self._database:
            self._database.execute("BEGIN IMMEDIATE")
            if not self._has_verdicts():
                for statement in MORE_TABLES.values():
                    self._database.execute(statement)
            old = "DELETE FROM verdict WHERE run = ? AND lineup = ?"
            self._database.execute(old, (run, lineup))
            self._insert("verdict", *row)

    def _has_verdicts(self) -> bool:
        return bool(self._select("SELECT 1 FROM sqlite_master WHERE name = 'verdict'"))

    def _until_clear(self, run: int) -> list[UntilClear]:
        if not self._has_verdicts():
            return []
        rows = self._checked("SELECT * FROM verdict WHERE run = ? ORDER BY lineup", run)
        return [UntilClear(*row[1:]) for row in rows]

    def runs(self) -> list[StoredRun]:
        """All runs, the oldest first."""
        with _name_file_in_errors(self.path):
            return [self._run(row) for row in self._checked("SELECT * FROM run ORDER BY id")]

    def _run(self, row: tuple[Any, ...]) -> StoredRun:
        number, text, _, created, versions, machine = row
        count = "SELECT lineup, sum(pairs) FROM part WHERE run = ? GROUP BY lineup"
        stored = dict(self._select(count, number))
        with as_damage():
            plan = parse_plan(text)
            pairs = [stored.get(lineup, 0) for lineup in range(len(plan.lineups))]
            about = parse_environment(versions), parse_environment(machine)
            return StoredRun(number, plan, created, *about, pairs, self._until_clear(number))

    def _plan(self, run: int, lineup: int) -> Plan:
        """The plan of a run, if it has this line-up."""
        with _name_file_in_errors(self.path):
            for _, text, *_ in self._checked("SELECT * FROM run WHERE id = ?", run):
                with as_damage():
                    plan = parse_plan(text)
                if 0 <= lineup < len(plan.lineups):
                    return plan
        raise BadText(f"{self.path}: there is no line-up {lineup} of a run {run}")

    def _select(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return self._database.execute(query, values).fetchall()

    def _checked(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Whole rows of a table without their checksums, which are right."""
        rows = self._select(query, *values)
        check_rows(rows)
        return [row[:-1] for row in rows]

    def _insert(self, table: str, *row: object) -> None:
        places = "?, " * len(row) + "?"
        self._database.execute(f"INSERT INTO {table} VALUES ({places})", (*row, row_checksum(row)))


# -- files -------------------------------------------------------------------------------------


@contextmanager
def _name_file_in_errors(path: Path) -> Iterator[None]:
    """Errors of SQLite and of files as a line that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        known = {sqlite3.SQLITE_NOTADB: FOREIGN, sqlite3.SQLITE_CORRUPT: DAMAGED}
        raise BadText(f"{path}: {known.get(_code(error), error)}") from error
    except OSError as error:
        raise BadText(f"{path}: {error.strerror}") from error


def _code(error: sqlite3.Error) -> int:
    """SQLite's code without its details. Errors that are not SQLite's own have none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _connect(file: Path, mode: str) -> sqlite3.Connection:
    uri = f"{file.as_uri()}?{mode}"
    database = sqlite3.connect(uri, PATIENCE, isolation_level=None, uri=True)
    database.text_factory = lambda text: text.decode(errors="replace")
    return database


def _create(file: Path) -> None:
    """Make an empty store; in one step, so that nobody ever sees a part of it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".kibitz-", dir=file.parent) as folder:
        fresh = Path(folder) / "fresh"
        with closing(_connect(fresh, "mode=rwc")) as database:
            marks = f"application_id = {MARK}", f"user_version = {FORMAT}", "journal_mode = WAL"
            for statement in (*TABLES.values(), *(f"PRAGMA {mark}" for mark in marks)):
                database.execute(statement)
        # Another process may have been faster: then it is that one's file.
        with suppress(FileExistsError):
            os.link(fresh, file)


def _log(file: Path) -> Path:
    return file.with_name(file.name + "-wal")


def _is_writable(file: Path) -> bool:
    """Whether SQLite can write it, and the files that it makes beside it."""
    return os.access(file, os.W_OK) and os.access(file.parent, os.W_OK | os.X_OK)


def _verify_settled(file: Path, write: bool) -> None:
    """Refuse what is not a whole store. What another process is writing may look damaged for
    a moment: so it is looked at until it has not changed since the last time."""
    if not file.is_file():
        raise sqlite3.DatabaseError("not a file")
    before: list[tuple[int, int] | None] = []
    for left in reversed(range(TRIALS)):
        state = [_state(file), _state(_log(file))]
        try:
            return _verify(file, write)
        except (sqlite3.Error, OSError):
            if state == before or not left:
                raise
        before = state
        time.sleep(PAUSE)


def _state(file: Path) -> tuple[int, int] | None:
    with suppress(OSError):
        status = file.stat()
        return status.st_size, status.st_mtime_ns
    return None


@as_damage()
def _verify(file: Path, write: bool) -> None:
    """Read all of a store. Nothing is written, nor made beside it."""
    status = file.stat()
    if not status.st_size:
        # Before SQLite gets to see it: to an empty file it removes the log.
        raise sqlite3.DatabaseError(f"empty, {FOREIGN}")
    if not os.access(file, os.R_OK | (os.W_OK if write else 0)):
        raise PermissionError(EACCES, os.strerror(EACCES))
    alone = not _log(file).exists()
    with closing(_connect(file, FROZEN)) as database:
        try:
            _check_mark(database)
        except sqlite3.Error as error:
            # Killed as it was copied from its log, a store is whole only together with it.
            if alone or _code(error) != sqlite3.SQLITE_CORRUPT:
                raise
    with _readable(file) as database:
        _check_whole(database, status.st_size if alone else 0)


FROZEN = "mode=ro&immutable=1"
"""Without the log, and without locks, which would be in files beside it."""


@contextmanager
def _readable(file: Path) -> Iterator[sqlite3.Connection]:
    """A store with its log, to look at. Nothing is made beside it: it may be on a medium that
    can't be written."""
    if not _log(file).exists():
        with closing(_connect(file, FROZEN)) as database:
            yield database
    elif file.with_name(file.name + "-shm").exists():
        with closing(_connect(file, "mode=ro")) as database:
            yield database
    else:
        with TemporaryDirectory() as folder:  # SQLite would make the -shm file that it needs.
            copy = Path(folder) / "copy"
            shutil.copyfile(file, copy)
            shutil.copyfile(_log(file), _log(copy))
            with closing(_connect(copy, "mode=ro")) as database:
                yield database


def _check_mark(database: sqlite3.Connection) -> None:
    """Refuse the files of others, and of versions to come."""
    ((mark,),) = database.execute("PRAGMA application_id").fetchall()
    if mark != MARK:
        raise sqlite3.DatabaseError(FOREIGN)
    ((number,),) = database.execute("PRAGMA user_version").fetchall()
    if number != FORMAT:
        raise sqlite3.DatabaseError("of a newer Kibitz" if number > FORMAT else DAMAGED)


def _check_whole(database: sqlite3.Connection, size: int = 0) -> None:
    """Refuse what is damaged. The size is that of the file, if it is all there is."""
    _check_mark(database)
    tables = dict(database.execute("SELECT name, sql FROM sqlite_master").fetchall())
    # It compares the tables with their indexes too, as quick_check does not.
    faults = database.execute("PRAGMA integrity_check(1)").fetchall()
    # SQLite takes a page that is cut off as if it ended with zeros.
    ((page,),) = database.execute("PRAGMA page_size").fetchall()
    wanted = TABLES | (MORE_TABLES if tables.keys() & MORE_TABLES.keys() else {})
    if not wanted.items() <= tables.items() or faults != [("ok",)] or size % page:
        raise sqlite3.DatabaseError(DAMAGED)
    for table in ("run", "part", "verdict")[: 2 + ("verdict" in wanted)]:
        check_rows(database.execute(f"SELECT * FROM {table}"))
