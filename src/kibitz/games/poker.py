"""What Kuhn and Leduc poker share: one card each, J, Q or K, and chips in a pot."""

from dataclasses import replace
from typing import Any, ClassVar

from kibitz.core.game import View
from kibitz.core.scene import Detail, SeatScene
from kibitz.games.compiled_presenter import CompiledPresenter

CARDS = ("", "J", "Q", "K")


class PokerView(View[Any]):
    """A view of poker with one card each."""

    seat_fields: ClassVar[frozenset[str]] = View.seat_fields | {"first"}

    @property
    def hand(self) -> tuple[str, ...]:
        """One's own card."""
        return self.hand_of(self.seat)

    def hand_of(self, seat: int) -> tuple[str, ...]:
        """The card of a seat, as far as this one sees it: at a showdown both."""
        card = CARDS[self.state[0].cards[seat]]
        return (card,) if card else ()

    @property
    def first(self) -> int:
        """The seat that began."""
        return int(self.state[0].first)


class PokerPresenter(CompiledPresenter):
    """How poker with one card each is shown."""

    def seat_scene(self, view: View[Any], seat: int) -> SeatScene:
        v: Any = view  # of a game with a pot
        details = (Detail("pot", v.pot[seat], f"{v.pot[seat]} in the pot"),)
        return replace(super().seat_scene(view, seat), first=seat == v.first, details=details)

    def held(self, state: Any, seat: int) -> str:
        return CARDS[state[0].cards[seat]]
