"""How an environment shows a game: as text, or as a picture of that text."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.errors import BadText
from kibitz.core.game import View

MODES = ("ansi", "rgb_array", "human")
COLUMNS, ROWS = 96, 16
"""Of a picture, in letters: all of a game have the same size, unless one needs more."""
LETTER, MARGIN = 18, 12


def checked_mode(mode: str | None) -> str | None:
    """How to render; refused if it is unknown."""
    if mode is not None and mode not in MODES:
        raise BadText(f"render_mode={mode} is not possible; allowed: {', '.join(MODES)}")
    return mode


def render(game: Any, state: Any, seat: int, mode: str | None) -> Any:
    """What a seat sees of a state: a text, a picture, or printed."""
    if mode is None:
        return None
    view: View[Any] = (
        game.view_at_the_end(state, seat) if game.is_over(state) else game.view(state, seat)
    )
    text = game.presenter.text(view)
    if mode == "human":
        print(text, flush=True)
        return None
    return text if mode == "ansi" else picture(text)


def picture(text: str) -> np.ndarray:
    """A text as a picture: uint8 (height, width, 3)."""
    from PIL import Image, ImageDraw

    font = _font()
    lines = text.splitlines()
    columns = max([COLUMNS, *map(len, lines)])
    width = int(font.getlength("m" * columns)) + 2 * MARGIN
    height = max(ROWS, len(lines)) * (LETTER + 6) + 2 * MARGIN
    image = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(image)
    for number, line in enumerate(lines):
        draw.text((MARGIN, MARGIN + number * (LETTER + 6)), line, "black", font)
    return np.asarray(image).copy()


@cache
def _font() -> Any:
    """The one that matplotlib brings: it has the suits and the backs of cards."""
    import matplotlib
    from PIL import ImageFont

    fonts = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    return ImageFont.truetype(str(fonts / "DejaVuSansMono.ttf"), LETTER)
