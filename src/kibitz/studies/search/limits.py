"""Where a search goes wrong: beyond its horizon, and with numbers that only rank the ends.

The horizon effect is shown on one position of connect four, which came up in random
games: quiescence, which goes on where somebody threatens to win (L. Harris, 1975), avoids
the play that a search to the same depth falls for. The ordinal law: without chance only the
order of the values at the ends matters, with chance the values themselves do, up to a
positive linear change.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.core.phrase import plain
from kibitz.core.registry import make_game
from kibitz.core.scene_text import board_lines
from kibitz.search.textbook.alpha_beta import AlphaBeta
from kibitz.search.textbook.expectiminimax import Expectiminimax
from kibitz.search.textbook.horizon import DepthLimit, Quiescence
from kibitz.search.textbook.minimax import Minimax
from kibitz.search.textbook.move_ordering import best_first
from kibitz.search.textbook.result import Result
from kibitz.search.textbook.transposition import AlphaBetaWithTable
from kibitz.search.textbook.tree_search import MAX, Horizon
from kibitz.studies.search.trees import (
    NODES,
    Layers,
    LayersWithChance,
    noise,
    remembered,
    true_values,
)

# -- the horizon effect --------------------------------------------------------------------

GAME = "connect-four"
POSITION = "board=......./......./.o...../.xo.x../ooxxox./xooxxo.; turn=1"
"""MAX, who has the x, is to move."""
DEPTH = 3
LOST = -1


@dataclass(frozen=True)
class Extra:
    plies: int
    choice: str
    nodes: int
    """Of alpha-beta."""


@dataclass(frozen=True)
class HorizonEffect:
    """What a search to some depth chooses, with and without quiescence, and the truth."""

    game: str
    position: str
    board: str
    depth: int
    extra: int
    """How far quiescence goes on behind the depth, at most."""
    deep: int
    """The depth that stands for the truth."""
    values: Mapping[str, Mapping[str, float]]
    """Of each play, by search: `shallow`, `quiescent`, `deep`."""
    choices: Mapping[str, str]
    """Of each search."""
    lost_at: int | None
    """The least depth that shows how the play of the shallow search loses, if any does."""
    line: tuple[str, ...]
    """The principal variation: the play and how it goes on."""
    end: str
    """The board after that line."""
    nodes: Mapping[str, int]
    """Of alpha-beta: `shallow`, `quiescent`, and `lost_at` for a search to that depth."""
    extras: tuple[Extra, ...]
    """What quiescence finds if it may go on for less."""

    @property
    def is_there(self) -> bool:
        """Whether the play that looks best loses, and another one does not."""
        return self.lost_at is not None and self.values[self.choices["deep"]]["deep"] > LOST

    @property
    def is_avoided(self) -> bool:
        return self.values[self.choices["quiescent"]]["deep"] > LOST


def is_quiet(game: Any) -> Callable[[Any], bool]:
    """Whether nobody could complete four if it were their turn."""

    def threatens(state: Any, seat: int) -> bool:
        asked = state.copy()
        asked[0].turn = seat  # no state of the game, if it is not: so the kernels are asked
        _, _, after = game.kernels.expand(asked)
        return any(child["won"] == seat for child in after)

    return lambda state: not threatens(state, 0) and not threatens(state, 1)


class Searched:
    """A position of connect four and the searches of it. Plays are texts here."""

    def __init__(self, position: str) -> None:
        self.game = make_game(GAME)
        self.state = self.game.parse_position(position)
        self.plays = {str(play): play for play in self.game.plays(self.state)}
        self.evaluate = remembered(self.game)

    def values(self, horizon: Horizon) -> dict[str, float]:
        known = true_values(self.game, self.state, horizon).values
        return {play: known[self.plays[play]].value for play in self.plays}

    def nodes(self, horizon: Horizon) -> int:
        """What alpha-beta looks at, ordered by the evaluation."""
        order = best_first(self.evaluate)
        search = AlphaBeta(self.game, horizon=horizon, choice=order, nodes=NODES)
        return search.run(self.state).counts.nodes

    def after(self, play: str, depth: int) -> Result[Any]:
        """What a play leads to, seen from a depth that counts the play."""
        horizon = DepthLimit(self.evaluate, depth - 1)
        order = best_first(self.evaluate)
        search = AlphaBetaWithTable(self.game, horizon=horizon, choice=order, nodes=NODES)
        return search.run(self.game.after(self.state, self.plays[play]))

    def refuted(self, chosen: str, depths: Iterable[int]) -> tuple[int | None, tuple[Any, ...]]:
        """The least of the depths that sees a play lose, and how."""
        for depth in depths:
            line = (self.plays[chosen], *self.after(chosen, depth).line)
            end = self.end(line)
            # The line of best play ends in a loss only if every other one does too.
            if self.game.is_over(end) and self.game.value(end) == LOST:
                return depth, line
        return None, (self.plays[chosen],)

    def end(self, line: Iterable[Any]) -> Any:
        state = self.state
        for play in line:
            state = self.game.after(state, play)
        return state

    def board(self, line: Iterable[Any] = ()) -> str:
        board = self.game.presenter.board(self.game.view(self.end(line), MAX))
        assert board is not None
        return "\n".join(plain(row) for row in board_lines(board))


def horizon_effect(
    deep: int, extra: int, position: str = POSITION, depth: int = DEPTH
) -> HorizonEffect:
    """All about one position of connect four where MAX is to move."""
    searched = Searched(position)
    quiet = is_quiet(searched.game)
    # Quiescence that may not go on at all is the plain search.
    horizons = [Quiescence(searched.evaluate, depth, quiet, more) for more in range(extra + 1)]
    by_horizon = [searched.values(horizon) for horizon in horizons]
    extras = tuple(
        Extra(horizon.extra, best(values), searched.nodes(horizon))
        for horizon, values in zip(horizons, by_horizon, strict=True)
    )
    by_search = {
        "shallow": by_horizon[0],
        "quiescent": by_horizon[-1],
        "deep": {play: searched.after(play, deep).value for play in searched.plays},
    }
    choices = {name: best(values) for name, values in by_search.items()}
    lost_at, line = searched.refuted(choices["shallow"], range(depth + 1, deep + 1))
    nodes = {"shallow": extras[0].nodes, "quiescent": extras[-1].nodes}
    if lost_at is not None:
        nodes["lost_at"] = searched.nodes(DepthLimit(searched.evaluate, lost_at))
    return HorizonEffect(
        game=GAME,
        position=position,
        board=searched.board(),
        depth=depth,
        extra=extra,
        deep=deep,
        values={p: {name: by_search[name][p] for name in by_search} for p in searched.plays},
        choices=choices,
        lost_at=lost_at,
        line=tuple(map(str, line)),
        end=searched.board(line),
        nodes=nodes,
        extras=extras,
    )


def best(values: Mapping[str, float]) -> str:
    """MAX's choice. max() keeps the first of equal ones: the lowest, as the searches do."""
    return max(values, key=lambda play: values[play])


# -- the ordinal law -----------------------------------------------------------------------

CLOSE = 1e-9
"""Means that differ by less are the same: the order of adding changes the last digits."""
TRANSFORMS: Mapping[str, Callable[[float], float]] = {
    "x³ + eˣ": lambda x: x**3 + math.exp(x),
    "3x − 7": lambda x: 3 * x - 7,
}
SHAPES = {"without chance": (3, "xoxo"), "with chance": (3, "x?o?")}
EXAMPLE = {"as they are": (2, 3, 1, 4), "changed": (20, 30, 1, 400)}
EXAMPLE_CHANCES = (0.9, 0.1)


@dataclass(frozen=True)
class OrdinalRow:
    trees: str
    transform: str
    n: int
    changed: int
    """In how many trees the set of best plays is another one afterwards."""


@dataclass(frozen=True)
class Example:
    """The lecture's: two plays, each with two outcomes."""

    leaves: tuple[int, ...]
    values: tuple[float, ...]
    """Of the two plays."""
    best: tuple[int, ...]
    """Which plays are best, from 1."""


def root_values(tree: Layers) -> dict[int, float]:
    kind = Expectiminimax if "?" in tree.layers else Minimax
    result = kind(tree, nodes=NODES).run(tree.deal(0))
    return {play: known.value for play, known in result.values.items()}


def best_plays(values: Mapping[int, float]) -> set[int]:
    """All plays that MAX may choose."""
    best = max(values.values())
    return {play for play, v in values.items() if math.isclose(v, best, rel_tol=CLOSE)}


def ordinal_row(trees: str, transform: str, n: int, seed: int) -> OrdinalRow:
    """Transform the ends of n random trees and see whether other plays are best then."""
    b, layers = SHAPES[trees]
    change = TRANSFORMS[transform]
    kind = LayersWithChance if "?" in layers else Layers
    changed = 0
    for number in range(n):
        leaf = _spread(noise(seed, trees, number))
        before = best_plays(root_values(kind(b, layers, leaf)))
        after = best_plays(root_values(kind(b, layers, _chain(change, leaf))))
        changed += before != after
    return OrdinalRow(trees, transform, n, changed)


def _spread(leaf: Callable[[int], float]) -> Callable[[int], float]:
    """From -2 to 2, where x³ + eˣ is far from linear."""
    return lambda number: 4 * leaf(number) - 2


def _chain(
    change: Callable[[float], float], leaf: Callable[[int], float]
) -> Callable[[int], float]:
    return lambda number: change(leaf(number))


def example(leaves: Sequence[int]) -> Example:
    tree = LayersWithChance(2, "x?", leaves.__getitem__, EXAMPLE_CHANCES)
    values = root_values(tree)
    best = tuple(play + 1 for play in sorted(best_plays(values)))
    return Example(tuple(leaves), tuple(values.values()), best)
