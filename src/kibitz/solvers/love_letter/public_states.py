"""The public states of a two-player round of Love Letter, each once, and where plays lead.

With two players whatever a card shows is known to both. Private are only the card that each
holds and the one just drawn. A public state is therefore: how many of each card are unseen (in
the hands, in the deck, aside), whether the other is protected, and which cards each may hold
for all that anybody can see. The rounds that pass through it differ in how likely these cards
are, which depends on how the two play: that is the solver's part, see `walk.py`.

What leaves the value of the round as it is, and is used here (the arguments are in
docs/love-letter-solved.md; the letters are those used there):

    A  of two cards in hand it does not matter which was drawn
    B  cards that the other can't hold are not named; the Princess is not played
    C  sure wins are taken, sure losses avoided
    D  a state where nobody's habits tell anything of the hands stands alone: it is *free*
    E  on the last turn nothing is considered that another play is never worse than
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

from kibitz.core.errors import BadText
from kibitz.games.love_letter.cards import (
    BARON,
    COUNTESS,
    GUARD,
    HANDMAID,
    KING,
    PRIEST,
    PRINCE,
    PRINCESS,
)

CARDS = range(GUARD, PRINCESS + 1)
ANY = 0xFF

# The plays, seen from the table: what is laid down, and what is named.
NAMED = 7
"""Plays below this one name card number + 2 with the Guard."""
BARE, LOOK, DUEL, SHIELD, EXPEL, RENEW, TRADE, LADY, YIELD = range(NAMED, NAMED + 9)
"""A Guard that names nobody; Priest, Baron, Handmaid; the Prince on the other and on oneself;
King, Countess, Princess."""
PLAYS = NAMED + 9
LAID = (
    *(GUARD,) * (NAMED + 1),
    *(PRIEST, BARON, HANDMAID, PRINCE, PRINCE, KING, COUNTESS, PRINCESS),
)
"""The card that is laid down."""
BY_CARD = {
    PRIEST: LOOK,
    BARON: DUEL,
    HANDMAID: SHIELD,
    KING: TRADE,
    COUNTESS: LADY,
    PRINCESS: YIELD,
}

MINE, THEIRS = 1, 2

OVER = -1
"""Instead of a state: the deck is empty, hands are compared."""


class Public(NamedTuple):
    """Before the player to move draws. Sets of cards are words with a bit for each."""

    unseen: tuple[int, ...]
    """How many of each card, Guard first."""
    protected: bool
    """The other player."""
    mine: int
    """What the player to move may hold."""
    theirs: int
    mine_free: bool
    """All of `mine` is equally likely, copy for copy, however he plays."""
    theirs_free: bool
    shown: int = 0
    """MINE, THEIRS: whose card was laid open to the other and is still held. What is known
    besides follows from that, so it is told apart only for who concludes nothing."""

    @property
    def free(self) -> bool:
        return self.mine_free and self.theirs_free

    @property
    def left(self) -> int:
        """Cards in the deck."""
        return sum(self.unseen) - 3


class Hand(NamedTuple):
    """Two cards in hand, and what may be played: pairs of a play and the card that is kept."""

    low: int
    high: int
    options: tuple[tuple[int, int], ...]


class Branch(NamedTuple):
    """A play and what comes of it, if it does not end the round."""

    play: int
    kept: int
    """The card kept, where it is seen: discarded, traded or compared. Else 0."""
    shown: int
    """The other's card, where it is seen. Else 0."""
    state: int
    """Its number, or OVER."""


def bit(card: int) -> int:
    return 1 << (card - 1)


def only(cards: int) -> int:
    """The card, if there is just one. Else 0."""
    return cards.bit_length() if cards and cards & (cards - 1) == 0 else 0


def among(cards: int) -> Iterator[int]:
    return (card for card in CARDS if cards & bit(card))


def without(unseen: tuple[int, ...], card: int) -> tuple[int, ...]:
    return (*unseen[: card - 1], unseen[card - 1] - 1, *unseen[card:])


def possible(unseen: tuple[int, ...], mine: int, theirs: int) -> tuple[int, int]:
    """What each may hold, knowing what cards there are and what the other must hold."""
    there = sum(bit(card) for card in CARDS if unseen[card - 1])
    mine, theirs = mine & there, theirs & there
    while True:
        if (card := only(theirs)) and unseen[card - 1] == 1 and mine & theirs:
            mine &= ~theirs
        elif (card := only(mine)) and unseen[card - 1] == 1 and mine & theirs:
            theirs &= ~mine
        else:
            return mine, theirs


def start(
    unseen: tuple[int, ...], protected: bool, mine: Sequence[float], theirs: Sequence[float]
) -> Public:
    """The state of a position: how likely each is to hold each card, by his own choices."""
    sets = (sum(bit(card) for card in CARDS if weights[card - 1] > 0) for weights in (mine, theirs))
    may = possible(unseen, *sets)
    if not all(may):
        raise BadText("nobody can hold such cards")
    even = (
        len({weights[card - 1] for card in among(cards)}) == 1
        for cards, weights in zip(may, (mine, theirs), strict=True)
    )
    return Public(unseen, protected, *may, *even)


class States:
    """All public states that can come from a first one."""

    tells_shown: ClassVar[bool] = False

    def __init__(self, reductions: str = "BCE") -> None:
        self.reductions = reductions
        self.numbers: dict[Public, int] = {}
        self.publics: list[Public] = []
        self.hands: list[list[Hand]] = []
        self.branches: list[list[Branch]] = []

    def add(self, public: Public) -> int:
        """The number of a state, with all that comes from it."""
        if public not in self.numbers:
            number = self.numbers[public] = len(self.publics)
            self.publics.append(public)
            hands = self.hands_of(public)
            self.hands.append(hands)
            self.branches.append([])
            self.branches[number] = list(self._branches(public, hands))
        return self.numbers[public]

    def hands_of(self, public: Public) -> list[Hand]:
        """All pairs of cards that the player to move may have, with their options."""
        return [
            Hand(low, high, tuple(_options(public, low, high, self.reductions)))
            for low, high in _pairs(public)
        ]

    def _branches(self, public: Public, hands: list[Hand]) -> Iterator[Branch]:
        kept = [0] * PLAYS
        for hand in hands:
            for play, card in hand.options:
                kept[play] |= bit(card)
        for play in range(PLAYS):
            for seen, shown, state in self._outcomes(public, play, kept[play]):
                if state is not None:
                    yield Branch(play, seen, shown, state)

    def _outcomes(
        self, public: Public, play: int, kept: int
    ) -> Iterator[tuple[int, int, int | None]]:
        """What may come of a play: cards that are seen, and the state."""
        if not kept or play == YIELD:
            return
        theirs, free = public.theirs, public.theirs_free
        unseen = without(public.unseen, LAID[play])
        left = public.left - 1
        still = public.shown if LAID[play] != only(public.mine) else public.shown & THEIRS
        if play < NAMED:
            theirs &= ~bit(play + 2)
        if play < NAMED or play in (BARE, SHIELD, LADY) or (public.protected and play != RENEW):
            yield 0, 0, self._next(unseen, left, play == SHIELD, kept, theirs, False, free, still)
        elif play == LOOK:
            for card in among(theirs):
                seen = self._next(unseen, left, False, kept, bit(card), False, True, still | THEIRS)
                yield 0, card, seen
        elif play == DUEL:
            for card in among(kept & theirs):
                if unseen[card - 1] > 1:
                    yield card, card, self._open(unseen, left, card, card)
        elif play == TRADE:
            for mine in among(kept):
                for card in among(theirs):
                    if unseen[card - 1] > (mine == card):
                        yield mine, card, self._open(unseen, left, card, mine)
        elif play == EXPEL:
            for card in among(theirs & ~bit(PRINCESS)):
                if unseen[card - 1]:
                    rest = without(unseen, card)
                    fresh = self._next(rest, left - 1, False, kept, ANY, False, True, still & MINE)
                    yield 0, card, fresh
        else:
            for card in among(kept & ~bit(PRINCESS)):
                rest = without(unseen, card)
                fresh = self._next(rest, left - 1, False, ANY, theirs, True, free, still & THEIRS)
                yield card, 0, fresh

    def _open(self, unseen: tuple[int, ...], left: int, mine: int, theirs: int) -> int | None:
        """Both have seen both cards."""
        cards = bit(mine), bit(theirs)
        return self._next(unseen, left, False, *cards, True, True, MINE | THEIRS)

    def _next(
        self,
        unseen: tuple[int, ...],
        left: int,
        protected: bool,
        mine: int,
        theirs: int,
        mine_free: bool,
        theirs_free: bool,
        shown: int,
    ) -> int | None:
        """The other's turn: mine and theirs are still those of who has played."""
        mine, theirs = possible(unseen, mine, theirs)
        if not mine or not theirs:
            return None
        if left <= 0:
            return OVER
        mine_free = mine_free or only(mine) > 0
        theirs_free = theirs_free or only(theirs) > 0
        shown = _turned(shown) if self.tells_shown else 0
        return self.add(Public(unseen, protected, theirs, mine, theirs_free, mine_free, shown))


def _turned(shown: int) -> int:
    """As the other sees it."""
    return (shown & MINE) * THEIRS | (shown & THEIRS) // THEIRS


# -- what may be played -------------------------------------------------------------------


def _pairs(public: Public) -> Iterator[tuple[int, int]]:
    unseen = public.unseen
    if known := only(public.theirs):
        unseen = without(unseen, known)
    for low in CARDS:
        for high in range(low, PRINCESS + 1):
            there = unseen[low - 1] and unseen[high - 1] > (low == high)
            if there and public.mine & (bit(low) | bit(high)):
                yield low, high


def _options(public: Public, low: int, high: int, reductions: str) -> list[tuple[int, int]]:
    options = [(play, high) for play in _plays(public, low, high, "B" in reductions)]
    if low != high:
        options += [(play, low) for play in _plays(public, high, low, "B" in reductions)]
    if "C" in reductions:
        sure = [option for option in options if _wins(public, *option)]
        if sure:
            return sure[:1]
        options = [option for option in options if not _loses(public, *option)] or options[:1]
    if "E" in reductions and public.left == 1:
        options = _undominated(public, options)
    return options


def _plays(public: Public, laid: int, kept: int, reduced: bool) -> list[int]:
    """What may be played with a card: rules 4.7 and 5, and reduction B."""
    if (laid == PRINCESS and reduced) or (laid in (PRINCE, KING) and kept == COUNTESS):
        return []
    if laid == GUARD:
        if public.protected:
            return [BARE]
        named = [card - 2 for card in among(public.theirs if reduced else ANY) if card != GUARD]
        return named or [BARE]
    if laid == PRINCE:
        return [RENEW] if public.protected else [EXPEL, RENEW]
    return [BY_CARD[laid]]


def _wins(public: Public, play: int, kept: int) -> bool:
    if play < NAMED and only(public.theirs) == play + 2:
        return True
    return _compares(public, play) and kept > public.theirs.bit_length()


def _loses(public: Public, play: int, kept: int) -> bool:
    if play in (RENEW, YIELD):
        return play == YIELD or kept == PRINCESS
    lowest = (public.theirs & -public.theirs).bit_length()
    return play >= NAMED and _compares(public, play) and kept < lowest


def _undominated(public: Public, options: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Reduction E. Where hands are compared in any case it is never worse to keep the higher
    card. A Guard beside it may name what beats that card; to name a lower one gains nothing."""
    best = max((kept for play, kept in options if _compares(public, play)), default=0)
    named = [play for play, kept in options if play < NAMED and kept == best]
    useful = [play for play in named if play + 2 >= best] or named[:1]
    return [
        (play, kept)
        for play, kept in options
        if not _compares(public, play) or (kept == best and (play >= NAMED or play in useful))
    ]


def _compares(public: Public, play: int) -> bool:
    """Whether hands are compared, now or at the end of the last turn, unless the Guard hits."""
    if public.left == 1:
        return play not in (EXPEL, RENEW, TRADE, YIELD) or (public.protected and play == TRADE)
    return play == DUEL and not public.protected
