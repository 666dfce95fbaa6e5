"""Writes the puzzles of the package: `python -m tests.review.write_puzzles [GAME]`.

It finds them in games that strategies play, asks who solves them, checks every one and puts them
into `src/kibitz/review/puzzle_data/`.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, replace
from pathlib import Path

from kibitz.review import puzzles as module
from kibitz.review.puzzle_making import find_puzzles
from kibitz.review.puzzles import GAMES, LAST_BUT_ONE, LAST_DEAL, LAST_PLAY, OPEN_DECK, Puzzle

NUMBERS = {
    "love-letter": {LAST_PLAY: 14, LAST_BUT_ONE: 10},
    "tablic": {LAST_DEAL: 18, OPEN_DECK: 6},
}
SEED = 1000


def write(game: str) -> list[Puzzle]:
    """Find the puzzles of a game and write them."""
    every = [
        each
        for kind, number in NUMBERS[game].items()
        for each in find_puzzles(game, number, SEED, kind)
    ]
    every.sort(key=lambda each: len(each.failed))
    every = [replace(each, number=i) for i, each in enumerate(every, 1)]
    lines = ",\n".join(json.dumps(asdict(each)) for each in every)
    path = Path(module.__file__).with_name("puzzle_data") / f"{game}.json"
    path.write_text(f"[\n{lines}\n]\n", "utf-8")
    return every


def main() -> None:
    from tests.review.test_puzzles import check_puzzle

    for game in sys.argv[1:] or GAMES:
        every = write(game)
        for puzzle in every:
            check_puzzle(puzzle)
        print(
            game,
            len(every),
            {grade: sum(p.grade == grade for p in every) for grade in module.GRADES},
        )


if __name__ == "__main__":
    main()
