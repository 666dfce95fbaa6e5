"""What a person sees while something compiles: a line on standard error, or on a terminal a
spinner with the time that it may take. It is a listener: see `compile_progress.py`."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from kibitz.jit.cache import print_once
from kibitz.jit.compile_time import in_words

if TYPE_CHECKING:
    from kibitz.jit.compile_progress import CompileProgress


class Spinner(Protocol):
    """A sign of life, as rich has one."""

    def start(self) -> None: ...

    def stop(self) -> None: ...


_screen = threading.RLock()
_spinners: list[Spinner] = []
"""Of others. They stand still while something compiles: two would write over each other."""
_own: Spinner | None = None
_shown = False


@contextmanager
def spinning(spinner: Spinner) -> Iterator[None]:
    """A spinner on standard error, but while something compiles."""
    with _screen:
        _spinners.append(spinner)
        if not _shown:
            spinner.start()
    try:
        yield
    finally:
        with _screen:
            _spinners.remove(spinner)
            spinner.stop()


def say(progress: CompileProgress) -> None:
    """Say "compiling, once" from the beginning to the end. The time goes on by itself."""
    if progress.stage == "begins":
        _begin(progress.expected)
    elif progress.stage == "ends":
        _end()


def _begin(expected: float) -> None:
    global _own, _shown
    with _screen:
        _shown = True
        for spinner in _spinners:
            spinner.stop()
        if sys.stderr.isatty():
            from rich.console import Console

            _own = Console(stderr=True).status(Waiting(expected))
            _own.start()
        else:
            print_once("compiling, once …")


def _end() -> None:
    global _own, _shown
    with _screen:
        if _own is not None:
            _own.stop()
        _own, _shown = None, False
        for spinner in _spinners:
            spinner.start()


class Waiting:
    """How long something may take, and how long it has; it changes on the screen."""

    def __init__(self, seconds: float) -> None:
        self._words = in_words(seconds)
        self._started = time.perf_counter()

    def __rich__(self) -> str:
        so_far = time.perf_counter() - self._started
        return f"compiling, once: {self._words}" + (
            f", {so_far:.0f} s so far" if so_far > 2 else ""
        )


def _start_alone() -> None:
    """In a process forked from one of whose threads another was writing."""
    global _screen
    _screen = threading.RLock()


os.register_at_fork(after_in_child=_start_alone)
