"""Kuhn poker: three cards, one chip, one bet.

From H. W. Kuhn, "A Simplified Two-Person Poker" (1950). Both ante one chip and get one of
J, Q, K. Plays are `pass` and `bet`; to pass after a bet is to fold, to bet is to call.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, cast

from kibitz.core.errors import BadText
from kibitz.core.game import Chance, ResultKind, Traits, View
from kibitz.core.presenter import Presenter
from kibitz.core.registry import game
from kibitz.core.scene import Card, Note, Zone
from kibitz.core.strategy import Knows
from kibitz.games.compiled_game import CompiledGame
from kibitz.games.placements import placements
from kibitz.games.poker import CARDS, PokerPresenter, PokerView
from kibitz.games.text import read_fields, read_seat, write_fields

PLAYS = ("pass", "bet")


class KuhnPokerView(PokerView):
    """A view of Kuhn poker."""

    @property
    def bets(self) -> tuple[str, ...]:
        """The plays so far."""
        return tuple(_bets(self.state))

    @property
    def pot(self) -> tuple[int, int]:
        """The chips that each seat has put in."""
        bets = self.bets
        one, other = (1 + bets[(seat - self.first) % 2 :: 2].count("bet") for seat in (0, 1))
        return one, other


class KuhnPokerPresenter(PokerPresenter):
    """How Kuhn poker is shown."""

    def zones(self, view: View[Any]) -> Sequence[Zone]:
        seen = [_own(view).hand_of(seat) for seat in (0, 1)]
        both = all(seen)
        return [
            Zone("hand", "hand", tuple(Card(c, c) for c in cards), 1 - len(cards), seat, both)
            for seat, cards in enumerate(seen)
        ]

    def notes(self, view: View[Any]) -> Sequence[Note | str]:
        v = _own(view)
        return [f"seat {v.first + 1} begins: {' '.join(v.bets)}".rstrip(": ")]


def _own(view: View[Any]) -> KuhnPokerView:
    return cast(KuhnPokerView, view)


@game
class KuhnPoker(CompiledGame):
    """Kuhn poker: three cards, one bet."""

    view_class: ClassVar[type[View[Any]]] = KuhnPokerView
    presenter_class: ClassVar[type[Presenter[Any, Any]] | None] = KuhnPokerPresenter
    name: ClassVar[str] = "kuhn-poker"
    title: ClassVar[str] = "Kuhn poker: three cards, one bet"
    codec: ClassVar[str] = "kibitz.games.kuhn_poker.codec"
    traits: ClassVar[Traits] = Traits(chance=Chance.DEAL, hidden=True)
    levels: ClassVar[Mapping[str, str]] = {
        "easy": "random", "medium": "ismcts", "hard": "ismcts:simulations=10000",
    }  # fmt: skip
    result_kind: ClassVar[ResultKind | None] = ResultKind.CHIPS

    def _play_text(self, code: int) -> str:
        return PLAYS[code]

    def position(self, state: Any) -> str:
        """`hand1=Q; hand2=K; bets=pass bet; first=1`: what is left out is unknown."""
        x = state[0]
        fields = {
            "hand1": CARDS[x.cards[0]],
            "hand2": CARDS[x.cards[1]],
            "bets": " ".join(_bets(state)),
            "first": str(x.first + 1),
        }
        return write_fields({key: value for key, value in fields.items() if value})

    def parse_position(self, text: str) -> Any:
        fields = read_fields(text, ("hand1", "hand2", "bets", "first"))
        kernels = self.kernels
        state = self.blank()
        x = state[0]
        x.first = read_seat(fields, "first", 2)
        x.history = kernels.START
        for seat, key in enumerate(("hand1", "hand2")):
            card = fields.get(key, "").upper()
            if card not in CARDS:
                raise BadText(f"{key}={fields[key]} is not possible; allowed: J, Q, K")
            x.cards[seat] = CARDS.index(card)
        if x.cards[0] and x.cards[1]:
            if x.cards[0] == x.cards[1]:
                raise BadText(f"there is only one {CARDS[x.cards[0]]}")
            x.cards[2] = 6 - x.cards[0] - x.cards[1]  # 1 + 2 + 3 less the two
        for word in fields.get("bets", "").split():
            if word not in PLAYS:
                raise BadText(f"bets has {word!r}; allowed: pass, bet")
            if kernels.over(state):
                raise BadText(f"the game is over after {' '.join(_bets(state))}")
            kernels.apply(state, PLAYS.index(word))
        if kernels.showdown(x.history) and not x.cards[2]:
            raise BadText("it is a showdown: hand1 and hand2 must be given")
        return state

    def every_deal(self, position: Any = None) -> Iterator[tuple[Any, float]]:
        start = self.parse_position("first=1") if position is None else position
        shown = start[0].cards.tolist()
        unseen = {card: 1 - shown.count(card) for card in (1, 2, 3)}
        unknown = [place for place in range(3) if not shown[place]]
        for cards, chance in placements(unseen, len(unknown)):
            state = start.copy()
            state[0].cards[unknown] = cards
            yield state, chance

    def hidden_cards(self, view: View[Any], world: Any) -> Mapping[str, Sequence[str]]:
        return {
            f"seat {seat + 1}'s hand": [CARDS[world[0].cards[seat]]]
            for seat in (0, 1)
            if not view.state[0].cards[seat]
        }

    def missing(self, state: Any, seat: int, knows: Knows) -> Sequence[str]:
        seen = (seat,) if knows is Knows.FAIR else (0, 1)
        return [f"hand{s + 1}" for s in seen if not state[0].cards[s]]


def _bets(state: Any) -> list[str]:
    """The plays so far: the digits of the history after its leading 1."""
    return [PLAYS[int(digit)] for digit in f"{int(state[0].history):b}"[1:]]
