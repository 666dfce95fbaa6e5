"""The pictures of the study of search, as SVG and PNG, the same bytes for the same figures.

The colours are those of M. Okabe and K. Ito, which people see apart with any kind of colour
blindness; markers and hatches differ too, for print.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from kibitz.report.plots import BLUE, GREEN, GREY, ORANGE, PALE, draw_plots, legend, new_figure
from kibitz.studies.search.measure import OrderCase, SearchStudy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LOOK: dict[str, tuple[str, str, str]] = {
    "minimax": ("#000000", "o", ""),
    "worst": (ORANGE, "v", "xxx"),
    "random": ("#E69F00", "s", "///"),
    "good": ("#56B4E9", "D", "..."),
    "best": (GREEN, "^", ""),
}
"""Colour, marker and hatch of each order."""
STARS: dict[str, tuple[str, str, bool]] = {
    "Star1": (BLUE, "o", False),
    "Star1, bounds": (BLUE, "o", True),
    "Star2": (ORANGE, "s", False),
    "Star2, bounds": (ORANGE, "s", True),
}
"""Colour, marker and whether it is filled."""


def draw(study: SearchStudy) -> dict[str, tuple[bytes, bytes]]:
    """Each picture as SVG and as PNG."""
    pictures: dict[str, Callable[[SearchStudy], Figure]] = {
        "search-growth": growth,
        "search-order": shares,
        "search-chance": gains,
    }
    bound = {name: partial(picture, study) for name, picture in pictures.items()}
    return draw_plots(bound, {"text.parse_math": True})


def by_name(cases: Iterable[OrderCase]) -> dict[str, list[OrderCase]]:
    """The cases of each game or tree, by depth."""
    groups: dict[str, list[OrderCase]] = {}
    for case in cases:
        groups.setdefault(case.name, []).append(case)
    return groups


def deepest(cases: Iterable[OrderCase]) -> list[OrderCase]:
    """The deepest case of each game or tree."""
    return [group[-1] for group in by_name(cases).values()]


# -- nodes against depth -------------------------------------------------------------------


def growth(study: SearchStudy) -> Figure:
    groups = {name: cases for name, cases in by_name(study.order).items() if len(cases) > 1}
    figure, panels = new_figure(0.8 + 3.0 * len(groups), len(groups))
    for axes, (name, cases) in zip(panels, groups.items(), strict=True):
        _grow(axes, cases)
        first, last = cases[0].b, cases[-1].b
        falls = f": mean b from {first:.2g} to {last:.2g}" if first - last > 1 else ""
        axes.set_title(name + falls)
        axes.set_ylabel("nodes")
    panels[-1].set_xlabel("depth m")
    handles = {label: line for axes in panels for line, label in legend(axes)}
    figure.legend(handles.values(), handles.keys(), loc="outside upper center", ncols=4)
    return figure


def _grow(axes: Axes, cases: list[OrderCase]) -> None:
    from matplotlib.ticker import MaxNLocator

    depths = [case.depth for case in cases]
    roots = [math.sqrt(case.work["minimax"].leaves) for case in cases]
    axes.plot(depths, [case.b_m for case in cases], "--", color=GREY, label="$b^m$", lw=1.2)
    axes.plot(depths, [case.b_half for case in cases], ":", color=GREY, label="$b^{m/2}$", lw=1.6)
    if any(root > 1.5 * case.b_half for root, case in zip(roots, cases, strict=True)):
        axes.plot(depths, roots, "-.", color="#CC79A7", label=r"$\sqrt{\mathrm{leaves}}$", lw=1.6)
    for order, (colour, marker, _) in LOOK.items():
        if order in cases[-1].work:
            nodes = [case.work[order].nodes for case in cases]
            axes.plot(depths, nodes, marker=marker, color=colour, label=order, ms=5, lw=1.4)
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="y", color=PALE, lw=0.6)


# -- share of minimax's nodes --------------------------------------------------------------


def shares(study: SearchStudy) -> Figure:
    cases = deepest(study.order)
    orders = [order for order in LOOK if order != "minimax"]
    figure, (axes,) = new_figure(1.2 + 0.85 * len(cases))
    for i, case in enumerate(cases):
        shown = [order for order in orders if order in case.work]
        for k, order in enumerate(shown):
            colour, _, hatch = LOOK[order]
            share = 100 * case.work[order].share
            y = i + 0.2 * (k - (len(shown) - 1) / 2)
            axes.barh(
                y, share, 0.18, color=colour, hatch=hatch, edgecolor="black", lw=0.5,
                label=order,
            )  # fmt: skip
            label = axes.text(share * 1.06, y, _percent(share), va="center", fontsize=8)
            label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.5})
    axes.set_xscale("log")
    axes.set_xlim(0.1, 250)
    axes.set_xticks([0.1, 1, 10, 100], ["0.1 %", "1 %", "10 %", "100 %"])
    axes.set_yticks(range(len(cases)), [f"{case.name}\nm = {case.depth}" for case in cases])
    axes.set_ylim(len(cases) - 0.45, -0.55)
    axes.axvline(100, color=GREY, lw=1, ls="--", zorder=0)
    axes.set_xlabel("share of minimax's nodes (log scale)")
    handles = {label: bar for bar, label in legend(axes)}
    figure.legend(
        [handles[order] for order in orders], orders, loc="outside upper center", ncols=4
    )  # fmt: skip
    return figure


def _percent(share: float) -> str:
    return f"{share:.0f} %" if share >= 10 else f"{share:.2g} %"


# -- what Star1 and Star2 save -------------------------------------------------------------


def gains(study: SearchStudy) -> Figure:
    from matplotlib.ticker import MultipleLocator

    most = max(one.share for case in study.chance for one in case.work["given"].values())
    titles = {"given": "plays in the given order", "best": "best plays first"}
    figure, panels = new_figure(1.2 + 2 * 0.42 * len(study.chance), 2)
    for axes, (order, title) in zip(panels, titles.items(), strict=True):
        for k, (search, (colour, marker, filled)) in enumerate(STARS.items()):
            axes.plot(
                [100 * case.work[order][search].share for case in study.chance],
                [i + 0.17 * (k - 1.5) for i in range(len(study.chance))],
                marker, color=colour, mfc=colour if filled else "white", ms=6, label=search,
            )  # fmt: skip
        axes.axvline(100, color=GREY, lw=1, ls="--", zorder=0)
        axes.set_yticks(range(len(study.chance)), [case.name for case in study.chance])
        axes.set_ylim(len(study.chance) - 0.5, -0.5)
        for between in range(1, len(study.chance)):
            axes.axhline(between - 0.5, color=PALE, lw=0.6, zorder=0)
        axes.tick_params(axis="y", length=0)
        axes.set_title(title)
        axes.set_xlim(0, 105 * max(1.0, most))
        axes.xaxis.set_major_locator(MultipleLocator(50))
        axes.xaxis.set_major_formatter("{x:.0f} %")
    panels[1].set_xlabel("share of expectiminimax's nodes")
    handles = {label: line for line, label in legend(panels[0])}
    figure.legend(handles.values(), handles.keys(), loc="outside upper center", ncols=2)
    return figure
