"""Threads for play. Kernels run without the lock of Python, so the server answers meanwhile.

One thread does what persons ask for, in milliseconds; another one thinks for all opponents. So no
person waits for somebody else's opponent, and how soon a person is answered says nothing about what
an opponent is thinking.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from kibitz.web.errors import too_busy

T = TypeVar("T")
MOST_WAITING = 300
"""Calls that wait for a thread."""


class Worker:
    """One thread, with a queue that is not endless."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._waiting = 0

    async def run(self, function: Callable[..., T], *args: Any) -> T:
        """What the function gives, called in the thread. Whoever gives up waiting does not stop
        it: what was begun ends before the next."""
        if self._waiting >= MOST_WAITING:
            raise too_busy()
        self._waiting += 1
        try:
            call = asyncio.get_running_loop().run_in_executor(self._thread, function, *args)
            return await asyncio.shield(call)
        finally:
            self._waiting -= 1

    def stop(self) -> None:
        """Nothing new is begun."""
        self._thread.shutdown(wait=False, cancel_futures=True)
