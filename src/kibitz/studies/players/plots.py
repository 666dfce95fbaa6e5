"""The plots that all studies of players have and a comparison has not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kibitz.arena.report.words import shortened
from kibitz.report.plots import BLUE, new_figure
from kibitz.studies.players.footprint import Footprint

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def memory_bars(prints: Sequence[Footprint]) -> Figure:
    """What each player adds to the memory of the process."""
    figure, (axes,) = new_figure(0.9 + 0.33 * len(prints))
    most = max(each.own for each in prints) / 2**20
    for y, each in enumerate(prints):
        own = each.own / 2**20
        axes.barh(y, own, 0.6, color=BLUE)
        axes.text(own + 0.01 * most, y, f"{own:.1f}", va="center", fontsize=9)
    axes.set_yticks(range(len(prints)), [shortened(each.player) for each in prints])
    axes.set_ylim(len(prints) - 0.5, -0.5)
    axes.set_xlim(0, 1.12 * max(most, 1))
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("MB added to the process at its peak")
    return figure
