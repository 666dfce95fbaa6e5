"""What is known of a round before it is solved: by its book, or by the table of the user."""

from __future__ import annotations

import sys
from typing import NamedTuple

from kibitz.core.checks import one_line
from kibitz.core.errors import KibitzError
from kibitz.games.love_letter.cards import names
from kibitz.solvers.love_letter.book import BOOK_DECK, find_book, load_book
from kibitz.solvers.love_letter.results_table import ResultsTable, user_table


class KnownValue(NamedTuple):
    """Bounds for the value to the player to move, and who says so."""

    low: float
    high: float
    source: str

    @property
    def epsilon(self) -> float:
        return (self.high - self.low) / 2


def known_value(deck: str, face_up: tuple[int, ...]) -> KnownValue | None:
    """The narrowest bounds that are written down for a round with these cards face up. A file
    that can't be read is passed over with a line that says so: a round is solved without it too."""
    known = []
    for look in (_in_book, _in_table):
        try:
            known.append(look(deck, face_up))
        except KibitzError as error:
            print(f"kibitz: passed over: {one_line(str(error))}", file=sys.stderr)
    return min(filter(None, known), key=lambda each: each.epsilon, default=None)


def _in_book(deck: str, face_up: tuple[int, ...]) -> KnownValue | None:
    file = find_book(face_up) if deck == BOOK_DECK else None
    if file is None:
        return None
    header = load_book(file).header
    low, high = header["value"]
    return KnownValue(low, high, f"its book {file.name}, made by Kibitz {header['kibitz']}")


def _in_table(deck: str, face_up: tuple[int, ...]) -> KnownValue | None:
    row = ResultsTable(user_table()).rows(deck).get(names(face_up))
    if row is None:
        return None
    return KnownValue(row.low, row.high, f"the table {user_table()}, made by Kibitz {row.kibitz}")
