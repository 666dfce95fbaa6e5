"""Phrases and scenes on the terminal: here, and nowhere else, pieces of text get their colours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from kibitz.core.checks import printable
from kibitz.core.game import View
from kibitz.core.phrase import Phrase
from kibitz.core.scene_text import scene_lines

if TYPE_CHECKING:
    from rich.text import Text

COLOURS = {
    "grey": "white",
    "black": "default",
    "red": "red",
    "cyan": "cyan",
    "green": "green",
    "blue": "blue",
    "purple": "magenta",
    "yellow": "yellow",
    "pink": "bright_magenta",
}
"""What a terminal has for each tone."""


def drawn(view: View[Any]) -> Text:
    """The table as a person in this seat sees it."""
    return lines_text(scene_lines(view.game.presenter.table(view)))


def choice_text(view: View[Any], play: Any) -> Text:
    """A play as a choice: what it is, and dimly what it brings."""
    presenter = view.game.presenter
    text = phrase_text(presenter.phrase(view, play))
    brings = presenter.brings(view, play)
    return text.append(f"   {printable(brings)}", style="dim") if brings else text


def lines_text(lines: Iterable[Phrase]) -> Text:
    """Several lines as one text."""
    from rich.text import Text

    return Text("\n").join(phrase_text(line) for line in lines)


def phrase_text(phrase: Phrase) -> Text:
    """A line with its colours. What is in it may come from anywhere: it moves no cursor."""
    from rich.text import Text

    text = Text()
    for span in phrase:
        words = [COLOURS.get(span.tone, ""), "bold" * span.strong, "dim" * span.quiet]
        text.append(printable(span.text), style=" ".join(filter(None, words)))
    return text
