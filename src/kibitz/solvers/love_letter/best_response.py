"""The best response to a strategy in a round of Love Letter, exactly.

A strategy that looks at nothing but its two cards, the unseen ones, the other's card if it was
shown and whether the other is protected plays alike in all public states where these are alike.
So its policy is a table by public states, and best responses to it are computed as those to a
solution are.

The best response may be any play that is not dominated: reductions B, C and E hold as long as
the other draws no conclusions from idle guesses. What the strategy plays is added, sensible or
not: even what it names idly tells something of its hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from kibitz.solvers.love_letter.cfr_plus import new_task, new_workspace
from kibitz.solvers.love_letter.public_states import (
    GUARD_NAMES,
    GUARD_NAMES_NOBODY,
    OVER,
    THEIRS,
    Hand,
    PublicState,
    PublicStates,
    only,
)
from kibitz.solvers.love_letter.public_tree import NEXT, OFFSET, WIDTH, lead_of
from kibitz.solvers.love_letter.solver import Report, Round, Solver, as_vector
from kibitz.solvers.love_letter.turns import BEST_RESPONSE
from kibitz.solvers.love_letter.walk import MODE, begin, walk


class StrategyInput(NamedTuple):
    """What the strategy looks at, beside its two cards."""

    unseen: tuple[int, ...]
    """By the table: its own cards are among them."""
    protected: bool
    shown: int
    """The other's card, or 0."""


PlayProbabilities = Callable[[StrategyInput, int, int], Mapping[tuple[int, int], float]]
"""The probability of each play and card retained, with two cards, the lower first."""


class ResponsePosition(NamedTuple):
    """Where a round stands for the best response, before the player to move draws."""

    state: int
    lead: int
    """Of the player to move."""
    responds: bool
    """Whether the best response is to move."""
    range: Any
    """Of the strategy: its reach probability with each card."""


class ResponseStates(PublicStates):
    tracks_shown = True

    def __init__(self, chances: PlayProbabilities) -> None:
        super().__init__()
        self.chances = chances

    def hands_of(self, public: PublicState) -> list[Hand]:
        hands = []
        for hand in super().hands_of(public):
            played = self.played(public, hand)
            more = tuple(option for option in played if option not in hand.options)
            hands.append(hand._replace(options=hand.options + more))
        return hands

    def played(self, public: PublicState, hand: Hand) -> dict[tuple[int, int], float]:
        """The probability of each option of a hand, for those that the strategy plays at all."""
        shown = only(public.theirs) if public.shown & THEIRS else 0
        seen = StrategyInput(public.unseen, public.protected, shown)
        chances = self.chances(seen, hand.low, hand.high)
        return {option: chance for option, chance in chances.items() if chance > 0}


class BestResponse(Solver):
    """The best response to a strategy in a round."""

    states: ResponseStates

    def __init__(self, round_: Round, chances: PlayProbabilities, threads: int = 1) -> None:
        states = ResponseStates(chances)
        super().__init__(round_, threads, states=states)
        sizes = [
            sum(len(hand.options) for hand in hands if len(hand.options) > 1)
            for hands in states.hands
        ]
        self._bases = np.concatenate(([0], np.cumsum(sizes)))
        self.table = np.array(
            [
                states.played(public, hand).get(option, 0.0)
                for public, hands in zip(states.states, states.hands, strict=True)
                for hand in hands
                if len(hand.options) > 1
                for option in hand.options
            ],
            np.float32,
        )
        """The policy of the strategy, by public states and hands."""
        branches = self.tree.branches
        counts = np.diff(self.tree.branch_from)
        here = np.repeat(np.arange(len(counts)), counts)
        there = np.where(branches[:, NEXT] == OVER, here, branches[:, NEXT])
        branches[:, OFFSET] = self._bases[there] - self._bases[here]
        self._cells: dict[tuple[int, int, bytes], Any] = {}
        self.tree = self.tree._replace(regrets=np.zeros_like(self.tree.regrets))

    def base_of(self, state: int) -> int:
        return int(self._bases[state])

    def solve_both(self, report: Report = lambda progress: None) -> tuple[float, float]:
        """What the player to move gets with the strategy against the best response; and with the
        best response against the strategy."""
        return self.best_response_bounds(lambda which: self.table, report)

    # -- along a round -------------------------------------------------------------------

    def start(self, responds_first: bool) -> ResponsePosition:
        """Before the first turn."""
        unknown = self.ranges[1 if responds_first else 0]
        public = self.states.states[self.root]
        may = public.theirs if responds_first else public.mine
        return ResponsePosition(
            self.root, self.round.lead, responds_first, unknown * as_vector(may)
        )

    def values(
        self, position: ResponsePosition, low: int, high: int
    ) -> dict[tuple[int, int], float]:
        """Where the best response is to move: the value of each option if it goes on."""
        state = position.state
        key = state, position.lead, position.range.tobytes()
        if key not in self._cells:
            self._cells[key] = self._walk(position)
        cells = self._cells[key]
        unseen = self.tree.unseen[state].copy()
        unseen[low] -= 1
        unseen[high] -= 1
        weight = float(position.range @ unseen)
        rows = self.tree.rows[self.tree.row_from[state] : self.tree.row_from[state + 1]].tolist()
        (hand,) = (hand for hand in self.states.hands[state] if hand[:2] == (low, high))
        return {
            (play, retained): float(cells[rows.index(play) * WIDTH + retained]) / weight
            for play, retained in hand.options
        }

    def _walk(self, position: ResponsePosition) -> Any:
        """The cells of a node where the best response is to move, after a walk below it."""
        workspace, task = new_workspace(), new_task()
        task[MODE] = BEST_RESPONSE
        here = np.array([position.state, position.lead, self.base_of(position.state)])
        begin(here, np.stack([np.zeros(WIDTH), position.range]), 1, workspace)
        regrets = np.zeros(0, np.float32)  # a best response has none
        walk(self.tree, self.subgame_values, regrets, self.table, task, 0.0, workspace)
        return workspace.cells[0]

    def after(
        self, position: ResponsePosition, play: int, retained: int, shown: int
    ) -> ResponsePosition | None:
        """After a turn as both saw it; None if the round is over."""
        branches = {branch[:3]: branch for branch in self.states.branches[position.state]}
        branch = branches.get((play, retained, shown))
        if branch is None and play < GUARD_NAMES:
            # The best response has named a card where only a Guard can be held.
            branch = branches.get((GUARD_NAMES_NOBODY, 0, 0))
        if branch is None or branch.state == OVER:
            return None
        lead, responds = -(position.lead + lead_of(branch)), not position.responds
        to = self.states.states[branch.state]
        may, free = (to.theirs, to.theirs_uniform) if responds else (to.mine, to.mine_uniform)
        held = as_vector(may)
        if not free:
            held *= position.range if position.responds else self._range_after(position, play)
        return ResponsePosition(branch.state, lead, responds, held)

    def _range_after(self, position: ResponsePosition, play: int) -> Any:
        """The strategy's range after a play: its reach with each card retained."""
        public = self.states.states[position.state]
        range_ = np.zeros(WIDTH)
        for hand in self.states.hands[position.state]:
            reach = position.range[hand.low] + (hand.low != hand.high) * position.range[hand.high]
            if reach > 0:
                for (made, retained), chance in self.states.played(public, hand).items():
                    range_[retained] += reach * chance * (made == play)
        return range_
