"""Comparisons in processes of their own, which tests stop in the middle."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from kibitz.core.folders import cache_folder
from tests.processes import LIMIT, complaints, environment


def until(happened: Callable[[], Any], what: str) -> Any:
    """What it gives as soon as that is something: another process makes it so."""
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        if result := happened():
            return result
        time.sleep(0.02)
    raise AssertionError(f"{what} did not happen")


def start(
    *args: str | Path, home: Path, module: str = "kibitz", **changes: str
) -> subprocess.Popen[str]:
    """A command in a process group of its own."""
    env = environment(
        HOME=home, XDG_DATA_HOME=home / "data", KIBITZ_CACHE=cache_folder(), **changes
    )
    return subprocess.Popen(
        [sys.executable, "-m", module, *map(str, args)], env=env, cwd=home, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip


def stored_pairs(store: Path) -> int:
    """How many pairs a store has by now. By SQLite alone: it is asked again and again."""
    if not store.exists():
        return 0
    with closing(sqlite3.connect(store, timeout=LIMIT)) as database:
        ((pairs,),) = database.execute("SELECT coalesce(sum(pairs), 0) FROM part").fetchall()
        return int(pairs)


def group(number: int) -> list[int]:
    """The processes of a group that are still there, but for those that only wait to be read."""
    numbers = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == number and fields[0] != "Z":
                numbers.append(int(entry.name))
    return numbers


def gone(number: int) -> bool:
    return not group(number)


def document(process: subprocess.Popen[str]) -> dict[str, Any]:
    """What it printed, after a good end."""
    out, err = process.communicate(timeout=LIMIT)
    done = subprocess.CompletedProcess(process.args, process.returncode, out, err)
    assert (done.returncode, complaints(done)) == (0, [])
    document: dict[str, Any] = json.loads(out)
    return document


def without_seconds(document: dict[str, Any]) -> dict[str, Any]:
    """All but the time, which is never the same."""
    return {**document, "players": [{**player, "seconds": 0} for player in document["players"]]}
