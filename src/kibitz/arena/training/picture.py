"""The learning curve as SVG: the same bytes for the same figures."""

from __future__ import annotations

from io import BytesIO

from kibitz.arena.studies.drawing import GREY, SETTINGS, WIDTH
from kibitz.strategies.genome import GenomeFile


def draw(found: GenomeFile) -> bytes:
    """The best and the mean fitness of each generation, over the games played so far."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(SETTINGS)
        figure = Figure(figsize=(WIDTH, 3.4), layout="constrained")
        axes = figure.subplots()
        games = [step["games"] for step in found.curve]
        best, mean = ([step[name] for step in found.curve] for name in ("best", "mean"))
        axes.plot(games, best, "-o", color="#0072B2", label="best", ms=3, lw=1.4)
        axes.plot(games, mean, "-s", color="#D55E00", label="mean", ms=3, lw=1.4)
        axes.set_xlim(left=0)
        axes.xaxis.set_major_formatter(lambda count, _: f"{count:,.0f}".replace(",", " "))
        axes.set_xlabel("games so far")
        axes.set_ylabel(found.fitness)
        axes.set_title(
            f"{found.game}: {found.strategy} against {found.settings['opponent']},"
            f" {found.optimizer}, seed {found.seed}",
            color=GREY,
        )
        axes.grid(axis="y", color="#dddddd", lw=0.6)
        axes.legend(loc="lower right", ncols=2)
        out = BytesIO()
        none = ("Date", "Creator", "Format", "Type")
        figure.savefig(out, format="svg", metadata=dict.fromkeys(none))
        return out.getvalue()
