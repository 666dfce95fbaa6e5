"""How long a compiled decision takes. One is too short for a clock, and to read the clock at
every decision of a game would cost more than most decisions do. So a sample of decisions is made
again, many at a time.

The result is the processor's time of this thread, whatever else the machine does. It leaves out
what it takes to compile, to load machine code and to fill the caches.
"""

from __future__ import annotations

import time
from collections.abc import Callable

FEW, MANY = 10, 50
"""Sampled views. With fewer than a few nothing is measured. The processor's branch prediction
learns a few by heart, so quick decisions need many."""
SLOW = 1e-4
"""Seconds. For decisions that take longer, a few views are enough."""
CHUNK = 0.001
"""Seconds of decisions between two readings of the clock, at least."""
AT_ONCE, ENOUGH = 0.005, 0.1
"""Seconds to measure at once, and in all."""
GROWTH = 4
"""With so many times as many views as before, measuring begins again."""


class Stopwatch:
    """Measures the decisions of one strategy, a little after each part."""

    def __init__(self, decide: Callable[[int, int, int], object]) -> None:
        """`decide(views, start, end)` makes decisions number start to end − 1, on the first so
        many sampled views in turn."""
        self._decide = decide
        self._views = 0
        self._chunk = 1
        self._decisions = 0
        self._seconds = 0.0
        self._is_compiled = False
        self.spent = 0.0
        """Seconds that measuring has taken so far, but for what it took to compile."""

    @property
    def seconds_per_decision(self) -> float:
        """0 as long as nobody can say."""
        mean = self._seconds / max(self._decisions, 1)
        return mean if self._views >= MANY or mean >= SLOW else 0.0

    def measure(self, views: int) -> None:
        """Measure a little more, on so many sampled views, unless it is enough already."""
        if views < FEW:
            return
        if views >= GROWTH * self._views or self._views < MANY <= views:
            self._views, self._decisions, self._seconds = views, 0, 0.0
        if not self._is_compiled:
            self._decide(views, 0, 1)
            self._is_compiled = True
        end = min(self._seconds + AT_ONCE, ENOUGH)
        while self._seconds < end:
            taken = self._time_chunk()
            if taken < CHUNK:  # the first times it is too short to count, and caches fill
                self._chunk *= GROWTH
            else:
                self._decisions += self._chunk
                self._seconds += taken

    def _time_chunk(self) -> float:
        started = time.thread_time()
        self._decide(self._views, self._decisions, self._decisions + self._chunk)
        taken = time.thread_time() - started
        self.spent += taken
        return taken
