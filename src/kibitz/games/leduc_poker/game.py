"""Leduc poker: six cards, two rounds of betting, one card on the board.

From Southey and others, "Bayes' Bluff: Opponent Modelling in Poker" (2005), with the rules
of OpenSpiel's leduc_poker. Both ante one chip and get one of J J Q Q K K. A raise is 2 chips
in the first round and 4 in the second, at most two raises a round; in between the board is
turned. A pair with the board wins, else the higher card. Plays are `fold`, `call` (or check)
and `raise`.
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

PLAYS = ("fold", "call", "raise")
PLACES = ("hand1", "hand2", "board")
"""The fields for the first cards of the record, in its order."""
ROUNDS = ("round1", "round2")


class LeducPokerView(PokerView):
    """A view of Leduc poker."""

    @property
    def board(self) -> str | None:
        """The card on the board; None before it is turned."""
        return CARDS[self.state[0].cards[2]] if self.state[0].stage else None

    @property
    def bets(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The plays of each round so far."""
        return tuple(_bets(self.state, 0)), tuple(_bets(self.state, 1))

    @property
    def pot(self) -> tuple[int, int]:
        """The chips that each seat has put in."""
        one, other = (int(chips) for chips in self.state[0].chips)
        return one, other


class LeducPokerPresenter(PokerPresenter):
    """How Leduc poker is shown."""

    def zones(self, view: View[Any]) -> Sequence[Zone]:
        v = _own(view)
        turned = _cards(v.board) if v.board else ()
        seen = [v.hand_of(seat) for seat in (0, 1)]
        both = all(seen)
        return [
            Zone("board", "Board", turned, 1 - len(turned)),
            *(
                Zone("hand", "hand", _cards(*cards), 1 - len(cards), seat, both)
                for seat, cards in enumerate(seen)
            ),
        ]

    def notes(self, view: View[Any]) -> Sequence[Note | str]:
        v = _own(view)
        rounds = [f"round 1, seat {v.first + 1} begins: {' '.join(v.bets[0])}"]
        rounds += [f"round 2: {' '.join(v.bets[1])}"] if v.board else []
        return [text.rstrip(": ") for text in rounds]


def _own(view: View[Any]) -> LeducPokerView:
    return cast(LeducPokerView, view)


def _cards(*names: str) -> tuple[Card, ...]:
    return tuple(Card(name, name) for name in names)


@game
class LeducPoker(CompiledGame):
    """Leduc poker: six cards, two rounds of betting."""

    view_class: ClassVar[type[View[Any]]] = LeducPokerView
    presenter_class: ClassVar[type[Presenter[Any, Any]] | None] = LeducPokerPresenter
    name: ClassVar[str] = "leduc-poker"
    title: ClassVar[str] = "Leduc poker: six cards, two rounds of betting"
    codec: ClassVar[str] = "kibitz.games.leduc_poker.codec"
    traits: ClassVar[Traits] = Traits(chance=Chance.DEAL, hidden=True)
    levels: ClassVar[Mapping[str, str]] = {
        "easy": "random", "medium": "ismcts", "hard": "ismcts:simulations=10000",
    }  # fmt: skip
    result_kind: ClassVar[ResultKind | None] = ResultKind.CHIPS

    def _play_text(self, code: int) -> str:
        return PLAYS[code]

    def position(self, state: Any) -> str:
        """`hand1=Q; board=K; round1=call raise call; round2=call; first=1`.

        What is left out is unknown. `deck` are the cards face down, the next one first.
        """
        x = state[0]
        cards = [CARDS[card] for card in x.cards]
        turned = 3 if x.stage else 2
        fields = dict(zip(PLACES[:turned], cards, strict=False))
        fields |= {key: " ".join(_bets(state, i)) for i, key in enumerate(ROUNDS)}
        fields["deck"] = " ".join(cards[turned:]) if all(cards[turned:]) else ""
        fields["first"] = str(x.first + 1)
        return write_fields({key: value for key, value in fields.items() if value})

    def parse_position(self, text: str) -> Any:
        fields = read_fields(text, (*PLACES, *ROUNDS, "deck", "first"))
        state = self.blank()
        x = state[0]
        self.kernels.begin(state, read_seat(fields, "first", 2))
        for i, key in enumerate(ROUNDS):
            for word in fields.get(key, "").split():
                self._bet(state, i, word)
        if x.stage == 0 and fields.get("board"):
            raise BadText("board is turned only after the first round")
        turned = 3 if x.stage else 2
        for i, key in enumerate(PLACES):
            x.cards[i] = _card(key, fields.get(key, ""))
        deck = fields.get("deck", "").split()
        if deck and len(deck) != 6 - turned:
            raise BadText(f"deck has {len(deck)} cards; there are {6 - turned} face down")
        for i, word in enumerate(deck, turned):
            x.cards[i] = _card("deck", word)
        for card in (1, 2, 3):
            if list(x.cards).count(card) > 2:
                raise BadText(f"there are only two {CARDS[card]}")
        if x.stage == 2 and not all(x.cards[:3]):
            raise BadText("it is a showdown: hand1, hand2 and board must be given")
        return state

    def _bet(self, state: Any, i: int, word: str) -> None:
        """Play one word of round i of a position."""
        if word not in PLAYS:
            raise BadText(f"{ROUNDS[i]} has {word!r}; allowed: fold, call, raise")
        if self.kernels.over(state):
            raise BadText(f"{ROUNDS[i]}: {word} comes after the end of the game")
        if state[0].stage != i:
            raise BadText("round1 ends with the call of a raise or the second check, then round2")
        if PLAYS.index(word) not in self.kernels.legal(state):
            after = " ".join(["", "after", *_bets(state, i)]) if _bets(state, i) else ""
            raise BadText(f"{ROUNDS[i]}: {word} is not possible{after or ' at its beginning'}")
        self.kernels.apply(state, PLAYS.index(word))

    def every_deal(self, position: Any = None) -> Iterator[tuple[Any, float]]:
        """Deals that differ only in cards that nobody gets to see are one."""
        start = self.parse_position("first=1") if position is None else position
        shown = start[0].cards.tolist()
        unseen = {card: 2 - shown.count(card) for card in (1, 2, 3)}
        unknown = [place for place in range(len(PLACES)) if not shown[place]]
        for cards, chance in placements(unseen, len(unknown)):
            state = start.copy()
            state[0].cards[unknown] = cards
            if not shown[-1]:
                dealt = state[0].cards.tolist()
                state[0].cards[len(PLACES) :] = [
                    card for card in unseen for _ in range(2 - dealt.count(card))
                ]
            yield state, chance

    def hidden_cards(self, view: View[Any], world: Any) -> Mapping[str, Sequence[str]]:
        places = ("seat 1's hand", "seat 2's hand", "board")
        return {
            place: [CARDS[world[0].cards[i]]]
            for i, place in enumerate(places)
            if not view.state[0].cards[i]
        }

    def missing(self, state: Any, seat: int, knows: Knows) -> Sequence[str]:
        x = state[0]
        seen = [seat] if knows is Knows.FAIR else [0, 1]
        seen += [2] if x.stage or knows is Knows.OPEN_DECK else []
        return [PLACES[i] for i in seen if not x.cards[i]]


def _card(key: str, text: str) -> int:
    """A card's number; 0 if it is left out."""
    if text.upper() not in CARDS:
        raise BadText(f"{key} has {text!r}; allowed: J, Q, K")
    return CARDS.index(text.upper())


def _bets(state: Any, i: int) -> list[str]:
    """The plays of a round: the digits of its history after the leading 1."""
    history = int(state[0].history[i])
    words: list[str] = []
    while history > 1:
        words.insert(0, PLAYS[history % 4])
        history //= 4
    return words
