"""`kibitz solve love-letter`: a round of two players, to an equilibrium with a certificate."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.ui.json_output import print_json
from kibitz.cli.ui.progress import show_progress
from kibitz.cli.ui.search_options import JsonOption, ThreadsOption
from kibitz.core.errors import BadText

if TYPE_CHECKING:
    from kibitz.games.love_letter.game import LoveLetter
    from kibitz.solvers.love_letter.solution import LoveLetterSolution
    from kibitz.solvers.love_letter.solver import SolverProgress


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
        from kibitz.solvers.love_letter.solution import EPSILON

        return EPSILON if self.epsilon is None else self.epsilon


def solve(
    game: LoveLetter,
    *,
    face_up: Annotated[
        str | None, typer.Option(help='A round with these cards face up, "priest priest countess".')
    ] = None,
    position: Annotated[
        str | None,
        typer.Option(
            help="The rest of a round, from what both players see: its value, and what to play.",
            show_default=False,
        ),
    ] = None,
    all_sets: Annotated[
        bool,
        typer.Option(
            "--all-sets",
            help="Every set of cards face up that the table and the books do not have, the"
            " smallest first.",
        ),
    ] = False,
    epsilon: Annotated[
        float | None, typer.Option(help="How exactly.", show_default="0.001")
    ] = None,
    threads: ThreadsOption = None,
    check: Annotated[
        bool, typer.Option("--check", help="Verify the stored solution, no more.")
    ] = False,
    table: Annotated[
        Path | None,
        typer.Option(
            help="Where results go, as lines of a CSV file.",
            show_default="with --all-sets love-letter-solved.csv in the user's data folder",
        ),
    ] = None,
    sets: Annotated[
        int | None,
        typer.Option(min=1, help="With --all-sets: at most so many.", show_default="all"),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(help="With --all-sets: a Dask scheduler's address.", show_default=False),
    ] = None,
    books: Annotated[
        Path | None,
        typer.Option(
            help="With --all-sets: the folder that books go to.",
            show_default="books in the cache folder",
        ),
    ] = None,
    keep: Annotated[
        bool,
        typer.Option(
            "--keep", help="With --all-sets: keep solutions (gigabytes) beside their books."
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Solve a round of two players to an equilibrium: bounds for its value to the player to move,
    proved by best responses. It is stored: killed, the same command goes on.

    With --algorithm NAME it is searched as any other game is: see kibitz solve love-letter
    --algorithm pimc --help.
    """
    options = RoundOptions(
        face_up, position, all_sets, epsilon, threads, check, table, sets, cluster, books, keep,
        as_json,
    )  # fmt: skip
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
    from kibitz.solvers.love_letter.solution import check_round

    check_round(game, options.target, "--epsilon")
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
    from kibitz.core.limits import cores
    from kibitz.solvers.love_letter.results_table import ResultsTable, row_of
    from kibitz.solvers.love_letter.solution import round_at, round_face_up, solve_round
    from kibitz.solvers.love_letter.solution_file import is_solved, solution_folder

    if options.face_up is not None:
        named = round_face_up(game, options.face_up)
    else:
        assert options.position is not None
        named = round_at(game, options.position)
    if options.check and not is_solved(solution_folder(named.round)):
        raise BadText("nothing is stored of this round: solve it first, without --check")
    table = ResultsTable(options.table) if options.table is not None else None
    if table is not None:
        table.check()
    with reporting_interrupts(), show_progress(f"solving {game.spec}, {named.label}") as report:
        solution, solver = solve_round(
            game, named, options.target, options.threads or cores(),
            lambda now: report(format_progress(now)), check=options.check,
            begin=lambda: _tell_known(game, options),
        )  # fmt: skip
    if table is not None:
        table.enter(row_of(game.settings["deck"], named.label, solver, solution.solved))
    if options.as_json:
        print_json(solution.document())
    else:
        _show(solution)
        if options.check:
            print("checked: the bounds were made anew, from nothing but the play that is stored")
    if solution.epsilon > options.target and not options.check:
        print(
            f"kibitz: ε {options.target} was not reached in {solution.solved.iterations}"
            " iterations",
            file=sys.stderr,
        )
        raise typer.Exit(1)


def _tell_known(game: LoveLetter, options: RoundOptions) -> None:
    """What is written down of the round, before it is solved."""
    from kibitz.games.love_letter.cards import read_face_up
    from kibitz.solvers.love_letter.known_value import known_value
    from kibitz.solvers.love_letter.solution import say_known

    if options.face_up is None or options.check:
        return
    deck = game.settings["deck"]
    written = known_value(deck, read_face_up(options.face_up, deck))
    if written is not None:
        print(f"kibitz: known already: {say_known(written)}", file=sys.stderr)


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


def _show(solution: LoveLetterSolution) -> None:
    from rich.console import Console
    from rich.markup import escape

    from kibitz.solvers.love_letter.solution import mix_in_words

    console = Console(highlight=False)
    console.print(f"[bold]{escape(solution.game.spec)}[/], {escape(solution.named.label)}")
    for line in (solution.verdict(), solution.precision()):
        console.print(line, markup=False)
    console.print(f"{solution.cost()}, {_memory():.0f} MB", markup=False)
    if solution.plays is not None:
        from kibitz.cli.ui.tables import table

        shown = table("with", "plays", long="plays")
        for hand, mix in solution.plays.items():
            shown.add_row(hand, mix_in_words(mix))
        console.print(shown)
