"""Tablić with the deck known: how long a solution takes, and how many nodes.

    .venv/bin/python benchmarks/open_deck.py [decks]

Positions of 12, 24, 36 and 48 plies before the end, reached by greedy players from the shuffles
1, 2, 3 …; the stored decks at last, whose values are known, some of them also by two threads.
Nodes are the stable measure.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.measure import Line  # noqa: E402

REQUIRED = {12: 0.005, 24: 0.3, 36: 6.0, 48: 30.0}
"""Seconds, the median, with cards_bonus=none."""
DECKS = 20
TOGETHER = 3
"""Stored decks that are solved by two threads too."""
STORED = ROOT / "tests" / "data" / "tablic_open_deck_values.txt"


def positions(game: Any, plies: int, decks: int) -> Iterator[Any]:
    from kibitz.games.tablic.takings import greedy_play, packed

    for seed in range(1, decks + 1):
        state = game.deal(seed)
        while 52 - state[0].dealt + state[0].held.sum() > plies:
            hand = packed(int(state[0].hand[state[0].turn]))
            game.kernels.apply(state, greedy_play(packed(int(state[0].table)), hand))
        yield state


def solve(game: Any, state: Any, threads: int = 1) -> tuple[int, int, float]:
    """The points, the nodes, and the seconds: with the line, and a table made anew."""
    from kibitz.solvers.tablic import OpenDeck

    started = time.perf_counter()
    found = OpenDeck(game, state, threads=threads).solve()
    return found.worth.points, found.nodes, time.perf_counter() - started


def warm_up(game: Any) -> None:
    for state in positions(game, 25, 1):
        solve(game, state)


def open_deck(decks: int = DECKS, longest: int = 36) -> list[Line]:
    """The lines for `make bench`: whole games take minutes, so they are left to this script."""
    from kibitz.registry import make_game

    game = make_game("tablic:cards_bonus=none")
    warm_up(game)
    lines = []
    for plies, required in REQUIRED.items():
        if plies > longest:
            break
        runs = [solve(game, state) for state in positions(game, plies, decks)]
        nodes = [run[1] for run in runs]
        seconds = median(run[2] for run in runs)
        rate = sum(nodes) / sum(run[2] for run in runs)
        lines.append(
            Line(
                f"Tablić, deck known, {plies} plies: {median(nodes):,.0f} nodes, {rate:,.0f} / s",
                f"{seconds:.4f} s",
                f"{required:g} s",
                seconds <= required,
            )
        )
    return lines


def known() -> Iterator[tuple[int, Any]]:
    """The decks whose values are known, and these."""
    from kibitz.registry import make_game

    game = make_game("tablic:cards_bonus=none")
    for line in STORED.read_text().splitlines():
        if not line.startswith("#"):
            value, deck = line.split(":")
            yield int(value), game.parse_position(deck.strip())


def stored() -> list[Line]:
    """All plies of them: one thread first, then two, which want two idle cores."""
    from kibitz.registry import make_game

    game = make_game("tablic:cards_bonus=none")
    lines, took = [], [0.0, 0.0]
    for number, (value, state) in enumerate(known()):
        for threads in (1, 2) if number < TOGETHER else (1,):
            points, nodes, seconds = solve(game, state, threads)
            took[threads - 1] += seconds if number < TOGETHER else 0.0
            what = f"a stored deck, threads {threads}: {nodes:,} nodes, {seconds:.1f} s"
            lines.append(Line(what, f"{points:+d}", f"{value:+d}", points == value))
    speed_up = took[0] / took[1]
    return [*lines, Line("two threads, times one", f"{speed_up:.2f}", "1.5", speed_up >= 1.5)]


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else DECKS
    for made in (lambda: open_deck(number, 48), stored):
        for each in made():
            print(f"{each.what:70} {each.figure:>10}   required {each.required}", flush=True)
