"""The pictures of the study of solved shuffles."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from kibitz.arena.report.words import shortened
from kibitz.report.plots import BLUE, GREEN, GREY, ORANGE, PALE, legend, new_figure
from kibitz.studies.open_deck.losses import KINDS, Loser, mean_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = (BLUE, ORANGE, GREEN, GREY, PALE)


def value_bars(values: np.ndarray, greedy: np.ndarray) -> Figure:
    """How many shuffles have which result, with perfect and with greedy play."""
    figure, panels = new_figure(4.6, 2)
    low, high = (int(pick(pick(values), pick(greedy))) for pick in (min, max))
    results = range(low, high + 1)
    looks = (("perfect play", values, BLUE), ("greedy play", greedy, ORANGE))
    for axes, (title, values, colour) in zip(panels, looks, strict=True):
        axes.bar(results, [int((values == each).sum()) for each in results], 0.8, color=colour)
        mean = mean_of(values)
        axes.axvspan(mean.low, mean.high, color=PALE, lw=0, zorder=0)
        axes.axvline(mean.mean, color="black", lw=1.2)
        axes.axvline(0, color=GREY, lw=1, ls="--", zorder=0)
        axes.set_title(title)
        axes.set_xlim(low - 0.6, high + 0.6)
        axes.locator_params(axis="y", integer=True)
        axes.set_ylabel("shuffles")
    panels[-1].set_xlabel("points ahead of the first player (line and band: mean, 95 %)")
    return figure


def loss_dots(losers: Sequence[Loser]) -> Figure:
    """What each strategy loses a game in either seat."""
    figure, (axes,) = new_figure(1.1 + 0.4 * len(losers))
    looks = (("moving first", BLUE, "o", -0.15), ("dealing", ORANGE, "s", 0.15))
    for y, loser in enumerate(losers):
        for (label, colour, marker, shift), lost in zip(looks, loser.seats, strict=True):
            mean = mean_of(lost)
            axes.plot((mean.low, mean.high), (y + shift,) * 2, color=colour, lw=1.4)
            axes.plot(mean.mean, y + shift, marker, color=colour, ms=4.5, label=label)
    _name_rows(axes, losers)
    axes.set_xlim(left=0)
    axes.grid(axis="x", color=PALE, lw=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel("points lost a game against perfect play (95 %)")
    handles = {label: dot for dot, label in legend(axes)}
    figure.legend(handles.values(), handles.keys(), loc="outside upper center", ncols=2)
    return figure


def deal_bars(losers: Sequence[Loser]) -> Figure:
    """The loss of each strategy by deal."""
    parts = [
        {f"deal {deal}": float(lost.mean()) for deal, lost in loser.deals.items()}
        for loser in losers
    ]
    return _stacked(losers, parts, columns=4)


def kind_bars(losers: Sequence[Loser]) -> Figure:
    """The loss of each strategy by kind of mistake."""
    parts = [
        {KINDS[kind]: float(lost.mean()) for kind, lost in loser.kinds.items()} for loser in losers
    ]
    return _stacked(losers, parts, columns=1)


def _stacked(
    losers: Sequence[Loser], parts: Sequence[Mapping[str, float]], columns: int
) -> Figure:  # fmt: skip
    rows = -(-len(parts[0]) // columns)
    figure, (axes,) = new_figure(0.9 + 0.22 * rows + 0.36 * len(losers))
    most = max(sum(part.values()) for part in parts) or 1.0
    for y, part in enumerate(parts):
        left = 0.0
        for (label, lost), colour in zip(part.items(), COLOURS, strict=False):
            axes.barh(y, lost, 0.72, left=left, color=colour, label=label, lw=0)
            if lost > 0.06 * most:
                ink = "black" if colour in (PALE, ORANGE) else "white"
                at = left + lost / 2
                axes.text(
                    at, y, f"{lost:.1f}", ha="center", va="center", color=ink, fontsize=8
                )  # fmt: skip
            left += lost
    _name_rows(axes, losers)
    axes.set_xlabel("points lost a game against perfect play")
    handles = {label: bar for bar, label in legend(axes)}
    figure.legend(handles.values(), handles.keys(), loc="outside upper center", ncols=columns)
    return figure


def _name_rows(axes: Axes, losers: Sequence[Loser]) -> None:
    axes.set_yticks(range(len(losers)), [shortened(each.player) for each in losers], fontsize=9)
    axes.set_ylim(len(losers) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def solving_curves(seconds: np.ndarray, nodes: np.ndarray) -> Figure:
    """Which share of the shuffles is solved within a time, and within so many nodes."""
    figure, panels = new_figure(4.6, 2)
    share = 100 * np.arange(1, len(seconds) + 1) / len(seconds)
    looks = (
        ("seconds (log scale)", seconds, BLUE),
        ("million nodes (log scale)", nodes / 1e6, ORANGE),
    )
    for axes, (label, values, colour) in zip(panels, looks, strict=True):
        axes.step(np.sort(values), share, where="post", color=colour, lw=1.6)
        axes.axvline(float(np.median(values)), color=GREY, lw=1, ls="--")
        axes.set_xscale("log")
        ticks = round_numbers(float(values.min()), float(values.max()))
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.minorticks_off()
        axes.set_ylim(0, 102)
        axes.yaxis.set_major_formatter("{x:.0f} %")
        axes.grid(axis="y", color=PALE, lw=0.6)
        axes.set_xlabel(label)
    panels[0].set_title("shuffles solved within … (dashed: median)")
    return figure


def round_numbers(low: float, high: float) -> list[float]:
    """1, 2, 5, 10 … from below the least to above the most."""
    first, last = (math.floor(math.log10(max(end, 1e-9))) for end in (low, high))
    every = [m * 10.0**d for d in range(first - 1, last + 2) for m in (1, 2, 5)]
    start = max(tick for tick in every if tick <= max(low, every[0]))
    end = min(tick for tick in every if tick >= high)
    return [tick for tick in every if start <= tick <= end]
