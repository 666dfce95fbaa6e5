"""A round of two players' Love Letter solved: between which bounds its value lies."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kibitz.core import checks
from kibitz.core.errors import BadText, BadType, BadValue, UnsuitableGame
from kibitz.core.figures import percent
from kibitz.core.limits import cores
from kibitz.core.position import Position
from kibitz.core.shown import Sheet
from kibitz.core.solution import Solution
from kibitz.games.love_letter.cards import cards_in, names, read_face_up, unseen
from kibitz.games.love_letter.game import LoveLetter
from kibitz.solvers.love_letter.known_value import KnownValue, known_value
from kibitz.solvers.love_letter.public_line import play_code
from kibitz.solvers.love_letter.results_table import Row
from kibitz.solvers.love_letter.solver import (
    ReportText,
    Round,
    RoundSolution,
    Solver,
    known_bounds,
    solve_or_load,
    stored_solver,
    verify,
)
from kibitz.solvers.love_letter.text import read_position, turn_in
from kibitz.version import __version__

EPSILON, LEAST_EPSILON = 0.001, 0.00005
SHOWN = 0.0005
"""Plays that are made less often are left out of the words."""


@dataclass(frozen=True)
class NamedPosition:
    """What is to be solved, and what it is called."""

    round: Round
    face_up: str
    label: str
    """The cards face up, or the line of the public position."""

    @property
    def is_public(self) -> bool:
        """Whether it is the rest of a round, from a public position on."""
        return self.label != self.face_up


@dataclass(frozen=True, repr=False)
class LoveLetterSolution(Solution):
    """A round of two players solved to an equilibrium, with a proof of how close it is."""

    game: LoveLetter
    named: NamedPosition
    solved: RoundSolution
    plays: Mapping[str, Mapping[str, float]] | None = None
    """At a public position, by the two cards of the player to move: how often each play is made."""
    source: str = ""
    """Where the bounds were read, if the round was not solved now: its book, or the table."""

    @property
    def value(self) -> tuple[float, float]:
        """The bounds of the value for the player to move: won 1, lost −1."""
        return self.solved.low, self.solved.high

    @property
    def epsilon(self) -> float:
        """What the two give away to the best responses, on average of both: NashConv / 2."""
        return self.solved.epsilon

    @property
    def seconds(self) -> float:  # type: ignore[override]
        return self.solved.seconds

    def verdict(self) -> str:
        low, high = (50 * (1 + value) for value in self.value)
        return (
            f"value for the player to move: {self.solved.low:.5f} … {self.solved.high:.5f}"
            f" (wins {low:.2f}–{high:.2f} of 100, a tie being half a win)"
        )

    def precision(self) -> str:
        """How close to an equilibrium it is, in words."""
        return (
            f"ε = {self.epsilon:.6f}: what the two give away to the best responses,"
            " on average of both"
        )

    def cost(self) -> str:
        """What it took, in words."""
        if self.source:
            return f"solved before: the bounds are from {self.source}"
        return (
            f"{self.solved.public_nodes:,} public nodes, {self.solved.iterations} iterations,"
            f" {self.seconds:.1f} s"
        )

    def document(self) -> dict[str, Any]:
        made = round_document(self.game, self.named.face_up, self.solved)
        if self.source:
            made = {key: made[key] for key in ("face_up", "value", "epsilon", "game", "kibitz")}
            made["source"] = self.source
        if self.named.is_public:
            made["position"] = self.named.label
        if self.plays is not None:
            made["plays"] = self.plays
        return made

    def rows(self) -> list[dict[str, Any]]:
        """One row: the bounds, and what they took."""
        made = self.document()
        made.pop("plays", None)
        low, high = made.pop("value")
        return [{"face_up": made.pop("face_up"), "low": low, "high": high, **made}]

    def sheet(self) -> Sheet:
        notes = (self.verdict(), self.precision(), self.cost())
        rows = [[hand, mix_in_words(mix)] for hand, mix in (self.plays or {}).items()]
        head = ("with", "plays") if rows else ()
        return Sheet(f"{self.game}, {self.named.label}", head, rows, notes, words=(0, 1))


def plays_at(game: LoveLetter, solver: Solver, position: str) -> dict[str, dict[str, float]]:
    """By the two cards that the player to move may have once he has drawn: how often each play is
    made in equilibrium."""
    line, seat = solver.line(), turn_in(position)

    def text(play: int) -> str:
        return game._play_text(play_code(play, seat, solver.round.protected))

    return {
        names(hand): {text(one.play): one.probability for one in line.options(*hand)}
        for hand in line.hands()
    }


def mix_in_words(mix: Mapping[str, float]) -> str:
    """The likeliest play first."""
    likely = sorted(mix.items(), key=lambda item: -item[1])
    return ", ".join(f"{play} {percent(p, 1)}" for play, p in likely if p >= SHOWN)


def round_document(game: LoveLetter, face_up: str, solution: RoundSolution | Row) -> dict[str, Any]:
    """A solved round as values for JSON."""
    return {
        "face_up": face_up,
        "value": [solution.low, solution.high],
        "epsilon": solution.epsilon,
        "iterations": solution.iterations,
        "public_nodes": solution.public_nodes,
        "seconds": round(solution.seconds, 3),
        "game": game.spec,
        "kibitz": __version__,
    }


def check_round(game: LoveLetter, epsilon: float, option: str = "epsilon") -> None:
    """Refuse what can't be solved; the option is named as it was given."""
    if game.players != 2:
        raise UnsuitableGame("a round of love-letter is solved for two players")
    if not LEAST_EPSILON <= epsilon < 1:
        raise BadValue(
            f"{option} must be from {LEAST_EPSILON:.5f} to less than 1, not {epsilon}:"
            " probabilities are stored in two bytes"
        )


def round_face_up(game: LoveLetter, text: str) -> NamedPosition:
    """The round in which these three cards lie face up."""
    deck = game.settings["deck"]
    cards = read_face_up(text, deck)
    game.check_face_up(cards)
    return NamedPosition(Round(unseen(deck, cards)), names(cards), names(cards))


def round_at(game: LoveLetter, text: str) -> NamedPosition:
    """What is left of a round at a public position."""
    cards, left = read_position(text, game)
    return NamedPosition(left, names(cards), text)


def solve(
    game: LoveLetter,
    start: Position | None,
    seed: int,
    *,
    face_up: str | None = None,
    public: str | None = None,
    epsilon: float = EPSILON,
    threads: int | None = None,
    report: ReportText | None = None,
) -> LoveLetterSolution:
    """A round, for `kibitz.solve`. What a book or the user's table knows well enough is read there.
    Else it is solved, stored in the user's folder, and read there the next time. `report` is told
    how far it is; without it a line says that it takes long."""
    if isinstance(epsilon, bool) or not isinstance(epsilon, (int, float)):
        raise BadType(f"epsilon must be a number, not {checks.brief(epsilon)}")
    check_round(game, epsilon)
    if public is not None:
        if face_up is not None or start is not None:
            raise BadText("a public position says which round: leave all else out")
        named = round_at(game, checks.text(public, "a public position"))
    else:
        if face_up is None:
            face_up = _face_up_of(game, start)
        named = round_face_up(game, checks.text(face_up, "face_up"))
    threads = cores() if threads is None else checks.whole_number(threads, "threads")
    if report is not None and not callable(report):
        raise BadType(f"report must be a function of a text, not {checks.brief(report)}")
    if not named.is_public:
        deck = game.settings["deck"]
        written = known_value(deck, read_face_up(named.face_up, deck))
        if written is not None and written.high - written.low <= 2 * epsilon:
            return LoveLetterSolution(game, named, _as_solved(written), source=written.source)
        if report is None:
            _warn_of_time(named, epsilon, written)
    return solve_round(game, named, epsilon, threads, report or (lambda now: None))[0]


def _as_solved(written: KnownValue) -> RoundSolution:
    """Of a value that was read only the bounds are known, not what they took."""
    return RoundSolution(written.low, written.high, iterations=0, public_nodes=0, seconds=0.0)


def _warn_of_time(named: NamedPosition, epsilon: float, written: KnownValue | None) -> None:
    """Whole rounds take minutes or hours, unless they were solved before."""
    known = known_bounds(named.round)
    if known is not None and known[1] - known[0] <= 2 * epsilon:
        return
    before = "" if written is None else f" (known so far: {say_known(written)})"
    print(
        f"kibitz: solving the round {named.label} takes minutes or hours, once; report=print"
        f" tells how far it is, and what was done is kept if you stop it{before}",
        file=sys.stderr,
    )


def say_known(written: KnownValue) -> str:
    """The bounds and where they come from, in words."""
    return (
        f"value {written.low:.5f} … {written.high:.5f}, ε = {written.epsilon:.6f},"
        f" from {written.source}"
    )


def solve_round(
    game: LoveLetter,
    named: NamedPosition,
    epsilon: float,
    threads: int,
    report: ReportText = lambda now: None,
    *,
    check: bool = False,
    begin: Callable[[], None] = lambda: None,
) -> tuple[LoveLetterSolution, Solver]:
    """What `kibitz.solve` and `kibitz solve` share: the solution, and the solver that has its
    tree. With `check` what is stored is verified, and nothing is solved. `begin` is called once
    nothing can be refused any more."""
    report("looking at all public states")
    solver = stored_solver(named.round, threads)
    begin()
    solved = verify(solver, report) if check else solve_or_load(solver, epsilon, report)
    plays = plays_at(game, solver, named.label) if named.is_public else None
    return LoveLetterSolution(game, named, solved, plays), solver


def _face_up_of(game: LoveLetter, start: Position | None) -> str:
    """The cards face up in a round that begins."""
    if start is None:
        if not game.face_up:
            raise BadText('say which round: face_up="priest priest countess", or public="…"')
        return names(game.face_up)
    x = start.state[0]
    if any(x.spent):
        raise BadText(
            "a round is solved from its start; of a later position give the public part,"
            ' public="face_up=…; discards1=…; discards2=…"'
        )
    return names(cards_in(x.face_up))
