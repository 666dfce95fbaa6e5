"""`kibitz solve love-letter`: a round of two players, to an equilibrium with a certificate."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from kibitz.cli.ui.progress import show_progress
from kibitz.core.errors import BadText, UnsuitableGame
from kibitz.version import __version__

if TYPE_CHECKING:
    from kibitz.games.love_letter.game import LoveLetter
    from kibitz.solvers.love_letter.results_table import Row
    from kibitz.solvers.love_letter.solver import RoundSolution, SolverProgress

EPSILON, LEAST_EPSILON = 0.001, 0.00005


@dataclass(frozen=True)
class RoundOptions:
    """The options, as they were given."""

    face_up: str | None
    position: str | None
    all_sets: bool
    epsilon: float | None
    threads: int | None
    check: bool
    table: Path | None
    sets: int | None
    cluster: str | None
    books: Path | None
    keep: bool
    as_json: bool

    @property
    def target(self) -> float:
        """The epsilon to reach."""
        return EPSILON if self.epsilon is None else self.epsilon


def solve_rounds(game: LoveLetter, options: RoundOptions) -> None:
    """One round, or every set of cards face up."""
    if (
        game.face_up
        and not options.all_sets
        and options.face_up is None
        and options.position is None
    ):
        from kibitz.games.love_letter.cards import names

        options = replace(options, face_up=names(game.face_up))
    _check_options(game, options)
    if options.all_sets:
        from kibitz.cli.commands.solve.love_letter_sets import check_sets, solve_sets

        (check_sets if options.check else solve_sets)(game, options)
    else:
        _solve_round(game, options)


def _check_options(game: LoveLetter, options: RoundOptions) -> None:
    """What does not go together."""
    if game.players != 2:
        raise UnsuitableGame("a round of love-letter is solved for two players")
    if not LEAST_EPSILON <= options.target < 1:
        raise BadText(
            f"--epsilon must be from {LEAST_EPSILON:.5f} to less than 1, not {options.target}:"
            " probabilities are stored in two bytes"
        )
    for_sets = options.keep or any(
        option is not None for option in (options.sets, options.cluster, options.books)
    )
    if options.all_sets:
        if game.face_up or options.face_up is not None or options.position is not None:
            raise BadText("--all-sets is every set of cards: leave --face-up and --position out")
        if options.check and for_sets:
            raise BadText(
                "--check looks at what is stored here: leave --sets, --cluster, --books, --keep out"
            )
        return
    if (options.face_up is None) == (options.position is None):
        raise BadText(
            'say which round: --face-up "priest priest countess", or --position; or --all-sets'
        )
    if for_sets:
        raise BadText("--sets, --cluster, --books and --keep are for --all-sets")
    if options.table is not None and (options.face_up is None or options.check):
        raise BadText("--table takes what --face-up or --all-sets has solved")


def _solve_round(game: LoveLetter, options: RoundOptions) -> None:
    """Print between which bounds the value lies, and what it took."""
    from kibitz.arena.workers import default_jobs
    from kibitz.games.love_letter.cards import names, read_face_up, unseen
    from kibitz.solvers.love_letter import solver as solving
    from kibitz.solvers.love_letter.results_table import ResultsTable, row_of
    from kibitz.solvers.love_letter.solution_file import is_solved, solution_folder
    from kibitz.solvers.love_letter.solver import Round
    from kibitz.solvers.love_letter.text import read_position

    deck = game.settings["deck"]
    if options.face_up is not None:
        cards = read_face_up(options.face_up, deck)
        game.check_face_up(cards)
        round_, label = Round(unseen(deck, cards)), names(cards)
    else:
        assert options.position is not None
        cards, round_ = read_position(options.position, game)
        label = options.position
    if options.check and not is_solved(solution_folder(round_)):
        raise BadText("nothing is kept of this round: solve it first, without --check")
    table = ResultsTable(options.table) if options.table is not None else None
    if table is not None:
        table.check()
    with reporting_interrupts(), show_progress(f"solving {game.spec}, {label}") as report:
        report("looking at all public states")
        solver = solving.stored_solver(round_, options.threads or default_jobs())
        if options.check:
            solution = solving.verify(solver, lambda now: report(format_progress(now)))
        else:
            solution = solving.solve_or_load(
                solver, options.target, lambda now: report(format_progress(now))
            )
    if table is not None:
        table.enter(row_of(deck, label, solver, solution))
    if options.as_json:
        made = document(game, names(cards), solution)
        position = {} if options.position is None else {"position": options.position}
        print(json.dumps({**made, **position}, indent=2))
    else:
        _show(game, label, solution)
        if options.check:
            print("checked: the bounds were made anew, from nothing but the play that is kept")
    if solution.epsilon > options.target and not options.check:
        print(
            f"kibitz: ε {options.target} was not reached in {solution.iterations} iterations",
            file=sys.stderr,
        )
        raise typer.Exit(1)


@contextmanager
def reporting_interrupts() -> Iterator[None]:
    """Ctrl-C ends it with one line."""
    try:
        yield
    except KeyboardInterrupt:
        print("kibitz: stopped; the same command goes on from what is stored", file=sys.stderr)
        raise typer.Exit(130) from None


def format_progress(now: SolverProgress | str) -> str:
    if isinstance(now, str):
        return now
    rate = now.nodes / max(now.seconds, 1e-9) / 1e6
    cost = f"{rate:.1f} million nodes a second, {_memory():.0f} MB, {now.seconds:.0f} s"
    if now.of:
        return f"{now.done} of {now.of} subgames, {cost}"
    epsilon = (now.high - now.low) / 2
    value = f"value {now.low:.4f} … {now.high:.4f}"
    return f"iteration {now.done}, ε {epsilon:.5f}, {value}, {cost}"


def _memory() -> float:
    """MB that this process has needed at most."""
    try:
        import resource
    except ImportError:  # not on every system
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak / 1e3


def document(game: LoveLetter, face_up: str, solution: RoundSolution | Row) -> dict[str, Any]:
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


def _show(game: LoveLetter, label: str, solution: RoundSolution) -> None:
    from rich.console import Console
    from rich.markup import escape

    low, high = (50 * (1 + value) for value in (solution.low, solution.high))
    console = Console(highlight=False)
    console.print(f"[bold]{escape(game.spec)}[/], {escape(label)}")
    console.print(
        f"value for the player to move: {solution.low:.5f} … {solution.high:.5f}"
        f" (wins {low:.2f}–{high:.2f} of 100, a tie being half a win)"
    )
    console.print(
        f"ε = {solution.epsilon:.6f}: what the two give away to the best responses,"
        " on average of both"
    )
    console.print(
        f"{solution.public_nodes:,} public nodes, {solution.iterations} iterations,"
        f" {solution.seconds:.1f} s, {_memory():.0f} MB"
    )
