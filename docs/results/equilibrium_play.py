"""What equilibrium play of two-player Love Letter looks like: figures, tables, pictures.

    .venv/bin/python docs/results/equilibrium_play.py
    .venv/bin/python docs/results/equilibrium_play.py "priest priest countess" --rounds 1000000
    .venv/bin/python docs/results/equilibrium_play.py --small

Takes the rounds that `kibitz solve love-letter` has solved and stored on this machine. The first
turn is told exactly. For the rest each solution plays rounds against itself. What is counted of a
set is a line of love-letter-solved/play.jsonl as soon as it is there: killed, the same command goes
on. A set is counted again if its solution has other bounds than the line, or if more rounds are
asked for; lines of sets whose solution is not on this machine stay. From all lines come the tables
and pictures in love-letter-solved/ and the figures of the page.

Small, it solves the end of a round and takes that, to see that all of this works: for a copy of
the docs, whose figures it spoils.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from comparisons import fill
from equilibrium_count import count, first_turn
from equilibrium_pictures import draw
from equilibrium_rows import FILE, Play, SetPlay, load_play, save_play, together
from equilibrium_sets import DECK, FOLDER, PAGE, SETS
from equilibrium_tables import IN_SHORT, figure_rows, figures_csv, first_turns_csv, report
from equilibrium_words import by_card, first_turn_words, in_short

from kibitz.core.errors import KibitzError
from kibitz.core.files import atomic_write
from kibitz.games.love_letter.cards import names, read_face_up, unseen
from kibitz.solvers.love_letter.public_line import PublicLine
from kibitz.solvers.love_letter.self_play import rounds_of
from kibitz.solvers.love_letter.solution_file import (
    StoredSolution,
    is_solved,
    load_solution,
    solution_folder,
    stored_solution,
)
from kibitz.solvers.love_letter.solver import Round, Solver
from kibitz.version import __version__

LATE = (2, 1, 1, 1, 1, 0, 1, 0)
"""Unseen cards of a small round, the Guard first."""
ROUNDS = 250_000
"""Of each set: shares of rounds are then good to 0.2 % in 95 of 100 cases, or better."""
SHOWN = "priest priest countess"
"""The set whose figures are told alone."""


def folder_for(face_up: str) -> Path:
    return solution_folder(Round(unseen(DECK, read_face_up(face_up, DECK))))


def turns_of(stored: StoredSolution, rounds: int, seed: int) -> Any:
    subgames = ((*which, stored.files.policy_of(each)) for which, each in stored.subgames.items())
    return rounds_of(stored.tree, stored.opening, subgames, rounds, seed)


def count_set(face_up: str, folder: Path, rounds: int, seed: int) -> SetPlay:
    """Let a solution play."""
    low, high = bounds_in(folder)
    stored = load_solution(folder)
    opening = first_turn(PublicLine(stored.tree, lambda state, lead: None, stored.opening))
    tallies = count(turns_of(stored, rounds, seed))
    return SetPlay(face_up, low, high, rounds, seed, __version__, opening, tallies)


def bounds_in(folder: Path) -> tuple[float, float]:
    solution = stored_solution(folder)
    if solution is None:
        raise KibitzError(f"{folder}: there is no solution")
    return solution["low"], solution["high"]


def is_counted(play: Play, face_up: str, folder: Path, rounds: int) -> bool:
    """Whether the line of a set is of the solution that is here, and of enough rounds."""
    row = play.get(face_up)
    return row is not None and row.rounds >= rounds and row[1:3] == bounds_in(folder)


def count_all(play: Play, folders: Mapping[str, Path], rounds: int, seed: int) -> list[str]:
    """Count what is missing, and save each set at once. Returns what could not be counted."""
    failed = []
    for number, (face_up, folder) in enumerate(folders.items(), 1):
        started = time.perf_counter()
        try:
            if is_counted(play, face_up, folder, rounds):
                continue
            play[face_up] = count_set(face_up, folder, rounds, seed)
        except (KibitzError, OSError) as error:
            failed.append(f"{face_up}: {error}")
            continue
        save_play(FILE, play.values())
        words = f"{number} of {len(folders)}: {face_up}, {time.perf_counter() - started:.0f} s"
        print(words, file=sys.stderr, flush=True)
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("sets", nargs="*", help="cards face up; all that were solved if none")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of each set")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="the end of a round, to try it")
    asked = parser.parse_args()
    if asked.small:
        with TemporaryDirectory() as folder:
            Solver(Round(LATE), folder=Path(folder)).solve(0.05)
            write({SHOWN: count_set(SHOWN, Path(folder), 2000, asked.seed)})
        return
    chosen = [names(read_face_up(each, DECK)) for each in asked.sets]
    if missing := [each for each in chosen if not is_solved(folder_for(each))]:
        raise KibitzError(f"not solved here: {'; '.join(missing)}")
    chosen = chosen or [each for each in SETS if is_solved(folder_for(each))]
    folders = {each: folder_for(each) for each in chosen}
    failed = count_all(load_play(FILE), folders, asked.rounds, asked.seed)
    if not (play := load_play(FILE)):
        raise KibitzError("no round is solved here: kibitz solve love-letter --all-sets --keep")
    write(play)
    if failed:
        raise KibitzError("not counted: " + "; ".join(failed))


def write(play: Play) -> None:
    """All that is made of the lines."""
    shown = SHOWN if SHOWN in play else next(iter(play))
    FOLDER.mkdir(exist_ok=True)
    pictures = draw(play, together(play.values()), shown)
    atomic_write(
        {
            FOLDER / "report.md": ("\n".join(report(play, shown)) + "\n").encode(),
            FOLDER / "figures.csv": figures_csv(play),
            FOLDER / "first-turns.csv": first_turns_csv(play),
        }
        | {FOLDER / f"{name}.svg": svg for name, (svg, _) in pictures.items()}
    )
    fill(PAGE, "in short", in_short(play))
    fill(PAGE, "first turn", first_turn_words(play[shown]))
    fill(PAGE, "by card", by_card(play))
    fill(PAGE, "equilibrium play", figure_rows(play, shown, IN_SHORT))


if __name__ == "__main__":
    try:
        main()
    except KibitzError as error:
        sys.exit(f"equilibrium_play: {error}")
