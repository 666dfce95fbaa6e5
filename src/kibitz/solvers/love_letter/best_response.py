"""The best answer to a known way of playing a round, exactly.

A strategy that looks at nothing but its two cards, the unseen ones, the other's card if it was
shown and whether he is protected plays alike in all public states where these are alike. So its
play is a table by states, and best responses to it are found as those to a solution are.

The answer may be any play that is not dominated, whoever it answers; reductions B, C and E are
arguments about these alone as long as the other draws no conclusions from idle words. What the
strategy plays is added to that, sensible or not: even what it names idly tells of its hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from kibitz.solvers.love_letter.policy import room, task
from kibitz.solvers.love_letter.public_states import (
    BARE,
    NAMED,
    OVER,
    THEIRS,
    Hand,
    Public,
    States,
    only,
)
from kibitz.solvers.love_letter.public_tree import NEXT, OFFSET, WIDTH, lead_of
from kibitz.solvers.love_letter.solver import Round, Solver, Tell, as_vector
from kibitz.solvers.love_letter.turns import RESPOND
from kibitz.solvers.love_letter.walk import DOING, begin, walk


class Seen(NamedTuple):
    """What the strategy looks at, beside its two cards."""

    unseen: tuple[int, ...]
    """By the table: its own cards are among them."""
    protected: bool
    shown: int
    """The other's card, or 0."""


Chances = Callable[[Seen, int, int], Mapping[tuple[int, int], float]]
"""How likely each play, with the card that is kept, is with two cards, the lower first."""


class Reading(NamedTuple):
    """What the answer has read from a round so far, before the player to move draws."""

    state: int
    lead: int
    """Of the player to move."""
    answers: bool
    """Whether that is the answer."""
    range: Any
    """How likely the strategy is to have come here with each card."""


class AnsweredStates(States):
    tells_shown = True

    def __init__(self, chances: Chances) -> None:
        super().__init__()
        self.chances = chances

    def hands_of(self, public: Public) -> list[Hand]:
        hands = []
        for hand in super().hands_of(public):
            played = self.played(public, hand)
            more = tuple(option for option in played if option not in hand.options)
            hands.append(hand._replace(options=hand.options + more))
        return hands

    def played(self, public: Public, hand: Hand) -> dict[tuple[int, int], float]:
        """How likely the strategy plays each option of a hand. Others are never played."""
        shown = only(public.theirs) if public.shown & THEIRS else 0
        seen = Seen(public.unseen, public.protected, shown)
        chances = self.chances(seen, hand.low, hand.high)
        return {option: chance for option, chance in chances.items() if chance > 0}


class Answer(Solver):
    """The best one to a strategy in a round."""

    states: AnsweredStates

    def __init__(self, round_: Round, chances: Chances, threads: int = 1) -> None:
        states = AnsweredStates(chances)
        super().__init__(round_, threads, states=states)
        sizes = [
            sum(len(hand.options) for hand in hands if len(hand.options) > 1)
            for hands in states.hands
        ]
        self._bases = np.concatenate(([0], np.cumsum(sizes)))
        self.table = np.array(
            [
                states.played(public, hand).get(option, 0.0)
                for public, hands in zip(states.publics, states.hands, strict=True)
                for hand in hands
                if len(hand.options) > 1
                for option in hand.options
            ],
            np.float32,
        )
        """What the strategy plays, by states and hands."""
        branches = self.tree.branches
        counts = np.diff(self.tree.branch_from)
        here = np.repeat(np.arange(len(counts)), counts)
        there = np.where(branches[:, NEXT] == OVER, here, branches[:, NEXT])
        branches[:, OFFSET] = self._bases[there] - self._bases[here]
        self._cells: dict[tuple[int, int, bytes], Any] = {}
        self.tree = self.tree._replace(regrets=np.zeros_like(self.tree.regrets))

    def base_of(self, state: int) -> int:
        return int(self._bases[state])

    def find(self, tell: Tell = lambda progress: None) -> tuple[float, float]:
        """What the player to move gets if he plays the strategy and the other answers best; and
        what he gets if the other plays it and he answers best."""
        return self.answers(lambda which: self.table, tell)

    # -- along a round -------------------------------------------------------------------

    def start(self, answers_first: bool) -> Reading:
        """Before the first turn."""
        unknown = self.ranges[1 if answers_first else 0]
        public = self.states.publics[self.root]
        may = public.theirs if answers_first else public.mine
        return Reading(self.root, self.round.lead, answers_first, unknown * as_vector(may))

    def worths(self, reading: Reading, low: int, high: int) -> dict[tuple[int, int], float]:
        """On the answer's turn: what each option is worth, the best answers following it."""
        state = reading.state
        key = state, reading.lead, reading.range.tobytes()
        if key not in self._cells:
            self._cells[key] = self._walked(reading)
        cells = self._cells[key]
        unseen = self.tree.unseen[state].copy()
        unseen[low] -= 1
        unseen[high] -= 1
        weight = float(reading.range @ unseen)
        rows = self.tree.rows[self.tree.row_from[state] : self.tree.row_from[state + 1]].tolist()
        (hand,) = (hand for hand in self.states.hands[state] if hand[:2] == (low, high))
        return {
            (play, kept): float(cells[rows.index(play) * WIDTH + kept]) / weight
            for play, kept in hand.options
        }

    def _walked(self, reading: Reading) -> Any:
        """The cells of a node where the answer is to move, after a walk below it."""
        space, doing = room(), task()
        doing[DOING] = RESPOND
        here = np.array([reading.state, reading.lead, self.base_of(reading.state)])
        begin(here, np.stack([np.zeros(WIDTH), reading.range]), 1, space)
        walk(self.tree, self.alone, np.zeros(0, np.float32), self.table, doing, 0.0, space)
        return space[3][0]

    def after(self, reading: Reading, play: int, kept: int, shown: int) -> Reading | None:
        """After a turn as both saw it; None if the round is over."""
        branches = {branch[:3]: branch for branch in self.states.branches[reading.state]}
        branch = branches.get((play, kept, shown))
        if branch is None and play < NAMED:
            branch = branches.get((BARE, 0, 0))  # where only a Guard can be held, by the answer
        if branch is None or branch.state == OVER:
            return None
        lead, answers = -(reading.lead + lead_of(branch)), not reading.answers
        to = self.states.publics[branch.state]
        may, free = (to.theirs, to.theirs_free) if answers else (to.mine, to.mine_free)
        held = as_vector(may)
        if not free:
            held *= reading.range if reading.answers else self._kept(reading, play)
        return Reading(branch.state, lead, answers, held)

    def _kept(self, reading: Reading, play: int) -> Any:
        """How likely the strategy keeps each card, having played so."""
        public = self.states.publics[reading.state]
        found = np.zeros(WIDTH)
        for hand in self.states.hands[reading.state]:
            reach = reading.range[hand.low] + (hand.low != hand.high) * reading.range[hand.high]
            if reach > 0:
                for (made, kept), chance in self.states.played(public, hand).items():
                    found[kept] += reach * chance * (made == play)
        return found
