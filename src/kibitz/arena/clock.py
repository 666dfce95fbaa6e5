"""A time limit for somebody else's code."""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

AGAIN = 0.5
"""Seconds after which whoever swallowed the first warning gets another."""


class TimedOut(BaseException):
    """No Exception: code that catches everything that may go wrong must not catch this."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimedOut when the block's time is over.

    A process's main thread is interrupted by a signal, which ends a sleep too; another thread
    at its next step in Python. Compiled code can't be interrupted: that it took too long is
    noticed when it returns.
    """
    started = time.perf_counter()
    main = threading.current_thread() is threading.main_thread()
    with _by_signal(seconds) if main and hasattr(signal, "setitimer") else _by_thread(seconds):
        yield
    if time.perf_counter() - started > seconds:
        raise TimedOut


@contextmanager
def _by_signal(seconds: float) -> Iterator[None]:
    def over(number: int, frame: Any) -> None:
        raise TimedOut

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _by_thread(seconds: float) -> Iterator[None]:
    thread = ctypes.c_ulong(threading.get_ident())
    ended = threading.Event()
    lock = threading.Lock()

    def watch() -> None:
        wait = seconds
        while not ended.wait(wait):
            with lock:
                if not ended.is_set():
                    error = ctypes.py_object(TimedOut)
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, error)
            wait = AGAIN

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        with lock:
            ended.set()
