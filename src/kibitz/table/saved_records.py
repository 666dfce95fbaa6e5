"""The files of records in a folder: the games that persons have left or finished there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kibitz.core.errors import BadText
from kibitz.table.record import Record, read_records


@dataclass(frozen=True)
class SavedRecords:
    """A game, or a match, in a file of its own."""

    path: Path
    records: tuple[Record, ...]
    when: float
    """Seconds of the clock when the last play was made."""


def saved_records(folder: Path, most: int | None = None) -> list[SavedRecords]:
    """Those in a folder, the latest first, at most so many. What can't be read is left out."""
    found: list[tuple[float, Path]] = []
    for path in folder.glob("*.jsonl"):
        try:
            if path.is_file():
                found.append((path.stat().st_mtime, path))
        except OSError:
            continue
    saved = []
    for when, path in sorted(found, reverse=True)[:most]:
        try:
            saved.append(SavedRecords(path, tuple(read_records(path)), when))
        except (OSError, BadText):
            continue
    return saved
