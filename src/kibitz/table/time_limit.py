"""A time limit for somebody else's code, and work that must not be interrupted."""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from kibitz.jit.cache import building_seconds

T = TypeVar("T")
AGAIN = 0.5
"""Seconds after which whoever swallowed the first warning gets another."""
SOON = 0.001
"""The least that a clock is set to: 0 would switch it off."""


class TimedOut(BaseException):
    """No Exception: code that catches everything that may go wrong must not catch this."""


def limited(seconds: float, work: Callable[[], T]) -> T:
    """What the work gives; TimedOut when its time is over.

    A process's main thread is interrupted by a signal, which ends a sleep too; another thread
    at its next step in Python. Compiled code can't be interrupted: that it took too long is
    noticed when it returns. The time that code takes to compile does not count.
    """
    end = time.perf_counter() - building_seconds() + seconds
    outer, _limits.seconds = allowed_seconds(), seconds

    def left() -> float:
        return end - (time.perf_counter() - building_seconds())

    main = threading.current_thread() is threading.main_thread()
    clock = _Alarm(left) if main and hasattr(signal, "setitimer") else _Watch(left)
    # No context manager: one that is interrupted as it begins to exit never does.
    try:
        try:
            clock.start()
            done = work()
        finally:
            clock.stop()  # which may be interrupted as well, but not twice
    finally:
        clock.stop()
        _limits.seconds = outer
    if left() < 0:
        raise TimedOut
    return done


_limits = threading.local()


def allowed_seconds() -> float | None:
    """How long the work that goes on in this thread may take in all; None: as long as it likes."""
    return getattr(_limits, "seconds", None)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C waits until the block has ended."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came and callable(before):
        before(came[0], None)


class _Alarm:
    """Interrupts by a signal."""

    def __init__(self, left: Callable[[], float]) -> None:
        self._left = left
        self._before = signal.getsignal(signal.SIGALRM)

    def start(self) -> None:
        signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, max(self._left(), SOON), AGAIN)

    def _ring(self, number: int, frame: Any) -> None:
        if (left := self._left()) > 0:
            signal.setitimer(signal.ITIMER_REAL, max(left, SOON), AGAIN)
            return
        while frame is not None:
            if frame.f_code.co_name == "__del__":
                return  # what is raised in there is printed and dropped; it rings again
            frame = frame.f_back
        raise TimedOut

    def stop(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._before)


class _Watch:
    """Interrupts from a thread of its own."""

    def __init__(self, left: Callable[[], float]) -> None:
        self._left = left
        self._watched = ctypes.c_ulong(threading.get_ident())
        self._ended = threading.Event()
        self._lock = threading.Lock()

    def start(self) -> None:
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        wait = self._left()
        while not self._ended.wait(max(wait, SOON)):
            wait = self._left()
            if wait > 0:
                continue
            with self._lock:
                if not self._ended.is_set():
                    self._interrupt(ctypes.py_object(TimedOut))
            wait = AGAIN

    def _interrupt(self, error: Any) -> None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(self._watched, error)

    def stop(self) -> None:
        with self._lock:
            self._ended.set()
        self._interrupt(None)  # what is still on its way is called back
