"""Speed, as ratios of what is measured in the same run: `make bench`. Parts of it by name:

    .venv/bin/python benchmarks/run.py love_letter arena
    .venv/bin/python benchmarks/run.py --small

Machines are shared and noisy: each figure is the best of several turns, in which the two
sides of a ratio take their measurements one after the other. Whole games of Tablić with the
deck known come last: they take about a quarter of an hour.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.arena import arena  # noqa: E402
from benchmarks.environments import environments  # noqa: E402
from benchmarks.equilibria import equilibria  # noqa: E402
from benchmarks.measure import SMALL, TURNS, Line, best, few  # noqa: E402
from benchmarks.open_deck import open_deck, replies, whole_games  # noqa: E402
from benchmarks.players import tablic_players, tree_search  # noqa: E402
from benchmarks.reference import program, rounds_in_cpp  # noqa: E402


def random_rounds(spec: str, n: int) -> Callable[[], int]:
    from kibitz.core.registry import make_game
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

    ours, theirs = best(random_rounds("love-letter", few(50_000, 1000)), in_objects)
    return [
        Line("Love Letter random rounds / s", f"{ours:,.0f}", "2,000,000", ours >= 2e6),
        Line(
            "… times plain Python objects (the oracle)",
            f"{ours / theirs:.0f} ×",
            "30 ×",
            ours / theirs >= 30,
        ),
        against_cpp(),
    ]


def against_cpp() -> Line:
    what, built = "… times plain C++ (love_letter.cpp)", program()
    if built is None:
        return Line(what, "no C++ compiler here", "0.7 ×", True)
    n = few(1_000_000, 1000)
    ours, theirs = best(random_rounds("love-letter", n), rounds_in_cpp(built, n))
    figure = f"{ours:,.0f} / {theirs:,.0f}, {ours / theirs:.2f} ×"
    return Line(what, figure, "0.7 × (goal 0.9 ×)", ours / theirs >= 0.7)


def tablic() -> list[Line]:
    (ours,) = best(random_rounds("tablic", few(1000, 10)))
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


def textbook() -> list[Line]:
    """Full tic-tac-toe by alpha-beta: ours against OpenSpiel's and easyAI's, all in Python."""
    from kibitz.core.registry import make_game
    from kibitz.search.textbook.alpha_beta import AlphaBeta

    try:
        import pyspiel
        from easyAI import AI_Player, Negamax, TwoPlayerGame
        from open_spiel.python.algorithms.minimax import alpha_beta_search
    except ImportError:
        reason = "easyAI or open_spiel is not installed: pip install 'kibitz[bench]'"
        return [Line("textbook alpha-beta", reason, "1/2 ×", True)]

    class TicTacToe(TwoPlayerGame):
        """As plain as easyAI's games are, with its quicker way of taking moves back."""

        rows = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8))
        lines = (*rows, (0, 4, 8), (2, 4, 6))

        def __init__(self) -> None:
            self.players = [AI_Player(None), AI_Player(None)]
            self.board = [0] * 9
            self.current_player = 1

        def possible_moves(self) -> list[int]:
            return [square for square in range(9) if not self.board[square]]

        def make_move(self, move: int) -> None:
            self.board[move] = self.current_player

        def unmake_move(self, move: int) -> None:
            self.board[move] = 0

        def lose(self) -> bool:
            other = self.opponent_index
            return any(all(self.board[square] == other for square in line) for line in self.lines)

        def is_over(self) -> bool:
            return not any(square == 0 for square in self.board) or self.lose()

        def scoring(self) -> int:
            return -1 if self.lose() else 0

    spiel = pyspiel.load_game("tic_tac_toe")

    def ours() -> int:
        game = make_game("tic-tac-toe")  # a new one, which remembers nothing
        assert AlphaBeta(game).run(game.deal(0)).value == 0
        return 1

    def open_spiels() -> int:
        assert alpha_beta_search(spiel)[0] == 0
        return 1

    def easy_ais() -> int:
        Negamax(9)(TicTacToe())
        return 1

    mine, spiels, easy = best(ours, open_spiels, easy_ais)
    faster = max(spiels, easy)
    figure = f"{1e3 / mine:.0f} ms, {mine / faster:.2f} ×"
    theirs = f"OpenSpiel {1e3 / spiels:.0f} ms, easyAI {1e3 / easy:.0f} ms"
    what = f"textbook alpha-beta, tic-tac-toe ({theirs})"
    return [Line(what, figure, "0.5 × the faster (goal 1 ×)", mine / faster >= 0.5)]


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
        if not SMALL:
            command("play", game, "--seed", "1")
        first = command("play", game, "--seed", "1")
        what = f"kibitz play {game}, warm, to its first screen"
        lines.append(Line(what, f"{first:.2f} s", "1.5 s", first < 1.5))
    return lines


def solved_ends() -> Iterable[Line]:
    return open_deck(*((12,) if SMALL else (12, 24, 36)))


def main() -> int:
    from kibitz import __version__

    print(f"kibitz {__version__}, Python {sys.version.split()[0]}, {os.cpu_count()} cores, seed 1")
    lines: list[Line] = []
    parts: dict[str, Callable[[], Iterable[Line]]] = {
        part.__name__: part
        for part in (
            *(love_letter, tablic, against_open_spiel, textbook, tree_search, tablic_players),
            *(equilibria, arena, environments, command_line, solved_ends, replies, whole_games),
        )
    }
    asked = [word for word in sys.argv[1:] if word != "--small"]
    if unknown := [word for word in asked if word not in parts]:
        sys.exit(f"there is no {', '.join(unknown)}; parts: {', '.join(parts)}")
    if SMALL:
        del parts["whole_games"]  # no game is small
    for part in (parts[name] for name in asked or parts):
        for line in part():
            lines.append(line)
            mark = "ok " if line.holds else "LOW"
            print(
                f"{mark}  {line.what:<58} {line.figure:>24}   required {line.required}", flush=True
            )
    return 0 if SMALL or all(line.holds for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
