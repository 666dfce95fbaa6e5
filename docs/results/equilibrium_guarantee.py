"""What the book of Love Letter keeps of its promise: exploitability, excess and times, measured.

    .venv/bin/python docs/results/equilibrium_guarantee.py
    .venv/bin/python docs/results/equilibrium_guarantee.py --small

Two parts, into the page and love-letter-solved/guarantee.json:

- for the three smallest sets, whose solutions must be on this machine (`kibitz solve love-letter
  --all-sets --keep`), the exact exploitability of the book with every leaf and every subgame
  solved again
- leaves drawn at random from all books, solved again: how many miss the excess that is asked for,
  and how much processor time that takes on one core

Small, it takes the end of a round: for a copy of the docs, whose figures it spoils.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from comparisons import fill
from equilibrium_sets import DECK, FOLDER, PAGE, TABLE, table

from kibitz.core.errors import KibitzError
from kibitz.core.files import atomic_write
from kibitz.games.love_letter.cards import read_face_up, unseen
from kibitz.solvers.love_letter import solver as solving
from kibitz.solvers.love_letter.book import book_name, find_book, load_book, make_book
from kibitz.solvers.love_letter.book_exploitability import exploitability_of_book
from kibitz.solvers.love_letter.book_line import BookRound, OneState, TrunkPlace, resolve_leaf
from kibitz.solvers.love_letter.gadget import EXCESS, BookLeaf
from kibitz.solvers.love_letter.public_states import OVER, PublicState
from kibitz.solvers.love_letter.results_table import ResultsTable
from kibitz.solvers.love_letter.solver import Round, Solver
from kibitz.version import __version__

SMALLEST = 3
LEAVES = 2000
SEED = 1
SAVED = 100
"""After so many leaves they are saved."""
LATE = Round((3, 1, 1, 1, 1, 1, 0, 1))
"""A small round."""
RESULTS = FOLDER / "guarantee.json"


class LeavesOnly(BookRound):
    """Does not solve anything: gives the leaf, or None for a subgame without a trunk."""

    def enter_leaf(self, public: PublicState, leaf: BookLeaf) -> Any:
        return public, leaf

    def enter_subgame(self, public: PublicState, lead: int, to_move: bool) -> Any:
        return None


def leaves_of(file: Path, root: PublicState) -> Iterator[tuple[PublicState, BookLeaf]]:
    """All leaves of a round's trunk that its player can come to, for both seats."""
    for first in (True, False):
        waiting: list[Any] = [LeavesOnly(file, first).start(root)]
        while waiting:
            place = waiting.pop()
            if isinstance(place, TrunkPlace):
                _, branches = OneState().look(place.public)
                waiting += [place.go(*each[:3]) for each in branches if each.state != OVER]
            elif place is not None and place[1].own_range.any():
                yield place


def sample(books: dict[str, Any], number: int, results: dict[str, Any]) -> None:
    """Leaves of all books, each as likely as another, solved again."""
    every = [(name, *each) for name, book in books.items() for each in leaves_of(*book)]
    if results["of"] != len(every):  # there are other books now
        results.update(of=len(every), books=len(books), sample=[])
    random.Random(SEED).shuffle(every)
    solve_again(books, every[-1])  # compiles
    for leaf in every[len(results["sample"]) : number]:
        results["sample"].append(solve_again(books, leaf))
        if len(results["sample"]) % SAVED == 0:
            save(results)
            print(f"{len(results['sample'])} of {min(number, len(every))} leaves", flush=True)


def solve_again(books: dict[str, Any], drawn: Any) -> dict[str, Any]:
    name, public, leaf = drawn
    resolve_leaf.cache_clear()
    arrays = np.asarray(leaf.own_range, np.float32).tobytes(), leaf.limits.tobytes()
    started = time.process_time()
    done = resolve_leaf(books[name][0], public, leaf.lead, leaf.opponent_moves, *arrays)
    return {**done.certificate._asdict(), "seconds": round(time.process_time() - started, 4)}


def exploitabilities(
    solvers: dict[str, Solver], books: dict[str, Any], results: dict[str, Any]
) -> None:
    for name in [name for name in results["sets"] if name not in solvers]:
        del results["sets"][name]
    for name, solver in solvers.items():
        book = load_book(books[name][0])
        known = results["sets"].get(name)
        if known is None or known["by_limits"] != book.header["responses"]:
            exact = exploitability_of_book(solver, book, EXCESS)
            results["sets"][name] = exact._asdict()
            save(results)
            print(f"{name}: {exact}", flush=True)


def load(books: int) -> dict[str, Any]:
    """What was measured with this version, so that a run which was killed goes on."""
    if RESULTS.exists():
        results: dict[str, Any] = json.loads(RESULTS.read_text())
        if results["kibitz"] == __version__:
            return results
    return {"kibitz": __version__, "books": books, "of": 0, "sets": {}, "sample": []}


def save(results: dict[str, Any]) -> None:
    atomic_write({RESULTS: json.dumps(results, indent=1).encode()})


def words(results: dict[str, Any]) -> list[str]:
    """For the page, from all that was measured so far."""
    sets = results["sets"]
    rows = []
    for name, each in sets.items():
        for seat, who in ((1, "first"), (0, "second")):  # who plays by the book
            stored, limits, played = (each[key][seat] for key in ("stored", "by_limits", "played"))
            least = [f"{-value:+.5f}" for value in (stored, limits, played)]
            rows.append([name, who, *least, f"{max(0.0, played - limits):.5f}"])
    head = ["face up", "plays by the book", "stored policy", "book, by its limits"]
    leaves, capped = (sum(each[key] for each in sets.values()) for key in ("leaves", "capped"))
    worst = max(each["worst"] for each in sets.values())
    return [
        *table([*head, "book, solved again", "lost by that"], rows),
        "",
        "What it brings at least, against anybody (won 1, lost −1): exact figures, with every leaf"
        f" and every independent subgame solved again. {capped} of these {leaves:,} re-solves of"
        f" leaves ended by the cap with δ above {EXCESS}; the largest δ was {worst:.4f}.",
        *(["", words_of_sample(results)] if results["sample"] else []),
        "",
        "`docs/results/equilibrium_guarantee.py` makes these figures,"
        f" version {results['kibitz']}.",
    ]


def words_of_sample(results: dict[str, Any]) -> str:
    excess = np.array([each["excess"] for each in results["sample"]])
    over, share = int((excess > EXCESS).sum()), (excess > EXCESS).mean()
    seconds = np.array([each["seconds"] for each in results["sample"]])
    middle, most = np.median(seconds), np.quantile(seconds, 0.9)
    return (
        f"Of {len(excess):,} leaves drawn at random from the books of {results['books']} sets (seed"
        f" {SEED}), {over} ({share:.2%}) missed δ ≤ {EXCESS} before the cap; the largest δ was"
        f" {excess.max():.4f}. Processor time of one core, warm, for one: median {middle:.3f} s,"
        f" 90 % within {most:.2f} s, at most {seconds.max():.2f} s."
    )


def main() -> None:
    small = "--small" in sys.argv
    with TemporaryDirectory() as folder:
        if small:
            solver = Solver(LATE)
            file = Path(folder) / book_name((1, 1, 1))
            file.write_bytes(make_book(solver, (1, 1, 1), solver.solve(0.001)))
            books = {"late": (file, solver.states.state(solver.root))}
            solvers = {"late": solver}
        else:
            books, solvers = all_books()
        results = load(len(books))
        exploitabilities(solvers, books, results)
        sample(books, 20 if small else LEAVES, results)
    save(results)
    fill(PAGE, "guarantee", words(results))


def all_books() -> tuple[dict[str, Any], dict[str, Solver]]:
    rows = ResultsTable(TABLE).rows(DECK)
    books: dict[str, Any] = {}
    solvers: dict[str, Solver] = {}
    for name in rows:
        cards = read_face_up(name, DECK)
        file, round_ = find_book(cards), Round(unseen(DECK, cards))
        if file is None:
            continue
        if len(solvers) < SMALLEST:
            solvers[name] = solving.stored_solver(round_, 1)
        start = solving.start(round_.unseen, round_.protected, *round_.ranges)
        books[name] = file, start
    if not books:
        raise KibitzError("there are no books: kibitz solve love-letter --all-sets --keep")
    return books, solvers


if __name__ == "__main__":
    main()
