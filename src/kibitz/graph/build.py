"""The graph of any game: a tree, or with equal states merged; or just its first nodes."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from typing import Any

from kibitz.core.errors import UnsuitableGame
from kibitz.core.game import CHANCE, Game, Turn
from kibitz.graph.game import GraphGame
from kibitz.graph.graph import Edge, Graph, Kind, Node

NODES = 2000


def build(
    game: Game[Any, Any],
    state: Any = None,
    *,
    merge: bool = False,
    nodes: int = NODES,
    depth: int | None = None,
) -> Graph:
    """The graph from a state on (the initial one of seed 0 if there is none).

    A game with more nodes than allowed is drawn as far as they go, level by level; where it
    goes on unseen, the node's kind says so.
    """
    state = game.deal(0) if state is None else state
    graph = Graph(heading(game), labels=dict(game.labels), bounds=game.bounds)
    known: dict[Hashable, str] = {}

    def add(state: Any) -> tuple[Node, Turn[Any, Any]]:
        turn = game.turn(state)
        node = graph.add(Node(f"n{len(graph.nodes)}", kind_of(turn.mover), game.caption(state)))
        if turn.mover is None:
            node.value, node.label = turn.value, game.label(turn.value)
        known[game.key(state) if merge else node.name] = node.name
        return node, turn

    waiting = deque([(*add(state), 0)])
    while waiting:
        node, turn, ply = waiting.popleft()
        new = len(turn.moves)
        if merge:
            keys = {game.key(child) for _, child in turn.moves[: nodes + 1]}
            new = len(keys - known.keys())
        if len(graph.nodes) + new > nodes or (depth is not None and ply >= depth):
            node.kind = Kind.UNSEEN if len(turn.moves) else node.kind
            continue
        for i, (play, child) in enumerate(turn.moves):
            target = known.get(game.key(child)) if merge else None
            if target is None:
                added, its_turn = add(child)
                waiting.append((added, its_turn, ply + 1))
                target = added.name
            chance = float(turn.chances[i]) if turn.mover == CHANCE else None
            node.edges.append(Edge(str(play), target, chance))
    if merge and graph.find_cycle():
        raise UnsuitableGame(
            f"{game.name} can come back to an earlier state, so equal states can't be merged;"
            " draw it as a tree"
        )
    return graph


def heading(game: Game[Any, Any]) -> str:
    """What a game is called over a picture: a graph has a title, others have their name."""
    return game.title if isinstance(game, GraphGame) else game.spec


def kind_of(mover: int | None) -> Kind:
    """The kind of node where a seat or chance moves, or nobody."""
    if mover is None:
        return Kind.END
    return {CHANCE: Kind.CHANCE, 0: Kind.PROTAGONIST}.get(mover, Kind.ANTAGONIST)
