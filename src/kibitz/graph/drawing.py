"""A game drawn, with or without a search on it: what `kibitz graph` does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kibitz.core.errors import BadText
from kibitz.core.game import CHANCE, Game
from kibitz.graph.build import NODES, build, heading, kind_of
from kibitz.graph.graph import Graph, Node
from kibitz.graph.look import Picture
from kibitz.graph.marks import Marks, number
from kibitz.graph.series import Series
from kibitz.search.textbook.algorithms import SAMPLING, Settings, label_of, run
from kibitz.search.textbook.result import BudgetSpent, Result, TooDeep
from kibitz.search.textbook.trace import Trace

SEARCHED = 300_000
"""Nodes that a search may enter: all its steps are stored."""


@dataclass(frozen=True)
class Drawing:
    graph: Graph
    title: str
    series: Series | None = None

    def picture(self) -> Picture:
        """The graph, with the results of the search."""
        if self.series is None:
            return Picture(self.graph, Marks(), self.title)
        return self.series.final()


def draw_game(
    game: Game[Any, Any],
    state: Any,
    *,
    algorithm: str | None = None,
    merge: bool = False,
    nodes: int = NODES,
    settings: Settings | None = None,
) -> Drawing:
    """The graph of a game from a state on, at most so many nodes, and a search on it."""
    settings = settings or Settings(nodes=SEARCHED)
    if algorithm is None:
        graph = build(game, state, merge=merge, nodes=nodes, depth=settings.depth)
        hidden = ", all cards open" if game.traits.hidden else ""
        return Drawing(graph, f"{heading(game)}: {_size(graph)}{hidden}")
    if merge and algorithm in SAMPLING:
        raise BadText(f"{algorithm} makes a tree of its own, so nothing can be merged")
    if merge and settings.depth is not None:
        raise BadText(
            "a state has other values at other depths, so with a depth nothing can be merged"
        )
    trace = Trace()
    if merge and algorithm == "minimax":
        algorithm = "minimax-merged"
    try:
        result = run(algorithm, game, state, settings, trace)
    except TooDeep:
        raise
    except BudgetSpent:
        raise BudgetSpent(
            f"{algorithm} enters more than {settings.nodes} nodes, too many to keep all its steps;"
            " set a depth, or draw a later position"
        ) from None
    facts = _facts(game, result)
    title = f"{heading(game)}, {algorithm}: {facts}"
    if algorithm in SAMPLING:
        graph = _seed(game, state)
        series = Series(graph, trace, title, result.line, grow_to=nodes)
    else:
        graph = build(game, state, merge=merge, nodes=nodes, depth=settings.depth)
        series = Series(graph, trace, title, result.line)
    return Drawing(graph, title, series)


def _seed(game: Game[Any, Any], state: Any) -> Graph:
    """What a tree of samples grows from: the root, as the seat to move sees it."""
    mover = None if game.is_over(state) else game.mover(state)
    if mover is not None and mover != CHANCE:
        state = game.view(state, mover).state
    return Graph(game.spec, {"n0": Node("n0", kind_of(mover), game.caption(state))})


def _size(graph: Graph) -> str:
    count = len(graph.nodes)
    return f"{count} node{'' if count == 1 else 's'}" + ("" if graph.is_complete else ", not all")


def _facts(game: Game[Any, Any], result: Result[Any]) -> str:
    label = label_of(game, result)
    about = "" if result.exact else "≈ "
    value = result.for_protagonist if game.players == 2 else result.value
    whose = f" for seat {result.seat + 1}" if game.players > 2 else ""
    # The root of a sampled tree shows the mean over all plays that were tried.
    what = " of the best play" if not result.exact and result.depth is None else ""
    facts = [f"value {about}{number(value)}" + (f" ({label})" if label else "") + whose + what]
    if result.line:
        facts.append(f"best line {' '.join(map(str, result.line))}")
    facts.append(f"{result.counts.nodes} nodes")
    if result.counts.cutoffs:
        cuts = result.counts.cutoffs
        facts.append(f"{cuts} cut-off{'s' if cuts > 1 else ''}")
    return ", ".join(facts)
