"""Speed of the arena: rounds through `compare`, what two processes bring, what it costs."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from benchmarks.measure import Line, best, few

ROUNDS = few(300_000, 1000)
SLOW = ("ismcts", "flat-mc")


def random_rounds() -> int:
    from kibitz import compare

    compare("love-letter", ["random", "random"], pairs=ROUNDS // 2)
    return ROUNDS


def slow_pairs(jobs: int, pairs: int) -> Callable[[], int]:
    from kibitz import compare

    def run() -> int:
        compare("love-letter", list(SLOW), pairs=pairs, jobs=jobs)
        return pairs

    return run


def arena() -> list[Line]:
    lines = []
    (rounds,) = best(random_rounds)
    lines.append(
        Line("random rounds / s through compare", f"{rounds:,.0f}", "500,000", rounds >= 5e5)
    )
    one, two = best(slow_pairs(1, few(400, 2)), slow_pairs(2, few(400, 2)))
    what = f"two processes, times one ({os.cpu_count()} cores)"
    lines.append(Line(what, f"{two / one:.2f} ×", "1.7 × on two idle cores", two / one >= 1.7))
    through, bare = best(slow_pairs(1, few(400, 2)), bare_pairs(few(400, 2)))
    share = 1 - through / bare
    what = f"the arena's own share, {' against '.join(SLOW)}"
    lines.append(Line(what, f"{100 * share:.1f} %", "2 %", share < 0.02))
    return lines


def bare_pairs(pairs: int) -> Callable[[], int]:
    """The games alone, in one call of compiled code: no parts, no clock, no figures."""
    from kibitz.arena.pairs import CompiledPairs
    from kibitz.core.registry import make_game, make_strategy

    game: Any = make_game("love-letter")
    runner = CompiledPairs(game, [make_strategy(name) for name in SLOW], 0, 0)

    def run() -> int:
        runner.play(0, pairs)
        return pairs

    return run
