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
    D  a state where both ranges are uniform, however the two play, begins an independent subgame
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
GUARD_NAMES = 7
"""Plays below this one name card number + 2 with the Guard."""
(
    GUARD_NAMES_NOBODY,
    PLAY_PRIEST,
    PLAY_BARON,
    PLAY_HANDMAID,
    PRINCE_ON_OTHER,
    PRINCE_ON_SELF,
    PLAY_KING,
    PLAY_COUNTESS,
    PLAY_PRINCESS,
) = range(GUARD_NAMES, GUARD_NAMES + 9)
"""A Guard that names nobody; Priest, Baron, Handmaid; the Prince on the other and on oneself;
King, Countess, Princess."""
PLAYS = GUARD_NAMES + 9
LAID = (
    *(GUARD,) * (GUARD_NAMES + 1),
    *(PRIEST, BARON, HANDMAID, PRINCE, PRINCE, KING, COUNTESS, PRINCESS),
)
"""The card that is laid down."""
BY_CARD = {
    PRIEST: PLAY_PRIEST,
    BARON: PLAY_BARON,
    HANDMAID: PLAY_HANDMAID,
    KING: PLAY_KING,
    COUNTESS: PLAY_COUNTESS,
    PRINCESS: PLAY_PRINCESS,
}

MINE, THEIRS = 1, 2

OVER = -1
"""Instead of a state: the deck is empty, hands are compared."""


class PublicState(NamedTuple):
    """Before the player to move draws. Sets of cards are words with a bit for each."""

    unseen: tuple[int, ...]
    """How many of each card, Guard first."""
    protected: bool
    """The other player."""
    mine: int
    """What the player to move may hold."""
    theirs: int
    mine_uniform: bool
    """All cards of `mine` are equally likely, copy for copy, whatever the policy."""
    theirs_uniform: bool
    shown: int = 0
    """MINE, THEIRS: whose card was shown to the other and is still held. It changes nothing for
    who draws conclusions from the play, so it is tracked only for strategies that do not."""

    @property
    def is_subgame(self) -> bool:
        return self.mine_uniform and self.theirs_uniform

    @property
    def left(self) -> int:
        """Cards in the deck."""
        return sum(self.unseen) - 3


class Hand(NamedTuple):
    """Two cards in hand, and what may be played: pairs of a play and the card that is retained."""

    low: int
    high: int
    options: tuple[tuple[int, int], ...]


class Branch(NamedTuple):
    """A play and what comes of it, if it does not end the round."""

    play: int
    retained: int
    """The card retained, where it is seen: discarded, traded or compared. Else 0."""
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
) -> PublicState:
    """The state of a position: how likely each is to hold each card, by his own choices."""
    sets = (sum(bit(card) for card in CARDS if weights[card - 1] > 0) for weights in (mine, theirs))
    may = possible(unseen, *sets)
    if not all(may):
        raise BadText("nobody can hold such cards")
    even = (
        len({weights[card - 1] for card in among(cards)}) == 1
        for cards, weights in zip(may, (mine, theirs), strict=True)
    )
    return PublicState(unseen, protected, *may, *even)


class PublicStates:
    """All public states that can come from a first one."""

    tracks_shown: ClassVar[bool] = False

    def __init__(self, reductions: str = "BCE") -> None:
        self.reductions = reductions
        self.numbers: dict[PublicState, int] = {}
        self.states: list[PublicState] = []
        self.hands: list[list[Hand]] = []
        self.branches: list[list[Branch]] = []

    def add(self, public: PublicState) -> int:
        """The number of a state, with all that comes from it."""
        if public not in self.numbers:
            number = self.numbers[public] = len(self.states)
            self.states.append(public)
            hands = self.hands_of(public)
            self.hands.append(hands)
            self.branches.append([])
            self.branches[number] = list(self._branches(public, hands))
        return self.numbers[public]

    def state(self, number: int) -> PublicState:
        return self.states[number]

    def hands_of(self, public: PublicState) -> list[Hand]:
        """All pairs of cards that the player to move may have, with their options."""
        return [
            Hand(low, high, tuple(_options(public, low, high, self.reductions)))
            for low, high in _pairs(public)
        ]

    def _branches(self, public: PublicState, hands: list[Hand]) -> Iterator[Branch]:
        retained = [0] * PLAYS
        for hand in hands:
            for play, card in hand.options:
                retained[play] |= bit(card)
        for play in range(PLAYS):
            for seen, shown, state in self._outcomes(public, play, retained[play]):
                if state is not None:
                    yield Branch(play, seen, shown, state)

    def _outcomes(
        self, public: PublicState, play: int, retained: int
    ) -> Iterator[tuple[int, int, int | None]]:
        """What may come of a play: cards that are seen, and the state."""
        if not retained or play == PLAY_PRINCESS:
            return
        theirs, free = public.theirs, public.theirs_uniform
        unseen = without(public.unseen, LAID[play])
        left = public.left - 1
        still = public.shown if LAID[play] != only(public.mine) else public.shown & THEIRS
        if play < GUARD_NAMES:
            theirs &= ~bit(play + 2)
        if (
            play < GUARD_NAMES
            or play in (GUARD_NAMES_NOBODY, PLAY_HANDMAID, PLAY_COUNTESS)
            or (public.protected and play != PRINCE_ON_SELF)
        ):
            yield (
                0,
                0,
                self._next(
                    unseen, left, play == PLAY_HANDMAID, retained, theirs, False, free, still
                ),
            )
        elif play == PLAY_PRIEST:
            for card in among(theirs):
                seen = self._next(
                    unseen, left, False, retained, bit(card), False, True, still | THEIRS
                )
                yield 0, card, seen
        elif play == PLAY_BARON:
            for card in among(retained & theirs):
                if unseen[card - 1] > 1:
                    yield card, card, self._open(unseen, left, card, card)
        elif play == PLAY_KING:
            for mine in among(retained):
                for card in among(theirs):
                    if unseen[card - 1] > (mine == card):
                        yield mine, card, self._open(unseen, left, card, mine)
        elif play == PRINCE_ON_OTHER:
            for card in among(theirs & ~bit(PRINCESS)):
                if unseen[card - 1]:
                    rest = without(unseen, card)
                    fresh = self._next(
                        rest, left - 1, False, retained, ANY, False, True, still & MINE
                    )
                    yield 0, card, fresh
        else:
            for card in among(retained & ~bit(PRINCESS)):
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
        mine_uniform: bool,
        theirs_uniform: bool,
        shown: int,
    ) -> int | None:
        """The other's turn: mine and theirs are still those of who has played."""
        mine, theirs = possible(unseen, mine, theirs)
        if not mine or not theirs:
            return None
        if left <= 0:
            return OVER
        mine_uniform = mine_uniform or only(mine) > 0
        theirs_uniform = theirs_uniform or only(theirs) > 0
        shown = _turned(shown) if self.tracks_shown else 0
        return self.add(
            PublicState(unseen, protected, theirs, mine, theirs_uniform, mine_uniform, shown)
        )


def _turned(shown: int) -> int:
    """As the other sees it."""
    return (shown & MINE) * THEIRS | (shown & THEIRS) // THEIRS


# -- what may be played -------------------------------------------------------------------


def _pairs(public: PublicState) -> Iterator[tuple[int, int]]:
    unseen = public.unseen
    if known := only(public.theirs):
        unseen = without(unseen, known)
    for low in CARDS:
        for high in range(low, PRINCESS + 1):
            there = unseen[low - 1] and unseen[high - 1] > (low == high)
            if there and public.mine & (bit(low) | bit(high)):
                yield low, high


def _options(public: PublicState, low: int, high: int, reductions: str) -> list[tuple[int, int]]:
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


def _plays(public: PublicState, laid: int, retained: int, reduced: bool) -> list[int]:
    """What may be played with a card: rules 4.7 and 5, and reduction B."""
    if (laid == PRINCESS and reduced) or (laid in (PRINCE, KING) and retained == COUNTESS):
        return []
    if laid == GUARD:
        if public.protected:
            return [GUARD_NAMES_NOBODY]
        named = [card - 2 for card in among(public.theirs if reduced else ANY) if card != GUARD]
        return named or [GUARD_NAMES_NOBODY]
    if laid == PRINCE:
        return [PRINCE_ON_SELF] if public.protected else [PRINCE_ON_OTHER, PRINCE_ON_SELF]
    return [BY_CARD[laid]]


def _wins(public: PublicState, play: int, retained: int) -> bool:
    if play < GUARD_NAMES and only(public.theirs) == play + 2:
        return True
    return _compares(public, play) and retained > public.theirs.bit_length()


def _loses(public: PublicState, play: int, retained: int) -> bool:
    if play in (PRINCE_ON_SELF, PLAY_PRINCESS):
        return play == PLAY_PRINCESS or retained == PRINCESS
    lowest = (public.theirs & -public.theirs).bit_length()
    return play >= GUARD_NAMES and _compares(public, play) and retained < lowest


def _undominated(public: PublicState, options: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Reduction E. Where hands are compared in any case it is never worse to keep the higher
    card. A Guard beside it may name what beats that card; to name a lower one gains nothing."""
    best = max((retained for play, retained in options if _compares(public, play)), default=0)
    named = [play for play, retained in options if play < GUARD_NAMES and retained == best]
    useful = [play for play in named if play + 2 >= best] or named[:1]
    return [
        (play, retained)
        for play, retained in options
        if not _compares(public, play)
        or (retained == best and (play >= GUARD_NAMES or play in useful))
    ]


def _compares(public: PublicState, play: int) -> bool:
    """Whether hands are compared, now or at the end of the last turn, unless the Guard hits."""
    if public.left == 1:
        return play not in (PRINCE_ON_OTHER, PRINCE_ON_SELF, PLAY_KING, PLAY_PRINCESS) or (
            public.protected and play == PLAY_KING
        )
    return play == PLAY_BARON and not public.protected
