"""Results that are stored as they come: one a line in a file, on the disk before the next begins.

A line says of what it is, so that one file serves several seeds and sizes. A line that was cut
off by a kill is written anew.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from kibitz.core.errors import BadText, KibitzError

DAMAGED = "damaged, or not such a file; move it away to begin again"
Key = tuple[Any, ...]


class OpenDeckResults(Protocol):
    """Where results are, by key."""

    def get(self, *key: Any) -> Any:
        """The stored result, or None."""

    def add(self, *key: Any, result: Any) -> Any:
        """Store a result; it is returned as it will be read again."""


class ResultsInMemory:
    """What is known, and what was added to it: for a process that does not have the file."""

    def __init__(self, known: Mapping[Key, Any]) -> None:
        self._known = dict(known)
        self.added: list[tuple[Key, Any]] = []

    def get(self, *key: Any) -> Any:
        return self._known.get(key)

    def add(self, *key: Any, result: Any) -> Any:
        self._known[key] = json.loads(json.dumps(result))
        self.added.append((key, self._known[key]))
        return self._known[key]


class ResultsFile:
    """The results of one study in a file; others in it are left alone."""

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        self.path, self._about = path, dict(about)
        self._results: dict[Key, Any] = {}
        for line in _lines(path):
            if line["about"] == self._about:
                self._results[tuple(line["key"])] = line["found"]

    def get(self, *key: Any) -> Any:
        """The stored result, or None."""
        return self._results.get(key)

    def add(self, *key: Any, result: Any) -> Any:
        """Store a result; it is returned as it will be read again."""
        line = json.dumps(
            {"about": self._about, "key": key, "found": result}, ensure_ascii=False, allow_nan=False
        )
        try:
            with self.path.open("a+b") as file:
                _cut_off_rest(file)
                file.write(f"{line}\n".encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise KibitzError(f"{self.path}: {error.strerror}") from error
        self._results[key] = json.loads(line)["found"]
        return self._results[key]


def check(path: Path) -> None:
    """Refuse a file that is none of ours."""
    for _ in _lines(path):
        pass


def _lines(path: Path) -> list[dict[str, Any]]:
    if path.exists() and not path.is_file():
        raise BadText(f"{path}: not a file")
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise BadText(f"{path}: {error.strerror}") from error
    *whole, rest = content.split(b"\n")
    if rest and not rest.startswith(b'{"about": '[: len(rest)]):
        raise BadText(f"{path}: {DAMAGED}")
    try:
        lines = [json.loads(line) for line in whole]
    except ValueError:
        raise BadText(f"{path}: {DAMAGED}") from None
    if not all(isinstance(line, dict) and set(line) == {"about", "key", "found"} for line in lines):
        raise BadText(f"{path}: {DAMAGED}")
    return lines


def _cut_off_rest(file: Any) -> None:
    """Of a line without an end."""
    file.seek(0)
    file.truncate(file.read().rfind(b"\n") + 1)
