"""A search as one HTML page with a slider: no network, nothing to install to look at it.

How the page works is in `templates/steps.html` of kibitz.report.
"""

from __future__ import annotations

from kibitz.graph.look import BEST, CURRENT, FADED, LOOKS, Picture, edge_id, node_id
from kibitz.graph.render import draw
from kibitz.graph.series import Series
from kibitz.report.page import render


def to_page(series: Series) -> str:
    """The page."""
    svg = draw(series.layout(), ".svg", series.widths()).decode()
    return render(
        "steps.html",
        title=series.title,
        legend=series.final().legend(),
        svg=svg[svg.index("<svg") :],
        data=_data(series),
        last_step=len(series.steps) - 1,
        looks=LOOKS,
        best=BEST,
        faded=FADED,
        current=CURRENT,
    )


def _data(series: Series) -> dict[str, object]:
    """What the script needs: for each step what changes."""
    steps: list[dict[str, object]] = []
    before: dict[tuple[str, str], str] | None = None
    for step, picture in zip(series.steps, series.pictures(), strict=True):
        names = list(step.changed) if steps else list(series.graph.nodes)
        entry: dict[str, object] = {"text": step.text, "nodes": _texts(picture, names)}
        if step.current:
            entry["current"] = step.current
        if step.cuts != before:
            entry["cuts"] = {edge_id(*edge): why for edge, why in step.cuts.items()}
        if step.line:
            entry["line"] = [edge_id(*edge) for edge in step.line]
            entry["best"] = sorted(picture.line_nodes())
        before = step.cuts
        steps.append(entry)
    edges = {edge_id(node.name, edge.play): node.name for node, edge in series.graph.edges()}
    ids = {name: node_id(name) for name in series.graph.nodes}
    return {"steps": steps, "edges": edges, "ids": ids}


def _texts(picture: Picture, names: list[str]) -> dict[str, list[str | None]]:
    """The class of each node and the lines that change: value and window."""
    texts: dict[str, list[str | None]] = {}
    for name in names:
        node = picture.graph.nodes[name]
        window = picture.window(node) if picture.has_window(node) else None
        texts[name] = [f"{node.kind} {picture.mark(node).status}", picture.value(node), window]
    return texts
