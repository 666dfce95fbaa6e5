"""A game drawn, with or without a search on it: what `kibitz graph` and `kibitz.graph` do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.core import checks
from kibitz.core.errors import BadText
from kibitz.core.files import atomic_write
from kibitz.core.game import CHANCE, Game
from kibitz.core.position import Position
from kibitz.core.registry import game_of
from kibitz.graph.build import NODES, build, heading, kind_of
from kibitz.graph.graph import Graph, Node
from kibitz.graph.look import Picture
from kibitz.graph.marks import Marks, number
from kibitz.graph.page import to_page
from kibitz.graph.render import FORMATS, draw, draw_all, numbered
from kibitz.graph.series import Series
from kibitz.graph.text import write_graph
from kibitz.search.textbook.algorithms import SAMPLING, Settings, first_state, label_of, run
from kibitz.search.textbook.result import BudgetSpent, Result, TooDeep
from kibitz.search.textbook.trace import Trace

SEARCHED = 300_000
"""Nodes that a search may enter: all its steps are stored."""
IN_NOTEBOOK = 400
"""Nodes of a graph that a notebook draws by itself. Graphviz takes seconds for more."""
MOST_PICTURES = 500
MOST_STEPS = 5000


@dataclass(frozen=True, repr=False)
class Drawing:
    """A game as a graph, and a search on it if there was one: what `kibitz.graph` gives.

    Examples
    --------
    >>> import kibitz
    >>> drawing = kibitz.graph("twenty-one", depth=2)
    >>> drawing.title, len(drawing.graph.nodes)
    ('twenty-one: 13 nodes, not all', 13)
    """

    graph: Graph
    title: str
    series: Series | None = None

    def picture(self) -> Picture:
        """The graph, with the results of the search."""
        if self.series is None:
            return Picture(self.graph, Marks(), self.title)
        return self.series.final()

    def save(self, path: str | Path, *, steps: bool = False) -> list[Path]:
        """Write it to a file that ends in .dot, .mmd, .svg, .png, .graph, or with `steps` .html.

        Parameters
        ----------
        path
            The file.
        steps
            A picture for each step of the search, numbered; in a .html file a page with a slider.

        Returns
        -------
        list of Path
            The files that were written.
        """
        path = checks.path(path, "a file")
        check_file(path, checks.flag(steps, "steps"), searched=self.series is not None)
        files = self.files(path, steps)
        atomic_write(dict(files))
        return [file for file, _ in files]

    def files(self, path: Path, steps: bool = False) -> list[tuple[Path, bytes]]:
        """The files to write: all of them are made before the first is written."""
        if path.suffix == ".graph":
            if self.series is not None and self.series.is_sampled:
                raise BadText("a tree of samples has no values at its ends; .graph needs them")
            return [(path, write_graph(self.graph).encode())]
        if self.series is None or not steps:
            return [(path, draw(self.picture(), path.suffix))]
        count = len(self.series.steps)
        most = MOST_STEPS if path.suffix == ".html" else MOST_PICTURES
        if count > most:
            raise BadText(
                f"{count} steps are too many ({most} at most): set a depth, or begin later"
                + ("" if path.suffix == ".html" else "; a .html page may have more")
            )
        if path.suffix == ".html":
            return [(path, to_page(self.series).encode())]
        pictures = draw_all(self.series.pictures(), path.suffix, self.series.widths())
        return list(zip(numbered(path, count), pictures, strict=True))

    def __repr__(self) -> str:
        large = "" if self._is_small else "; too large for a notebook, save('graph.svg') draws it"
        return f"<Drawing {self.title}{large}>"

    @property
    def _is_small(self) -> bool:
        return len(self.graph.nodes) <= IN_NOTEBOOK

    def _repr_svg_(self) -> str | None:
        """None if it would take minutes: then a notebook shows the text."""
        return draw(self.picture(), ".svg").decode() if self._is_small else None


def check_file(path: Path, steps: bool, searched: bool, dashes: str = "") -> None:
    """Refuse a file that nothing can be drawn into, before any work is done. `dashes` stand
    before the names of options where these are typed."""
    allowed = (*FORMATS, ".graph", ".html")
    if path.suffix not in allowed:
        raise BadText(f"{path} must end in one of {', '.join(allowed)}")
    if steps and not searched:
        raise BadText(f"{dashes}steps needs an {dashes}algorithm, such as minimax")
    if steps and path.suffix == ".graph":
        raise BadText(f"{dashes}steps needs a file for pictures, such as steps.html")
    if path.suffix == ".html" and not steps:
        raise BadText(f"a .html page shows steps: give {dashes}steps and an {dashes}algorithm too")
    if not path.parent.is_dir():
        raise BadText(f"there is no folder {path.parent}")


def graph(
    what: Position | Game[Any, Any] | str,
    *,
    algorithm: str | None = None,
    merge: bool = False,
    depth: int | None = None,
    nodes: int = NODES,
    weights: Mapping[str, float] | None = None,
    bounds: tuple[float, float] | None = None,
    samples: int | None = None,
    seed: int = 0,
) -> Drawing:
    """Draw a game as a graph, from a position on: node kinds, values and the best line.

    Parameters
    ----------
    what
        A position, a game, or a game's text.
    algorithm
        Show what it finds: `minimax`, `alpha-beta`, `expectiminimax`, `star2`, `mcts` …
    merge
        Draw equal states as one.
    depth
        Look no further than so many plays; then evaluate.
    nodes
        Draw no more nodes than this.
    weights, bounds, samples
        Of the algorithm: of its evaluation's features, of the ends, its iterations or worlds.
    seed
        Of the deal if a game is given, and of a search that samples.

    Returns
    -------
    Drawing
        In a notebook it is drawn; `save` writes it as DOT, Mermaid, SVG, PNG or a page of steps.

    Examples
    --------
    >>> import kibitz
    >>> position = kibitz.make_game("twenty-one").start().play("6")
    >>> kibitz.graph(position, algorithm="minimax", merge=True)
    <Drawing twenty-one, minimax-merged: value −1 (lost), best line 4 4 4 4, 21 nodes>
    """
    if isinstance(what, Position):
        game, state = what.game, what.state
    else:
        game = game_of(checks.one_of(what, (str, Game), "a position, a game, or its text,"))
        state = first_state(game, checks.seed(seed), algorithm)
    if algorithm is None:
        for name, value in {"weights": weights, "bounds": bounds, "samples": samples}.items():
            if value is not None:
                raise BadText(f"{name} need an algorithm that uses them")
        if depth is not None:
            checks.count(depth, "depth", 1)
    else:
        checks.text(algorithm, "an algorithm")
    settings = Settings(depth, weights, bounds, SEARCHED, samples, seed=checks.seed(seed))
    return draw_game(
        game, state, algorithm=algorithm,
        merge=checks.flag(merge, "merge"),
        nodes=checks.count(nodes, "nodes", 1), settings=settings.checked(),
    )  # fmt: skip


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
