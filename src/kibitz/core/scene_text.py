"""A scene as lines of text: the one layout that the terminal and every plain text share.

A line is a phrase; whoever prints it gives the pieces their colours, or takes the words alone.
From the top: the board, what lies in the middle, a line for each seat with the viewer last, notes.
"""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.core.phrase import Phrase, Span, joined, phrase, plain
from kibitz.core.scene import Board, Card, Scene, SeatScene, Zone

WIDTH = 79
"""Columns that a line has."""
LABEL = 13
"""Columns that a seat's label has at least."""
BACK = "▒▒"
"""A card that lies face down."""
GAP = "   "
INDENT = 16
"""Where a row of cards begins that goes below."""
WORD = 3
"""Letters that the label of a card has at most, if commas are not needed between cards."""


def scene_text(scene: Scene) -> str:
    """The scene in plain words."""
    return "\n".join(plain(line).rstrip() for line in scene_lines(scene))


def scene_lines(scene: Scene) -> list[Phrase]:
    """The scene as lines. Nothing in them is broken where it need not be."""
    lines = board_lines(scene.board) if scene.board else []
    middle = [zone for zone in scene.zones_of(None) if not zone.in_details]
    if middle:
        lines += _wrapped([_zone(zone) for zone in middle], GAP, indent=0)
        lines += [()] if len(middle) == 1 else []
    n = len(scene.seats)
    seats = [scene.seats[(scene.seat + i) % n] for i in range(1, n + 1)]
    if any(_says_something(scene, seat) for seat in seats):
        width = max(LABEL, *(len(seat.label) for seat in seats))
        cards = [_hand(scene, seat) for seat in seats]
        widest = max(len(plain(hand)) for hand in cards)
        for seat, hand in zip(seats, cards, strict=True):
            # Figures stand one below the other; rows of cards begin where the hand ends.
            padding = " " * (widest - len(plain(hand))) + (GAP if widest else "")
            here = phrase(f"{seat.label:<{width}} ", hand, padding if seat.details else "")
            lines += _seat_lines(scene, seat, here)
    for note in scene.notes:
        head = phrase(Span(note.label, strong=True), "  ") if note.label else ()
        lines += [phrase(head, Span(text, quiet=note.quiet)) for text in note.text.split("\n")]
    return lines


def board_lines(board: Board) -> list[Phrase]:
    """The rows from the top, with what rows and columns are called."""
    margin = max((len(name) for name in board.rows), default=0)
    names = phrase(" " * (margin + 2) if margin else "", " ".join(board.columns))
    lines = [] if board.falls else [names]
    for i, cells in enumerate(board.cells):
        head = f"{board.rows[i]:<{margin}}  " if margin else ""
        squares = [
            phrase(Span(cell or ".", strong=(i, j) in board.line)) for j, cell in enumerate(cells)
        ]
        lines.append(phrase(head, joined(squares, " ")))
    return [*lines, names] if board.falls else lines


def _says_something(scene: Scene, seat: SeatScene) -> bool:
    """Whether there is more to tell of a seat than that it is there."""
    return bool(
        seat.details
        or seat.out
        or seat.protected
        or any(not zone.in_details for zone in scene.zones_of(seat.seat))
    )


def _hand(scene: Scene, seat: SeatScene) -> Phrase:
    """What a seat holds, or that it is out; and whether it is protected."""
    hands = [zone for zone in scene.zones_of(seat.seat) if zone.name == "hand"]
    cards = joined([row(zone, full=True) for zone in hands], " ")
    shown = phrase(Span("out", quiet=True)) if seat.out else cards
    marks = [phrase(Span("protected", "blue"))] if seat.protected else []
    return joined([shown, *marks] if shown else marks, " ")


def _seat_lines(scene: Scene, seat: SeatScene, here: Phrase) -> list[Phrase]:
    """`▸ seat 1 (you)  Guard 1, Baron 3   played: Priest`. Long rows go on below."""
    details = ", ".join(detail.text for detail in seat.details if detail.text)
    lines = [phrase("▸ " if seat.to_move else "  ", here, Span(details, quiet=True))]
    for zone in scene.zones_of(seat.seat):
        if zone.name != "hand" and not zone.in_details:
            lines = _with_row(lines, zone, indent=INDENT)
    return lines


def _with_row(lines: list[Phrase], zone: Zone, indent: int) -> list[Phrase]:
    """A seat's lines, and a row of cards after them or below."""
    head = phrase(Span(f"{zone.label}:", quiet=True), " ")
    whole = phrase(lines[-1], GAP, head, row(zone))
    if len(plain(whole)) <= WIDTH or not zone.cards:
        return [*lines[:-1], whole]
    first, *cards = [phrase(card.span) for card in zone.cards]
    below = [phrase(" " * indent, head, first), *cards]
    return [*lines, *_wrapped(below, _between(zone.cards), indent=indent + len(plain(head)))]


def _zone(zone: Zone) -> Phrase:
    """A zone in the middle: its name, and what lies there."""
    name = Span(zone.label, strong=True)
    if zone.name == "deck":
        bars = f"{'▮' * zone.hidden or '–'} {len(zone.cards) + zone.hidden}"
        return phrase(name, " ", bars, "  " if zone.cards else "", row(zone) if zone.cards else ())
    if not zone.cards and not zone.hidden:
        return phrase(name, "  ", Span("empty", quiet=True))
    return phrase(name, "  ", row(zone))


def row(zone: Zone, full: bool = False) -> Phrase:
    """The cards of a zone side by side; backs for those that are not seen."""
    cards = [phrase(card.full_span if full else card.span) for card in zone.cards]
    backs = [] if zone.name == "deck" else [phrase(Span(BACK, quiet=True))] * zone.hidden
    if not cards and not backs and zone.seat is not None:
        return phrase("" if zone.name == "hand" else "–")
    return phrase(joined(cards, _between(zone.cards)), " " if cards and backs else "",
                  joined(backs, " "))  # fmt: skip


def _between(cards: Sequence[Card]) -> str:
    """What stands between two cards: names need a comma."""
    return ", " if any(len(card.label) > WORD for card in cards) else " "


def _wrapped(pieces: Sequence[Phrase], between: str, indent: int) -> list[Phrase]:
    """Pieces in as few lines as they need; the second and later ones begin further in."""
    lines: list[Phrase] = []
    for piece in pieces:
        longer = phrase(lines[-1], between, piece) if lines else piece
        if lines and len(plain(longer)) > WIDTH:
            lines[-1] = phrase(lines[-1], between.rstrip())
            lines.append(phrase(" " * indent, piece))
        else:
            lines[-1:] = [longer]
    return lines
