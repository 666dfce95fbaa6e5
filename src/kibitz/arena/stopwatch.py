"""How long a compiled decision takes. One is too short for a clock, and a look at the clock at
every decision of a game would cost more than most: so views are kept, and decided on again.

What is told is the processor's time of this thread, whatever else the machine does, without what
it takes to compile, to read machine code and to fill the caches.
"""

from __future__ import annotations

import time
from collections.abc import Callable

FEW, MANY = 10, 50
"""Kept views. With fewer than a few nothing is measured. The processor learns a few by heart, so
quick decisions need many."""
SLOW = 1e-4
"""Seconds. A decision that takes longer is told from a few views."""
CHUNK = 0.001
"""Seconds that decisions take between two looks at the clock, at least."""
AT_ONCE, ENOUGH = 0.005, 0.1
"""Seconds to measure at once, and in all."""
GROWTH = 4
"""Views that are so many times as many are worth beginning again."""


class Stopwatch:
    """Measures one strategy, a little after each part."""

    def __init__(self, decide: Callable[[int, int, int], object]) -> None:
        """`decide(views, start, end)` makes decisions number start to end − 1, on as many views
        as are kept, in turn."""
        self._decide = decide
        self._views = 0
        self._chunk = 1
        self._decisions = 0
        self._seconds = 0.0
        self._warm = False
        self.spent = 0.0
        """Seconds that measuring has taken so far, but for what it took to compile."""

    @property
    def cost(self) -> float:
        """Seconds a decision; 0 as long as nobody can say."""
        cost = self._seconds / max(self._decisions, 1)
        return cost if self._views >= MANY or cost >= SLOW else 0.0

    def go_on(self, views: int) -> None:
        """Measure on so many kept views, if more is to be learnt."""
        if views < FEW:
            return
        if views >= GROWTH * self._views or self._views < MANY <= views:
            self._views, self._decisions, self._seconds = views, 0, 0.0
        if not self._warm:
            self._decide(views, 0, 1)  # compiles
            self._warm = True
        end = min(self._seconds + AT_ONCE, ENOUGH)
        while self._seconds < end:
            taken = self._time()
            if taken < CHUNK:  # the first times it is too short to tell, and caches fill
                self._chunk *= GROWTH
            else:
                self._decisions += self._chunk
                self._seconds += taken

    def _time(self) -> float:
        started = time.thread_time()
        self._decide(self._views, self._decisions, self._decisions + self._chunk)
        taken = time.thread_time() - started
        self.spent += taken
        return taken
