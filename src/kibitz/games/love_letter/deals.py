"""Every placement of the cards that a position of Love Letter leaves out, for two players.

They are the worlds of rule 9.9 for somebody who has seen only what both players have, so all
of them are equally likely. Of a position late in a round there are few enough to list.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from kibitz.core.errors import BadText, UnsuitableGame
from kibitz.games.love_letter.cards import UNKNOWN, count_of
from kibitz.games.placements import count_placements, placements

if TYPE_CHECKING:
    from kibitz.games.love_letter.game import LoveLetter

MOST = 100_000


def every_deal(game: LoveLetter, position: Any) -> Iterator[tuple[Any, float]]:
    """Each state that the position may be, with its probability."""
    if game.players != 2:
        raise UnsuitableGame(f"deals are listed for 2 players, not {game.players}")
    x = position[0]
    unseen = _unseen(game, x)
    deals = count_placements(unseen)
    if deals > MOST:
        raise UnsuitableGame(
            f"{game.name} has {deals:,} deals here, too many to list (at most {MOST:,});"
            " name a position later in the round"
        )
    lots = (0, 1) if game.settings["tie"] == "random" else (0,)
    states = [
        state
        for cards, _ in placements(unseen, sum(unseen.values()))
        if (state := _filled(game, position, list(cards))) is not None
    ]
    if not states:
        raise BadText("no placement of the unseen cards fits this position")
    for state in states:
        for lot in lots:
            state = state.copy()
            state[0].lot = lot
            yield state, 1 / (len(states) * len(lots))


def _unseen(game: LoveLetter, x: Any) -> dict[int, int]:
    """How many there are of each card that the position does not show."""
    counts = {}
    placed = [int(card) for card in (*x.hand, x.drawn, x.aside)]
    placed += [int(x.deck) >> 4 * i & 15 for i in range(int(x.left))]
    for card in range(1, 9):
        shown = sum(count_of(word, card) for word in (x.face_up, *x.spent))
        counts[card] = game.copies[card] - shown - placed.count(card)
    return counts


def _filled(game: LoveLetter, position: Any, cards: list[int]) -> Any:
    """The position with these cards in its unknown places; None if the seats know better."""
    state = position.copy()
    x = state[0]
    for seat in (0, 1):
        if x.hand[seat] == UNKNOWN:
            card = x.hand[seat] = cards.pop()
            viewer = 1 - seat
            if not x.worlds[viewer][0] >> (card - 1) & 1:
                return None
            if x.known[viewer] >> seat & 1:
                game.kernels.restrict_cards(x, viewer, seat, 1 << (card - 1))
    if x.drawn == UNKNOWN:
        x.drawn = cards.pop()
    if x.aside == UNKNOWN:
        x.aside = cards.pop()
    if not x.deck:
        x.deck = sum(cards.pop() << 4 * i for i in range(int(x.left)))
    return state
