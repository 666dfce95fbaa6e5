"""How plots are drawn: our settings and no user's, small enough to be read on a phone, the same
bytes for the same figures."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, GREY, PALE = "#0072B2", "#D55E00", "#009E73", "#555555", "#dddddd"
"""People with any kind of colour blindness can tell them apart."""
WIDTH = 6.0
"""Inches."""
PlotFiles = dict[str, tuple[bytes, bytes]]
"""Plots by name: as SVG and as PNG."""
SETTINGS: Any = {
    "svg.hashsalt": "kibitz",
    "text.parse_math": False,
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 12,
    "axes.titlelocation": "left",
    "hatch.linewidth": 0.6,
    "legend.frameon": False,
}


def draw_plots(
    plots: Mapping[str, Callable[[], Figure]], others: Mapping[str, Any] | None = None
) -> PlotFiles:
    """Each plot as SVG and as PNG, with `others` of Matplotlib's settings."""
    files = {}
    with _settings({**SETTINGS, **(others or {})}):
        for name, plot in plots.items():
            figure = plot()
            files[name] = _save(figure, "svg"), _save(figure, "png")
    return files


@contextmanager
def _settings(ours: Any) -> Iterator[None]:
    """Ours and no user's, and back to theirs afterwards."""
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from")  # in a strategy's name
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(ours)
        yield


def _save(figure: Figure, kind: str) -> bytes:
    out = BytesIO()
    # Neither the date nor the version of the program: the same figures, the same bytes.
    none = ("Date", "Creator", "Format", "Type") if kind == "svg" else ("Software",)
    figure.savefig(out, format=kind, dpi=160, metadata=dict.fromkeys(none))
    return out.getvalue()


def new_figure(height: float, panels: int = 1, width: float = WIDTH) -> tuple[Figure, list[Axes]]:
    """A figure of so many inches, and the axes of its panels, one below the other."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, list(figure.subplots(panels, 1, squeeze=False)[:, 0])


def legend(axes: Axes) -> Iterator[tuple[Any, str]]:
    """What a legend of the axes would show: each line or bar, and its name."""
    handles, labels = axes.get_legend_handles_labels()
    return zip(handles, labels, strict=True)
