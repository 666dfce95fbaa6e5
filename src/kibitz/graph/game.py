"""A graph as a game: states are nodes, plays are edges. All that plays a game plays it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

from kibitz.core.errors import BadText, UnsuitableGame
from kibitz.core.game import CHANCE, Chance, Game, Traits, Turn
from kibitz.core.presenter import Presenter
from kibitz.graph.graph import Graph, Kind


class GraphPresenter(Presenter[str, str]):
    """Ends have names, or values."""

    def outcome(self, state: str) -> str:
        node = cast(GraphGame, self.game).graph.nodes[state]
        return f"{node.label or f'value {node.value:g}'} for seat 1"


class GraphGame(Game[str, str]):
    """The protagonist is seat 0. Made by `game_of`."""

    presenter_class: ClassVar[type[Presenter[Any, Any]] | None] = GraphPresenter
    graph: ClassVar[Graph]

    @property
    def spec(self) -> str:
        return self.name

    def deal(self, seed: int, first: int = 0) -> str:
        return self.graph.root.name

    def mover(self, state: str) -> int:
        kind = self.graph.nodes[state].kind
        return {Kind.PROTAGONIST: 0, Kind.ANTAGONIST: 1}.get(kind, CHANCE)

    def is_over(self, state: str) -> bool:
        """Whether the node is an end."""
        return self.graph.nodes[state].kind is Kind.END

    def plays(self, state: str) -> Sequence[str]:
        return [edge.play for edge in self.graph.nodes[state].edges]

    def after(self, state: str, play: str) -> str:
        for edge in self.graph.nodes[state].edges:
            if edge.play == play:
                return edge.target
        raise BadText(f"node {state} has no play {play}")

    def turn(self, state: str) -> Turn[str, str]:
        node = self.graph.nodes[state]
        if node.kind is Kind.END:
            return Turn(None, value=self.value(state))
        moves = [(edge.play, edge.target) for edge in node.edges]
        return Turn(self.mover(state), moves, [edge.chance or 0 for edge in node.edges])

    def chances(self, state: str) -> Sequence[tuple[str, float]]:
        return [(edge.play, edge.chance or 0.0) for edge in self.graph.nodes[state].edges]

    def value(self, state: str) -> float:
        value = self.graph.nodes[state].value
        assert value is not None
        return value

    def returns(self, state: str) -> tuple[float, ...]:
        return self.value(state), 0.0 - self.value(state)

    def label(self, value: float) -> str | None:
        return super().label(value) if self._is_labelled else None

    @property
    def _is_labelled(self) -> bool:
        return any(node.label for node in self.graph.nodes.values())

    @property
    def bounds(self) -> tuple[float, float]:
        return self.graph.bounds

    def position(self, state: str) -> str:
        return f"node={state}"

    def parse_position(self, text: str) -> str:
        name = text.strip().removeprefix("node=")
        if name not in self.graph.nodes:
            raise BadText(f"there is no node {name!r} in {self.name}")
        return name

    def caption(self, state: str) -> str:
        return self.graph.nodes[state].caption


def game_of(graph: Graph, spec: str = "") -> GraphGame:
    """A class of its own for each graph: what kind of game it is belongs to the class."""
    graph.check()
    if not graph.is_complete:
        raise UnsuitableGame("the graph does not go on to the ends everywhere")
    has_chance = any(node.kind is Kind.CHANCE for node in graph.nodes.values())

    class Own(GraphGame):
        name: ClassVar[str] = spec or graph.title or "graph"
        title: ClassVar[str] = graph.title or spec
        traits: ClassVar[Traits] = Traits(
            chance=Chance.PLAY if has_chance else Chance.NONE, roles=True
        )
        labels: ClassVar[Mapping[str, float]] = graph.labels

    Own.graph = graph
    game: Any = Own()
    return game
