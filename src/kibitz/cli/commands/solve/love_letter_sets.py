"""`kibitz solve love-letter --all-sets`: every set of cards face up, into a table and books."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from kibitz.cli.commands.solve.love_letter import (
    RoundOptions,
    format_progress,
    reporting_interrupts,
)
from kibitz.cli.ui.json_output import print_json
from kibitz.cli.ui.progress import show_progress
from kibitz.core.errors import BadText

if TYPE_CHECKING:
    from kibitz.arena.love_letter.solved_rounds import NamedRound
    from kibitz.games.love_letter.game import LoveLetter
    from kibitz.solvers.love_letter.results_table import Row

T = TypeVar("T")


def solve_sets(game: LoveLetter, options: RoundOptions) -> None:
    """Solve all that the table does not have, the smallest first."""
    from kibitz.arena.love_letter.solved_rounds import discard, is_done, rows_of, solve_all
    from kibitz.arena.workers import workers
    from kibitz.core.limits import cores
    from kibitz.solvers.love_letter.book import BOOK_DECK, user_books
    from kibitz.solvers.love_letter.results_table import ResultsTable, user_table

    deck, table, sets = (
        game.settings["deck"],
        ResultsTable(options.table or user_table()),
        _sets(game),
    )
    books = (options.books or user_books()) if deck == BOOK_DECK else None
    threads = options.threads or (cores() if options.cluster is None else 1)

    def left() -> list[NamedRound]:
        rows = rows_of(sets, deck, table)
        return [each for each in sets if not is_done(rows, each.face_up, options.target, books)]

    failed: dict[str, str] = {}
    table.check()
    with workers(1, options.cluster):
        pass  # a cluster that does not answer is an error now, not after the rounds are sized
    with reporting_interrupts():
        waiting = _smallest_first(left(), deck)
        for outcome in _with_progress(
            f"solving {game.spec}",
            lambda report_round: solve_all(
                waiting, deck, table, options.target,
                threads=threads, cluster=options.cluster, most=options.sets, books=books,
                report=report_round,
            ),
        ):  # fmt: skip
            if outcome.why:
                failed[outcome.face_up] = outcome.why
                _print_error(outcome.face_up, outcome.why)
            if outcome.book is not None and not options.keep and options.cluster is None:
                discard(sets, outcome.face_up)
            if outcome.row is not None and not options.as_json:
                print(_line(outcome.row), flush=True)
    rows = rows_of(sets, deck, table)
    if options.as_json:
        rounds = [_entry(game, row) for row in rows.values()]
        _print(rounds=rounds, left=len(left()), failed=failed, table=str(table.file))
    else:
        _show(rows)
        books_at = f"; books: {books}" if books is not None else ""
        places = f"table: {table.file}{books_at}"
        print(f"{len(left())} of {len(sets)} sets left to ε {options.target}; {places}")
    if failed:
        raise typer.Exit(1)


def check_sets(game: LoveLetter, options: RoundOptions) -> None:
    """Check all that the table has against the solutions stored on this machine."""
    from kibitz.arena.love_letter.solved_rounds import check_all
    from kibitz.core.limits import cores
    from kibitz.solvers.love_letter.results_table import ResultsTable, user_table

    deck, table, sets = (
        game.settings["deck"],
        ResultsTable(options.table or user_table()),
        _sets(game),
    )
    if not table.file.exists():
        raise BadText(f"{table.file}: there is no such table")
    threads = options.threads or cores()
    checked = []
    with reporting_interrupts():
        for each in _with_progress(
            f"checking {game.spec}",
            lambda report_round: check_all(sets, deck, table, threads=threads, report=report_round),
        ):
            checked.append(each)
            if each.agrees is False:
                _print_error(each.row.face_up, each.why)
            if not options.as_json:
                print(f"{_line(each.row)}: {each.why or 'as stored'}", flush=True)
    if options.as_json:
        rounds = [
            {**_entry(game, each.row), "agrees": each.agrees, "why": each.why} for each in checked
        ]
        _print(rounds=rounds, left=len(sets) - len(checked), table=str(table.file))
    else:
        agreeing = sum(each.agrees is True for each in checked)
        print(f"{agreeing} of {len(checked)} sets in {table.file} are borne out by what is stored")
    if any(each.agrees is False for each in checked):
        raise typer.Exit(1)


def _sets(game: LoveLetter) -> list[NamedRound]:
    from kibitz.arena.love_letter.solved_rounds import NamedRound
    from kibitz.games.love_letter.cards import names, unseen
    from kibitz.solvers.love_letter.solver import Round
    from kibitz.solvers.love_letter.text import all_face_up

    deck = game.settings["deck"]
    return [NamedRound(names(cards), Round(unseen(deck, cards))) for cards in all_face_up(deck)]


def _smallest_first(sets: list[NamedRound], deck: str) -> list[NamedRound]:
    """Sizes take a while: they are not options for where they do not matter."""
    from kibitz.games.love_letter.cards import names
    from kibitz.solvers.love_letter.sizes import face_up_sizes

    if len(sets) < 2:
        return sets
    with show_progress("seeing how large each round is, once") as report:
        sizes = face_up_sizes(deck, lambda done, of: report(f"{done} of {of}"))
    by_name = {names(cards): size for cards, size in sizes.items()}
    return sorted(sets, key=lambda each: by_name[each.face_up])


def _with_progress(
    what: str, begin: Callable[[Callable[[str, Any], None]], Generator[T, None, None]]
) -> Iterator[T]:
    """Each result as it comes: with a spinner while it is waited for, none while it is printed."""

    def report_round(which: str, now: Any) -> None:
        report(f"{which}: {format_progress(now)}")

    with closing(begin(report_round)) as results:
        while True:
            with show_progress(what) as report:
                one = next(results, None)
            if one is None:
                return
            yield one


def _print_error(face_up: str, why: str) -> None:
    print(f"kibitz: {face_up}: {why}", file=sys.stderr)


def _line(row: Row) -> str:
    return (
        f"{row.face_up}: {row.low:.5f} … {row.high:.5f}, ε {row.epsilon:.6f},"
        f" {row.public_nodes:,} public nodes, {row.iterations} iterations, {row.seconds:.1f} s"
    )


def _entry(game: LoveLetter, row: Row) -> dict[str, Any]:
    from kibitz.solvers.love_letter.solution import round_document

    return {
        **round_document(game, row.face_up, row),
        "regrets": row.regrets,
        "kibitz": row.kibitz,
        "numba": row.numba,
        "numpy": row.numpy,
    }


def _print(**document: Any) -> None:
    print_json(document)


def _show(rows: Mapping[str, Row]) -> None:
    from rich.console import Console

    from kibitz.cli.ui.tables import table

    shown = table("face up", "value", "ε", "public nodes", "iterations", "seconds")
    for row in rows.values():
        bounds = f"{row.low:.4f} … {row.high:.4f}"
        figures = (f"{row.public_nodes:,}", str(row.iterations), f"{row.seconds:.0f}")
        shown.add_row(row.face_up, bounds, f"{row.epsilon:.5f}", *figures)
    if rows:
        Console(highlight=False, markup=False).print(shown)
