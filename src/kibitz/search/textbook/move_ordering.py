"""Which moves to look at, and in which order.

Move ordering leaves the value as it is and changes the work of alpha-beta: the best move
first cuts most. Forward pruning throws moves away unseen (C. Shannon's "type B" strategy,
1950). It is safe where a move leads to a mirror image of what another one leads to; else it
may throw the best one away, the less harm the deeper in the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any

from kibitz.core.game import Game, Turn
from kibitz.search.textbook.result import at_least_one
from kibitz.search.textbook.tree_search import MAX, Choice

Moves = Sequence[tuple[Any, Any]]
Value = Callable[[Any], float]


def best_first(value: Value) -> Choice:
    """The moves that look best to who moves come first; equal ones keep their order.

    With an evaluation it is a good order, with the true values the best one.
    """

    def order(turn: Turn[Any, Any], state: Any, depth: int) -> Moves:
        sign = -1 if turn.mover == MAX else 1
        return sorted(turn.moves, key=lambda move: sign * value(move[1]))

    return order


def worst_first(value: Value) -> Choice:
    """The opposite of `best_first`."""
    return best_first(lambda state: -value(state))


def shuffled(seed: int) -> Choice:
    """A random order."""
    source = Random(seed)

    def order(turn: Turn[Any, Any], state: Any, depth: int) -> Moves:
        moves = list(turn.moves)
        source.shuffle(moves)
        return moves

    return order


def remembered_first(best: dict[Hashable, Any], key: Callable[[Any], Hashable]) -> Choice:
    """The best play of an earlier, shallower search comes first."""

    def order(turn: Turn[Any, Any], state: Any, depth: int) -> Moves:
        first = best.get(key(state))
        return sorted(turn.moves, key=lambda move: move[0] != first)

    return order


class WithoutMirrorImages:
    """Of moves that lead to mirror images of each other, the first. Safe."""

    why = "mirror image"

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game

    def __call__(self, turn: Turn[Any, Any], state: Any, depth: int) -> Moves:
        seen: dict[Hashable, tuple[Any, Any]] = {}
        for move in turn.moves:
            seen.setdefault(self.game.symmetry_key(move[1]), move)
        return list(seen.values())


class Beam:
    """The moves that look best, so many, from some depth on. Not safe."""

    def __init__(self, value: Value, width: int, from_depth: int = 1) -> None:
        at_least_one("width", width)
        self.order = best_first(value)
        self.width = width
        self.from_depth = from_depth
        self.why = f"not among the best {width}"

    def __call__(self, turn: Turn[Any, Any], state: Any, depth: int) -> Moves:
        if depth < self.from_depth:
            return turn.moves
        return self.order(turn, state, depth)[: self.width]
