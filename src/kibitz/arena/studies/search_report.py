"""The study of search as a report: Markdown, a page of HTML, plots, and all figures as JSON.

One list of blocks is written both ways. What it concludes is in `search_words.py`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path

from kibitz.arena.studies import search_words as words
from kibitz.arena.studies.search import LECTURE_TREE, SEARCHES, Study, Work
from kibitz.arena.studies.search_plots import LOOK, deepest, draw
from kibitz.arena.studies.search_words import is_tree, percent, title, whole
from kibitz.model import BadText, KibitzError
from kibitz.whole_files import write_files

# -- blocks --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heading:
    text: str

    def markdown(self) -> str:
        return f"## {self.text}"

    def html(self, plots: dict[str, str]) -> str:
        return f"<h2>{rich(self.text)}</h2>"


@dataclass(frozen=True)
class Text:
    text: str

    def markdown(self) -> str:
        return self.text

    def html(self, plots: dict[str, str]) -> str:
        return f"<p>{rich(self.text)}</p>"


@dataclass(frozen=True)
class Board:
    text: str

    def markdown(self) -> str:
        return f"```\n{self.text}\n```"

    def html(self, plots: dict[str, str]) -> str:
        return f"<pre>{escape(self.text)}</pre>"


@dataclass(frozen=True)
class Table:
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int = 1
    """How many columns, from the left, have words in them."""

    def markdown(self) -> str:
        rule = ["---" if i < self.words else "---:" for i in range(len(self.head))]
        return "\n".join(f"| {' | '.join(row)} |" for row in [self.head, rule, *self.rows])

    def html(self, plots: dict[str, str]) -> str:
        body = "\n".join(f"<tr>{self._cells(row, 'td')}</tr>" for row in self.rows)
        head = f"<tr>{self._cells(self.head, 'th')}</tr>"
        return f'<div class="table"><table>\n{head}\n{body}\n</table></div>'

    def _cells(self, row: Sequence[str], kind: str) -> str:
        marks = [' class="word"' if i < self.words else "" for i in range(len(row))]
        return "".join(
            f"<{kind}{m}>{rich(cell)}</{kind}>" for m, cell in zip(marks, row, strict=True)
        )


@dataclass(frozen=True)
class Plot:
    name: str
    caption: str

    def markdown(self) -> str:
        return f"![{self.caption}]({self.name}.svg)\n\n*{self.caption}*"

    def html(self, plots: dict[str, str]) -> str:
        told = f'<svg role="img" aria-label="{escape(self.caption)}" '
        picture = plots[self.name].replace("<svg ", told, 1)
        return f"<figure>{picture}<figcaption>{rich(self.caption)}</figcaption></figure>"


Block = Heading | Text | Board | Table | Plot


def rich(text: str) -> str:
    """A text for HTML: what follows ^ is raised, what stands in `…` is code."""
    raised = re.sub(
        r"\^(?:\((?P<a>[^)]*)\)|(?P<b>⌈[^⌉]*⌉|⌊[^⌋]*⌋|\w))",
        lambda found: f"<sup>{found['a'] or found['b']}</sup>",
        escape(text, quote=False),
    )
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", raised)


# -- sections ------------------------------------------------------------------------------


def command(study: Study) -> str:
    return f"kibitz study search -o FOLDER --seed {study.seed}" + " --quick" * study.quick


def blocks(study: Study) -> Iterator[Block]:
    yield Text(
        f"Measured by `{command(study)}`, Kibitz {study.version}. The same command gives the same"
        " files. A node is counted each time a search comes to it."
    )
    yield from order_section(study)
    yield from chance_section(study)
    yield from horizon_section(study)
    yield from ordinal_section(study)


def order_section(study: Study) -> Iterator[Block]:
    last = deepest(study.order)
    yield Heading("1. Move order")
    yield Text(
        "The claim: minimax looks at b^m leaves, alpha-beta with the best plays first at about"
        " b^(m/2). Orders: worst and best by the true values at that depth, good by the game's"
        " evaluation, random as a mean over several shuffles. b is the mean number of plays at"
        " minimax's inner nodes, m the mean depth of its leaves."
    )
    yield Text(" ".join((words.say_agreement(study.order), words.say_least(study.order))))
    yield Text(" ".join((words.say_root(last), words.say_good(last))))
    yield Text(" ".join((words.say_worst(last), words.say_uneven(last))))
    yield Plot(
        "search-growth",
        "Nodes against depth, on a log scale. Dashed and dotted: b^m and b^(m/2), with the mean b"
        " of each depth; where b falls, also the square root of minimax's leaves.",
    )
    yield Plot("search-order", "Share of minimax's nodes by order, on a log scale.")
    yield Table(
        ("search", "b", "m", "b^m", "b^(m/2)", "minimax's leaves", "best order's leaves", "least"),
        [
            (
                title(case), f"{case.b:.3g}", f"{case.m:.3g}", whole(case.b_m), whole(case.b_half),
                whole(case.work["minimax"].leaves), whole(case.work["best"].leaves),
                "" if case.least is None else whole(case.least),
            )
            for case in last
        ],
    )  # fmt: skip
    yield Text(
        "The last column is Knuth and Moore's b^⌈m/2⌉ + b^⌊m/2⌋ − 1, for trees that are uniform"
        " (connect-four is, but for full columns); for odd m it is about √b times b^(m/2). Below, e"
        " stands for nodes = b^(e·m) and r for leaves = (minimax's leaves)^r."
    )
    rows = []
    for case in last:
        for order in LOOK:
            work = case.work.get(order)
            if work is None and is_tree(case):
                continue
            figures = ("no evaluation", "", "", "", "") if work is None else (
                whole(work.nodes), whole(work.leaves), percent(work.share),
                f"{work.exponent:.2f}", f"{work.root:.2f}",
            )  # fmt: skip
            rows.append((title(case) if order == "minimax" else "", order, *figures))
    yield Table(("search", "order", "nodes", "leaves", "of minimax", "e", "r"), rows, words=2)


def chance_section(study: Study) -> Iterator[Block]:
    cases = study.chance
    yield Heading("2. Chance nodes")
    leaves = " ".join(map(str, LECTURE_TREE))
    low, high = cases[0].bounds
    yield Text(
        f"The lecture's tree is MAX over two fair coins over MIN, with the ends {leaves} and bounds"
        f" from {low:g} to {high:g}. In the trees x is a layer of MAX, o of MIN and ? of chance;"
        f" their figures are means over {cases[-1].trees} random trees with ends from 0 to 1."
        " `pig` is played to 20 and valued by its evaluation at the horizon."
    )
    yield Text(" ".join((words.say_gap(cases), words.say_lecture(cases[0]))))
    yield Text(
        " ".join(
            (
                words.say_bounds(cases),
                words.say_star2(cases, "given"),
                words.say_star2(cases, "best"),
            )
        )
    )
    yield Plot("search-chance", "Nodes of Star1 and Star2 as a share of expectiminimax's.")
    for order, told in (("given", "In the given order"), ("best", "With the best plays first")):
        yield Text(f"{told}, nodes and leaves:")
        yield Table(
            ("tree", "expectiminimax", *SEARCHES),
            [
                (case.name, pair(case.plain), *(pair(case.work[order][s]) for s in SEARCHES))
                for case in cases
            ],
        )


def pair(work: Work) -> str:
    return f"{whole(work.nodes)} / {whole(work.leaves)}"


def horizon_section(study: Study) -> Iterator[Block]:
    effect = study.horizon
    yield Heading("3. The horizon")
    yield Text(
        f"A position of {effect.game}, `{effect.position}`; x is MAX and to move. Quiescence goes"
        f" on, up to {effect.extra} plies, while somebody could complete four."
    )
    yield Board(effect.board)
    yield Text(words.say_horizon(effect))
    if effect.lost_at is not None:
        yield Board(effect.end)
    yield Text(" ".join((words.say_quiescence(effect), words.say_cost(effect))))
    searches = ("shallow", "quiescent", "deep")
    yield Table(
        ("play", f"depth {effect.depth}", "with quiescence", f"depth {effect.deep}"),
        [
            (play, *(mark(f"{values[s]:+.2f}", effect.choices[s] == play) for s in searches))
            for play, values in effect.values.items()
        ],
    )
    yield Text("An arrow marks each search's choice; −1 is a certain loss.")
    yield Table(
        ("plies that quiescence may add", "choice", "nodes"),
        [(str(extra.plies), extra.choice, whole(extra.nodes)) for extra in effect.extras],
    )


def mark(text: str, is_chosen: bool) -> str:
    return ("→ " if is_chosen else "") + text.replace("-", "−")


def ordinal_section(study: Study) -> Iterator[Block]:
    yield Heading("4. Order or value")
    yield Text(
        "The claim: without chance only the order of the ends matters, so any rising change of"
        " their values leaves the best plays as they are; with chance only a positive linear one"
        " is sure to."
    )
    yield Table(
        ("kind of tree", "change of the ends", "trees", "best plays changed"),
        [(row.trees, row.transform, whole(row.n), whole(row.changed)) for row in study.ordinal],
        words=2,
    )
    yield Text(" ".join(map(words.say_ordinal, study.ordinal)))
    yield Text(words.say_example(*study.example.values()))


# -- files ---------------------------------------------------------------------------------

TITLE = "Game search, measured"
STYLE = """
body { margin: 0 auto; padding: 1rem; max-width: 50rem; color: #111; background: #fff;
  font: 1rem/1.5 system-ui, sans-serif; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5rem; } p { max-width: 42rem; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .5rem; border-bottom: 1px solid #ccc; text-align: right; }
td { white-space: nowrap; } th { vertical-align: bottom; border-bottom-color: #111; }
.word { text-align: left; } .word:first-child { position: sticky; left: 0; background: #fff; }
pre { line-height: 1.2; padding: .6rem; border: 1px solid #ccc; width: max-content;
  font-family: monospace; }
code { overflow-wrap: anywhere; } sup { line-height: 0; font-size: .75em; }
figure { margin: 1.5rem 0; } figure svg { width: 100%; max-width: 36rem; height: auto; }
figcaption { font-size: .875rem; color: #333; }
@media (max-width: 40rem) { th, td { padding: .2rem .3rem; } td.word { white-space: normal; }
  td.word:first-child { min-width: 6.5rem; } }
@media print { body { max-width: none; padding: 0; font-size: 10pt; }
  table { font-size: 7.5pt; } th, td { padding: .1rem .3rem; } .table { overflow: visible; }
  figure, pre, tr { break-inside: avoid; } h2 { break-after: avoid; }
  figure svg { max-height: 20cm; } }
"""


def files(study: Study) -> dict[str, bytes]:
    """All files of the report, by name."""
    drawn = draw(study)
    parts = list(blocks(study))
    inline = {name: _inline(name, svg.decode()) for name, (svg, _) in drawn.items()}
    text = "\n\n".join([f"# {TITLE}", *(part.markdown() for part in parts)]) + "\n"
    body = "\n".join(part.html(inline) for part in parts)
    page = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{TITLE}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{TITLE}</h1>\n{body}\n</body>\n</html>\n"
    )
    figures = {"command": command(study), **asdict(study)}
    made = {
        "search.md": text.encode(),
        "search.html": page.encode(),
        "search.json": (json.dumps(figures, indent=1, ensure_ascii=False) + "\n").encode(),
    }
    for name, (svg, png) in drawn.items():
        made |= {f"{name}.svg": svg, f"{name}.png": png}
    return made


def _inline(name: str, svg: str) -> str:
    """An SVG as part of a page: no header, its size left to the page, its ids its own."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r' (width|height)="[^"]*pt"', "", svg, count=2)
    return re.sub(r'( id="|href="#|url\(#)', rf"\1{name}-", svg)


def prepare(folder: Path) -> None:
    """Make the folder, or refuse, before anything is measured."""
    if folder.exists() and not folder.is_dir():
        raise BadText(f"{folder} is a file, not a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise KibitzError(f"{folder}: {error.strerror}") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise KibitzError(f"{folder}: can't be written to")


def write(study: Study, folder: Path) -> list[Path]:
    """Write all files of the report."""
    contents = {folder / name: content for name, content in files(study).items()}
    write_files(contents)
    return list(contents)
