"""A sign of life on standard error, if somebody looks at it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

SOON = 1.0
"""Seconds that nobody minds waiting."""


@contextmanager
def working(what: str) -> Iterator[Callable[[str], None]]:
    """A spinner; what it gives is told what is done now."""
    if not sys.stderr.isatty():
        yield lambda now: None
        return
    from rich.console import Console

    from kibitz.jit.cache import turning

    status = Console(stderr=True).status(f"{what} …")
    with turning(status):
        yield lambda now: status.update(f"{what}: {now} …")


@contextmanager
def thinking(what: str) -> Iterator[None]:
    """A spinner, but only if it takes long: one that flickers at every play is no help."""
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

    from kibitz.jit.cache import turning

    with turning(Console(stderr=True).status(f"{what} …")):
        done.wait()
