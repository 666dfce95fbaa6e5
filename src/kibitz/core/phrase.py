"""Words for a person as pieces with a look: what is a card, what is important, what is not.

No markup: a terminal and a page give each piece the look that they have for it, and joined
together the pieces are plain text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

TONES = ("", "grey", "black", "red", "cyan", "green", "blue", "purple", "yellow", "pink")
"""Colours by name. Whoever draws has a shade for each; the empty one is that of the text."""


@dataclass(frozen=True)
class Span:
    """A piece of a line."""

    text: str
    tone: str = ""
    """Its colour, one of TONES."""
    strong: bool = False
    quiet: bool = False


Phrase = tuple[Span, ...]
"""A line, or part of one."""


def plain(phrase: Iterable[Span]) -> str:
    """The words alone."""
    return "".join(span.text for span in phrase)


def phrase(*pieces: str | Span | Phrase) -> Phrase:
    """One phrase of texts, spans and other phrases."""
    spans: list[Span] = []
    for piece in pieces:
        if isinstance(piece, str):
            spans.append(Span(piece))
        elif isinstance(piece, Span):
            spans.append(piece)
        else:
            spans += piece
    return tuple(span for span in spans if span.text)


def joined(pieces: Sequence[Phrase], between: str) -> Phrase:
    """Phrases with a text between each two."""
    parts: list[Phrase] = []
    for i, piece in enumerate(pieces):
        parts += [phrase(between), piece] if i else [piece]
    return phrase(*parts)
