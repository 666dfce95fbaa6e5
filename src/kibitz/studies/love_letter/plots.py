"""The plots of the study of Love Letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.arena.agreement import Settling
from kibitz.report.plots import BLUE, PALE, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def settling_curve(curve: Settling) -> Figure:
    """How often each amount of thinking decides as the most of it."""
    figure, (axes,) = new_figure(3.4)
    last = curve.shares[-1]
    axes.axhspan(100 * last.low, 100 * last.high, color=PALE, lw=0, zorder=0)
    means = [100 * share.mean for share in curve.shares]
    below = [100 * (share.mean - share.low) for share in curve.shares]
    above = [100 * (share.high - share.mean) for share in curve.shares]
    axes.errorbar(
        curve.values, means, yerr=[below, above], fmt="-o", color=BLUE, ms=5, lw=1.4, capsize=3
    )
    axes.set_xscale("log")
    axes.set_xticks(curve.values, [f"{value}" for value in curve.values])
    axes.minorticks_off()
    axes.yaxis.set_major_formatter("{x:.0f} %")
    axes.grid(axis="y", color=PALE, lw=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel(f"{curve.option} (log scale)")
    axes.set_title(f"decisions as with {curve.values[-1]} {curve.option}")
    return figure
