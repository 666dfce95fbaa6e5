"""What a seat sees of a game of Tablić, as plain Python: the properties of its view."""

from __future__ import annotations

from typing import Any, ClassVar

from kibitz.core.game import View
from kibitz.games.tablic.cards import (
    DECK,
    NAMES,
    POINT_RANKS,
    TEN_OF_DIAMONDS,
    TWO_OF_CLUBS,
    cards_of,
)


class TablicView(View[Any]):
    """A view of a game. Cards are their text forms, such as `Qh`; seats count from 0."""

    seat_fields: ClassVar[frozenset[str]] = View.seat_fields | {
        "last_captor", "dealer", "first", "partner"
    }  # fmt: skip

    @property
    def hand(self) -> tuple[str, ...]:
        """One's own cards, by rank and suit."""
        return self.hand_of(self.seat)

    def hand_of(self, seat: int) -> tuple[str, ...]:
        """The cards in a hand that this seat sees: its own, or with open hands all."""
        return names_of(self.state[0].hand[seat])

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return tuple(int(held) for held in self.state[0].held[: self.game.players])

    @property
    def table(self) -> tuple[str, ...]:
        """The cards on the table."""
        return names_of(self.state[0].table)

    @property
    def captured(self) -> tuple[tuple[str, ...], ...]:
        """The pile of each seat. Everybody has seen what went there."""
        return tuple(names_of(self.state[0].pile[seat]) for seat in range(self.game.players))

    @property
    def tablas(self) -> tuple[int, ...]:
        """How many tablas each seat has made."""
        return tuple(int(number) for number in self.state[0].tablas[: self.game.players])

    @property
    def points(self) -> tuple[int, ...]:
        """What each seat has so far: points in its pile, and tablas; no bonus for cards."""
        x = self.state[0]
        return tuple(
            sum(card_points(card) for card in cards_of(int(x.pile[seat]))) + int(x.tablas[seat])
            for seat in range(self.game.players)
        )

    @property
    def last_captor(self) -> int | None:
        """The seat that captured last."""
        last = int(self.state[0].last)
        return last if last >= 0 else None

    @property
    def deck_size(self) -> int:
        """How many cards are still to be dealt."""
        return 52 - int(self.state[0].dealt)

    @property
    def deals_left(self) -> int:
        """How many more times cards are dealt."""
        return -(-self.deck_size // (6 * self.game.players))

    @property
    def dealer(self) -> int:
        """The seat that deals."""
        return int(self.state[0].dealer)

    @property
    def first(self) -> int:
        """The seat that began."""
        return (self.dealer + 1) % self.game.players

    @property
    def partner(self) -> int | None:
        """The seat that plays with this one, with four players."""
        others = [seat for seat in self.game.team(self.seat) if seat != self.seat]
        return others[0] if others else None

    @property
    def unseen(self) -> tuple[str, ...]:
        """The cards that this seat has not seen; none if the view does not tell the piles."""
        x = self.state[0]
        seen = int(x.table)
        for seat in range(self.game.players):
            seen |= int(x.pile[seat]) | int(x.hand[seat])
        hidden = names_of(DECK & ~seen)
        seats = range(self.game.players)
        held = sum(self.hand_sizes[seat] for seat in seats if not x.hand[seat])
        return hidden if len(hidden) == held + self.deck_size else ()


def card_points(card: int) -> int:
    """What a card counts for who has captured it. Rules 6.1 and 6.2."""
    return int(card // 4 in POINT_RANKS) + (card in (TEN_OF_DIAMONDS, TWO_OF_CLUBS))


def names_of(mask: Any) -> tuple[str, ...]:
    """The cards of a set as text."""
    return tuple(NAMES[card] for card in cards_of(int(mask)))
