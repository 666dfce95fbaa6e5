"""The speed of CFR: part of `make bench`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.measure import Line, best

REQUIRED = (("kuhn-poker", 100_000, 5_000, 3), ("leduc-poker", 2_000, 20, 10))
"""A game, how many iterations are ours and OpenSpiel's in a turn, and how many times as fast."""


def iterations(spec: str, n: int) -> Callable[[], int]:
    from kibitz.registry import make_game
    from kibitz.search.fast.cfr import Cfr
    from kibitz.search.fast.game_tree import tree_of

    learner = Cfr(tree_of(make_game(spec)), "cfr")

    def run() -> int:
        learner.run(n)
        return n

    return run


def equilibria() -> list[Line]:
    try:
        import pyspiel
    except ImportError:
        reason = "open_spiel is not installed: pip install 'kibitz[bench]'"
        return [Line("CFR against OpenSpiel", reason, "10 ×", True)]
    lines = []
    for spec, mine, theirs, required in REQUIRED:
        solver = pyspiel.CFRSolver(pyspiel.load_game(spec.replace("-", "_")))

        def their_iterations(solver: Any = solver, n: int = theirs) -> int:
            for _ in range(n):
                solver.evaluate_and_update_policy()
            return n

        ours, other = best(iterations(spec, mine), their_iterations)
        what = f"{spec} CFR iterations / s, times OpenSpiel's C++ ({other:,.0f})"
        figure = f"{ours:,.0f}, {ours / other:.0f} ×"
        lines.append(Line(what, figure, f"{required} ×", ours >= required * other))
    return lines
