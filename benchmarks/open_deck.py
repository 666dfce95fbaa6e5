"""Tablić with the deck known: how long a solution takes, and how many nodes.

    .venv/bin/python benchmarks/open_deck.py [--small]

Positions of 12, 24, 36 and 48 plies before the end, reached by greedy players from the shuffles
1, 2, 3 …; the best play against greedy; whole games with three points for most cards. `make
bench` has these too. Here the stored decks follow, whose values are known, some of them also by
two threads. Nodes are the stable measure; seconds are the processor's, but where threads are
compared the clock's.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.measure import SMALL, Line, few  # noqa: E402

REQUIRED = {12: 0.005, 24: 0.3, 36: 2.0, 48: 6.0}
"""Seconds, the median, with cards_bonus=none."""
REPLY = 1.0
ALWAYS = 90.0
DECKS = few(20, 1)
WITH_BONUS = 2
"""Shuffles that are solved with three points for most cards."""
TOGETHER = 3
"""Stored decks that are solved by two threads too."""
STORED = ROOT / "tests" / "data" / "tablic_open_deck_values.txt"


def positions(game: Any, plies: int, decks: int) -> Iterator[Any]:
    from kibitz.games.tablic.capture_values import greedy_play, packed

    for seed in range(1, decks + 1):
        state = game.deal(seed)
        while 52 - state[0].dealt + state[0].held.sum() > plies:
            hand = packed(int(state[0].hand[state[0].turn]))
            game.kernels.apply(state, greedy_play(packed(int(state[0].table)), hand))
        yield state


def solve(
    game: Any, state: Any, threads: int = 1, clock: Callable[[], float] = time.process_time
) -> tuple[int, int, float]:
    """The points, the nodes, and the seconds: with the line, and a table made anew."""
    from kibitz.solvers.tablic.open_deck import OpenDeck

    started = clock()
    solution = OpenDeck(game, state, threads=threads).solve()
    return solution.value.points, solution.nodes, clock() - started


def warm_up(game: Any) -> None:
    for state in positions(game, 25, 1):
        solve(game, state)


def open_deck(*plies: int) -> Iterator[Line]:
    """Positions of so many plies, without a bonus for cards: value and line, by one thread."""
    from kibitz.core.registry import make_game

    game = make_game("tablic:cards_bonus=none")
    warm_up(game)
    for left in plies:
        runs = [solve(game, state) for state in positions(game, left, DECKS)]
        yield _line(f"Tablić, deck known, {left} plies", runs, REQUIRED[left])


def replies() -> Iterator[Line]:
    """The best play of a whole game against greedy."""
    from kibitz.core.registry import make_game, make_strategy
    from kibitz.solvers.tablic.best_response import best_against

    game: Any = make_game("tablic")
    greedy = make_strategy("greedy")
    runs = []
    for seed in range(DECKS + 1):
        started = time.process_time()
        response = best_against(game, game.deal(seed), seed % 2, greedy)
        runs.append((response.value.points, response.nodes, time.process_time() - started))
    yield _line("Tablić, deck known, against greedy", runs[1:], REPLY)  # the first one compiles


def with_bonus() -> Iterator[Line]:
    """Whole games with three points for most cards."""
    from kibitz.core.registry import make_game

    game = make_game("tablic:cards_bonus=always")
    warm_up(game)
    runs = [solve(game, game.deal(seed)) for seed in range(1, WITH_BONUS + 1)]
    yield _line("Tablić, deck known, cards_bonus=always, 48 plies", runs, ALWAYS)


def whole_games() -> Iterator[Line]:
    """What takes minutes."""
    yield from open_deck(48)
    yield from with_bonus()


def _line(what: str, runs: list[tuple[int, int, float]], required: float) -> Line:
    nodes = [run[1] for run in runs]
    seconds = median(run[2] for run in runs)
    rate = sum(nodes) / sum(run[2] for run in runs)
    return Line(
        f"{what}: {median(nodes):,.0f} nodes, {rate:,.0f} / s",
        f"{seconds:.4f} s",
        f"{required:g} s",
        seconds <= required,
    )


def known() -> Iterator[tuple[int, Any]]:
    """The decks whose values are known, and these."""
    from kibitz.core.registry import make_game

    game = make_game("tablic:cards_bonus=none")
    for line in STORED.read_text().splitlines():
        if not line.startswith("#"):
            value, deck = line.split(":")
            yield int(value), game.parse_position(deck.strip())


def stored() -> Iterator[Line]:
    """All plies of them: one thread first, then two, which want two idle cores."""
    from kibitz.core.registry import make_game

    game = make_game("tablic:cards_bonus=none")
    took = [0.0, 0.0]
    for number, (value, state) in enumerate(known()):
        for threads in (1, 2) if number < TOGETHER else (1,):
            points, nodes, seconds = solve(game, state, threads, time.perf_counter)
            took[threads - 1] += seconds if number < TOGETHER else 0.0
            what = f"a stored deck, threads {threads}: {nodes:,} nodes, {seconds:.1f} s"
            yield Line(what, f"{points:+d}", f"{value:+d}", points == value)
    speed_up = took[0] / took[1]
    yield Line("two threads, times one", f"{speed_up:.2f}", "1.5 (a goal)", speed_up >= 1.5)


if __name__ == "__main__":
    small = (lambda: open_deck(12), replies)
    for made in small if SMALL else (lambda: open_deck(12, 24, 36), replies, whole_games, stored):
        for each in made():
            print(f"{each.what:70} {each.figure:>10}   required {each.required}", flush=True)
