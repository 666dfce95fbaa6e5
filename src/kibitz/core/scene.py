"""The scene of a view: all that a person at the table may see, as plain data.

A terminal, a notebook and a web page draw the same scene and ask for nothing else. Every part
is a frozen dataclass, and `to_json()` makes dictionaries, lists, texts, numbers, true, false and
null of it. Seats count from 0 in the dataclasses, as everywhere in Python, and from 1 in JSON.
Cards are their text forms, as plays and positions write them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from kibitz.core.phrase import Span

_SEAT: dict[str, bool] = {"seat": True}
"""Marks a field with seats in it, which count from 1 in JSON."""


@dataclass(frozen=True)
class ScenePart:
    """What all parts of a scene can do."""

    def to_json(self) -> dict[str, Any]:
        """The same as data for JSON."""
        return {
            one.name: _as_json(getattr(self, one.name), one.metadata.get("seat", False))
            for one in fields(self)
        }


def _as_json(what: Any, is_seat: bool) -> Any:
    if isinstance(what, ScenePart):
        return what.to_json()
    if isinstance(what, (tuple, list)):
        return [_as_json(one, is_seat) for one in what]
    if isinstance(what, Mapping):
        return {str(key): _as_json(one, is_seat) for key, one in what.items()}
    return what + 1 if is_seat and what is not None else what


@dataclass(frozen=True)
class Card(ScenePart):
    """A card that the viewer sees."""

    text: str
    """As plays and positions write it: `guard`, `Qh`."""
    label: str
    """As a person reads it: `Guard`, `Q♥`."""
    tone: str = ""
    """Its colour, one of `phrase.TONES`."""
    note: str = ""
    """What else is printed on it: the strength of a card of Love Letter."""
    points: int = 0
    """What it counts for who has captured it."""

    @property
    def span(self) -> Span:
        """Its label with its colour."""
        return Span(self.label, self.tone, strong=self.points > 0)

    @property
    def full_span(self) -> Span:
        """With what else is printed on it."""
        return Span(f"{self.label} {self.note}".rstrip(), self.tone, strong=self.points > 0)


@dataclass(frozen=True)
class Zone(ScenePart):
    """A place with cards: a hand, the table, the deck, discards, a pile."""

    name: str
    """Which one, for programs: `hand`, `discards`, `pile`, `table`, `deck`, `face_up`, `aside`."""
    label: str
    """The same for a person."""
    cards: tuple[Card, ...] = ()
    """The cards that the viewer sees, in the order in which they lie."""
    hidden: int = 0
    """How many more lie there, which the viewer does not see."""
    seat: int | None = field(default=None, metadata=_SEAT)
    """Whose it is; None: nobody's."""
    public: bool = True
    """Whether everybody sees what the viewer sees of it."""
    in_details: bool = False
    """Whether a note or a seat's details say it too, so that a short text may leave it out."""


@dataclass(frozen=True)
class HandFact(ScenePart):
    """What is known of a hand that is not open, and why."""

    seat: int = field(metadata=_SEAT)
    """Whose hand."""
    holds: tuple[str, ...] = ()
    """Cards that are surely in it."""
    lacks: tuple[str, ...] = ()
    """Cards that are not in it although they are somewhere unseen."""
    known_to: tuple[int, ...] = field(default=(), metadata=_SEAT)
    """Who knows it."""
    why: str = ""
    """A sentence; empty where no single turn shows it."""


@dataclass(frozen=True)
class Detail(ScenePart):
    """A figure of a seat: points, captured cards, chips in the pot."""

    name: str
    """Which one, for programs: `points`, `cards`, `tablas`, `pot`."""
    value: int | float | str
    text: str
    """For a person: `12 cards`; empty where another one's text has it too."""


@dataclass(frozen=True)
class SeatScene(ScenePart):
    """One seat at the table."""

    seat: int = field(metadata=_SEAT)
    you: bool = False
    """Whether the viewer sits here."""
    partner: bool = False
    """Whether it wins and loses with the viewer."""
    to_move: bool = False
    first: bool = False
    """Whether it began this game, as far as the view tells."""
    dealer: bool = False
    out: bool = False
    """Whether it is out of the round."""
    protected: bool = False
    """Whether no play can name it."""
    captured_last: bool = False
    won: bool = False
    """At the end: whether it has won, alone or with others."""
    mark: str = ""
    """What its pieces look like on the board."""
    points: float | None = None
    """What it has so far in this game, where that is counted."""
    total: float | None = None
    """At the end: what its side has, with all bonuses."""
    details: tuple[Detail, ...] = ()
    facts: tuple[HandFact, ...] = ()
    """What is known of its hand beside the cards that lie open, and why."""

    @property
    def label(self) -> str:
        """`seat 1 (you)`."""
        role = " (you)" if self.you else " (your partner)" if self.partner else ""
        return f"seat {self.seat + 1}{role}"


@dataclass(frozen=True)
class Board(ScenePart):
    """A board of squares."""

    cells: tuple[tuple[str, ...], ...]
    """The rows from the top; in each square a seat's mark, or nothing."""
    columns: tuple[str, ...]
    """What the columns are called."""
    rows: tuple[str, ...] = ()
    """What the rows are called, from the top; none if they have no names."""
    plays: tuple[tuple[str | None, ...], ...] = ()
    """The play that a square stands for, if it is legal now; the same shape as the cells."""
    line: tuple[tuple[int, int], ...] = ()
    """The squares that won: row and column, from 0."""
    falls: bool = False
    """Whether pieces fall to the lowest free square of a column."""


@dataclass(frozen=True)
class Note(ScenePart):
    """A line about the table that no zone and no seat has."""

    text: str
    label: str = ""
    """What it is about; shown before it."""
    quiet: bool = False
    """Whether it matters less than the rest."""


@dataclass(frozen=True)
class MatchScene(ScenePart):
    """How a match stands."""

    target: float
    """What wins it: rounds or points."""
    score: tuple[float, ...]
    """What each seat has, from seat 1 on."""
    number: int = 1
    """Which game of the match is being played, from 1."""


@dataclass(frozen=True)
class PlayScene(ScenePart):
    """A legal play."""

    text: str
    """Its text form, which the game understands."""
    parts: Mapping[str, Any]
    """The same by its parts: `{"card": "guard", "target": 2, "guess": "priest"}`."""
    said: str
    """As a person says it."""
    brings: str = ""
    """What it brings at once: `3 points, 3 cards, tabla`."""


@dataclass(frozen=True)
class Scene(ScenePart):
    """What a seat sees of a game."""

    game: str
    """The game with its options: `love-letter:players=3`."""
    title: str
    unit: str
    """What one playing of it is called: a round, a game."""
    seat: int = field(metadata=_SEAT)
    """Whose view it is."""
    turn: int | None = field(metadata=_SEAT)
    """The seat to move; None where chance moves, and at the end."""
    chance: bool = False
    """Whether chance moves now."""
    over: bool = False
    outcome: str = ""
    """How it ended, in words."""
    seats: tuple[SeatScene, ...] = ()
    """From seat 1 on."""
    zones: tuple[Zone, ...] = ()
    board: Board | None = None
    notes: tuple[Note, ...] = ()
    match: MatchScene | None = None
    log: tuple[str, ...] = ()
    """What happened, as this seat saw it: a line a turn."""
    plays: tuple[PlayScene, ...] = ()
    """What the viewer can play now."""

    def zones_of(self, seat: int | None) -> tuple[Zone, ...]:
        """The zones of one seat, or those that are nobody's."""
        return tuple(zone for zone in self.zones if zone.seat == seat)
