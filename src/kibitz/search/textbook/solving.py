"""A finite game with open cards solved: its value and the line of best play.

Every textbook algorithm that suits the game is run, and their work is compared.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from kibitz.core.errors import BadText, UnsuitableGame
from kibitz.core.game import CHANCE, Game
from kibitz.core.shown import Sheet
from kibitz.core.solution import Solution
from kibitz.search.textbook.algorithms import Settings, label_of, run, suitable
from kibitz.search.textbook.result import BudgetSpent, Result, TooDeep
from kibitz.search.textbook.tree_search import Watch

STARS = {"star1", "star2"}
"""The algorithms that use bounds."""
NEED_EQUAL_STATES = {"minimax-merged", "alpha-beta-table"}
ALGORITHMS = ("algorithm", "nodes", "leaves", "cut-offs", "table hits", "seconds")
"""The head of the table of algorithms."""

Watching = Callable[[str], AbstractContextManager[Watch | None]]
"""While an algorithm of this name runs: who gets how many nodes it has entered."""


@dataclass(frozen=True)
class SearchRun:
    """What one algorithm gave."""

    algorithm: str
    result: Result[Any] | None
    """None if it needs more nodes than allowed."""
    seconds: float

    def cells(self) -> list[str]:
        """A row under the head ALGORITHMS."""
        if self.result is None:
            return [self.algorithm, "over the limit", "", "", "", f"{self.seconds:.3f}"]
        counts = self.result.counts
        figures = (counts.nodes, counts.leaves, counts.cutoffs, counts.hits)
        return [self.algorithm, *map(str, figures), f"{self.seconds:.3f}"]

    def entry(self) -> dict[str, Any]:
        """As values for JSON."""
        if self.result is None:
            return {"algorithm": self.algorithm, "nodes": None}
        counts = self.result.counts
        return {
            "algorithm": self.algorithm,
            "nodes": counts.nodes,
            "leaves": counts.leaves,
            "cutoffs": counts.cutoffs,
            "hits": counts.hits,
            "seconds": round(self.seconds, 6),
        }


class StepValues(NamedTuple):
    """A step of the best line: the exact value of every play to seat 0, and the best of them."""

    values: dict[str, float]
    best: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class FiniteSolution(Solution):
    """A finite game with open cards, solved by textbook searches."""

    game: Game[Any, Any]
    state: Any
    runs: tuple[SearchRun, ...]
    """One for each algorithm."""
    steps: tuple[StepValues, ...] | None = None
    """The value of every play at each step of the line; None if nobody asked."""

    @property
    def optimal(self) -> tuple[tuple[str, ...], ...] | None:
        """All plays that are as good as the best, at each step of the line; None if nobody
        asked."""
        return None if self.steps is None else tuple(step.best for step in self.steps)

    @property
    def _first(self) -> SearchRun:
        return next(run for run in self.runs if run.result is not None)

    @property
    def result(self) -> Result[Any]:
        """That of the first algorithm that came to an end."""
        result = self._first.result
        assert result is not None
        return result

    @property
    def value(self) -> float:
        """For seat 0."""
        return float(self.result.for_protagonist)

    @property
    def label(self) -> str | None:
        """What the value is called, such as `won`, if it has a name."""
        return label_of(self.game, self.result)

    @property
    def best(self) -> Any:
        """The first of the best plays; None at an end or where chance moves."""
        return self.result.best

    @property
    def line(self) -> tuple[Any, ...]:
        """The line of best play."""
        return self.result.line

    @property
    def exact(self) -> bool:
        """Whether only ends were valued, none by an evaluation and none by samples."""
        return self.result.exact

    @property
    def seconds(self) -> float:  # type: ignore[override]
        """What the first algorithm took."""
        return self._first.seconds

    def plays(self) -> dict[str, str]:
        """What is known of each play, for seat 0: `= 1`, or a bound where more did not matter."""
        if self.steps:
            return {play: f"= {_plain(value)}" for play, value in self.steps[0].values.items()}
        result = self.result
        return {str(play): _relation(known, result.seat) for play, known in result.values.items()}

    def verdict(self) -> str:
        label, result = self.label, self.result
        about = "" if result.exact else "about "
        value = f"{about}{_plain(result.for_protagonist)} for seat 1"
        if label == "drawn":
            return f"drawn with best play (value {value})"
        if label in ("won", "lost"):
            return f"seat {1 if label == 'won' else 2} wins with best play: {label}, value {value}"
        if not result.exact and result.depth is None:
            return f"value {value}, by samples"
        if result.exact:
            return f"value {value}"
        blind = "" if self.game.weights else ", without an evaluation"
        return f"value {value}, looking {result.depth} plays ahead{blind}"

    def best_line(self) -> str:
        """The line of best play in words, and why it ends where it does; nothing without one."""
        if not self.line:
            return ""
        if self.game.traits.hidden:  # a line through dealt worlds, which this state may forbid
            return f"best line: {' '.join(map(str, self.line))}"
        state = self.state
        for play in self.line:
            state = self.game.after(state, play)
        end = " …"
        if self.game.is_over(state):
            end = ""
        elif self.game.mover(state) == CHANCE:
            end = ", then chance"
        return f"best line: {' '.join(map(str, self.line))}{end}"

    def seen(self) -> str:
        """What the seat to move sees, by which such a search goes; nothing with open cards."""
        if not self.game.traits.hidden:
            return ""
        seat = self.game.mover(self.state)
        return f"seat {seat + 1} sees: {self.game.position(_seen(self.game, self.state))}"

    def document(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "value": self.value,
            "label": self.label,
            "line": [str(play) for play in self.line],
            "nodes": self.result.counts.nodes,
            "seconds": round(self.seconds, 6),
            "game": self.game.spec,
            "position": self.game.position(_seen(self.game, self.state)),
            "exact": self.exact,
            "plays": self.plays(),
            "algorithms": [run.entry() for run in self.runs],
        }
        if self.optimal is not None:
            document["optimal"] = [list(same) for same in self.optimal]
        return document

    def rows(self) -> list[dict[str, Any]]:
        """A row for each algorithm: what it took."""
        keys = ("algorithm", "nodes", "leaves", "cutoffs", "hits", "seconds")
        return [{key: run.entry().get(key) for key in keys} for run in self.runs]

    def sheet(self) -> Sheet:
        plays = ", ".join(f"{play} {known}" for play, known in self.plays().items())
        notes = [self.seen(), self.best_line(), f"plays: {plays}" if plays else ""]
        cells = [run.cells() for run in self.runs]
        return Sheet(f"{self.game}: {self.verdict()}", ALGORITHMS, cells, notes)


def solve_finite(
    game: Game[Any, Any],
    state: Any,
    settings: Settings,
    algorithm: str | None = None,
    all_plays: bool = False,
    watching: Watching = lambda name: nullcontext(),
) -> FiniteSolution:
    """Run one algorithm, or all that suit."""
    names = _algorithms(game, state, settings) if algorithm is None else [algorithm]
    runs = _run_all(names, game, state, settings, watching)
    solution = FiniteSolution(game, state, tuple(runs))
    if not all_plays:
        return solution
    return replace(solution, steps=tuple(_steps(game, state, solution.result, settings)))


def _algorithms(game: Game[Any, Any], state: Any, settings: Settings) -> list[str]:
    """The names of all that suit the game."""
    try:
        names = suitable(game)
    except UnsuitableGame as error:
        raise UnsuitableGame(f"can't solve {game.spec}: {error}") from None
    if not _can_compare(game, state):
        names = [name for name in names if name not in NEED_EQUAL_STATES]
    if settings.bounds is not None and not STARS & set(names):
        raise BadText(f"bounds are for {' and '.join(sorted(STARS))}, which need chance nodes")
    return names


def _run_all(
    names: list[str], game: Game[Any, Any], state: Any, settings: Settings, watching: Watching
) -> list[SearchRun]:
    """Each algorithm's result and time; no result if it needs more nodes than allowed."""
    _warm_up(game, state)
    runs: dict[str, SearchRun] = {}
    failure: BudgetSpent | None = None
    # The one that usually needs fewest nodes comes first; without chance, if it can't do it
    # no other can.
    for name in reversed(names):
        started = time.perf_counter()
        result = None
        try:
            with watching(name) as watch:
                bounds = settings.bounds if len(names) == 1 or name in STARS else None
                result = run(name, game, state, replace(settings, watch=watch, bounds=bounds))
        except BudgetSpent as error:
            # A table takes more of the stack for each play of a line: others may go deeper.
            if not runs and name == "alpha-beta-table" and not isinstance(error, TooDeep):
                raise
            failure = error
        runs[name] = SearchRun(name, result, time.perf_counter() - started)
    if failure is not None and all(run.result is None for run in runs.values()):
        raise failure
    return [runs[name] for name in names]


def _can_compare(game: Game[Any, Any], state: Any) -> bool:
    """Whether the game says which states are equal."""
    try:
        game.key(state)
    except UnsuitableGame:
        return False
    return True


def _warm_up(game: Game[Any, Any], state: Any) -> None:
    """Play once to an end, so that no algorithm's time has that of compiling in it."""
    for _ in range(1000):
        turn = game.turn(state)
        if turn.mover is None:
            break
        _, state = turn.moves[0]


def _steps(
    game: Game[Any, Any], state: Any, result: Result[Any], settings: Settings
) -> list[StepValues]:
    """The value of every play at each step of the line: each is searched for itself."""
    name = suitable(game)[-1]
    steps = []
    for play in result.line:
        turn = game.turn(state)
        values = {str(move): run(name, game, child, settings).value for move, child in turn.moves}
        best = (max if turn.mover == 0 else min)(values.values())
        equal = tuple(move for move, value in values.items() if abs(value - best) < 1e-12)
        steps.append(StepValues(values, equal))
        state = game.after(state, play)
    return steps


def _seen(game: Game[Any, Any], state: Any) -> Any:
    """A state as the seat to move sees it."""
    if not game.traits.hidden or game.is_over(state) or game.mover(state) == CHANCE:
        return state
    return game.view(state, game.mover(state)).state


def _plain(value: float) -> str:
    """A number without what rounding left of it."""
    return f"{round(value, 12) + 0:g}"


def _relation(known: Any, seat: int) -> str:
    """What is known of a play, for seat 1: a search that samples says it for who moves."""
    return f"{known.relation} {_plain(-known.value if seat == 1 else known.value)}"
