"""What is not a whole store is refused in one line, and left as it is."""

from __future__ import annotations

import os
import random
import sqlite3
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from kibitz.arena.store import store as module
from kibitz.arena.store.rows import row_checksum
from kibitz.arena.store.store import FORMAT, MARK, Store
from kibitz.core.errors import BadText
from tests.arena.store.test_store import PLAN, exact, part, stored_parts

PAGE = 4096


def filled(path: Path, parts: int = 8) -> Path:
    with Store(path) as store:
        run = store.find_or_begin_run(PLAN)
        assert all(store.save_part(run, 1, part(10 * i)) for i in range(parts))
    return path


def files(folder: Path) -> dict[str, bytes | None]:
    """All that is in a folder. What is in a -shm file is for the moment only."""
    return {
        each.name: each.read_bytes() if each.is_file() and each.suffix != ".db-shm" else None
        for each in folder.iterdir()
    }


@contextmanager
def refused(path: Path, reason: str = "") -> Iterator[None]:
    """It is refused in a line that names the file, and nothing is changed."""
    before = files(path.parent)
    with pytest.raises(BadText) as error:
        yield
    line = str(error.value)
    assert line.startswith(f"{path}: ") and reason in line and "\n" not in line
    assert files(path.parent) == before


def at(place: int, new: bytes) -> Callable[[bytes], bytes]:
    """A file with other bytes at a place."""
    return lambda good: good[: place % len(good)] + new + good[place % len(good) + len(new) :]


UNFIT: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda good: b"", "empty"),
    "text": (lambda good: b"a text\n" * 1000, "not a store"),
    "zeros": (lambda good: bytes(2 * PAGE), "not a store"),
    "first letters": (lambda good: good[:16], "not a store"),
    "other first letters": (at(0, b"Sqlite"), "not a store"),
    "newer": (at(60, (FORMAT + 1).to_bytes(4, "big")), "newer"),
    "no format": (at(60, bytes(4)), "damaged"),
    "another mark": (at(68, b"else"), "not a store"),
    "a page of zeros": (at(PAGE, bytes(PAGE)), "damaged"),
    "a page of noise": (at(-PAGE, random.Random(1).randbytes(PAGE)), "damaged"),
    "another word in the tables": (lambda good: good.replace(b"lineup", b"l1neup"), "damaged"),
    "no text in the tables": (lambda good: good.replace(b"lineup", b"\xa6ineup"), "damaged"),
    "another plan": (lambda good: good.replace(b"love-letter", b"love-lettes", 1), "damaged"),
    **{
        f"cut at {size}": (lambda good, size=size: good[:size], reason)  # type: ignore[misc]
        for size, reason in ((1, "not"), (99, "not"), (999, "not"), (PAGE, "damaged"))
    },
    **{
        f"cut by {size}": (lambda good, size=size: good[:-size], "damaged")  # type: ignore[misc]
        for size in (1, 1000, PAGE, PAGE + 1, 3 * PAGE)
    },
}


@pytest.mark.parametrize("kind", UNFIT)
def test_what_is_not_a_store_is_refused_and_left_alone(tmp_path: Path, kind: str) -> None:
    path = filled(tmp_path / "a.db")
    edit, reason = UNFIT[kind]
    path.write_bytes(edit(path.read_bytes()))
    for create in (True, False):
        with refused(path, reason):
            Store(path, create=create)


def test_what_looks_damaged_for_a_moment_is_not_refused(tmp_path: Path) -> None:
    path = filled(tmp_path / "a.db")
    good = path.read_bytes()
    path.write_bytes(good[:PAGE])
    # As if another process went on writing meanwhile.
    with patch("time.sleep", lambda seconds: path.write_bytes(good)):
        assert len(stored_parts(path, PLAN, 1)) == 8


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_what_is_not_even_a_file(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "a.db")
    with refused(tmp_path / "a.db", "not a file"):
        Store(tmp_path / "a.db")


@pytest.mark.parametrize("mark", [0, MARK])
@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_a_database_of_somebody_else_even_in_use(tmp_path: Path, mode: str, mark: int) -> None:
    path = tmp_path / "a.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        settings = (f"journal_mode = {mode}", f"application_id = {mark}", "user_version = 1")
        for statement in (*(f"PRAGMA {each}" for each in settings), "CREATE TABLE run (x)"):
            database.execute(statement)
        with refused(path):
            Store(path)
    with refused(path):
        Store(path)


def as_killed(path: Path, parts: int = 8) -> tuple[bytes, bytes]:
    """A store and its log as a killed process leaves them; and the whole store at the path."""
    with Store(path) as store:
        run = store.find_or_begin_run(PLAN)
        assert all(store.save_part(run, 1, part(10 * i)) for i in range(parts))
        return path.read_bytes(), path.with_name("a.db-wal").read_bytes()


@pytest.mark.parametrize("with_locks", [False, True])
def test_a_log_that_was_left_is_read(tmp_path: Path, with_locks: bool) -> None:
    path, log = tmp_path / "a.db", tmp_path / "a.db-wal"
    old, logged = as_killed(path)
    whole = path.read_bytes()
    # Killed before it was copied into the file; after the first page; after more of them.
    for main in (old, whole[:PAGE] + old[PAGE:], whole[: 5 * PAGE] + old[5 * PAGE :]):
        path.write_bytes(main)
        log.write_bytes(logged)
        if with_locks:
            path.with_name("a.db-shm").write_bytes(bytes(8 * PAGE))
        assert [*map(exact, stored_parts(path, PLAN, 1))] == [exact(part(10 * i)) for i in range(8)]
        assert os.listdir(tmp_path) == ["a.db"]
    for content in (b"", b"a text", at(60, b"1234")(old), old[:PAGE]):
        # The last one's tables are in the log, but not all of them.
        path.write_bytes(content)
        log.write_bytes(logged[: 32 + PAGE + 24] if content == old[:PAGE] else logged)
        if with_locks:
            path.with_name("a.db-shm").write_bytes(bytes(8 * PAGE))
        with refused(path):
            Store(path)


def everything(path: Path) -> list[object]:
    with Store(path) as store:
        runs = store.runs()
        parts = [each for run in runs for i in range(3) for each in store.load_parts(run.id, i)]
        return [*runs, *map(exact, parts)]


def test_no_flipped_bit_changes_what_is_read(tmp_path: Path) -> None:
    path = filled(tmp_path / "a.db", 4)
    good, wanted = path.read_bytes(), everything(path)
    rng = random.Random(1)
    unnoticed = 0
    with patch.object(module, "PAUSE", 0.0):
        for _ in range(300):
            place = rng.randrange(len(good))
            path.write_bytes(at(place, bytes([good[place] ^ 1 << rng.randrange(8)]))(good))
            try:
                assert everything(path) == wanted
                unnoticed += 1
            except BadText as error:
                assert str(error).startswith(f"{path}: ")
            assert os.listdir(tmp_path) == ["a.db"]
    # Much of a small file is space that is not used yet.
    assert 20 < unnoticed < 280


def test_a_store_with_a_damaged_part_takes_no_other_run(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Store(path) as store:
        assert store.save_part(store.find_or_begin_run(PLAN), 0, part(0))
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        ((results,),) = database.execute("SELECT results FROM part").fetchall()
        flipped = bytes([results[0] ^ 1]) + results[1:]
        database.execute("UPDATE part SET results = ?", (flipped,))
    before = path.read_bytes()
    with pytest.raises(BadText, match=r"a\.db: damaged"):
        Store(path)
    assert path.read_bytes() == before


def test_what_is_no_text_is_damage(tmp_path: Path) -> None:
    path = filled(tmp_path / "a.db")
    path.write_bytes(path.read_bytes().replace(b"no such card", b"\n\xa6 such card"))
    with pytest.raises(BadText, match=r"a\.db: damaged"):
        everything(path)


@pytest.mark.parametrize("column", ["results", "decisions", "seconds", "failures"])
def test_what_does_not_fit_is_damage(tmp_path: Path, column: str) -> None:
    path = filled(tmp_path / "a.db", 1)
    names = "run, lineup, start, pairs, results, decisions, seconds, failures"
    packed = {
        "results": zlib.compress(bytes(8 * 39)),
        "decisions": zlib.compress(bytes(8 * 20 + 1)),
        "seconds": "[1.0]",
        "failures": '[{"pair": 0}]',
    }
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute(f"UPDATE part SET {column} = ?", (packed[column],))
        row = database.execute(f"SELECT {names} FROM part").fetchone()
        database.execute("UPDATE part SET checksum = ?", (row_checksum(row),))
    with pytest.raises(BadText, match=r"a\.db: damaged"):
        stored_parts(path, PLAN, 1)


def test_what_goes_wrong_later_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with (
        patch.object(module, "PATIENCE", 0.05),
        Store(path) as store,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        run = store.find_or_begin_run(PLAN)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(BadText, match=r"a\.db: database is locked"):
            store.save_part(run, 0, part(0))
        other.execute("ROLLBACK")
        assert store.save_part(run, 0, part(0))
        other.execute("DROP TABLE part")
        for use in (
            lambda: store.save_part(run, 0, part(10)),
            lambda: list(store.load_parts(run, 0)),
        ):
            with pytest.raises(BadText, match=r"a\.db: no such table"):
                use()
    with pytest.raises(BadText, match=r"a\.db: .*closed"):
        store.runs()


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with refused(path, "No such file"):
        Store(path, create=False)
    with pytest.raises(BadText, match=r"new/b\.db: No such file"):
        Store(tmp_path / "new" / "b.db", create=False)
    assert not os.listdir(tmp_path)
    filled(path)
    with pytest.raises(BadText, match=r"a\.db/b\.db: "):
        Store(path / "b.db")
    link = tmp_path / "link with ? and #.db"
    link.symlink_to(path)
    assert stored_parts(link, PLAN, 1)
    assert sorted(os.listdir(tmp_path)) == ["a.db", link.name]


def test_a_file_that_may_not_be_read() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = filled(Path(folder) / "a.db")
        os.chmod(folder, 0o755)
        path.chmod(0)
        before = path.stat()
        users = os.getresuid()
        if os.geteuid() == 0:
            os.setresuid(65534, 65534, 0)
        try:
            with pytest.raises(BadText, match=f"^{path}: Permission denied$"):
                Store(path)
        finally:
            os.setresuid(*users)
        assert path.stat() == before and os.listdir(folder) == ["a.db"]
