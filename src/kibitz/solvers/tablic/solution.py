"""A position of Tablić solved, the deck known: the value, the line of best play, every play."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from kibitz.core import checks
from kibitz.core.game import Play
from kibitz.core.limits import check_range, cores
from kibitz.core.position import Position
from kibitz.core.shown import Sheet
from kibitz.core.solution import Solution
from kibitz.games.tablic.game import Tablic
from kibitz.solvers.tablic.open_deck import DeckSolution, DeckValue, OpenDeck, Report, Stopped

MEMORY, MOST_MEMORY = 512, 1 << 20
"""MB."""


@dataclass(frozen=True, repr=False)
class TablicSolution(Solution):
    """A position of Tablić with all cards known, solved exactly."""

    game: Tablic
    state: Any
    solved: DeckSolution
    plays: dict[Play, DeckValue] | None = None
    """The value of every legal play, if that was asked for."""

    @property
    def value(self) -> DeckValue:
        """Of the player to move, less the other's: points, and cards where they decide."""
        return self.solved.value

    @property
    def label(self) -> str:
        """For the player to move: won, lost or drawn."""
        return "won" if self.value > (0, 0) else "lost" if self.value < (0, 0) else "drawn"

    @property
    def best(self) -> Play | None:
        """The first play of the line; None at the end."""
        return self.line[0] if self.line else None

    @property
    def line(self) -> tuple[Play, ...]:
        """The line of best play, to the end."""
        return self.solved.line

    @property
    def seconds(self) -> float:  # type: ignore[override]
        return self.solved.seconds

    def verdict(self) -> str:
        seat = int(self.state[0].turn) + 1
        result = {
            "won": f"seat {seat}, who moves, wins",
            "lost": f"seat {seat}, who moves, loses",
            "drawn": "drawn",
        }[self.label]
        return f"{result} with best play, value {value_text(self.value)} for seat {seat}"

    def cost(self) -> str:
        """What it took, in words."""
        rate = self.solved.nodes / max(self.seconds, 1e-9)
        return f"{self.solved.nodes} nodes, {self.seconds:.3f} s, {rate:.0f} nodes a second"

    def ranked(self) -> list[tuple[str, str]]:
        """Every play with its value, the best first; none if they were not asked for."""
        known = sorted((self.plays or {}).items(), key=lambda item: item[1], reverse=True)
        return [(str(play), value_text(value)) for play, value in known]

    def document(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            **value_entry(self.game, self.value),
            "label": self.label,
            "line": [str(play) for play in self.line],
            "nodes": self.solved.nodes,
            "seconds": round(self.seconds, 6),
            "game": self.game.spec,
            "position": self.game.position(self.state),
            "exact": True,
        }
        if self.plays is not None:
            document["plays"] = {
                str(play): value_entry(self.game, value) for play, value in self.plays.items()
            }
        return document

    def rows(self) -> list[dict[str, Any]]:
        """A row for each play whose value is known: all that were asked for, else the best."""
        known = self.plays or ({self.best: self.value} if self.best is not None else {})
        return [
            {"play": str(play), "points": value.points, "cards": value.cards}
            for play, value in sorted(known.items(), key=lambda item: item[1], reverse=True)
        ]

    def sheet(self) -> Sheet:
        line = f"best line: {', '.join(map(str, self.line))}" if self.line else ""
        title = f"{self.game}: {self.verdict()}"
        return Sheet(title, ("play", "value"), self.ranked(), [line, self.cost()], bold=0)


def value_text(value: DeckValue) -> str:
    """As a person reads it: `+3`, `−2`, `0 and +4 cards`."""
    points = f"{value.points:+d}".replace("+0", "0").replace("-", "−")
    if not value.cards:
        return points
    return f"{points} and {value.cards:+d} cards".replace("-", "−")


def value_entry(game: Tablic, value: DeckValue) -> dict[str, int]:
    """As values for JSON."""
    entry = {"value": value.points}
    if game.settings["cards_bonus"] == "tie":
        entry["cards"] = value.cards
    return entry


def solve(
    game: Tablic,
    start: Position | None,
    seed: int,
    *,
    all_plays: bool = False,
    memory: int = MEMORY,
    threads: int | None = None,
) -> TablicSolution:
    """A position, or the deal of a seed: for `kibitz.solve`."""
    state = game.deal(seed) if start is None else start.state
    checks.flag(all_plays, "all_plays")
    check_range("memory", checks.whole_number(memory, "memory"), 1, MOST_MEMORY)
    threads = cores() if threads is None else checks.whole_number(threads, "threads")
    try:
        solution = solve_position(game, state, all_plays, memory, threads)
    except Stopped:
        raise KeyboardInterrupt from None
    if all_plays and solution.plays is None:
        raise KeyboardInterrupt
    return solution


def solve_position(
    game: Tablic,
    state: Any,
    all_plays: bool,
    memory: int,
    threads: int,
    report: Report = lambda progress: None,
) -> TablicSolution:
    """What `kibitz.solve` and `kibitz solve` share. Interrupted before the line is known, it
    raises `Stopped`; later on, the solution comes without the values of all plays."""
    deck = OpenDeck(game, state, memory << 20, threads)
    solved, plays = deck.solve(report), None
    if all_plays:
        with suppress(Stopped):
            plays = deck.values(report)
    return TablicSolution(game, state, solved, plays)
