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

from kibitz.cli.ui.working import working
from kibitz.core.errors import BadText, UnsuitableGame
from kibitz.version import __version__

if TYPE_CHECKING:
    from kibitz.games.love_letter.game import LoveLetter
    from kibitz.solvers.love_letter.results_table import Row
    from kibitz.solvers.love_letter.solver import Progress, Solution

EPSILON, LEAST_EPSILON = 0.001, 0.00005


@dataclass(frozen=True)
class Asked:
    """The options, as they were given."""

    face_up: str | None
    position: str | None
    every: bool
    epsilon: float | None
    threads: int | None
    check: bool
    table: Path | None
    sets: int | None
    cluster: str | None
    as_json: bool

    @property
    def to(self) -> float:
        return EPSILON if self.epsilon is None else self.epsilon


def solve_rounds(game: LoveLetter, asked: Asked) -> None:
    """One round, or every set of cards face up."""
    if game.face_up and not asked.every and asked.face_up is None and asked.position is None:
        from kibitz.games.love_letter.cards import names

        asked = replace(asked, face_up=names(game.face_up))
    _refuse(game, asked)
    if asked.every:
        from kibitz.cli.commands.solve.love_letter_sets import check_sets, solve_sets

        (check_sets if asked.check else solve_sets)(game, asked)
    else:
        _solve_round(game, asked)


def _refuse(game: LoveLetter, asked: Asked) -> None:
    """What does not go together."""
    if game.players != 2:
        raise UnsuitableGame("a round of love-letter is solved for two players")
    if not LEAST_EPSILON <= asked.to < 1:
        raise BadText(
            f"--epsilon must be from {LEAST_EPSILON:.5f} to less than 1, not {asked.to}: choices"
            " are kept in two bytes"
        )
    alone = asked.sets is not None or asked.cluster is not None
    if asked.every:
        if game.face_up or asked.face_up is not None or asked.position is not None:
            raise BadText("--all is every set of cards: leave --face-up and --position out")
        if asked.check and alone:
            raise BadText("--check looks at what is kept here: leave --sets and --cluster out")
        return
    if (asked.face_up is None) == (asked.position is None):
        raise BadText(
            'say which round: --face-up "priest priest countess", or --position; or --all'
        )
    if alone:
        raise BadText("--sets and --cluster are for --all")
    if asked.table is not None and (asked.face_up is None or asked.check):
        raise BadText("--table takes what --face-up or --all has solved")


def _solve_round(game: LoveLetter, asked: Asked) -> None:
    """Print between which bounds the value lies, and what it took."""
    from kibitz.arena.workers import default_jobs
    from kibitz.games.love_letter.cards import names, read_face_up, unseen
    from kibitz.solvers.love_letter import stored as kept
    from kibitz.solvers.love_letter.results_table import Table, row_of
    from kibitz.solvers.love_letter.solution_file import folder_of, is_solved
    from kibitz.solvers.love_letter.solver import Round
    from kibitz.solvers.love_letter.text import read_position

    deck = game.settings["deck"]
    if asked.face_up is not None:
        cards = read_face_up(asked.face_up, deck)
        game.check_face_up(cards)
        round_, told = Round(unseen(deck, cards)), names(cards)
    else:
        assert asked.position is not None
        cards, round_ = read_position(asked.position, game)
        told = asked.position
    if asked.check and not is_solved(folder_of(round_)):
        raise BadText("nothing is kept of this round: solve it first, without --check")
    table = Table(asked.table) if asked.table is not None else None
    if table is not None:
        table.check()
    with stopping(), working(f"solving {game.spec}, {told}") as say:
        say("looking at all public states")
        solver = kept.solver_of(round_, asked.threads or default_jobs())
        if asked.check:
            found = kept.check(solver, lambda now: say(progress_of(now)))
        else:
            found = kept.find(solver, asked.to, lambda now: say(progress_of(now)))
    if table is not None:
        table.enter(row_of(deck, told, solver, found))
    if asked.as_json:
        made = document(game, names(cards), found)
        position = {} if asked.position is None else {"position": asked.position}
        print(json.dumps({**made, **position}, indent=2))
    else:
        _show(game, told, found)
        if asked.check:
            print("checked: the bounds were made anew, from nothing but the play that is kept")
    if found.epsilon > asked.to and not asked.check:
        print(
            f"kibitz: ε {asked.to} was not reached in {found.iterations} iterations",
            file=sys.stderr,
        )
        raise typer.Exit(1)


@contextmanager
def stopping() -> Iterator[None]:
    """Ctrl-C is told in a line."""
    try:
        yield
    except KeyboardInterrupt:
        print("kibitz: stopped; the same command goes on from what is kept", file=sys.stderr)
        raise typer.Exit(130) from None


def progress_of(now: Progress | str) -> str:
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


def document(game: LoveLetter, face_up: str, found: Solution | Row) -> dict[str, Any]:
    return {
        "face_up": face_up,
        "value": [found.low, found.high],
        "epsilon": found.epsilon,
        "iterations": found.iterations,
        "public_nodes": found.public_nodes,
        "seconds": round(found.seconds, 3),
        "game": game.spec,
        "kibitz": __version__,
    }


def _show(game: LoveLetter, told: str, found: Solution) -> None:
    from rich.console import Console
    from rich.markup import escape

    low, high = (50 * (1 + value) for value in (found.low, found.high))
    console = Console(highlight=False)
    console.print(f"[bold]{escape(game.spec)}[/], {escape(told)}")
    console.print(
        f"value for the player to move: {found.low:.5f} … {found.high:.5f}"
        f" (wins {low:.2f}–{high:.2f} of 100, a tie being half a win)"
    )
    console.print(
        f"ε = {found.epsilon:.6f}: what the two give away to the best answers, on average of both"
    )
    console.print(
        f"{found.public_nodes:,} public nodes, {found.iterations} iterations,"
        f" {found.seconds:.1f} s, {_memory():.0f} MB"
    )
