"""The JIT cache: machine code on disk, so that nothing is compiled twice.

A folder that can't be written, or files that are damaged, cost time and nothing else: see
sealed_files.py.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kibitz.core.folders import cache_folder

KEEP_UNUSED_DAYS = 30


_folders: dict[Path, bool] = {}


def _code_folder() -> Path:
    return cache_folder() / "machine-code"


def usable_folder() -> Path | None:
    """The folder, or None if it can't be written: then we do without."""
    folder = _code_folder()
    if folder not in _folders:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            probe = folder / f".probe-{os.getpid()}"
            probe.write_bytes(b"")
            probe.unlink()
            _prune(folder)
            _folders[folder] = True
        except OSError as error:
            _folders[folder] = False
            print_once(f"compiling without a cache: {error}")
    return folder if _folders[folder] else None


def _prune(folder: Path) -> None:
    """Remove machine code that has not been read for a month: old versions leave it behind."""
    limit = time.time() - KEEP_UNUSED_DAYS * 86400
    for file in folder.rglob("*.nb[ci]"):
        with suppress(OSError):
            stat = file.stat()
            if max(stat.st_atime, stat.st_mtime) < limit:
                file.unlink()


def is_cache_error(error: BaseException) -> bool:
    """Whether an error was raised while reading or writing machine code on disk."""
    frame = error.__traceback__
    while frame is not None:
        if frame.tb_frame.f_code.co_filename.replace("\\", "/").endswith("numba/core/caching.py"):
            return True
        frame = frame.tb_next
    return False


def clear(why: str) -> None:
    """Delete all of it: something in it is damaged."""
    print_once(f"the machine code on disk is damaged and is made anew: {why}")
    for file in _code_folder().rglob("*.nb[ci]"):
        with suppress(OSError):
            file.unlink()


def disable(why: str) -> None:
    """Compile without a cache from now on."""
    _folders[_code_folder()] = False
    print_once(f"compiling without a cache: {why}")


_printed: set[str] = set()


def print_once(line: str) -> None:
    if line not in _printed:
        _printed.add(line)
        print(f"kibitz: {' '.join(line.split())}", file=sys.stderr)


_builder = threading.RLock()
_building = 0
_built_in, _building_since = 0.0, 0.0
_tidying = False


@contextmanager
def building() -> Iterator[None]:
    """Meanwhile code is compiled or read: see building_seconds. One thread does so at a time,
    that no other finds what is half made. Python does not look for garbage: a compiler makes
    many things and little garbage, and looking takes a tenth of its time."""
    global _building, _built_in, _building_since, _tidying
    with _builder:
        if _building == 0:
            _building_since = time.perf_counter()
            _tidying = gc.isenabled()
            gc.disable()
        _building += 1
        try:
            yield
        finally:
            _building -= 1
            if _building == 0:
                _built_in += time.perf_counter() - _building_since
                if _tidying:
                    gc.enable()


def _start_alone() -> None:
    """In a process forked from one of whose threads another was building."""
    global _builder, _building
    if _building and _tidying:
        gc.enable()
    _builder, _building = threading.RLock(), 0


os.register_at_fork(after_in_child=_start_alone)


def building_seconds() -> float:
    """How long this process has compiled and read machine code so far: who has to decide in a
    given time is not to blame for it."""
    now = time.perf_counter() - _building_since if _building else 0.0
    return _built_in + now
