"""What the others in Tablić hold, counted: of the unseen cards each is as likely to be anywhere.

So the chance that a hand of h cards, out of n unseen ones, has at least one of k is
1 − C(n − k, h) / C(n, h).
"""

from __future__ import annotations

from collections import Counter
from math import comb
from typing import Any

from kibitz.core.explanation import Belief
from kibitz.core.game import View
from kibitz.games.tablic.cards import DECK, NAMES, RANKS, cards_of, kind


def unseen(x: Any, seat: int) -> int:
    """The cards that a view does not show, as a set."""
    seen = int(x.table)
    for other in range(int(x.players)):
        seen |= int(x.pile[other]) | int(x.hand[other])
    return DECK & ~seen


def hidden(x: Any, seat: int) -> list[int]:
    """The other seats whose cards are not to be seen."""
    return [s for s in range(int(x.players)) if s != seat and x.held[s] and not x.hand[s]]


def all_is_counted(x: Any, seat: int) -> bool:
    """Whether the unseen cards are just those in hidden hands and in the deck."""
    held = sum(int(x.held[other]) for other in hidden(x, seat))
    return unseen(x, seat).bit_count() == 52 - int(x.dealt) + held


def at_least_one(cards: int, unseen: int, held: int) -> float:
    """The chance that one of so many cards is in a hand."""
    return 1 - comb(unseen - cards, held) / comb(unseen, held)


def exact_beliefs(view: View[Any], belief: Any) -> tuple[Belief, ...] | None:
    """For every hidden hand the chance of at least one of each card; None if the view does not
    tell what is unseen. A belief from the others' plays can't be counted: then None too, unless
    they have not played yet."""
    x, seat = view.state[0], view.seat
    if belief is not None and not tells_nothing(view):
        return None
    if not all_is_counted(x, seat):
        return None
    cards = unseen(x, seat)
    number = cards.bit_count()
    named = Counter(NAMES[card] if kind(card)[1] else RANKS[card // 4] for card in cards_of(cards))
    return tuple(
        Belief(
            f"seat {other + 1}'s hand",
            {
                name: at_least_one(copies, number, int(x.held[other]))
                for name, copies in sorted(named.items())
            },
            exact=True,
        )
        for other in hidden(x, seat)
    )


def tells_nothing(view: View[Any]) -> bool:
    """Whether no other seat has played in this deal, so that no play tells of a hand."""
    dealt = int(view.state[0].dealt)
    return not any(
        int(state[0].dealt) == dealt and int(state[0].turn) != view.seat for state, _ in view.past
    )
