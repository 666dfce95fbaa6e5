"""Progress on standard error, if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

SOON = 1.0
"""Seconds that nobody minds waiting."""


@contextmanager
def show_progress(what: str) -> Iterator[Callable[[str], None]]:
    """A spinner. What it yields is a function: call it with what is done now."""
    if not sys.stderr.isatty():
        yield lambda now: None
        return
    from rich.console import Console

    from kibitz.jit.compile_message import spinning

    status = Console(stderr=True).status(f"{what} …")
    with spinning(status):
        yield lambda now: status.update(f"{what}: {now} …")


@contextmanager
def spinner_if_slow(what: str) -> Iterator[None]:
    """A spinner that appears after a second: one that flickers at every play is no help."""
    if not sys.stderr.isatty():
        yield
        return
    done = Event()
    spinner = Thread(target=_spin, args=(what, done), daemon=True)
    spinner.start()
    try:
        yield
    finally:
        done.set()
        spinner.join()


def _spin(what: str, done: Event) -> None:
    if done.wait(SOON):
        return
    from rich.console import Console

    from kibitz.jit.compile_message import spinning

    with spinning(Console(stderr=True).status(f"{what} …")):
        done.wait()
