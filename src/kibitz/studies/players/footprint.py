"""What a strategy takes: seconds a game, and memory at its peak, in a process of its own.

In that process Kibitz is imported, the game is made and two random players play a pair of
games: what it holds by then is not the strategy's. Then the strategy plays against itself.
`python -m kibitz.studies.players.footprint` is that process.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any

from kibitz.core.errors import KibitzError

GROWTH, MOST = 4, 1000
"""Each chunk of pairs that is timed has so many times the pairs of the last one, but no more
than that: their results are memory too."""


@dataclass(frozen=True)
class Footprint:
    """One strategy against itself, in one process."""

    player: str
    games: int
    seconds: float
    """Of all these games: both seats, the rules and the shuffles too."""
    decisions: int
    """Of both seats."""
    before: int
    peak: int
    """Bytes: the most that the process held before the strategy came, and in the end."""

    @property
    def own(self) -> int:
        """Bytes that the strategy added: its machine code, its tables, its trees."""
        return self.peak - self.before

    @property
    def game(self) -> float:
        """Seconds that a game takes, both players together."""
        return self.seconds / self.games

    @property
    def decision(self) -> float:
        """Seconds a decision; the rules are in it."""
        return self.seconds / self.decisions


def footprint(game: str, player: str, seed: int, enough: float) -> Footprint:
    """Measure a strategy for about so many seconds."""
    words = [sys.executable, "-m", __name__, game, player, str(seed), str(enough)]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        last = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise KibitzError(f"the time and memory of {player} can't be measured: {last[-1]}")
    return Footprint(player, **json.loads(done.stdout))


def peak_bytes() -> int:
    """The most memory that this process has held so far.

    Linux hands on the resource usage of whoever started a process, so there it is asked for the
    memory of this program alone.
    """
    if sys.platform == "linux":
        with open("/proc/self/status", encoding="ascii") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return 1024 * int(line.split()[1])
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def measure(game: str, player: str, seed: int, enough: float) -> dict[str, Any]:
    """In the process itself: play and look."""
    from kibitz.arena.plan import Part
    from kibitz.arena.play_part import runner_for
    from kibitz.core.registry import make_game, make_strategy

    made = make_game(game)
    unit = made.traits.unit

    def runner(spec: str) -> Any:
        return runner_for(Part(made, (make_strategy(spec),) * 2, seed, unit, None))

    runner("random").play(0, 1)
    before = peak_bytes()
    own = runner(player)
    own.play(0, 1)  # reads its machine code
    start, chunk, spent, decisions = 1, 1, 0.0, 0
    while spent < enough:
        started = time.perf_counter()
        _, decided = own.play(start, chunk)
        spent += time.perf_counter() - started
        decisions += int(decided.sum())
        start += chunk
        wanted = int((enough - spent) / max(spent, 1e-9) * (start - 1))
        chunk = max(1, min(GROWTH * chunk, MOST, wanted))
    return {
        "games": 2 * (start - 1), "seconds": spent, "decisions": decisions, "before": before,
        "peak": peak_bytes(),
    }  # fmt: skip


if __name__ == "__main__":
    what, who, number, seconds = sys.argv[1:]
    print(json.dumps(measure(what, who, int(number), float(seconds))))
