"""A round that is played, followed through the public states of a solution.

A `Place` says where in what is kept the round stands: how to play there with two cards, and
where each play leads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from kibitz.games.love_letter.cards import GUARD, PRIEST, PRINCE
from kibitz.solvers.love_letter.public_states import (
    BARE,
    BY_CARD,
    DUEL,
    EXPEL,
    LAID,
    LOOK,
    NAMED,
    OVER,
    RENEW,
    TRADE,
)
from kibitz.solvers.love_letter.public_tree import (
    FIRST_OPTION,
    FIRST_REGRET,
    HIGH,
    KEPT,
    LEAD,
    LOW,
    NEXT,
    OFFSET,
    OPTIONS,
    PLAY,
    SHOWN,
    STANDS_ALONE,
    WIDTH,
    Tree,
    met_as,
)


class Option(NamedTuple):
    """A play as the table sees it, the card that is kept, and how likely it is."""

    play: int
    kept: int
    share: float


@dataclass(frozen=True)
class Place:
    """Before the player to move draws."""

    shares: Any
    """Of the part of the solution where the round is."""
    state: int
    base: int
    lead: int
    """Of the player to move."""


class Line:
    """`alone` gives the shares of a state that stands alone, met with a lead."""

    def __init__(self, tree: Tree, alone: Callable[[int, int], Any], start: Place) -> None:
        self.tree, self._alone, self.place = tree, alone, start

    def copy(self) -> Line:
        return Line(self.tree, self._alone, self.place)

    def options(self, one: int, other: int) -> list[Option]:
        """How to play with two cards in hand; nothing if nobody can hold them here."""
        low, high = sorted((one, other))
        for hand in self._hands():
            if (hand[LOW], hand[HIGH]) == (low, high):
                return self._options(hand)
        return []

    def go(self, play: int, kept: int = 0, shown: int = 0, held: int = 0) -> bool:
        """After a play; False if it is none that the solution knows. Where a card was named that
        nobody can hold, we go on as if another had been, one that is not `held`: whoever naming
        that card would have beaten may play on as he likes."""
        here = self.place
        branch = self._branch(play, kept, shown)
        if branch is None and play < NAMED:
            branch = self._idle(held)
        if branch is None or branch[NEXT] == OVER:
            return False
        state, lead = int(branch[NEXT]), -(here.lead + int(branch[LEAD]))
        if branch[STANDS_ALONE] >= 0:
            met = met_as(self.tree.unseen[state], lead)
            self.place = Place(self._alone(state, met), state, 0, lead)
        else:
            self.place = Place(here.shares, state, here.base + int(branch[OFFSET]), lead)
        return True

    def _branch(self, *what: int) -> Any:
        tree, state = self.tree, self.place.state
        for branch in tree.branches[tree.branch_from[state] : tree.branch_from[state + 1]]:
            if (branch[PLAY], branch[KEPT], branch[SHOWN]) == what:
                return branch
        return None

    def _idle(self, held: int) -> Any:
        """Nobody is named where only a Guard can be held."""
        for name in (BARE, *(name for name in range(NAMED) if name + 2 != held)):
            branch = self._branch(name, 0, 0)
            if branch is not None:
                return branch
        return None

    def _hands(self) -> Any:
        tree, state = self.tree, self.place.state
        return tree.hands[tree.hand_from[state] : tree.hand_from[state + 1]]

    def _options(self, hand: Any) -> list[Option]:
        n, first = int(hand[OPTIONS]), int(hand[FIRST_OPTION])
        at = self.place.base + int(hand[FIRST_REGRET])
        shares = np.ones(1) if n == 1 else np.asarray(self.place.shares[at : at + n], float)
        shares = shares / shares.sum() if shares.sum() > 0 else np.full(n, 1 / n)
        rows = self.tree.rows[self.tree.row_from[self.place.state] :]
        cells = self.tree.options[first : first + n]
        return [
            Option(int(rows[cell // WIDTH]), int(cell % WIDTH), float(share))
            for cell, share in zip(cells, shares, strict=True)
        ]


def play_of(code: int, seat: int) -> int:
    """The play as the table sees it, from what the game writes."""
    card, target, named = code & 15, code >> 4 & 15, code >> 8
    if card == GUARD:
        return named - 2 if named else BARE
    if card == PRINCE:
        return RENEW if target == seat + 1 else EXPEL
    return BY_CARD[card]


def play_code(play: int, seat: int, protected: bool) -> int:
    """The play as the game writes it, by a seat counted from 0."""
    card, oneself, other = LAID[play], seat + 1, 2 - seat
    if play < NAMED or (play == BARE and not protected):
        named = play + 2 if play < NAMED else PRIEST  # he holds a Guard: any name will do
        return card | other << 4 | named << 8
    if play == RENEW:
        return card | oneself << 4
    aimed = play in (LOOK, DUEL, EXPEL, TRADE) and not protected
    return card | (other << 4 if aimed else 0)
