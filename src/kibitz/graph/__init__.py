"""Games as explicit graphs: built from any game, written by hand, solved and drawn.

from kibitz.graph import Graph, antagonist, protagonist

graph = Graph.of(protagonist(antagonist(3, 12, 8), antagonist(2, 4, 6)))
"""

from kibitz.graph.graph import Edge, Graph, Kind, Node, antagonist, chance, end, protagonist

__all__ = ["Edge", "Graph", "Kind", "Node", "antagonist", "chance", "end", "protagonist"]
