"""The learning curve as SVG: the same bytes for the same figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.report.plots import BLUE, GREY, ORANGE, PALE, draw_plots, new_figure
from kibitz.strategies.common.genome import GenomeFile

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(genome: GenomeFile) -> bytes:
    """The best and the mean fitness of each generation, over the games played so far."""
    svg, _ = draw_plots({"curve": lambda: _curve(genome)})["curve"]
    return svg


def _curve(genome: GenomeFile) -> Figure:
    figure, (axes,) = new_figure(3.4)
    games = [step["games"] for step in genome.curve]
    best, mean = ([step[name] for step in genome.curve] for name in ("best", "mean"))
    axes.plot(games, best, "-o", color=BLUE, label="best", ms=3, lw=1.4)
    axes.plot(games, mean, "-s", color=ORANGE, label="mean", ms=3, lw=1.4)
    axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter(lambda count, _: f"{count:,.0f}".replace(",", " "))
    axes.set_xlabel("games so far")
    axes.set_ylabel(genome.fitness)
    axes.set_title(
        f"{genome.game}: {genome.strategy} against {genome.settings['opponent']},"
        f" {genome.optimizer}, seed {genome.seed}",
        color=GREY,
    )
    axes.grid(axis="y", color=PALE, lw=0.6)
    axes.legend(loc="lower right", ncols=2)
    return figure
