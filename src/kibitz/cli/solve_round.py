"""`kibitz solve love-letter`: a round of two players, to an equilibrium with a certificate."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import typer

from kibitz.cli.working import working
from kibitz.model import BadText, UnsuitableGame
from kibitz.version import __version__

if TYPE_CHECKING:
    from kibitz.games.love_letter.game import LoveLetter
    from kibitz.solvers.love_letter import Progress, Solution

EPSILON = 0.001


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
    from kibitz.solvers.love_letter import Round, Solver
    from kibitz.solvers.love_letter_book import folder_of
    from kibitz.solvers.love_letter_text import names, read_face_up, read_position, unseen

    if game.players != 2:
        raise UnsuitableGame("a round of love-letter is solved for two players")
    if (face_up is None) == (position is None):
        raise BadText('say which round: --face-up "priest priest countess", or --position')
    epsilon = EPSILON if epsilon is None else epsilon
    if not 0 < epsilon < 1:
        raise BadText(f"--epsilon must be between 0 and 1, not {epsilon}")
    deck = game.settings["deck"]
    if face_up is not None:
        cards = read_face_up(face_up, deck)
        round_, told = Round(unseen(deck, cards)), names(cards)
    else:
        assert position is not None
        round_, told = read_position(position, deck), position
    what = "face_up" if face_up is not None else "position"
    with working(f"solving {game.spec}, {told}") as say:
        say("looking at all public states")
        solver = Solver(round_, threads, folder_of(round_))
        found = _find(solver, epsilon, check, say)
    if as_json:
        print(json.dumps(_document(game, what, told, found), indent=2))
    else:
        _show(game, told, found)


def _find(solver: Any, epsilon: float, check: bool, say: Any) -> Solution:
    from dataclasses import replace

    from kibitz.solvers.love_letter import Solution

    kept = solver.book.solution()
    if check and kept is None:
        raise BadText("nothing is kept of this round: solve it first, without --check")
    if kept is not None and (check or kept["high"] - kept["low"] <= 2 * epsilon):
        say("checking what is kept of it")
        low, high = solver.certify()
        return replace(Solution(**kept), low=low, high=high)
    try:
        found: Solution = solver.solve(epsilon, lambda progress: say(_told(progress)))
    except KeyboardInterrupt:
        print("kibitz: stopped; the same command goes on from what is kept", file=sys.stderr)
        raise typer.Exit(130) from None
    return found


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
    import resource

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
        f" (wins {low:.2f}–{high:.2f} of 100)"
    )
    console.print(
        f"ε = {found.epsilon:.6f}: no play gains more than that on average against what is kept"
    )
    console.print(
        f"{found.public_nodes:,} public nodes, {found.iterations} iterations,"
        f" {found.seconds:.1f} s, {_memory():.0f} MB"
    )
