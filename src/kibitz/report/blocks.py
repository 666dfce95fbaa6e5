"""What reports are made of: blocks, each of which can be written as Markdown and as HTML.

The Markdown is written here. The HTML is in `templates/blocks.html`, where each class has a
macro of its name in small letters.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass


class Rich(str):
    """A text in which what stands in `…` is code, and what follows ^ is raised.

    Any other text is shown letter by letter: it may have names in it that users chose.
    """

    __slots__ = ()


@dataclass(frozen=True)
class Heading:
    text: str
    level: int = 2

    def markdown(self) -> str:
        return f"{'#' * self.level} {self.text}"


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str

    @classmethod
    def rich(cls, text: str) -> Text:
        return cls(Rich(text))

    def markdown(self) -> str:
        return self.text


@dataclass(frozen=True)
class Lead:
    """The main result, before all details."""

    text: str

    def markdown(self) -> str:
        return f"**{self.text}**"


@dataclass(frozen=True)
class Points:
    """A list with a dot before each text."""

    texts: Sequence[str]

    def markdown(self) -> str:
        return "\n".join(f"- {text}" for text in self.texts)


@dataclass(frozen=True)
class Facts:
    """Short facts by name, side by side."""

    values: Mapping[str, str]

    def markdown(self) -> str:
        return "\n".join(f"- {name}: {value}" for name, value in self.values.items())


@dataclass(frozen=True)
class Preformatted:
    """A board or a command: every space counts."""

    text: str

    def markdown(self) -> str:
        return f"```\n{self.text}\n```"


@dataclass(frozen=True)
class DataTable:
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: Collection[int] = (0,)
    """The columns that have words in them, not figures: they begin at the left."""
    caption: str = ""

    def markdown(self) -> str:
        rule = ["---" if i in self.words else "---:" for i in range(len(self.head))]
        rows = [f"| {' | '.join(row)} |" for row in [self.head, rule, *self.rows]]
        return "\n".join([f"**{self.caption}**\n"] * bool(self.caption) + rows)


@dataclass(frozen=True)
class Plot:
    name: str
    caption: str
    files: str = ""
    """Where a page links to its files: their address without `.svg` and `.png`."""

    def markdown(self) -> str:
        return f"![{self.caption}]({self.name}.svg)\n\n*{self.caption}*"


Block = Heading | Text | Lead | Points | Facts | Preformatted | DataTable | Plot


def to_markdown(title: str, blocks: Sequence[Block]) -> str:
    return "\n\n".join([f"# {title}", *(block.markdown() for block in blocks)]) + "\n"
