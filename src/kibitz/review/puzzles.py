"""Puzzles: positions from play in which one play is clearly best, by exact values, and the greedy
play is not it.

`puzzle_data/` has some dozens for each game, made by `python -m tests.review.write_puzzles`, which
checks them; `puzzle_making.py` finds them, `puzzle_values.py` has what they are judged by.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from kibitz.core.errors import BadText
from kibitz.core.game import Game, ResultKind, View
from kibitz.core.registry import make_game

DATA = files("kibitz.review") / "puzzle_data"
GAMES = tuple(sorted(Path(file.name).stem for file in DATA.iterdir()))
LAST_PLAY, LAST_BUT_ONE = "last play", "last but one"
LAST_DEAL, OPEN_DECK = "last deal", "open deck"
KINDS = {
    LAST_PLAY: "Yours is the last play of the round. Every placement of the unseen cards that fits"
    " is as likely. Which play wins most often?",
    LAST_BUT_ONE: "After your play the other draws the last card, and plays. Every placement of the"
    " unseen cards that fits is as likely. Which play wins most often?",
    LAST_DEAL: "It is the last deal: the cards that you have not seen are the other's hand. Which"
    " play ends best, both at their best from here on?",
    OPEN_DECK: "All cards are open, those to come too. Which play ends best, both at their best"
    " from here on?",
}
"""What each kind of puzzle asks."""
GRADES = ("easy", "medium", "hard")


@dataclass(frozen=True)
class Puzzle:
    """A position, what its plays are worth, and who fails it."""

    game: str
    number: int
    kind: str
    position: str
    """As text, with all cards that the values rest on."""
    seat: int
    """Who is to move, from 1."""
    values: Mapping[str, tuple[float, float]]
    """By play, the best first: see `puzzle_values.py`."""
    greedy: str
    """What the greedy player does."""
    failed: tuple[str, ...]
    """The strategies that do not find the best play."""
    asked: int
    """How many were asked."""
    line: tuple[str, ...] = ()
    """A line of best play, where the end is known."""

    @property
    def best(self) -> str:
        """The one play that is best."""
        return next(iter(self.values))

    @property
    def grade(self) -> str:
        """By how many strategies fail it: easy up to a third, hard above two thirds."""
        share = len(self.failed) / max(self.asked, 1)
        return GRADES[(share > 1 / 3) + (share > 2 / 3)]

    @property
    def question(self) -> str:
        """What is asked."""
        return KINDS[self.kind]

    def state(self) -> tuple[Game[Any, Any], Any]:
        """The game and the position."""
        game = make_game(self.game)
        return game, game.parse_position(self.position)

    def view(self) -> View[Any]:
        """What the person who solves it sees of the position."""
        game, state = self.state()
        return game.view(state, self.seat - 1)

    def open_cards(self) -> dict[str, str]:
        """What a person knows besides what the view shows."""
        if self.kind not in (LAST_DEAL, OPEN_DECK):
            return {}
        parts = dict(part.split("=", 1) for part in self.position.split("; "))
        known = {f"seat {3 - self.seat} holds": parts[f"hand{3 - self.seat}"]}
        if self.kind == OPEN_DECK:
            known["still to be dealt"] = parts["deck"]
        return known

    def answer(self, text: str) -> str:
        """The play that a person means, as the puzzle has it; BadText or IllegalPlay if none."""
        game, state = self.state()
        play = game.presenter.typed(state, text)
        for known in self.values:
            if game.parse_play(state, known) == play:
                return known
        raise BadText(f"{text.strip()!r} is not one of the plays: {', '.join(self.values)}")

    def worth(self, play: str) -> str:
        """What a play is worth, in words."""
        low, high = self.values[play]
        if make_game(self.game).result_kind is ResultKind.POINTS:
            points = f"{abs(low):g} point{'s' * (abs(low) != 1)}"
            return f"ends {points} {'ahead' if low > 0 else 'behind'}" if low else "ends level"
        if low == high:
            return f"wins {low:.0%}"
        return f"surely wins {low:.0%}, and {high:.0%} against a greedy player"

    def verdict(self, play: str) -> str:
        """Whether an answer is right; the explanation tells of the best."""
        return "Right." if play == self.best else f"Not the best: {play} {self.worth(play)}."

    def explanation(self) -> str:
        """Why, from the values."""
        second = list(self.values)[1]
        said = [
            f"{self.best} {self.worth(self.best)}; the next best, {second}, {self.worth(second)}."
        ]
        if self.greedy != second:
            said.append(f"The greedy play, {self.greedy}, {self.worth(self.greedy)}.")
        else:
            said.append("That is the greedy play.")
        if self.line:
            said.append(f"Best play goes on: {', '.join(self.line)}.")
        *others, last = self.failed or ("nobody",)
        failed = f"{', '.join(others)} and {last}" if others else last
        said.append(f"It is {self.grade}: of {self.asked} strategies, {failed} failed.")
        return " ".join(said)

    def document(self) -> dict[str, Any]:
        """As `kibitz puzzle --json` prints it: the puzzle with its solution."""
        made = json.loads(json.dumps(asdict(self)))
        solution = {
            "best": self.best, "values": made.pop("values"), "line": made.pop("line"),
            "explanation": self.explanation(),
        }  # fmt: skip
        return {
            **made, "question": self.question, "known": self.open_cards(), "grade": self.grade,
            "plays": sorted(self.values), "solution": solution,
        }  # fmt: skip


@cache
def puzzles(game: str) -> tuple[Puzzle, ...]:
    """All puzzles of a game, in the order of their numbers."""
    if game not in GAMES:
        raise BadText(f"there are no puzzles of {game}; there are: {', '.join(GAMES)}")
    text = (DATA / f"{game}.json").read_text("utf-8")
    return tuple(read_puzzle(entry) for entry in json.loads(text))


def read_puzzle(entry: Mapping[str, Any]) -> Puzzle:
    """A puzzle as `puzzle_data/` has it."""
    values = {play: (float(low), float(high)) for play, (low, high) in entry["values"].items()}
    lists = {name: tuple(entry[name]) for name in ("failed", "line")}
    return Puzzle(**{**entry, "values": values, **lists})


def choose_puzzle(game: str, seed: int | None = None) -> Puzzle:
    """One of a game's puzzles: the same for the same seed, any one without."""
    every = puzzles(game)
    return every[secrets.randbelow(len(every)) if seed is None else seed % len(every)]
