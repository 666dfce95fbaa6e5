"""The whole tree of a game for two with hidden cards, as flat arrays.

An *information set* is all that a seat has seen when it is to move: its view at every turn so
far, and every play as it heard it. So nobody forgets anything (perfect recall), and the nodes
of a set lie equally deep. Sets are told apart by 64 bits made of all that: among a million of
them two are taken for one with a probability of 3 in 100 million.

The root is a node of chance, the deal. Nodes stand in levels, the children of each together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.errors import UnsuitableGame
from kibitz.core.game import CHANCE, Game
from kibitz.games.compiled_game import CompiledGame
from kibitz.jit.hashing import find_slot, mix
from kibitz.jit.kernels import Slot, bind, kernel, template
from kibitz.search.fast.ismcts import what_is_seen

game: Any = Slot("game")

MOST = 5_000_000
"""Nodes of a tree, unless told otherwise."""
DEEPEST = 500
END = -2

OWNER, CHILDREN, FIRST, SLOT, PARENT, DEPTH = range(6)
"""A node: the seat to move, CHANCE or END; its children and where they begin; and the slot of
its first play. A slot is a play in an information set: there stands its probability."""
SEAT, PLAYS, START, BEFORE = range(4)
"""A set: whose, how many plays, its first slot, and the slot of the seat's play before it."""
PAYOFF, LUCK = range(2)
"""The value of an end to seat 0, and the probability that chance lets a node happen."""
DONE, MANY, LONG, UNFAIR, VAGUE = range(5)
"""How it ended: well; too many nodes; too deep; not zero-sum; plays that a view does not tell."""


@kernel
def longer(rows: Any) -> Any:
    """The same rows with room for as many again."""
    larger = np.empty((2 * rows.shape[0], rows.shape[1]), rows.dtype)
    for i in range(rows.shape[0]):  # a slice would take long to compile
        for j in range(rows.shape[1]):
            larger[i, j] = rows[i, j]
    return larger


@kernel
def rehashed(keys: Any, numbers: Any) -> Any:
    """The same table of sets with twice the places."""
    larger, moved = np.zeros(2 * len(keys), np.int64), np.zeros(2 * len(keys), np.int64)
    for i in range(len(keys)):
        if keys[i] != 0:
            place = find_slot(larger, keys[i])
            larger[place] = keys[i]
            moved[place] = numbers[i]
    return larger, moved


@template
def go_down(
    states: Any, depth: int, child: int, node: Any, luck: float, seen: Any, last: Any
) -> float:
    """Make a play of the node at a depth: write the state below, and what each seat has seen
    and played by then. The luck of getting there."""
    above, below = states[depth : depth + 1], states[depth + 1 : depth + 2]
    play = game.nth(above, child)
    if node[OWNER] == CHANCE:
        luck *= game.chance_of(above, play)
    for seat in range(2):
        seen[depth + 1, seat] = mix(seen[depth, seat], game.heard(above, seat, play))
        last[depth + 1, seat] = last[depth, seat]
    if node[OWNER] >= 0:
        last[depth + 1, node[OWNER]] = node[SLOT] + child
    below[0] = above[0]
    game.apply(below, play)
    return luck


@template
def grow(deals: Any, weights: Any, most: int) -> Any:
    """The tree below these deals: how it went, nodes (each before those below it), their
    values, and sets."""
    nodes = np.empty((1 << 10, DEPTH + 1), np.int32)
    values = np.zeros((1 << 10, LUCK + 1))
    sets = np.empty((1 << 8, BEFORE + 1), np.int32)
    keys, numbers = np.zeros(1 << 10, np.int64), np.zeros(1 << 10, np.int64)
    # What is on the way from the root to where we are, by depth.
    states = np.zeros(DEEPEST + 1, game.STATE)
    path = np.zeros(DEEPEST + 1, np.int64)
    tried = np.zeros(DEEPEST + 1, np.int64)
    seen = np.zeros((DEEPEST + 1, 2), np.int64)
    last = np.full((DEEPEST + 1, 2), np.int64(-1))
    view = np.zeros(1, game.STATE)
    out = np.zeros(2)
    nodes[0, OWNER], nodes[0, CHILDREN], nodes[0, SLOT] = CHANCE, len(deals), -1
    nodes[0, PARENT], nodes[0, DEPTH], nodes[0, FIRST] = -1, 0, 0
    values[0, LUCK] = 1.0
    n, found, slots, depth = 1, 0, 0, 0
    how = DONE
    while depth >= 0 and how == DONE:
        up, child = path[depth], tried[depth]
        if child == nodes[up, CHILDREN]:
            depth -= 1
            continue
        if n == most or depth == DEEPEST:
            how = MANY if n == most else LONG
            break
        if n == len(nodes):
            nodes, values = longer(nodes), longer(values)
        tried[depth] += 1
        if depth == 0:
            states[1] = deals[child]
            luck = weights[child]
            seen[1, 0], seen[1, 1] = 1, 2
        else:
            luck = go_down(states, depth, child, nodes[up], values[up, LUCK], seen, last)
        depth += 1
        path[depth], tried[depth] = n, 0
        s = states[depth : depth + 1]
        owner, children, slot = END, 0, -1
        values[n, PAYOFF], values[n, LUCK] = 0.0, luck
        if game.over(s):
            game.returns(s, out)
            if abs(out[0] + out[1]) > 1e-9:
                how = UNFAIR
            values[n, PAYOFF] = out[0]
        else:
            owner, children = game.mover(s), game.count(s)
            for seat in range(2):
                seen[depth, seat] = mix(seen[depth, seat], what_is_seen(s, seat, view))
        if owner >= 0:
            place = find_slot(keys, seen[depth, owner])
            if keys[place] == 0:
                keys[place], numbers[place] = seen[depth, owner], found
                if found == len(sets):
                    sets = longer(sets)
                sets[found, SEAT], sets[found, PLAYS] = owner, children
                sets[found, START], sets[found, BEFORE] = slots, last[depth, owner]
                slots += children
                found += 1
            number = numbers[place]
            if sets[number, PLAYS] != children:
                how = VAGUE
            slot = sets[number, START]
            if 2 * found > len(keys):
                keys, numbers = rehashed(keys, numbers)
        nodes[n, OWNER], nodes[n, CHILDREN], nodes[n, SLOT] = owner, children, slot
        nodes[n, PARENT], nodes[n, DEPTH], nodes[n, FIRST] = up, depth, 0
        n += 1
    return how, nodes[:n], values[:n], sets[:found]


@dataclass(frozen=True)
class GameTree:
    """The tree of a game. Columns of the arrays have their names above."""

    game: CompiledGame
    deals: np.ndarray
    nodes: np.ndarray
    values: np.ndarray
    levels: np.ndarray
    """Where each level of the nodes begins, and the end of the last one."""
    sets: np.ndarray
    """Each behind the one that the seat has come from."""

    @property
    def slots(self) -> int:
        return int(self.sets[:, PLAYS].sum())

    def state(self, node: int) -> Any:
        """The state at a node below the root."""
        up = int(self.nodes[node, PARENT])
        child = node - int(self.nodes[up, FIRST])
        if up == 0:
            return self.deals[child : child + 1].copy()
        state = self.state(up)
        self.game.kernels.apply(state, self.game.kernels.nth(state, child))
        return state

    def examples(self) -> Iterator[int]:
        """A node of each set."""
        slots, first = np.unique(self.nodes[:, SLOT], return_index=True)
        where = dict(zip(slots.tolist(), first.tolist(), strict=True))
        for start in self.sets[:, START].tolist():
            yield where[start]


def tree_of(game: Game[Any, Any], position: Any = None, most: int = MOST) -> GameTree:
    """The tree of a game for two, or of what may follow a position, by `game.every_deal`."""
    if not isinstance(game, CompiledGame):
        raise UnsuitableGame(f"the tree is built for compiled games; {game.name} is plain Python")
    if game.players != 2:
        raise UnsuitableGame(f"the tree is built for 2 players, not {game.players}")
    states, weights = zip(*game.every_deal(position), strict=True)
    deals = np.concatenate(states).view(states[0].dtype)
    how, nodes, values, sets = bind(grow, game=game.kernels)(deals, np.array(weights), most)
    if how != DONE:
        raise UnsuitableGame(
            {
                MANY: f"the tree of {game.name} has more than {most:,} nodes here",
                LONG: f"the tree of {game.name} is more than {DEEPEST} plays deep",
                UNFAIR: f"{game.name} is not zero-sum: what one wins the other must lose",
                VAGUE: f"{game.name}: a view does not tell what plays are legal",
            }[how]
        )
    nodes, values, levels = _in_levels(nodes, values)
    return GameTree(game, deals, nodes, values, levels, sets.copy())


def _in_levels(nodes: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes and values level by level, and where each level begins."""
    order = np.argsort(nodes[:, DEPTH], kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    nodes, values = nodes[order], values[order]
    nodes[1:, PARENT] = place[nodes[1:, PARENT]]
    nodes[:, FIRST] = 1 + np.searchsorted(nodes[1:, PARENT], np.arange(len(nodes)))
    depths = np.arange(nodes[-1, DEPTH] + 2)
    return nodes, values, np.searchsorted(nodes[:, DEPTH], depths)
