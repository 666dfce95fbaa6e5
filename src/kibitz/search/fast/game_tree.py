"""The whole tree of a game for two with hidden cards, as flat arrays.

An *information set* is all that a seat has observed when it is to move: its view at every turn so
far, and every play as it heard it. So nobody forgets anything (perfect recall), and the nodes
of an information set lie equally deep. Information sets are identified by a hash of 64 bits of all
that: among a million of them two collide with a probability of 3 in 100 million.

The root is a chance node, the deal. Nodes stand level by level, the children of each together:
a parent stands before its children, so one pass forwards goes down the tree and one pass
backwards goes up it.

Kuhn poker, for example, has 55 nodes: the root, six deals of nine nodes each. The first level,
`levels[1]` to `levels[2]`, has the six deals, each with a chance reach of 1/6. There are 12
information sets (3 cards × 2 situations for each seat), of two plays each: 24 slots.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.errors import UnsuitableGame
from kibitz.core.game import CHANCE, Game
from kibitz.games.compiled_game import CompiledGame
from kibitz.jit.hashing import find_slot, mix
from kibitz.jit.kernels import Slot, bind, kernel, template

game: Any = Slot("game")

MAX_NODES = 5_000_000
"""Of a tree, unless the caller sets another limit."""
MAX_DEPTH = 500
END = -2
DONE, TOO_MANY, TOO_DEEP, NOT_ZERO_SUM, AMBIGUOUS = range(5)
"""How building ended: well; too many nodes; too deep; not zero-sum; legal plays that differ
between nodes which look the same to the mover."""


class Nodes(NamedTuple):
    """N nodes. Every array has shape (N,); the integers are int32, the others float64."""

    owner: Any
    """The seat to move, CHANCE or END."""
    children: Any
    """How many children: 0 at an end."""
    first_child: Any
    """The children of node i are first_child[i], …, first_child[i] + children[i] - 1."""
    slot: Any
    """The slot of the first play of the node's information set; -1 unless a seat moves. A *slot*
    is one play in one information set: an index into policies and regrets."""
    parent: Any
    depth: Any
    payoff: Any
    """u_0: what an end brings seat 0. Seat 1 gets the negative. 0 elsewhere."""
    chance_reach: Any
    """π_c: the product of the probabilities of all chance outcomes on the way from the root."""


class InformationSets(NamedTuple):
    """S information sets, each behind those through which its seat has come. Shape (S,), int32."""

    seat: Any
    plays: Any
    """How many plays are legal there."""
    start: Any
    """Its first slot: its plays have the slots start, …, start + plays - 1."""
    previous: Any
    """The slot of the seat's own play before it, or -1: the seat's *sequence*."""


class Path(NamedTuple):
    """From the root to the current node, by depth."""

    states: Any
    node: Any
    tried: Any
    """How many children were built already."""
    observed: Any
    """By depth and seat: a hash of all that the seat has observed."""
    sequence: Any
    """By depth and seat: the slot of its last play, or -1."""


# -- arrays that grow ----------------------------------------------------------------------


@kernel
def longer(array: Any) -> Any:
    """The same array with twice the capacity."""
    larger = np.empty(2 * len(array), array.dtype)
    for i in range(len(array)):  # a slice would take long to compile
        larger[i] = array[i]
    return larger


@kernel
def longer_nodes(nodes: Any) -> Any:
    return Nodes(
        longer(nodes.owner),
        longer(nodes.children),
        longer(nodes.first_child),
        longer(nodes.slot),
        longer(nodes.parent),
        longer(nodes.depth),
        longer(nodes.payoff),
        longer(nodes.chance_reach),
    )


@kernel
def longer_sets(sets: Any) -> Any:
    return InformationSets(
        longer(sets.seat), longer(sets.plays), longer(sets.start), longer(sets.previous)
    )


@kernel
def empty_nodes(n: int) -> Any:
    return Nodes(
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(n, np.float64),
        np.empty(n, np.float64),
    )


@kernel
def empty_sets(n: int) -> Any:
    return InformationSets(
        np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int32)
    )


@kernel
def rehashed(keys: Any, numbers: Any) -> Any:
    """The same hash table of information sets with twice the capacity."""
    larger, moved = np.zeros(2 * len(keys), np.int64), np.zeros(2 * len(keys), np.int64)
    for i in range(len(keys)):
        if keys[i] != 0:
            place = find_slot(larger, keys[i])
            larger[place] = keys[i]
            moved[place] = numbers[i]
    return larger, moved


# -- building the tree ---------------------------------------------------------------------


@kernel
def add_node(nodes: Any, n: int, owner: int, children: int, slot: int, parent: int) -> None:
    """Node n, whose children come later. Its parent is in the arrays already."""
    nodes.owner[n], nodes.children[n], nodes.slot[n] = owner, children, slot
    nodes.parent[n], nodes.first_child[n] = parent, 0
    nodes.depth[n] = nodes.depth[parent] + 1 if parent >= 0 else 0


@template
def go_down(path: Any, depth: int, child: int, owner: int, slot: int, chance_reach: float) -> float:
    """Make a play of the node at a depth: write the state below, and what each seat has observed
    and played by then. The chance reach of the node below."""
    above, below = path.states[depth : depth + 1], path.states[depth + 1 : depth + 2]
    play = game.nth(above, child)
    if owner == CHANCE:
        chance_reach *= game.chance_of(above, play)
    for seat in range(2):
        observed_play = game.observed_play(above, seat, play)
        path.observed[depth + 1, seat] = mix(path.observed[depth, seat], observed_play)
        path.sequence[depth + 1, seat] = path.sequence[depth, seat]
    if owner >= 0:
        path.sequence[depth + 1, owner] = slot + child
    below[0] = above[0]
    game.apply(below, play)
    return chance_reach


@template
def new_path() -> Any:
    return Path(
        np.zeros(MAX_DEPTH + 1, game.STATE),
        np.zeros(MAX_DEPTH + 1, np.int64),
        np.zeros(MAX_DEPTH + 1, np.int64),
        np.zeros((MAX_DEPTH + 1, 2), np.int64),
        np.full((MAX_DEPTH + 1, 2), np.int64(-1)),
    )


@template
def build(deals: Any, weights: Any, max_nodes: int) -> Any:
    """The tree below these deals, depth first: how it ended, the nodes, the information sets."""
    nodes, sets, path = empty_nodes(1 << 10), empty_sets(1 << 8), new_path()
    keys, numbers = np.zeros(1 << 10, np.int64), np.zeros(1 << 10, np.int64)
    view = np.zeros(1, game.STATE)
    returns = np.zeros(2)
    add_node(nodes, 0, CHANCE, len(deals), -1, -1)
    nodes.payoff[0], nodes.chance_reach[0] = 0.0, 1.0
    n, n_sets, n_slots, depth = 1, 0, 0, 0
    status = DONE
    while depth >= 0 and status == DONE:
        parent, child = path.node[depth], path.tried[depth]
        if child == nodes.children[parent]:
            depth -= 1
            continue
        if n == max_nodes or depth == MAX_DEPTH:
            status = TOO_MANY if n == max_nodes else TOO_DEEP
            break
        if n == len(nodes.owner):
            nodes = longer_nodes(nodes)
        path.tried[depth] += 1
        if depth == 0:
            path.states[1] = deals[child]
            reach = weights[child]
            path.observed[1, 0], path.observed[1, 1] = 1, 2
        else:
            reach = nodes.chance_reach[parent]
            reach = go_down(path, depth, child, nodes.owner[parent], nodes.slot[parent], reach)
        depth += 1
        path.node[depth], path.tried[depth] = n, 0
        s = path.states[depth : depth + 1]
        owner, children, slot = END, 0, -1
        nodes.payoff[n], nodes.chance_reach[n] = 0.0, reach
        if game.over(s):
            game.returns(s, returns)
            if abs(returns[0] + returns[1]) > 1e-9:
                status = NOT_ZERO_SUM
            nodes.payoff[n] = returns[0]
        else:
            owner, children = game.mover(s), game.count(s)
            for seat in range(2):
                seen = game.view_key(s, seat, view)
                path.observed[depth, seat] = mix(path.observed[depth, seat], seen)
        if owner >= 0:
            place = find_slot(keys, path.observed[depth, owner])
            if keys[place] == 0:
                keys[place], numbers[place] = path.observed[depth, owner], n_sets
                if n_sets == len(sets.seat):
                    sets = longer_sets(sets)
                sets.seat[n_sets], sets.plays[n_sets] = owner, children
                sets.start[n_sets], sets.previous[n_sets] = n_slots, path.sequence[depth, owner]
                n_slots += children
                n_sets += 1
            number = numbers[place]
            if sets.plays[number] != children:
                status = AMBIGUOUS
            slot = sets.start[number]
            if 2 * n_sets > len(keys):
                keys, numbers = rehashed(keys, numbers)
        add_node(nodes, n, owner, children, slot, parent)
        n += 1
    return status, nodes, n, sets, n_sets


@dataclass(frozen=True)
class GameTree:
    """The tree of a game."""

    game: CompiledGame
    deals: np.ndarray
    """The states below the root: deal k is node 1 + k."""
    nodes: Nodes
    levels: np.ndarray
    """Where each level of the nodes begins, and the end of the last one."""
    sets: InformationSets

    @property
    def slots(self) -> int:
        """How many: the length of a policy."""
        return int(self.sets.plays.sum())

    def state(self, node: int) -> Any:
        """The state at a node below the root."""
        parent = int(self.nodes.parent[node])
        child = node - int(self.nodes.first_child[parent])
        if parent == 0:
            return self.deals[child : child + 1].copy()
        state = self.state(parent)
        self.game.kernels.apply(state, self.game.kernels.nth(state, child))
        return state

    def examples(self) -> Iterator[int]:
        """A node of each information set."""
        slots, first = np.unique(self.nodes.slot, return_index=True)
        node_of = dict(zip(slots.tolist(), first.tolist(), strict=True))
        for start in self.sets.start.tolist():
            yield node_of[start]


def tree_of(game: Game[Any, Any], position: Any = None, max_nodes: int = MAX_NODES) -> GameTree:
    """The tree of a game for two, or of what may follow a position, by `game.every_deal`."""
    if not isinstance(game, CompiledGame):
        raise UnsuitableGame(f"the tree is built for compiled games; {game.name} is plain Python")
    if game.players != 2:
        raise UnsuitableGame(f"the tree is built for 2 players, not {game.players}")
    states, weights = zip(*game.every_deal(position), strict=True)
    deals = np.concatenate(states).view(states[0].dtype)
    built = bind(build, game=game.kernels)(deals, np.array(weights), max_nodes)
    status, nodes, n, sets, n_sets = built
    if status != DONE:
        raise UnsuitableGame(
            {
                TOO_MANY: f"the tree of {game.name} has more than {max_nodes:,} nodes here",
                TOO_DEEP: f"the tree of {game.name} is more than {MAX_DEPTH} plays deep",
                NOT_ZERO_SUM: f"{game.name} is not zero-sum: what one wins the other must lose",
                AMBIGUOUS: f"{game.name}: a view does not tell what plays are legal",
            }[status]
        )
    in_levels, levels = _in_levels(Nodes(*(array[:n] for array in nodes)))
    sets = InformationSets(*(array[:n_sets].copy() for array in sets))
    return GameTree(game, deals, in_levels, levels, sets)


def _in_levels(nodes: Nodes) -> tuple[Nodes, np.ndarray]:
    """The nodes level by level, and where each level begins."""
    order = np.argsort(nodes.depth, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    nodes = Nodes(*(array[order] for array in nodes))
    nodes.parent[1:] = place[nodes.parent[1:]]
    nodes.first_child[:] = 1 + np.searchsorted(nodes.parent[1:], np.arange(len(order)))
    depths = np.arange(nodes.depth[-1] + 2)
    return nodes, np.searchsorted(nodes.depth, depths)
