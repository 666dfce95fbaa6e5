"""The speed of equilibria: CFR, and late rounds of Love Letter. Part of `make bench`."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from benchmarks.measure import SMALL, Line, best, few

REQUIRED = (("kuhn-poker", 100_000, 5_000, 3), ("leduc-poker", 2_000, 20, 10))
"""A game, how many iterations are ours and OpenSpiel's in a turn, and how many times as fast."""

LATE = (3, 1, 1, 1, 1, 1, 1, 0)
"""Unseen cards, Guard first: with six in the deck, no round has more public nodes."""
FINE, LATE_SECONDS = 1e-1 if SMALL else 1e-4, 10.0


def iterations(spec: str, n: int) -> Callable[[], int]:
    from kibitz.core.registry import make_game
    from kibitz.search.fast.cfr import Cfr
    from kibitz.search.fast.game_tree import tree_of

    cfr = Cfr(tree_of(make_game(spec)), "cfr")

    def run() -> int:
        cfr.run(n)
        return n

    return run


def equilibria() -> list[Line]:
    return [*against_open_spiel(), late_round()]


def late_round() -> Line:
    from kibitz.core.limits import cores
    from kibitz.solvers.love_letter.solver import Round, Solver

    threads = cores()
    Solver(Round(LATE), threads).solve(0.1)  # compiles
    started = time.perf_counter()
    solution = Solver(Round(LATE), threads).solve(FINE)
    seconds = time.perf_counter() - started
    what = f"Love Letter, six cards left, ε {solution.epsilon:.5f}, threads {threads}"
    holds = seconds < LATE_SECONDS and solution.epsilon <= FINE
    return Line(what, f"{seconds:.1f} s", f"{LATE_SECONDS:g} s", holds)


def against_open_spiel() -> list[Line]:
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

        ours, other = best(iterations(spec, few(mine, 10)), their_iterations)
        what = f"{spec} CFR iterations / s, times OpenSpiel's C++ ({other:,.0f})"
        figure = f"{ours:,.0f}, {ours / other:.0f} ×"
        lines.append(Line(what, figure, f"{required} ×", ours >= required * other))
    return lines
