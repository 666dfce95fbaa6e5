"""A round that is played, followed through the public states of a solution.

A `LinePosition` says which public node the round has come to: the policy there, and where each
play leads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from kibitz.games.love_letter.cards import GUARD, PRIEST, PRINCE
from kibitz.games.love_letter.plays import code_of, parts_of
from kibitz.jit.vectors import LANES
from kibitz.solvers.love_letter.public_states import (
    BY_CARD,
    GUARD_NAMES,
    GUARD_NAMES_NOBODY,
    LAID,
    OVER,
    PLAY_BARON,
    PLAY_KING,
    PLAY_PRIEST,
    PRINCE_ON_OTHER,
    PRINCE_ON_SELF,
)
from kibitz.solvers.love_letter.public_tree import (
    PublicTree,
    branches_in,
    equivalent_lead,
    hands_in,
    unseen_in,
)


class PolicyOption(NamedTuple):
    """A play as the table sees it, the card that is retained, and its probability."""

    play: int
    retained: int
    probability: float


@dataclass(frozen=True)
class LinePosition:
    """Before the player to move draws."""

    policy: Any
    """Of the subgame, or of the whole round, in which the node lies."""
    state: int
    base: int
    lead: int
    """Of the player to move."""


class PublicLine:
    """`subgame_policy` gives the policy of a subgame, by its first state and lead."""

    def __init__(
        self, tree: PublicTree, subgame_policy: Callable[[int, int], Any], start: LinePosition
    ) -> None:
        self.tree, self._subgame_policy, self.position = tree, subgame_policy, start

    def copy(self) -> PublicLine:
        return PublicLine(self.tree, self._subgame_policy, self.position)

    def options(self, one: int, other: int) -> list[PolicyOption]:
        """The policy with two cards in hand; nothing if nobody can hold them here."""
        low, high = sorted((one, other))
        for hand in self._hands():
            if (hand["low"] + 1, hand["high"] + 1) == (low, high):
                return self._options(hand)
        return []

    def hands(self) -> list[tuple[int, int]]:
        """The pairs of cards that the player to move may have drawn to."""
        return [(hand["low"] + 1, hand["high"] + 1) for hand in self._hands()]

    def _hands(self) -> Any:
        return hands_in(self.tree, self.position.state)

    def go(self, play: int, retained: int = 0, shown: int = 0, held: int = 0) -> bool:
        """Follow a play; False if the solution does not have it. Where a card was named that
        nobody can hold, we go on as if another had been named, one that is not `held`: had we
        held that, we would be out, so the policy there is not ours to follow."""
        here = self.position
        branch = self._branch(play, retained, shown, held)
        if branch is None or branch["next"] == OVER:
            return False
        state, lead = int(branch["next"]), -(here.lead + int(branch["lead"]))
        if branch["subgame"] >= 0:
            met = equivalent_lead(unseen_in(self.tree, state), lead)
            self.position = LinePosition(self._subgame_policy(state, met), state, 0, lead)
        else:
            base = here.base + int(branch["offset"])
            self.position = LinePosition(here.policy, state, base, lead)
        return True

    def _branch(self, play: int, retained: int, shown: int, held: int) -> Any:
        branches = branches_in(self.tree, self.position.state)
        keys = branches[["play", "retained", "shown"]].tolist()
        which = matching_branch(keys, play, retained, shown, held)
        return None if which is None else branches[which]

    def _options(self, hand: Any) -> list[PolicyOption]:
        n, first = int(hand["options"]), int(hand["first_option"])
        at = self.position.base + int(hand["first_regret"])
        policy = np.ones(1) if n == 1 else np.asarray(self.position.policy[at : at + n], float)
        policy = policy / policy.sum() if policy.sum() > 0 else np.full(n, 1 / n)
        rows = self.tree.rows[self.tree.states[self.position.state]["row_from"] :]
        cells = self.tree.options[first : first + n]
        return [
            PolicyOption(int(rows[cell // LANES]), int(cell % LANES) + 1, float(probability))
            for cell, probability in zip(cells, policy, strict=True)
        ]


def matching_branch(
    branches: Sequence[tuple[int, int, int]], play: int, retained: int, shown: int, held: int
) -> int | None:
    """Which branch a turn took. An idle guess, of a card that nobody can hold, is read as a
    Guard that names nobody or, if there is none, as one that names another card than `held`."""
    readings = [(play, retained, shown)]
    if play < GUARD_NAMES:
        readings.append((GUARD_NAMES_NOBODY, 0, 0))
        readings += [(named, 0, 0) for named in range(GUARD_NAMES) if named + 2 != held]
    for reading in readings:
        if reading in branches:
            return branches.index(reading)
    return None


def play_of(code: int, seat: int) -> int:
    """The play as the table sees it, from what the game writes."""
    card, target, named = parts_of(code)
    if card == GUARD:
        return named - 2 if named else GUARD_NAMES_NOBODY
    if card == PRINCE:
        return PRINCE_ON_SELF if target == seat else PRINCE_ON_OTHER
    return BY_CARD[card]


def play_code(play: int, seat: int, protected: bool) -> int:
    """The play as the game writes it, by a seat counted from 0."""
    card, other = LAID[play], 1 - seat
    if play < GUARD_NAMES or (play == GUARD_NAMES_NOBODY and not protected):
        named = play + 2 if play < GUARD_NAMES else PRIEST  # he holds a Guard: any name will do
        return code_of(card, other, named)
    if play == PRINCE_ON_SELF:
        return code_of(card, seat)
    aimed = play in (PLAY_PRIEST, PLAY_BARON, PRINCE_ON_OTHER, PLAY_KING) and not protected
    return code_of(card, other if aimed else -1)
