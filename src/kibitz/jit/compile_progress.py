"""Who wants to know when something compiles: listeners, and what they get.

    stop = listen(lambda progress: print(progress.stage, progress.what, progress.expected))
    …
    stop()

A listener is called when compiling begins, about once a second while it goes on, and when it
ends. Begin and end come from the thread that compiles, the rest from another; never two at once.
It should be quick, and must not call a kernel: the compiler waits for it. One that raises is told
so by a warning, and nothing else happens. One message is always there: `compile_message.py`.
"""

from __future__ import annotations

import os
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from kibitz.jit.cache import usable_folder
from kibitz.jit.compile_message import say
from kibitz.jit.compile_time import expected_seconds, timed

if TYPE_CHECKING:
    from kibitz.jit.kernels import Kernel

EVERY = 1.0
"""Seconds between two calls while it goes on."""
PATIENCE = 1.0
"""Seconds that the compiler waits for a listener at the end."""


class CompileStage(StrEnum):
    BEGINS = "begins"
    GOES_ON = "goes on"
    ENDS = "ends"


class CompileProgress(NamedTuple):
    """What a listener gets."""

    stage: CompileStage
    what: str
    """The kernel's name; what it calls is compiled with it."""
    expected: float
    """Seconds that it may take in all: a guess (`compile_time.py`)."""
    seconds: float
    """So far."""


Listener = Callable[[CompileProgress], None]

_lock = threading.Lock()
_listeners: list[Listener] = [say]
_compiling = False


def listen(listener: Listener) -> Callable[[], None]:
    """Let a function be called from now on, until what is returned is called."""
    with _lock:
        _listeners.append(listener)

    def stop() -> None:
        with _lock:
            if listener in _listeners:
                _listeners.remove(listener)

    return stop


@contextmanager
def compiling(what: Kernel) -> Iterator[None]:
    """Meanwhile it compiles: the listeners are called. One thread at a time does so (see
    `cache.building`); kernels that this one calls are a part of it."""
    global _compiling
    if _compiling:
        yield
        return
    estimate = expected_seconds(what, usable_folder())
    started, done = time.perf_counter(), threading.Event()

    def tell(stage: CompileStage) -> None:
        seconds = time.perf_counter() - started
        _tell(CompileProgress(stage, what.name, estimate, seconds))

    def go_on() -> None:
        while not done.wait(EVERY):
            tell(CompileStage.GOES_ON)

    _compiling = True
    clock = threading.Thread(target=go_on, daemon=True)
    try:
        tell(CompileStage.BEGINS)
        clock.start()
        with timed(what, estimate):
            yield
    finally:
        done.set()
        if clock.ident is not None:
            clock.join(PATIENCE)
        _compiling = False
        tell(CompileStage.ENDS)


def _tell(progress: CompileProgress) -> None:
    with _lock:
        listeners = tuple(_listeners)
    for listener in listeners:
        try:
            listener(progress)
        except Exception as error:
            warnings.warn(f"a listener to the compiler failed: {error!r}", stacklevel=2)


def _start_alone() -> None:
    """In a forked process: the listeners are the other one's."""
    global _lock, _compiling
    _lock, _compiling = threading.Lock(), False
    _listeners[:] = [say]


os.register_at_fork(after_in_child=_start_alone)
