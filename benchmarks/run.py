"""Speed, as ratios of what is measured in the same run: `make bench`.

Machines are shared and noisy: each figure is the best of several turns, in which the two
sides of a ratio take their measurements one after the other.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
TURNS = 5


@dataclass
class Line:
    what: str
    figure: str
    required: str
    holds: bool


def rate(run: Callable[[], int]) -> float:
    """Things done a second, once."""
    started = time.perf_counter()
    done = run()
    return done / (time.perf_counter() - started)


def best(*runs: Callable[[], int]) -> list[float]:
    """The best rate of each, taken in turns."""
    for run in runs:
        run()  # compiles, or warms up
    return [max(rates) for rates in zip(*([rate(run) for run in runs] for _ in range(TURNS)))]  # noqa: B905


def random_rounds(spec: str, n: int) -> Callable[[], int]:
    from kibitz.registry import make_game
    from kibitz.search.fast.rollouts import random_games

    game = make_game(spec)

    def run() -> int:
        return len(random_games(game, n, seed=1).plies)  # type: ignore[arg-type]

    return run


def love_letter() -> list[Line]:
    from tests.oracle.love_letter import FULL_DECK, Round

    source = random.Random(1)

    def in_objects() -> int:
        for _ in range(500):
            deck = list(FULL_DECK)
            source.shuffle(deck)
            round_ = Round(deck)
            while not round_.over:
                plays = [play for play in round_.legal() if play != "princess"]
                round_.play(source.choice(plays))
        return 500

    ours, theirs = best(random_rounds("love-letter", 500_000), in_objects)
    return [
        Line("Love Letter random rounds / s", f"{ours:,.0f}", "2,000,000", ours >= 2e6),
        Line(
            "… times plain Python objects (the oracle)",
            f"{ours / theirs:.0f} ×",
            "30 ×",
            ours / theirs >= 30,
        ),
    ]


def tablic() -> list[Line]:
    (ours,) = best(random_rounds("tablic", 20_000))
    return [Line("Tablić random games / s", f"{ours:,.0f}", "20,000 (goal 50,000)", ours >= 2e4)]


def against_open_spiel() -> list[Line]:
    try:
        import pyspiel
    except ImportError:
        reason = "open_spiel is not installed: pip install 'kibitz[bench]'"
        return [Line("playouts against OpenSpiel", reason, "5 ×", True)]
    lines = []
    for ours, theirs, n in (
        ("connect-four", "connect_four", 200_000),
        ("tic-tac-toe", "tic_tac_toe", 400_000),
    ):
        game = pyspiel.load_game(theirs)

        def playouts(game: pyspiel.Game = game) -> int:
            # Its fastest way: one simulation of its MCTS bot with many random rollouts.
            evaluator = pyspiel.RandomRolloutEvaluator(5000, 1)
            bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 1, False)
            bot.step(game.new_initial_state())
            return 5000

        mine, other = best(random_rounds(ours, n), playouts)
        ratio = mine / other
        lines.append(
            Line(
                f"{ours} playouts / s, times OpenSpiel's C++ ({other:,.0f})",
                f"{mine:,.0f}, {ratio:.1f} ×",
                "5 ×",
                ratio >= 5,
            )
        )
    return lines


def command(*words: str) -> float:
    """The best time of a command, in seconds."""
    data = {"XDG_DATA_HOME": os.environ.get("TMPDIR", "/tmp")}
    times = []
    for _ in range(TURNS):
        started = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "kibitz", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **data},
            check=True,
        )
        times.append(time.perf_counter() - started)
    return min(times)


def command_line() -> list[Line]:
    listing = command("games")
    lines = [Line("kibitz games", f"{listing:.2f} s", "0.3 s", listing < 0.3)]
    for game in ("love-letter", "tablic"):
        command("play", game, "--seed", "1")
        first = command("play", game, "--seed", "1")
        what = f"kibitz play {game}, warm, to its first screen"
        lines.append(Line(what, f"{first:.2f} s", "1.5 s", first < 1.5))
    return lines


def main() -> int:
    from kibitz import __version__

    print(f"kibitz {__version__}, Python {sys.version.split()[0]}, {os.cpu_count()} cores, seed 1")
    lines: list[Line] = []
    for part in (love_letter, tablic, against_open_spiel, command_line):
        for line in part():
            lines.append(line)
            mark = "ok " if line.holds else "LOW"
            print(
                f"{mark}  {line.what:<58} {line.figure:>24}   required {line.required}", flush=True
            )
    return 0 if all(line.holds for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
