"""The files of a solution: so that it can go on, be verified, and be played.

A folder for each round:

    round.json      what is solved, and by which arrangement of plays
    alone.bin       the independent subgames, one record after the other, as they were solved
    seconds         how long all this has taken
    learning.bin    cumulative regrets and policy so far; gone when it is solved
    policy.bin      the average policy: probabilities as parts of 65535, two bytes each
    tree.npz        the public states and plays as arrays, to play without listing them again
    solution.json   bounds and figures, and how many bytes of alone.bin belong to it

A record cut short, as by a kill, is dropped; everything else is replaced in one step.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Iterable, Iterator
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
from kibitz.solvers.love_letter.public_line import LinePosition
from kibitz.solvers.love_letter.public_tree import PublicTree
from kibitz.solvers.love_letter.subgames import SolvedSubgame

SUBGAME_HEAD = np.dtype(
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
PROBABILITY = np.dtype(np.uint16)
SOLUTION_KEYS = {"low", "high", "iterations", "public_nodes", "seconds"}
"""Of solution.json."""
SUBGAME_BYTES = "bytes_alone"
"""A further key: how much of alone.bin it was made with. All, if it is missing."""
LEAD_OF_ROUND = 2
"""Its index in the round of round.json."""
CFR_NUMBER = np.dtype(np.float32)
FORMAT = 2
"""Of these files. Solutions of another one are in other folders."""


class StoredSubgame(NamedTuple):
    """A subgame in alone.bin: which, between which bounds, and where its policy begins."""

    state: int
    lead: int
    low: float
    high: float
    place: int
    size: int


def solution_folder(round_: Any) -> Path:
    """Where the solution of a round is stored."""
    name = hashlib.blake2b(repr((FORMAT, *round_)).encode(), digest_size=6).hexdigest()
    return cache_folder() / "equilibria" / f"{''.join(map(str, round_.unseen))}-{name}"


class SolutionFolder:
    """The folder of one round, made if it is not there."""

    def __init__(self, folder: Path, round_: Any, tree: PublicTree) -> None:
        self.path = folder
        self._sizes = tree.states["regrets"]
        self._stored: Any = None
        """alone.bin, mapped into memory."""
        about = {"round": json.loads(json.dumps(round_)), "plays": digest(tree)}
        file = folder / "round.json"
        if not file.exists():
            atomic_write({file: json.dumps(about, indent=2).encode()})
        elif _read(file) != about:
            raise KibitzError(
                f"{folder}: stored by another version of Kibitz; delete it to solve anew"
            )

    # -- independent subgames ------------------------------------------------------------

    def subgames(self, solved: bool = False) -> Iterator[StoredSubgame]:
        """All up to a record that was cut short, or is none of this round. `solved`: just those
        that belong to the solution; a finer one may have been begun since."""
        file = self.path / "alone.bin"
        end = _load_solution(self.path).get(SUBGAME_BYTES, inf) if solved else inf
        if not file.exists():
            return
        with file.open("rb") as stream:
            while len(content := stream.read(SUBGAME_HEAD.itemsize)) == SUBGAME_HEAD.itemsize:
                head = np.frombuffer(content, SUBGAME_HEAD)[0]
                state, place, size = int(head["state"]), stream.tell(), int(head["size"])
                if not 0 <= state < len(self._sizes) or size != self._sizes[state]:
                    return
                policy = stream.read(size * PROBABILITY.itemsize)
                if len(policy) < size * PROBABILITY.itemsize or head["check"] != _check(
                    head, policy
                ):
                    return
                if stream.tell() > end:
                    return
                low, high = float(head["low"]), float(head["high"])
                yield StoredSubgame(state, int(head["lead"]), low, high, place, size)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else may write meanwhile. A record that was cut short is removed."""
        with _sole_writer(self.path):
            for left in self.path.glob(".*.tmp"):
                left.unlink()
            whole = max(
                (s.place + s.size * PROBABILITY.itemsize for s in self.subgames()), default=0
            )
            if self._size():
                os.truncate(self.path / "alone.bin", whole)
            yield

    def _size(self) -> int:
        file = self.path / "alone.bin"
        return file.stat().st_size if file.exists() else 0

    def policy_of(self, subgame: StoredSubgame) -> Any:
        if not subgame.size:
            return np.zeros(0, PROBABILITY)
        end = subgame.place + subgame.size * PROBABILITY.itemsize
        if self._stored is None or len(self._stored) < end:  # one map: files open at once are few
            self._stored = np.memmap(self.path / "alone.bin", np.uint8, "c")
        return np.asarray(self._stored[subgame.place : end]).view(PROBABILITY)

    def add_subgames(self, solved: Iterable[SolvedSubgame]) -> None:
        with (self.path / "alone.bin").open("ab") as stream:
            for which, low, high, _, policy in solved:
                head = np.array([(*which, low, high, len(policy), 0)], SUBGAME_HEAD)
                head["check"] = _check(head[0], policy.tobytes())
                stream.write(head.tobytes() + policy.tobytes())

    # -- the whole -----------------------------------------------------------------------

    def save_cfr(self, iterations: tuple[int, int], regrets: Any, average: Any) -> None:
        """`iterations`: so many were done; after how many the bounds are computed next."""
        self._write("learning.bin", np.array(iterations), regrets, average)

    def load_cfr(self, regrets: Any, average: Any, most: int) -> tuple[int, int] | None:
        """Into these arrays; returns the iterations as above. None if there is no file."""
        file = self.path / "learning.bin"
        if not file.exists():
            return None
        if file.stat().st_size != 16 + 2 * len(regrets) * CFR_NUMBER.itemsize:
            raise KibitzError(f"{file}: {DAMAGED}")
        with file.open("rb") as stream:
            done, look = (int(n) for n in np.frombuffer(stream.read(16), np.int64))
            if not (0 <= done <= most and 0 <= look <= most):
                raise KibitzError(f"{file}: {DAMAGED}")
            for array in (regrets, average):
                stream.readinto(array.view(np.uint8))
                if not np.isfinite(array.sum(dtype=np.float64)):
                    raise KibitzError(f"{file}: {DAMAGED}")
        return done, look

    def save_solution(
        self, policy: Any, tree: PublicTree, solution: dict[str, Any], enough: bool
    ) -> None:
        """If the solution is good enough, the tables of CFR+ are not needed any more. A kill on the
        way leaves no solution.json that belongs to another policy."""
        self.save_tree(tree)
        content = json.dumps({**solution, SUBGAME_BYTES: self._size()}, indent=2).encode()
        with atomic_stream(self.path / "policy.bin") as stream:
            policy.tofile(stream)
            (self.path / "solution.json").unlink(missing_ok=True)
        atomic_write({self.path / "solution.json": content})
        if enough:
            (self.path / "learning.bin").unlink(missing_ok=True)

    def save_tree(self, tree: PublicTree) -> None:
        arrays = io.BytesIO()
        np.savez(arrays, **tree._asdict())
        atomic_write({self.path / "tree.npz": arrays.getvalue()})

    def is_playable(self) -> bool:
        """Whether it can be played."""
        try:
            load_solution(self.path)
        except KibitzError:
            return False
        return True

    def _write(self, name: str, *arrays: Any) -> None:
        """Atomically. These arrays can be too large to be copied first."""
        with atomic_stream(self.path / name) as stream:
            for array in arrays:
                array.tofile(stream)

    def save_seconds(self, seconds: float) -> None:
        """How long it has taken so far, with earlier runs."""
        atomic_write({self.path / "seconds": str(seconds).encode()})

    def load_seconds(self) -> float:
        try:
            seconds = float((self.path / "seconds").read_text())
        except (OSError, ValueError):
            return 0.0
        return seconds if 0 <= seconds < inf else 0.0

    def solution(self) -> dict[str, Any] | None:
        return stored_solution(self.path)

    def root_policy(self, size: int) -> Any:
        """Of the whole round."""
        file = self.path / "policy.bin"
        if not file.exists() or file.stat().st_size != size * PROBABILITY.itemsize:
            raise KibitzError(f"{file}: {DAMAGED}")
        return (
            np.asarray(np.memmap(file, PROBABILITY, "c", 0, (size,)))
            if size
            else np.zeros(0, PROBABILITY)
        )


def stored_solution(folder: Path) -> dict[str, Any] | None:
    content = _load_solution(folder)
    return {key: content[key] for key in SOLUTION_KEYS} if content else None


def _load_solution(folder: Path) -> dict[str, Any]:
    """solution.json, if there is one."""
    file = folder / "solution.json"
    if not file.exists():
        return {}
    content = _read(file)
    if content.keys() | {SUBGAME_BYTES} != SOLUTION_KEYS | {SUBGAME_BYTES} or not _is_sound(
        content
    ):
        raise KibitzError(f"{file}: {DAMAGED}")
    return content


def _is_sound(content: dict[str, Any]) -> bool:
    if not all(type(number) in (int, float) for number in content.values()):
        return False
    counts = (number for name, number in content.items() if name not in ("low", "high"))
    return -1 <= content["low"] <= content["high"] <= 1 and all(0 <= n < inf for n in counts)


def is_solved(folder: Path) -> bool:
    return (folder / "solution.json").exists()


class StoredSolution(NamedTuple):
    """What is needed to play a round that was solved."""

    tree: PublicTree
    opening: LinePosition
    files: SolutionFolder
    subgames: dict[tuple[int, int], StoredSubgame]
    """By state and lead."""


def load_solution(folder: Path) -> StoredSolution:
    try:
        with (folder / "tree.npz").open("rb") as stream, np.load(stream) as arrays:
            tree = PublicTree(*(arrays[name] for name in PublicTree._fields))
        lead = _read(folder / "round.json")["round"][LEAD_OF_ROUND]
        files = SolutionFolder(folder, _read(folder / "round.json")["round"], tree)
        subgames = {
            (subgame.state, subgame.lead): subgame for subgame in files.subgames(solved=True)
        }
        opening = LinePosition(files.root_policy(int(tree.states[0]["regrets"])), 0, 0, lead)
    except (OSError, ValueError, LookupError, TypeError, EOFError, BadZipFile) as error:
        raise KibitzError(f"{folder}: {DAMAGED} ({error})") from None
    return StoredSolution(tree, opening, files, subgames)


def digest(tree: PublicTree) -> str:
    """Of the states and plays, in the order that the stored numbers have."""
    hashed = hashlib.blake2b(digest_size=10)
    for array in tree:
        hashed.update(np.ascontiguousarray(array).tobytes())
    return hashed.hexdigest()


def _read(file: Path) -> dict[str, Any]:
    try:
        content = json.loads(file.read_text())
    except (OSError, ValueError) as error:
        raise KibitzError(f"{file}: can't be read ({error}); delete the folder") from None
    if not isinstance(content, dict):
        raise KibitzError(f"{file}: {DAMAGED}")
    return content


def _check(head: Any, policy: bytes) -> int:
    return checksum(head.tobytes()[: -SUBGAME_HEAD["check"].itemsize], policy)


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
