"""Ctrl-C, or a KeyboardInterrupt that somebody else's code has raised?"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Interrupted(KeyboardInterrupt):
    """The user has pressed Ctrl-C."""


def _interrupt(number: int, frame: Any) -> None:
    raise Interrupted


@contextmanager
def distinguish_interrupts() -> Iterator[None]:
    """Meanwhile Ctrl-C raises Interrupted, if it would raise KeyboardInterrupt else."""
    if not _is_usual():
        yield
        return
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def is_interrupt(error: BaseException) -> bool:
    """Whether it is the user who stops us. Where nobody tells, any KeyboardInterrupt is taken for
    one; but a worker process or another thread gets none."""
    return isinstance(error, Interrupted) or (isinstance(error, KeyboardInterrupt) and _is_usual())


def _is_usual() -> bool:
    main = threading.current_thread() is threading.main_thread()
    return main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
