"""What a seat sees of a round of Love Letter, as plain Python: the properties of its view."""

from __future__ import annotations

from typing import Any, ClassVar

from kibitz.core.game import View
from kibitz.games.love_letter.cards import NAMES, UNKNOWN, cards_in
from kibitz.games.love_letter.plays import parts_of
from kibitz.games.love_letter.possible_hands import may_hold


class LoveLetterView(View[Any]):
    """A view of a round. Cards are their names, such as `guard`; seats count from 0."""

    seat_fields: ClassVar[frozenset[str]] = View.seat_fields | {
        "known", "possible", "protected", "out", "winners", "first"
    }  # fmt: skip

    @property
    def hand(self) -> tuple[str, ...]:
        """One's own cards; the drawn one last. None if one is out."""
        return self.hand_of(self.seat)

    def hand_of(self, seat: int) -> tuple[str, ...]:
        """The cards in a hand that this seat sees: its own, those that it was shown, and at a
        showdown all."""
        return tuple(NAMES[card] for card in held(self.state[0], seat) if 0 < card < UNKNOWN)

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return tuple(
            sum(card > 0 for card in held(self.state[0], seat)) for seat in range(self.game.players)
        )

    @property
    def known(self) -> dict[int, str]:
        """The cards of other seats that this one sees, by the seat."""
        x = self.state[0]
        return {
            seat: NAMES[x.hand[seat]]
            for seat in range(self.game.players)
            if seat != self.seat and 0 < x.hand[seat] < UNKNOWN
        }

    @property
    def possible(self) -> dict[int, tuple[str, ...]]:
        """For each other seat in the round the cards that it may hold, by all that this one has
        seen. The drawn card of the seat to move is not counted."""
        x = self.state[0]
        if x.hand[self.seat] == UNKNOWN:
            return {}
        hands = may_hold(x, self.seat)
        return {seat: tuple(NAMES[card] for card in sorted(hands[seat])) for seat in sorted(hands)}

    @property
    def discards(self) -> tuple[tuple[str, ...], ...]:
        """What lies before each seat, in the order of play."""
        return tuple(
            tuple(NAMES[card] for card in discards(self, seat)) for seat in range(self.game.players)
        )

    @property
    def protected(self) -> tuple[int, ...]:
        """The seats that nobody can name."""
        return self._seats(self.state[0].protected)

    @property
    def out(self) -> tuple[int, ...]:
        """The seats that are out of the round."""
        return self._seats(~self.state[0].inside)

    @property
    def winners(self) -> tuple[int, ...]:
        """At the end: the seats that score."""
        return self._seats(self.state[0].won)

    @property
    def first(self) -> int:
        """The seat that began."""
        return int(self.state[0].first)

    @property
    def face_up(self) -> tuple[str, ...]:
        """The cards that lie face up, with two players."""
        return tuple(NAMES[card] for card in cards_in(int(self.state[0].face_up)))

    @property
    def deck_size(self) -> int:
        """How many cards are left to draw."""
        return int(self.state[0].left)

    @property
    def aside(self) -> bool:
        """Whether the card that was laid aside is still there: a Prince may have taken it."""
        return bool(self.state[0].aside)

    def _seats(self, bits: Any) -> tuple[int, ...]:
        return tuple(seat for seat in range(self.game.players) if int(bits) >> seat & 1)


def held(x: Any, seat: int) -> list[int]:
    """The cards in a hand, UNKNOWN ones too; 0: out."""
    return [int(x.hand[seat])] + ([int(x.drawn)] if seat == x.turn and not x.over else [])


def discards(view: View[Any], seat: int) -> list[int]:
    """A seat's discards in the order of play, as far as the view says what was before; what
    lay there already comes first. The state itself has only their numbers."""
    before = [state for state, _ in view.past]
    laid: list[int] = []
    counted = 0
    for i, state in enumerate([*before, view.state]):
        counts = int(state[0].spent[seat])
        fresh = cards_in(counts - counted)
        mine = i > 0 and before[i - 1][0].turn == seat and view.past[i - 1][1] is not None
        if mine and len(fresh) > 1:
            # Who goes out by his own play lays his other card on top of it.
            played = parts_of(view.past[i - 1][1].code).card
            fresh.remove(played)
            fresh.insert(0, played)
        laid += fresh
        counted = counts
    return laid
