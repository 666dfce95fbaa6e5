"""What is kept of a solution on disk: so that it can go on, be checked, and be played.

A folder for each round:

    round.json      what is solved, and by which arrangement of plays
    alone.bin       what stands alone, one record after the other, as it was found
    seconds         how long all this has taken
    learning.bin    regrets and average play so far; gone when it is solved
    policy.bin      the play that is kept: shares of 65535, two bytes each
    tree.npz        the states and plays as arrays, to play without listing them again
    solution.json   what was found, and with how much of alone.bin

A record cut short, as by a kill, is dropped; everything else is replaced in one step.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np

from kibitz.core.checksum import checksum
from kibitz.core.errors import KibitzError
from kibitz.core.files import atomic_stream, atomic_write
from kibitz.core.folders import cache_folder
from kibitz.solvers.love_letter.public_line import Line, Place
from kibitz.solvers.love_letter.public_tree import Tree

HEAD = np.dtype(
    [
        ("state", np.int64),
        ("lead", np.int64),
        ("low", np.float64),
        ("high", np.float64),
        ("size", np.int64),
        ("check", np.int64),
    ]
)
DAMAGED = "damaged; delete the folder to solve anew"
MISSING = "not all of it is there; solve it again"
SHARE = np.dtype(np.uint16)
FOUND = {"low", "high", "iterations", "public_nodes", "seconds"}
"""What a solution says."""
ALONE = "bytes_alone"
"""Beside that: how much of what stands alone it was made with. All, if it does not say."""
LEAD_OF_ROUND = 2
"""Its place in what is solved."""
LEARNED = np.dtype(np.float32)


class Record(NamedTuple):
    """What stands alone: where, between which bounds, and where its shares begin."""

    state: int
    lead: int
    low: float
    high: float
    place: int
    size: int


def folder_of(round_: Any) -> Path:
    """Where the solution of a round is kept."""
    name = hashlib.blake2b(repr(tuple(round_)).encode(), digest_size=6).hexdigest()
    return cache_folder() / "equilibria" / f"{''.join(map(str, round_.unseen))}-{name}"


class Book:
    def __init__(self, folder: Path, round_: Any, tree: Tree) -> None:
        self.folder = folder
        self._sizes = tree.regrets
        about = {"round": json.loads(json.dumps(round_)), "plays": digest(tree)}
        file = folder / "round.json"
        if not file.exists():
            atomic_write({file: json.dumps(about, indent=2).encode()})
        elif _read(file) != about:
            raise KibitzError(
                f"{folder}: kept by another version of Kibitz; delete it to solve anew"
            )

    # -- what stands alone ---------------------------------------------------------------

    def records(self, solved: bool = False) -> Iterator[Record]:
        """All up to one that was cut short, or is no record of this round. `solved`: just those
        with which the solution was made; a finer one may have been begun since."""
        file = self.folder / "alone.bin"
        end = _told(self.folder).get(ALONE, inf) if solved else inf
        if not file.exists():
            return
        with file.open("rb") as stream:
            while len(told := stream.read(HEAD.itemsize)) == HEAD.itemsize:
                head = np.frombuffer(told, HEAD)[0]
                state, place, size = int(head["state"]), stream.tell(), int(head["size"])
                if not 0 <= state < len(self._sizes) or size != self._sizes[state]:
                    return
                shares = stream.read(size * SHARE.itemsize)
                if len(shares) < size * SHARE.itemsize or head["check"] != _check(head, shares):
                    return
                if stream.tell() > end:
                    return
                low, high = float(head["low"]), float(head["high"])
                yield Record(state, int(head["lead"]), low, high, place, size)

    @contextmanager
    def written(self) -> Iterator[None]:
        """Meanwhile nobody else may write. A record that was cut short is cut off."""
        with _sole_writer(self.folder):
            for left in self.folder.glob(".*.tmp"):
                left.unlink()
            whole = max((r.place + r.size * SHARE.itemsize for r in self.records()), default=0)
            if self._size():
                os.truncate(self.folder / "alone.bin", whole)
            yield

    def _size(self) -> int:
        file = self.folder / "alone.bin"
        return file.stat().st_size if file.exists() else 0

    def shares_of(self, record: Record) -> Any:
        if not record.size:
            return np.zeros(0, SHARE)
        file = self.folder / "alone.bin"
        return np.asarray(np.memmap(file, SHARE, "c", record.place, (record.size,)))

    def add(self, state: int, lead: int, low: float, high: float, shares: Any) -> None:
        head = np.array([(state, lead, low, high, len(shares), 0)], HEAD)
        head["check"] = _check(head[0], shares.tobytes())
        with (self.folder / "alone.bin").open("ab") as stream:
            stream.write(head.tobytes() + shares.tobytes())

    # -- the whole -----------------------------------------------------------------------

    def save_learning(self, iterations: int, regrets: Any, average: Any) -> None:
        self._write("learning.bin", np.array([iterations]), regrets, average)

    def load_learning(self, regrets: Any, average: Any, most: int) -> int:
        """Into these arrays; how many iterations it was. 0 if there is nothing."""
        file = self.folder / "learning.bin"
        if not file.exists():
            return 0
        if file.stat().st_size != 8 + 2 * len(regrets) * LEARNED.itemsize:
            raise KibitzError(f"{file}: {DAMAGED}")
        with file.open("rb") as stream:
            iterations = int(np.frombuffer(stream.read(8), np.int64)[0])
            if not 0 <= iterations <= most:
                raise KibitzError(f"{file}: {DAMAGED}")
            for array in (regrets, average):
                array[:] = np.fromfile(stream, LEARNED, len(array))
                if not np.isfinite(array.sum(dtype=np.float64)):
                    raise KibitzError(f"{file}: {DAMAGED}")
        return iterations

    def finish(self, shares: Any, tree: Tree, solution: dict[str, Any], enough: bool) -> None:
        """What was learned is not needed any more, if it is enough. A kill on the way leaves
        no solution that belongs to another play."""
        self.keep_tree(tree)
        told = json.dumps({**solution, ALONE: self._size()}, indent=2).encode()
        with atomic_stream(self.folder / "policy.bin") as stream:
            shares.tofile(stream)
            (self.folder / "solution.json").unlink(missing_ok=True)
        atomic_write({self.folder / "solution.json": told})
        if enough:
            (self.folder / "learning.bin").unlink(missing_ok=True)

    def keep_tree(self, tree: Tree) -> None:
        arrays = io.BytesIO()
        np.savez(arrays, **tree._asdict())
        atomic_write({self.folder / "tree.npz": arrays.getvalue()})

    def has_tree(self) -> bool:
        """Whether it can be played."""
        try:
            kept_in(self.folder)
        except KibitzError:
            return False
        return True

    def _write(self, name: str, *arrays: Any) -> None:
        """Whole or not at all. These can be too large to be copied first."""
        with atomic_stream(self.folder / name) as stream:
            for array in arrays:
                array.tofile(stream)

    def spend(self, seconds: float) -> None:
        """So long it has taken, with what was done before."""
        atomic_write({self.folder / "seconds": str(seconds).encode()})

    def spent(self) -> float:
        try:
            seconds = float((self.folder / "seconds").read_text())
        except (OSError, ValueError):
            return 0.0
        return seconds if 0 <= seconds < inf else 0.0

    def solution(self) -> dict[str, Any] | None:
        return solution_in(self.folder)

    def policy(self, size: int) -> Any:
        file = self.folder / "policy.bin"
        if not file.exists() or file.stat().st_size != size * SHARE.itemsize:
            raise KibitzError(f"{file}: {DAMAGED}")
        return np.asarray(np.memmap(file, SHARE, "c", 0, (size,))) if size else np.zeros(0, SHARE)


def solution_in(folder: Path) -> dict[str, Any] | None:
    found = _told(folder)
    return {key: found[key] for key in FOUND} if found else None


def _told(folder: Path) -> dict[str, Any]:
    """A solution as it was written; nothing if there is none."""
    file = folder / "solution.json"
    if not file.exists():
        return {}
    found = _read(file)
    if found.keys() | {ALONE} != FOUND | {ALONE} or not _makes_sense(found):
        raise KibitzError(f"{file}: {DAMAGED}")
    return found


def _makes_sense(found: dict[str, Any]) -> bool:
    if not all(type(number) in (int, float) for number in found.values()):
        return False
    counts = (number for name, number in found.items() if name not in ("low", "high"))
    return -1 <= found["low"] <= found["high"] <= 1 and all(0 <= n < inf for n in counts)


def is_solved(folder: Path) -> bool:
    return (folder / "solution.json").exists()


class Kept(NamedTuple):
    """What is needed to play a round that was solved."""

    tree: Tree
    opening: Place
    book: Book
    records: dict[tuple[int, int], Record]
    """By state and lead."""


def kept_in(folder: Path) -> Kept:
    try:
        with (folder / "tree.npz").open("rb") as stream, np.load(stream) as arrays:
            tree = Tree(**arrays)
        lead = _read(folder / "round.json")["round"][LEAD_OF_ROUND]
        book = Book(folder, _read(folder / "round.json")["round"], tree)
        records = {(record.state, record.lead): record for record in book.records(solved=True)}
        opening = Place(book.policy(int(tree.regrets[0])), 0, 0, lead)
    except (OSError, ValueError, LookupError, TypeError, EOFError, BadZipFile) as error:
        raise KibitzError(f"{folder}: {DAMAGED} ({error})") from None
    return Kept(tree, opening, book, records)


def line_of(folder: Path) -> Line:
    """The round from its beginning."""
    tree, opening, book, records = kept_in(folder)

    def alone(state: int, met: int) -> Any:
        if (state, met) not in records:
            raise KibitzError(f"{folder}: {MISSING}")
        return book.shares_of(records[state, met])

    return Line(tree, alone, opening)


def digest(tree: Tree) -> str:
    """Of the states and plays, in the order that the kept numbers have."""
    told = hashlib.blake2b(digest_size=10)
    for array in tree:
        told.update(np.ascontiguousarray(array).tobytes())
    return told.hexdigest()


def _read(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text())
    except (OSError, ValueError) as error:
        raise KibitzError(f"{file}: can't be read ({error}); delete the folder") from None
    if not isinstance(found, dict):
        raise KibitzError(f"{file}: {DAMAGED}")
    return found


def _check(head: Any, shares: bytes) -> int:
    return checksum(head.tobytes()[: -HEAD["check"].itemsize], shares)


@contextmanager
def _sole_writer(folder: Path) -> Iterator[None]:
    from filelock import FileLock, Timeout  # imported late: it takes as long as all the rest

    lock = FileLock(folder / "lock")
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise KibitzError(f"{folder}: somebody is solving this round now") from None
    try:
        yield
    finally:
        lock.release()
