"""The study of search as a report: Markdown, a page of HTML, plots, and all figures as JSON.

One list of blocks is written both ways. What it concludes is in `py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from kibitz.report.blocks import Block, DataTable, Heading, Plot, Preformatted, Rich, Text
from kibitz.report.files import report_files, write_report
from kibitz.studies.search.measure import LECTURE_TREE, SEARCHES, SearchStudy, Work
from kibitz.studies.search.plots import LOOK, deepest, draw
from kibitz.studies.search.words import (
    is_tree,
    percent,
    say_agreement,
    say_bounds,
    say_cost,
    say_example,
    say_gap,
    say_good,
    say_horizon,
    say_least,
    say_lecture,
    say_ordinal,
    say_quiescence,
    say_root,
    say_star2,
    say_uneven,
    say_worst,
    title,
    whole,
)

# -- sections ------------------------------------------------------------------------------


def command(study: SearchStudy) -> str:
    return f"kibitz study search -o FOLDER --seed {study.seed}" + " --quick" * study.quick


def blocks(study: SearchStudy) -> Iterator[Block]:
    yield Text.rich(
        f"Measured by `{command(study)}`, Kibitz {study.version}. The same command gives the same"
        " files. A node is counted each time a search comes to it."
    )
    yield from order_section(study)
    yield from chance_section(study)
    yield from horizon_section(study)
    yield from ordinal_section(study)


def order_section(study: SearchStudy) -> Iterator[Block]:
    last = deepest(study.order)
    yield Heading("1. Move order")
    yield Text.rich(
        "The claim: minimax looks at b^m leaves, alpha-beta with the best plays first at about"
        " b^(m/2). Orders: worst and best by the true values at that depth, good by the game's"
        " evaluation, random as a mean over several shuffles. b is the mean number of plays at"
        " minimax's inner nodes, m the mean depth of its leaves."
    )
    yield Text.rich(" ".join((say_agreement(study.order), say_least(study.order))))
    yield Text.rich(" ".join((say_root(last), say_good(last))))
    yield Text.rich(" ".join((say_worst(last), say_uneven(last))))
    yield Plot(
        "search-growth",
        Rich(
            "Nodes against depth, on a log scale. Dashed and dotted: b^m and b^(m/2), with the"
            " mean b of each depth; where b falls, also the square root of minimax's leaves."
        ),
    )
    yield Plot("search-order", "Share of minimax's nodes by order, on a log scale.")
    yield DataTable(
        ("search", "b", "m", Rich("b^m"), Rich("b^(m/2)"), "minimax's leaves",
         "best order's leaves", "least"),
        [
            (
                title(case), f"{case.b:.3g}", f"{case.m:.3g}", whole(case.b_m), whole(case.b_half),
                whole(case.work["minimax"].leaves), whole(case.work["best"].leaves),
                "" if case.least is None else whole(case.least),
            )
            for case in last
        ],
    )  # fmt: skip
    yield Text.rich(
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
    yield DataTable(
        ("search", "order", "nodes", "leaves", "of minimax", "e", "r"), rows, words=(0, 1)
    )


def chance_section(study: SearchStudy) -> Iterator[Block]:
    cases = study.chance
    yield Heading("2. Chance nodes")
    leaves = " ".join(map(str, LECTURE_TREE))
    low, high = cases[0].bounds
    yield Text.rich(
        f"The lecture's tree is MAX over two fair coins over MIN, with the ends {leaves} and bounds"
        f" from {low:g} to {high:g}. In the trees x is a layer of MAX, o of MIN and ? of chance;"
        f" their figures are means over {cases[-1].trees} random trees with ends from 0 to 1."
        " `pig` is played to 20 and valued by its evaluation at the horizon."
    )
    yield Text(" ".join((say_gap(cases), say_lecture(cases[0]))))
    yield Text(
        " ".join(
            (
                say_bounds(cases),
                say_star2(cases, "given"),
                say_star2(cases, "best"),
            )
        )
    )
    yield Plot("search-chance", "Nodes of Star1 and Star2 as a share of expectiminimax's.")
    for order, label in (("given", "In the given order"), ("best", "With the best plays first")):
        yield Text(f"{label}, nodes and leaves:")
        yield DataTable(
            ("tree", "expectiminimax", *SEARCHES),
            [
                (case.name, pair(case.plain), *(pair(case.work[order][s]) for s in SEARCHES))
                for case in cases
            ],
        )


def pair(work: Work) -> str:
    return f"{whole(work.nodes)} / {whole(work.leaves)}"


def horizon_section(study: SearchStudy) -> Iterator[Block]:
    effect = study.horizon
    yield Heading("3. The horizon")
    yield Text.rich(
        f"A position of {effect.game}, `{effect.position}`; x is MAX and to move. Quiescence goes"
        f" on, up to {effect.extra} plies, while somebody could complete four."
    )
    yield Preformatted(effect.board)
    yield Text(say_horizon(effect))
    if effect.lost_at is not None:
        yield Preformatted(effect.end)
    yield Text(" ".join((say_quiescence(effect), say_cost(effect))))
    searches = ("shallow", "quiescent", "deep")
    yield DataTable(
        ("play", f"depth {effect.depth}", "with quiescence", f"depth {effect.deep}"),
        [
            (play, *(mark(f"{values[s]:+.2f}", effect.choices[s] == play) for s in searches))
            for play, values in effect.values.items()
        ],
    )
    yield Text("An arrow marks each search's choice; −1 is a certain loss.")
    yield DataTable(
        ("plies that quiescence may add", "choice", "nodes"),
        [(str(extra.plies), extra.choice, whole(extra.nodes)) for extra in effect.extras],
    )


def mark(text: str, is_chosen: bool) -> str:
    return ("→ " if is_chosen else "") + text.replace("-", "−")


def ordinal_section(study: SearchStudy) -> Iterator[Block]:
    yield Heading("4. Order or value")
    yield Text(
        "The claim: without chance only the order of the ends matters, so any rising change of"
        " their values leaves the best plays as they are; with chance only a positive linear one"
        " is sure to."
    )
    yield DataTable(
        ("kind of tree", "change of the ends", "trees", "best plays changed"),
        [(row.trees, row.transform, whole(row.n), whole(row.changed)) for row in study.ordinal],
        words=(0, 1),
    )
    yield Text(" ".join(map(say_ordinal, study.ordinal)))
    yield Text(say_example(*study.example.values()))


# -- files ---------------------------------------------------------------------------------

TITLE = "Game search, measured"


def write(study: SearchStudy, folder: Path) -> list[Path]:
    """Write all files of the report."""
    files = report_files("search", TITLE, list(blocks(study)), draw(study))
    figures = {"command": command(study), **asdict(study)}
    return write_report(folder, files, figures, "search.json")
