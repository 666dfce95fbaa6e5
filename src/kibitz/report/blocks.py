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
    """A heading, of level 2 under the report's title.

    >>> Heading("What was played").markdown()
    '## What was played'
    """

    text: str
    level: int = 2

    def markdown(self) -> str:
        """As Markdown."""
        return f"{'#' * self.level} {self.text}"


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str

    @classmethod
    def rich(cls, text: str) -> Text:
        """A paragraph with code and raised figures: see `Rich`."""
        return cls(Rich(text))

    def markdown(self) -> str:
        """As Markdown."""
        return self.text


@dataclass(frozen=True)
class Lead:
    """The main result, before all details."""

    text: str

    def markdown(self) -> str:
        """As Markdown."""
        return f"**{self.text}**"


@dataclass(frozen=True)
class Points:
    """A list with a dot before each text."""

    texts: Sequence[str]

    def markdown(self) -> str:
        """As Markdown."""
        return "\n".join(f"- {text}" for text in self.texts)


@dataclass(frozen=True)
class Facts:
    """Short facts by name, side by side."""

    values: Mapping[str, str]

    def markdown(self) -> str:
        """As Markdown."""
        return "\n".join(f"- {name}: {value}" for name, value in self.values.items())


@dataclass(frozen=True)
class Preformatted:
    """A board or a command: every space counts."""

    text: str

    def markdown(self) -> str:
        """As Markdown."""
        return f"```\n{self.text}\n```"


@dataclass(frozen=True)
class DataTable:
    """A table: its head, and its rows of texts.

    >>> print(DataTable(["player", "wins"], [["greedy", "12"]]).markdown())
    | player | wins |
    | --- | ---: |
    | greedy | 12 |
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: Collection[int] = (0,)
    """The columns that have words in them, not figures: they begin at the left."""
    caption: str = ""

    def markdown(self) -> str:
        """As Markdown."""
        rule = ["---" if i in self.words else "---:" for i in range(len(self.head))]
        rows = [f"| {' | '.join(row)} |" for row in [self.head, rule, *self.rows]]
        return "\n".join([f"**{self.caption}**\n"] * bool(self.caption) + rows)


@dataclass(frozen=True)
class Plot:
    """A plot that was drawn, by its name in the plots of the report.

    >>> print(Plot("wins", "Who wins how often").markdown())
    ![Who wins how often](wins.svg)
    <BLANKLINE>
    *Who wins how often*
    """

    name: str
    caption: str
    files: str = ""
    """Where a page links to its files: their address without `.svg` and `.png`."""

    def markdown(self) -> str:
        """As Markdown."""
        return f"![{self.caption}]({self.name}.svg)\n\n*{self.caption}*"


Block = Heading | Text | Lead | Points | Facts | Preformatted | DataTable | Plot


def to_markdown(title: str, blocks: Sequence[Block]) -> str:
    """A report as Markdown: its title, and the blocks below each other."""
    return "\n\n".join([f"# {title}", *(block.markdown() for block in blocks)]) + "\n"
