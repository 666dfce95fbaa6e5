"""A run: all line-ups of a comparison, cut into parts, played by workers, and counted.

Which parts there are, who plays them and in which order they come back makes no difference to
what they add up to.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from typing import Any

from kibitz.arena.pair_sums import PairSums
from kibitz.arena.plan import Part, Plan, PlayedPart
from kibitz.arena.play_part import play_part
from kibitz.arena.statistics.sequential import Verdict, judge
from kibitz.arena.store.store import Store
from kibitz.arena.tally import SHARE, Tally
from kibitz.table.time_limit import uninterrupted

PART, BACK = 0.4, 50
"""Seconds that a part should take; longer where workers are so many that more than so many
parts a second would come back."""
MOST = 1 << 17
"""Games of a part: their results take memory, the more the faster the machine is."""
GROWTH = 4
"""A part has at most so many times the pairs of the last one."""


class LineupRun:
    """The pairs of one line-up: what is to be played, and what is counted."""

    def __init__(
        self, part: Part, pairs: int, ends: Sequence[int], alpha: float | None, *, planned: int = 0
    ) -> None:
        """Planned: how many pairs there will be, if nobody knows the number of the last."""
        self.part = part
        self.pairs = pairs
        self.ends = list(ends)
        """Where blocks of pairs end. They are counted apart, to look at them one by one."""
        self.alpha = alpha
        """The error rate of stopping when it is clear; None: all pairs are played."""
        self.blocks = [self._tally() for _ in self.ends]
        self.sums = PairSums(part.game.players, planned or pairs, SHARE * len(part.orders))
        self.verdict: Verdict | None = None
        self.pace: float | None = None
        """Seconds a pair."""
        self._todo: deque[tuple[int, int]] = deque([(0, pairs)])
        self._last = 1

    def _tally(self) -> Tally:
        game = self.part.game
        return Tally(game.players, game.partners, self.part.unit, self.part.orders)

    @property
    def end(self) -> int:
        """The number of the pair before which all counts: where it was clear, or the last."""
        return self.verdict.pairs if self.verdict else self.pairs

    @property
    def total(self) -> Tally:
        """All that counts."""
        blocks = [b for b, end in zip(self.blocks, self.ends, strict=True) if end <= self.end]
        total = self._tally()
        for block in blocks:
            total += block
        return total

    def skip(self, start: int, end: int) -> None:
        """These pairs are known already; they lie behind all that were known before."""
        first, last = self._todo.pop()
        for gap in ((first, min(start, last)), (min(end, last), last)):
            if gap[0] < gap[1] or gap[1] == last:
                self._todo.append(gap)

    def next_part(self, seconds: float = PART) -> Part | None:
        """The next pairs to play: as many as take about so long, of one block."""
        while self._todo and self._todo[0][0] >= self._todo[0][1]:
            self._todo.popleft()
        if not self._todo or self.verdict:
            return None
        start, end = self._todo.popleft()
        most = max(1, MOST // len(self.part.orders))
        wanted = min(int(seconds / self.pace), most) if self.pace else 1
        self._last = max(1, min(wanted, GROWTH * self._last))
        block_end = next(at for at in self.ends if at > start)
        stop = min(start + self._last, end, block_end)
        self._todo.appendleft((stop, end))
        return replace(self.part, start=start, n=stop - start)

    def count(self, played: PlayedPart) -> None:
        """Count a part, and judge the blocks that are whole."""
        start = 0
        for block, end in zip(self.blocks, self.ends, strict=True):
            within = played.within(start, end)
            if len(within.results):
                block.add(within, self.sums)
            start = end
        if self.alpha is not None and self.verdict is None:
            self.verdict = self._judge(self.alpha)

    def _judge(self, alpha: float) -> Verdict | None:
        looks: list[tuple[int, float, float]] = []
        so_far = Tally(2)
        start = 0
        for block, end in zip(self.blocks, self.ends, strict=True):
            if block.pairs < end - start:
                break
            so_far += block
            less_luck = self.part.less_luck
            looks.append(so_far.corrected_sums() if less_luck else so_far.score_sums(0))
            start = end
        return judge(looks, self.pairs, alpha) if looks else None


class ComparisonRun:
    """All line-ups of a comparison, on their way."""

    def __init__(
        self,
        lineups: Sequence[LineupRun],
        store: Store | None,
        plan: Plan,
        report: Callable[[], None],
    ) -> None:
        self.lineups = lineups
        self._store = store
        self._number = store.find_or_begin_run(plan) if store else 0
        self._report = report
        self._running: dict[Future[Any], tuple[int, Part]] = {}
        self._turn = 0

    def resume(self) -> None:
        """Count what the store has."""
        if self._store is None:
            return
        for number, lineup in enumerate(self.lineups):
            for played in self._store.load_parts(self._number, number):
                lineup.skip(played.start, played.start + len(played.results))
                lineup.count(played)
            self._store_verdict(number)

    def play_first_pairs(self) -> None:
        """The first pair of each line-up, here: it compiles what is needed, before there are
        other processes to do so. Nothing is reported yet: a compiling kernel has the screen."""
        for number, lineup in enumerate(self.lineups):
            if lineup.pace is None and (part := lineup.next_part()):
                self._count(number, part, *play_timed(part))

    def play(self, executor: Any, width: int) -> None:
        """All the rest. Interrupted, it keeps what is done."""
        try:
            while self._send(executor, width):
                for future in wait(self._running, return_when=FIRST_COMPLETED).done:
                    try:
                        played, seconds = future.result()
                    except BrokenProcessPool:
                        self._send_again(executor)
                        break
                    self._count(*self._running.pop(future), played, seconds)
                self._report()
        except KeyboardInterrupt:
            for future, sent in self._running.items():
                if future.done() and not future.cancelled() and not future.exception():
                    self._count(*sent, *future.result())
            raise

    def _send(self, executor: Any, width: int) -> bool:
        """Keep all workers busy, each with one part waiting; False if there is none any more."""
        seconds = max(PART, width / BACK)
        while len(self._running) < 2 * width and (sent := self._next(seconds)):
            self._running[executor.submit(play_timed, sent[1])] = sent
        return bool(self._running)

    def _next(self, seconds: float) -> tuple[int, Part] | None:
        """The next part of the next line-up that has one."""
        for _ in self.lineups:
            number = self._turn % len(self.lineups)
            self._turn += 1
            if part := self.lineups[number].next_part(seconds):
                return number, part
        return None

    def _send_again(self, executor: Any) -> None:
        """A process died, and took with it what it was playing."""
        executor.renew()
        lost = list(self._running.values())
        self._running = {executor.submit(play_timed, sent[1]): sent for sent in lost}

    def _count(self, number: int, part: Part, played: PlayedPart, seconds: float) -> None:
        with uninterrupted():  # what is stored is counted, and whole
            self._store_part(number, played)
            lineup = self.lineups[number]
            lineup.pace = seconds / part.n
            is_open = lineup.verdict is None
            lineup.count(played)
            if is_open and lineup.verdict is not None:
                self._store_verdict(number)

    def _store_part(self, number: int, played: PlayedPart) -> None:
        """Put a part into the store, but for pairs that another process has put there."""
        if self._store is None or self._store.save_part(self._number, number, played):
            return
        end = played.start + len(played.results)
        for gap in self._store.missing_pairs(self._number, number, played.start, end):
            self._store.save_part(self._number, number, played.within(*gap))

    def _store_verdict(self, number: int) -> None:
        """Put into the store that a line-up is to be played until it is clear, and the verdict."""
        lineup = self.lineups[number]
        if self._store is not None and lineup.alpha is not None:
            asked = lineup.alpha, lineup.pairs
            self._store.save_verdict(self._number, number, *asked, lineup.verdict)


def play_timed(part: Part) -> tuple[PlayedPart, float]:
    """A part, and the seconds it took."""
    started = time.perf_counter()
    played = play_part(part)
    return played, time.perf_counter() - started
