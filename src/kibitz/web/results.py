"""What was found out: stores of `compare`, pages that Kibitz wrote, the table of solved rounds.

Read only. The folder is looked through for files that are surely ours, one level deep; they are
called by ids, which tell nothing of their paths. A page is shown in a sandbox, whoever wrote it.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kibitz.core.errors import KibitzError
from kibitz.web.errors import not_found
from kibitz.web.keys import Keys

MOST_FILES = 2000
"""Files that are looked at."""
MOST_BYTES = 20 << 20
"""Of a page or a picture."""
HEAD = 2000
"""Bytes at the beginning of a file that say whose it is."""
GENERATOR = b'<meta name="generator" content="Kibitz">'
STORE_MARK = b"Kbtz"
BESIDE = re.compile(r"(?:[\w-]+_files/)?[\w-]+\.(?:svg|png)")
"""Pictures that a page links to."""
KINDS = {".html": "text/html; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png"}
RECENTLY = 300.0
"""Seconds since the last part of a run that goes on: a part is a minute of play or so."""


class Results:
    """The files below a folder that are ours. Called by one worker at a time."""

    def __init__(self, folder: Path, keys: Keys) -> None:
        self.folder = folder
        self.keys = keys
        self._paths: dict[str, Path] = {}
        self._runs: dict[Path, tuple[float, list[dict[str, Any]]]] = {}
        """What stores have, and when they were written when they were read."""
        self._grown: dict[tuple[Path, int], float] = {}
        """When a run had more pairs than before, on a clock of this process."""

    def listed(self) -> dict[str, Any]:
        """All of them, the latest first."""
        stores: list[dict[str, Any]] = []
        pages: list[dict[str, Any]] = []
        self._paths.clear()
        for path in self._files():
            try:
                head = _head(path)
                if path.suffix == ".html" and GENERATOR in head:
                    pages.append(self._page(path, head))
                elif head[:15] == b"SQLite format 3" and head[68:72] == STORE_MARK:
                    stores.append(self._store(path))
            except (OSError, KibitzError):
                continue  # it is gone, or damaged
        for rows in (stores, pages):
            rows.sort(key=lambda row: -row["changed"])
        return {"stores": stores, "pages": pages}

    def _files(self) -> Iterator[Path]:
        """Plain files in the folder and in those right below it; no links out of it."""
        left = MOST_FILES
        folders = [self.folder]
        while folders and left > 0:
            folder = folders.pop(0)
            try:
                entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            except OSError:
                continue
            for entry in entries[:left]:
                left -= 1
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False) and folder == self.folder:
                    folders.append(Path(entry.path))
                elif entry.is_file(follow_symlinks=False):
                    yield Path(entry.path)

    def _id(self, path: Path) -> str:
        id_ = self.keys.thing(str(path))
        self._paths[id_] = path
        return id_

    def _path(self, id_: str) -> Path:
        """Whoever has an id has got it from a list that this server gave."""
        if id_ not in self._paths:
            raise not_found("result")
        return self._paths[id_]

    # -- pages -----------------------------------------------------------------------------------

    def _page(self, path: Path, head: bytes) -> dict[str, Any]:
        title = re.search(rb"<title>([^<]*)</title>", head)
        id_ = self._id(path)
        return {
            "id": id_, "name": str(path.relative_to(self.folder)),
            "title": title[1].decode(errors="replace") if title else path.stem,
            "changed": path.stat().st_mtime, "href": f"/results/{id_}/",
        }  # fmt: skip

    def page(self, id_: str, beside: str) -> tuple[str, bytes]:
        """A page, or a picture that it links to: its kind and content."""
        path = self._path(id_)
        if path.suffix != ".html":
            raise not_found("page")
        if beside:
            if not BESIDE.fullmatch(beside):
                raise not_found("picture")
            path = path.parent / beside
            if not path.is_file() or path.is_symlink() or path.parent.is_symlink():
                raise not_found("picture")
        if path.stat().st_size > MOST_BYTES:
            raise not_found("page of a size that can be shown")
        return KINDS[path.suffix], path.read_bytes()

    # -- stores ----------------------------------------------------------------------------------

    def _store(self, path: Path) -> dict[str, Any]:
        runs = self._read(path)
        goes_on = _goes_on(path)
        return {
            "id": self._id(path), "name": str(path.relative_to(self.folder)),
            "changed": _changed(path),
            "runs": [
                {**run, "going_on": goes_on and self._is_growing(path, run["run"])}
                for run in runs
            ],
        }  # fmt: skip

    def _read(self, path: Path) -> list[dict[str, Any]]:
        """The runs of a store, read again if it was written to. One that is just being written
        may look damaged for a moment: then what it had before."""
        changed = _changed(path)
        known = self._runs.get(path)
        if known is not None and known[0] == changed:
            return known[1]
        try:
            runs = _runs(path)
        except KibitzError:
            if known is None:
                raise
            return known[1]
        if known is not None:
            before = {run["run"]: run["pairs"] for run in known[1]}
            for run in runs:
                if run["pairs"] != before.get(run["run"]):
                    self._grown[path, run["run"]] = time.monotonic()
        self._runs[path] = changed, runs
        return runs

    def _is_growing(self, path: Path, run: int) -> bool:
        """Of a store that is written to: the runs that grow, or the last one as long as none has
        been seen to."""
        limit = time.monotonic() - RECENTLY
        grown = [number for (where, number), when in self._grown.items()
                 if where == path and when > limit]  # fmt: skip
        return run in grown if grown else run == self._runs[path][1][-1]["run"]

    def store(self, id_: str) -> Path:
        """Where a store is: for our own processes."""
        path = self._path(id_)
        if path.suffix == ".html":
            raise not_found("store")
        return path

    def run(self, id_: str, number: int) -> dict[str, Any]:
        """The figures of a run, as far as it is."""
        from kibitz.arena.store.store import Store
        from kibitz.arena.store.stored_run import (
            comparison_of,
            find_run,
            players_in_files,
            verdict_rows,
        )
        from kibitz.core.code_file import is_file

        path = self.store(id_)
        with Store(path, create=False) as opened:
            if number not in [run.id for run in opened.runs()]:
                raise not_found("run")
            run = find_run(opened, number)
            if is_file(run.plan.game) or players_in_files(run):
                raise not_found("run whose game and players are all of the catalogue")
            document = comparison_of(opened, run).document()
        self._read(path)
        return {
            **document, "until_clear": verdict_rows(run), "done": run.pairs,
            "going_on": _goes_on(path) and self._is_growing(path, number),
        }  # fmt: skip


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(HEAD)


def _changed(path: Path) -> float:
    """When a store was written to: its log may be younger than itself."""
    times = [path.stat().st_mtime]
    log = path.with_name(path.name + "-wal")
    if log.exists():
        times.append(log.stat().st_mtime)
    return max(times)


def _goes_on(path: Path) -> bool:
    log = path.with_name(path.name + "-wal")
    return log.exists() and time.time() - _changed(path) < RECENTLY


def _runs(path: Path) -> list[dict[str, Any]]:
    from kibitz.arena.store.store import Store

    with Store(path, create=False) as opened:
        return [
            {
                "run": run.id, "begun": run.created, "game": run.plan.game,
                "seed": str(run.plan.seed), "unit": run.plan.unit, "pairs": run.pairs,
                "players": list(run.plan.players),
            }
            for run in opened.runs()
        ]  # fmt: skip


def solved_rounds() -> dict[str, Any]:
    """The rounds of Love Letter whose values are known: by the books, and by the user's table."""
    from kibitz.games.love_letter.cards import NAMES
    from kibitz.solvers.love_letter.book import BOOK_DECK, book_folders, load_book
    from kibitz.solvers.love_letter.results_table import ResultsTable, user_table

    rows: dict[str, list[Any]] = {}
    without = ""
    for folder in reversed(book_folders()):
        for file in sorted(folder.glob("*.book")):
            try:
                book = load_book(file)
            except KibitzError:
                continue
            face_up = " ".join(NAMES[card] for card in book.header["face_up"])
            low, high = book.header["value"]
            rows[face_up] = [face_up, low, high, (high - low) / 2]
    try:
        own = ResultsTable(user_table()).rows(BOOK_DECK)
    except KibitzError:
        own, without = {}, " The table in the user's folder can't be read: its rounds are left out."
    for name, row in own.items():
        if name not in rows or row.epsilon < rows[name][3]:
            rows[name] = [name, row.low, row.high, row.epsilon]
    return {
        "columns": ["face up", "at least", "at most", "epsilon"],
        "rows": [rows[name] for name in sorted(rows)],
        "about": "Two players' Love Letter, one round, by the three cards face up: between which"
        " bounds lies what the first mover wins, from −1 to 1, if both play their best." + without,
    }
