"""`kibitz solve love-letter`: a round of two players, to an equilibrium with a certificate."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import typer

from kibitz.cli.working import working
from kibitz.errors import KibitzError
from kibitz.model import BadText, UnsuitableGame
from kibitz.version import __version__

if TYPE_CHECKING:
    from kibitz.games.love_letter.game import LoveLetter
    from kibitz.solvers.love_letter import Progress, Solution, Solver

EPSILON, LEAST_EPSILON = 0.001, 0.00005
ROUNDING = 1e-9


def solve_round(
    game: LoveLetter,
    face_up: str | None,
    position: str | None,
    epsilon: float | None,
    threads: int,
    check: bool,
    as_json: bool,
) -> None:
    """Print between which bounds the value lies, and what it took."""
    from kibitz.games.love_letter.cards import names, read_face_up, unseen
    from kibitz.solvers.love_letter import Round, Solver
    from kibitz.solvers.love_letter_book import folder_of, is_solved
    from kibitz.solvers.love_letter_text import read_position

    if game.players != 2:
        raise UnsuitableGame("a round of love-letter is solved for two players")
    if game.face_up and face_up is None and position is None:
        face_up = names(game.face_up)
    if (face_up is None) == (position is None):
        raise BadText('say which round: --face-up "priest priest countess", or --position')
    epsilon = EPSILON if epsilon is None else epsilon
    if not LEAST_EPSILON <= epsilon < 1:
        raise BadText(
            f"--epsilon must be from {LEAST_EPSILON} to 1, not {epsilon}: choices are kept in"
            " two bytes"
        )
    deck = game.settings["deck"]
    if face_up is not None:
        cards = read_face_up(face_up, deck)
        game.check_face_up(cards)
        round_, told = Round(unseen(deck, cards)), names(cards)
    else:
        assert position is not None
        round_, told = read_position(position, game), position
    folder = folder_of(round_)
    if check and not is_solved(folder):
        raise BadText("nothing is kept of this round: solve it first, without --check")
    what = "face_up" if face_up is not None else "position"
    with working(f"solving {game.spec}, {told}") as say:
        say("looking at all public states")
        solver = Solver(round_, threads, folder)
        _check_memory(8 * int(solver.tree.regrets[solver.root]))
        found = _find(solver, epsilon, check, say)
    if as_json:
        print(json.dumps(_document(game, what, told, found), indent=2))
    else:
        _show(game, told, found)
    if found.epsilon > epsilon and not check:
        print(
            f"kibitz: ε {epsilon} was not reached in {found.iterations} iterations", file=sys.stderr
        )
        raise typer.Exit(1)


def _find(solver: Solver, epsilon: float, check: bool, say: Callable[[str], None]) -> Solution:
    assert solver.book is not None
    kept = solver.book.solution()
    tight = kept is not None and kept["high"] - kept["low"] <= 2 * epsilon and solver.is_whole()
    if kept is not None and (check or tight):
        say("checking what is kept of it")
        return _checked(solver, kept)
    try:
        return solver.solve(epsilon, lambda progress: say(_told(progress)))
    except KeyboardInterrupt:
        print("kibitz: stopped; the same command goes on from what is kept", file=sys.stderr)
        raise typer.Exit(130) from None


def _checked(solver: Solver, kept: dict[str, Any]) -> Solution:
    """What was found, if what is kept bears it out."""
    from kibitz.solvers.love_letter import Solution

    assert solver.book is not None
    low, high = solver.certify()
    if max(abs(low - kept["low"]), abs(high - kept["high"])) > ROUNDING:
        raise KibitzError(
            f"{solver.book.folder}: what is kept is worth {low:.5f} … {high:.5f}, not"
            f" {kept['low']:.5f} … {kept['high']:.5f}; delete the folder to solve anew"
        )
    return Solution(**kept)


def _check_memory(need: int) -> None:
    """Better now than after an hour."""
    if sys.platform == "linux":
        has = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        if need > has:
            raise KibitzError(
                f"this round needs {need / 1e9:.1f} GB, and the machine has {has / 1e9:.1f}"
            )


def _told(progress: Progress) -> str:
    rate = progress.nodes / max(progress.seconds, 1e-9) / 1e6
    cost = f"{rate:.1f} million nodes a second, {_memory():.0f} MB, {progress.seconds:.0f} s"
    if progress.of:
        return f"{progress.done} of {progress.of} subgames, {cost}"
    epsilon = (progress.high - progress.low) / 2
    value = f"value {progress.low:.4f} … {progress.high:.4f}"
    return f"iteration {progress.done}, ε {epsilon:.5f}, {value}, {cost}"


def _memory() -> float:
    """MB that this process has needed at most."""
    try:
        import resource
    except ImportError:  # not on every system
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak / 1e3


def _document(game: LoveLetter, what: str, told: str, found: Solution) -> dict[str, Any]:
    return {
        what: told,
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
