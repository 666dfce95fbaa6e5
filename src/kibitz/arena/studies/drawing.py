"""How studies draw: our settings and no user's, narrow pictures, the same bytes for the same
figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GREY = "#555555"
WIDTH = 6.0
"""Inches: small enough to be read on a phone."""
SETTINGS: Any = {
    "svg.hashsalt": "kibitz",
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 12,
    "axes.titlelocation": "left",
    "hatch.linewidth": 0.6,
    "legend.frameon": False,
}


def drawn(pictures: Mapping[str, Callable[[], Figure]]) -> dict[str, tuple[bytes, bytes]]:
    """Each picture as SVG and as PNG."""
    found = {}
    with _settings():
        for name, picture in pictures.items():
            figure = picture()
            found[name] = _saved(figure, "svg"), _saved(figure, "png")
    return found


@contextmanager
def _settings() -> Iterator[None]:
    """Ours and no user's, and back to theirs afterwards."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(SETTINGS)
        yield


def _saved(figure: Figure, kind: str) -> bytes:
    out = BytesIO()
    # Neither the date nor the version of the program: the same figures, the same bytes.
    none = ("Date", "Creator", "Format", "Type") if kind == "svg" else ("Software",)
    figure.savefig(out, format=kind, dpi=160, metadata=dict.fromkeys(none))
    return out.getvalue()


def new_figure(height: float, panels: int = 1) -> tuple[Figure, list[Axes]]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    return figure, list(figure.subplots(panels, 1, squeeze=False)[:, 0])


def legend(axes: Axes) -> Iterator[tuple[Any, str]]:
    handles, labels = axes.get_legend_handles_labels()
    return zip(handles, labels, strict=True)
