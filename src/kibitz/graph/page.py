"""A search as one HTML page with a slider: no network, nothing to install to look at it.

Graphviz lays the graph out once; a short script then writes the texts of each step into that
picture and gives the nodes their classes, which the style sheet colours.
"""

from __future__ import annotations

import json
from html import escape

from kibitz.graph.look import BEST, CURRENT, FADED, LOOKS, Picture, edge_id, node_id
from kibitz.graph.render import draw
from kibitz.graph.series import Series


def to_page(series: Series) -> str:
    """The page."""
    svg = draw(series.layout(), ".svg", series.widths()).decode()
    svg = svg[svg.index("<svg") :]
    data = json.dumps(_data(series), ensure_ascii=False, separators=(",", ":"))
    legend = " ".join(
        f'<span style="color:{colour}">{escape(text)}</span>'
        for colour, text in series.final().legend()
    )
    return _PAGE.format(
        title=escape(series.title),
        legend=legend,
        svg=svg,
        # A text must not end the script, nor begin a comment or another one.
        data=data.replace("<", "\\u003c"),
        style=_STYLE,
        script=_SCRIPT,
        last=len(series.steps) - 1,
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


_STYLE = (
    """
body { font: 16px/1.4 Helvetica, Arial, sans-serif; margin: 0 auto; padding: 0.5em 1em;
  color: #222; background: #fff; }
h1 { font-size: 1.25em; margin: 0.3em 0; }
.legend span { margin-right: 1.2em; white-space: nowrap; }
.bar { display: flex; gap: 0.4em; align-items: center; position: sticky; top: 0;
  background: #fff; padding: 0.4em 0; border-bottom: 1px solid #ddd; z-index: 1; }
.bar input[type=range] { flex: 1; min-width: 6em; }
button { font-size: 1.1em; min-width: 2.4em; padding: 0.2em 0.5em; }
#text { min-height: 2.8em; font-size: 1.1em; margin: 0.4em 0; }
#count { white-space: nowrap; }
#picture { overflow: auto; max-height: 72vh; }
#picture.fit svg { width: 100%; height: auto; max-height: 70vh; }
.node text { fill: #222 !important; }
.node.untouched { opacity: 0.45; } .node.untouched.end { opacity: 0.8; }
"""
    + "".join(
        f".node.{kind} polygon, .node.{kind} ellipse {{ fill: {look.fill}; stroke: {look.line};"
        " stroke-width: 1.3; stroke-dasharray: none; }\n"
        for kind, look in LOOKS.items()
    )
    + f"""
.node.cut polygon, .node.cut ellipse {{ fill: #fafafa; stroke: {FADED}; stroke-dasharray: 4; }}
.node.cut text, .edge.cut text {{ fill: {FADED} !important; }}
.node.best polygon, .node.best ellipse {{ stroke: {BEST}; stroke-width: 3.5; }}
.node.current polygon, .node.current ellipse {{ stroke: {CURRENT}; stroke-width: 5; }}
.edge path {{ stroke: #222; stroke-width: 1; stroke-dasharray: none; }}
.edge polygon {{ fill: #222; stroke: #222; }} .edge text {{ fill: #222; }}
.edge.cut path {{ stroke: {FADED}; stroke-dasharray: 4; }}
.edge.cut polygon {{ fill: {FADED}; stroke: {FADED}; }}
.edge.best path {{ stroke: {BEST}; stroke-width: 4; }}
@media print {{ .bar {{ display: none; }} #picture {{ max-height: none; }} }}
"""
)

_SCRIPT = """
const byId = id => document.getElementById(id);
const texts = id => Array.from(byId(id).querySelectorAll("text"));
const nearest = {block: "nearest", inline: "nearest"};
let at = data.steps.length - 1, timer = null;
function show(step) {
  at = Math.max(0, Math.min(step, data.steps.length - 1));
  const nodes = {};
  let cuts = {};
  for (let i = 0; i <= at; i++) {
    Object.assign(nodes, data.steps[i].nodes);
    cuts = data.steps[i].cuts || cuts;
  }
  const now = data.steps[at], best = now.best || [], line = now.line || [];
  for (const [name, [kind, value, window]] of Object.entries(nodes)) {
    const id = data.ids[name], lines = texts(id);
    lines[lines.length - (window === null ? 1 : 2)].textContent = value;
    if (window !== null) lines[lines.length - 1].textContent = window;
    byId(id).setAttribute("class", "node " + kind
      + (best.includes(name) ? " best" : "") + (now.current === name ? " current" : ""));
  }
  for (const [id, source] of Object.entries(data.edges)) {
    const why = cuts[id], lines = texts(id), cut = why || nodes[source][0].endsWith(" cut");
    byId(id).setAttribute("class", "edge" + (cut ? " cut" : "")
      + (line.includes(id) ? " best" : ""));
    if (lines.length > 1) lines[1].textContent = why ? "✂ " + why : "";
  }
  byId("text").textContent = now.text;
  byId("count").textContent = at + " / " + (data.steps.length - 1);
  byId("slider").value = at;
  if (now.current) byId(data.ids[now.current]).scrollIntoView(nearest);
}
function stop() { clearInterval(timer); timer = null; byId("play").textContent = "play"; }
function play() {
  if (timer) return stop();
  if (at === data.steps.length - 1) show(0);
  byId("play").textContent = "pause";
  timer = setInterval(() => at < data.steps.length - 1 ? show(at + 1) : stop(), 700);
}
function go(step) { stop(); show(step); }
byId("slider").addEventListener("input", event => go(Number(event.target.value)));
byId("first").addEventListener("click", () => go(0));
byId("back").addEventListener("click", () => go(at - 1));
byId("play").addEventListener("click", play);
byId("next").addEventListener("click", () => go(at + 1));
byId("last").addEventListener("click", () => go(data.steps.length - 1));
byId("fit").addEventListener("change", event =>
  byId("picture").classList.toggle("fit", event.target.checked));
document.addEventListener("keydown", event => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.tagName === "INPUT") return;
  if (event.key === "ArrowRight") go(at + 1);
  else if (event.key === "ArrowLeft") go(at - 1);
  else if (event.key === "Home") go(0);
  else if (event.key === "End") go(data.steps.length - 1);
  else if (event.key === " " && event.target.tagName !== "BUTTON") play();
  else return;
  event.preventDefault();
});
// Texts of other lengths must stay in the middle of their nodes.
for (const shape of document.querySelectorAll(".node polygon, .node ellipse")) {
  const box = shape.getBBox();
  for (const text of shape.closest(".node").querySelectorAll("text")) {
    text.setAttribute("text-anchor", "middle");
    text.setAttribute("x", box.x + box.width / 2);
  }
}
const svg = document.querySelector("#picture svg"), size = svg.viewBox.baseVal;
if (size.height > 2.5 * innerHeight || size.width > 2.5 * innerWidth) byId("fit").click();
const asked = Number(location.hash.slice(1));
show(location.hash && Number.isInteger(asked) ? asked : 0);
"""

_PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
<h1>{title}</h1>
<div class="legend">{legend}</div>
<div class="bar">
  <button id="first" aria-label="first step" title="first step (Home)">|◀</button>
  <button id="back" aria-label="one step back" title="one step back (←)">◀</button>
  <button id="play" aria-label="play or pause" title="play or pause (space)">play</button>
  <button id="next" aria-label="one step on" title="one step on (→)">▶</button>
  <button id="last" aria-label="last step" title="last step (End)">▶|</button>
  <input id="slider" type="range" min="0" max="{last}" value="{last}" aria-label="step">
  <span id="count"></span>
  <label><input id="fit" type="checkbox" checked> fit</label>
</div>
<div id="text" aria-live="polite"></div>
<div id="picture" class="fit">{svg}</div>
<script>
const data = {data};
{script}
</script>
</html>
"""
