"""Games that redeal wrongly, or tell too much, each caught by the rule that it breaks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import pytest

from kibitz.core.game import CHANCE, Chance, Game, Traits, View
from kibitz.core.presenter import Presenter
from kibitz.jit.rng import below
from kibitz.testing import BrokenRule, check_game
from tests.testing.test_game_kit import CARDS, Hands, HighOrLow


class NoRedeal(HighOrLow):
    redeal = Game.redeal


class RedealsBlanks(HighOrLow):
    def redeal(self, view: View[Hands], rng: np.ndarray) -> Hands:
        return view.state


class RedealsHalf(HighOrLow):
    """Its worlds can't be played to the end."""

    def redeal(self, view: View[Hands], rng: np.ndarray) -> Any:
        cards: list[Any] = [view.state[0], view.state[1]]
        cards[1 - view.seat] = ("a", "b")[below(rng, 2)]
        return (*cards, *view.state[2:])

    def parse_position(self, text: str) -> Hands:
        cards = [int(p) if p.isdigit() else p.replace("-", "") or 0 for p in text.split()[:2]]
        return (*cards, *super().parse_position(f"1 1 {' '.join(text.split()[2:])}")[2:])  # type: ignore[return-value]


class OtherCard(HighOrLow):
    """Deals one of some cards as the other's."""

    def other(self, own: int) -> Sequence[int]:
        raise NotImplementedError

    def redeal(self, view: View[Hands], rng: np.ndarray) -> Hands:
        own = view.state[:2][view.seat]
        cards = self.other(own)
        other = cards[below(rng, len(cards))]
        return (*((own, other) if view.seat == 0 else (other, own)), *view.state[2:])


class RedealsOneWorld(OtherCard):
    def other(self, own: int) -> Sequence[int]:
        return [1 if own != 1 else 2]


class RedealsTwins(OtherCard):
    def other(self, own: int) -> Sequence[int]:
        return CARDS


class RedealsAnotherDeck(OtherCard):
    def other(self, own: int) -> Sequence[int]:
        return [card for card in range(1, 50) if card != own]


class RedealsHighCards(OtherCard):
    def other(self, own: int) -> Sequence[int]:
        return [card for card in (*CARDS, 6, 6, 5) if card != own]


class BlanksItsOwn(HighOrLow):
    def view(self, state: Hands, seat: int) -> View[Hands]:
        return View(self, seat, (0, 0, *state[2:]))


class HidesInSecret(HighOrLow):
    traits: ClassVar[Traits] = Traits(chance=Chance.DEAL, roles=True)


class DrawnCards(Game[Hands, Any]):
    """As high-or-low, but chance deals the cards, and everybody gets to know what it did."""

    name: ClassVar[str] = "drawn-cards"
    traits: ClassVar[Traits] = Traits(chance=Chance.PLAY, hidden=True, roles=True)
    whole: ClassVar[Any] = HighOrLow()

    def deal(self, seed: int, first: int = 0) -> Hands:
        return 0, 0, "", ""

    def mover(self, state: Hands) -> int:
        return CHANCE if 0 in state[:2] else int(self.whole.mover(state))

    def is_over(self, state: Hands) -> bool:
        return bool(state[3])

    def plays(self, state: Hands) -> Sequence[Any]:
        if self.mover(state) != CHANCE:
            return self.whole.plays(state)
        return [card for card in CARDS if card != state[0]]

    def after(self, state: Hands, play: Any) -> Any:
        if self.mover(state) == CHANCE:
            return (state[0], play, "", "") if state[0] else (play, 0, "", "")
        return self.whole.after(state, play)

    def returns(self, state: Hands) -> Any:
        return self.whole.returns(state)

    def view(self, state: Hands, seat: int) -> View[Any]:
        hidden = tuple(
            -1 if card and holder != seat else card for holder, card in enumerate(state[:2])
        )
        return View(self, seat, (*hidden, *state[2:]))

    def redeal(self, view: View[Any], rng: np.ndarray) -> Any:
        own = view.state[view.seat]
        unseen = [card for card in CARDS if card != own]
        other = unseen[below(rng, len(unseen))]
        cards = (other if card == -1 else card for card in view.state[:2])
        return (*cards, *view.state[2:])


class ShowsWhatIsDrawn(DrawnCards):
    def observed_play(self, state: Hands, seat: int, play: Any) -> Any:
        return play


class DrawingPresenter(Presenter[Hands, Any]):
    def narrate(self, before: Hands, play: Any, after: Hands, seat: int | None) -> str:
        return f"{play}"


class TellsWhatIsDrawn(DrawnCards):
    presenter_class = DrawingPresenter


WHOLE = "a world that redeal gives must be a whole state, which can be played to its end; "
OFTEN = "redeal must deal each world as often as it comes up in deals that look the same; what "
BROKEN: dict[Any, str] = {
    NoRedeal: "a game that hides cards must write redeal; it has none of its own",
    RedealsBlanks: "redeal must fill in what the view leaves blank; it gives ",
    RedealsHalf: WHOLE + "TypeError: ",
    RedealsOneWorld: "redeal must give different worlds for the same view; in 20 games",
    RedealsTwins: OFTEN,
    RedealsAnotherDeck: OFTEN,
    RedealsHighCards: OFTEN,
    BlanksItsOwn: OFTEN,
    HidesInSecret: "a game whose views hide something must say so: Traits(hidden=True); seat 1",
    ShowsWhatIsDrawn: "outcomes of chance that look alike to a seat must be observed alike; obs",
    TellsWhatIsDrawn: "outcomes of chance that look alike to a seat must be told alike; seat ",
}


@pytest.mark.parametrize("cls", BROKEN)
def test_a_game_that_redeals_or_tells_wrongly_is_caught(cls: Any) -> None:
    with pytest.raises(BrokenRule) as caught:
        check_game(cls())
    assert BROKEN[cls] in str(caught.value)


def test_cards_that_chance_deals_pass() -> None:
    check_game(DrawnCards(), games=5)
