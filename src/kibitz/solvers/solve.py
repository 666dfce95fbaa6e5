"""`kibitz.solve`: which solver solves what it is given.

A game that has a solver of its own names its module (`Game.solver`). Any other game, and an
algorithm that is named, goes to the textbook searches.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from kibitz.core import checks
from kibitz.core.errors import BadText, BadType
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.registry import game_of
from kibitz.core.solution import Solution
from kibitz.search.textbook.algorithms import Settings, first_state
from kibitz.search.textbook.solving import FiniteSolution, solve_finite
from kibitz.search.textbook.tree_search import NODES

OWN = 3
"""Arguments that every solver has: the game, where to begin, the seed."""


def solve(
    what: Position | Game[Any, Any] | str, *, seed: int = 0, algorithm: str | None = None,
    **options: Any,
) -> Solution:  # fmt: skip
    """Solve a position, or a game from its start.

    Parameters
    ----------
    what
        A position, a game, or a game's text.
    seed
        Of the deal if a game is given, and of a search that samples.
    algorithm
        One textbook search, such as `minimax` or `star2`, instead of the game's own solver or all
        that suit.
    **options
        What the solver takes. Finite games with open cards: `all_plays` (all optimal plays along
        the line), `depth`, `weights` (a dict), `bounds` (two numbers), `samples`, `nodes`. Tablić
        with the deck known: `all_plays` (the value of every play), `memory` (MB), `threads`. A
        round of Love Letter: `face_up` (three cards) or `public` (a public position), `epsilon`,
        `threads`, `report` (a function that is told how far it is, such as `print`).

    Returns
    -------
    Solution
        The value, the line of best play, and what it took: a `FiniteSolution`, `TablicSolution`
        or `LoveLetterSolution`.

    Examples
    --------
    >>> import kibitz
    >>> solution = kibitz.solve("twenty-one")
    >>> solution.label, solution.line
    ('lost', (Play('4'), Play('4'), Play('4'), Play('6'), Play('4')))
    >>> deal = "table=Jd Ac 2s; hand1=Qh 9s; hand2=3c Kd; deck=none; dealer=2; turn=1"
    >>> game = kibitz.make_game("tablic:cards_bonus=none")
    >>> kibitz.solve(game.position_of(deal), all_plays=True, threads=1).ranked()
    [('Qh x 2s Ac', '+4'), ('Qh x Jd Ac', '+1'), ('9s', '−4'), ('Qh', '−5')]
    """
    start = what if isinstance(what, Position) else None
    if start is None and not isinstance(what, (str, Game)):
        raise BadType(f"a position, a game, or its text, is wanted, not {checks.brief(what)}")
    game = start.game if start is not None else game_of(what)  # type: ignore[arg-type]
    if algorithm is not None:
        options["algorithm"] = checks.text(algorithm, "an algorithm")
    own = game.solver and algorithm is None
    solver: Any = import_module(game.solver).solve if own else _search
    _check_options(game, solver, options)
    solution: Solution = solver(game, start, checks.seed(seed), **options)
    return solution


def _check_options(game: Game[Any, Any], solver: Any, options: Mapping[str, Any]) -> None:
    takes = list(inspect.signature(solver).parameters)[OWN:]
    wrong = [name for name in options if name not in takes]
    if wrong:
        raise BadText(f"solving {game.name} takes {', '.join(takes)}, not {', '.join(wrong)}")


def _search(
    game: Game[Any, Any],
    start: Position | None,
    seed: int,
    *,
    algorithm: str | None = None,
    all_plays: bool = False,
    depth: int | None = None,
    weights: Mapping[str, float] | None = None,
    bounds: tuple[float, float] | None = None,
    samples: int | None = None,
    nodes: int = NODES,
) -> FiniteSolution:
    """A finite game by the textbook searches."""
    checks.flag(all_plays, "all_plays")
    settings = Settings(depth, weights, bounds, nodes, samples, seed=seed).checked()
    state = first_state(game, seed, algorithm) if start is None else start.state
    if all_plays and depth is not None:
        raise BadText("all plays need true values: leave the depth out")
    return solve_finite(game, state, settings, algorithm, all_plays)
