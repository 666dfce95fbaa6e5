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

from kibitz.jit.vectors import LANES
from kibitz.solvers.love_letter.cfr import begin
from kibitz.solvers.love_letter.public_states import (
    GUARD_NAMES,
    GUARD_NAMES_NOBODY,
    OVER,
    THEIRS,
    Branch,
    Hand,
    PublicState,
    PublicStates,
    only,
)
from kibitz.solvers.love_letter.public_tree import lead_of, unseen_in
from kibitz.solvers.love_letter.solver import Report, Round, Solver, as_vector
from kibitz.solvers.love_letter.turns import BEST_RESPONSE
from kibitz.solvers.love_letter.walk import (
    WalkTables,
    new_frame,
    new_jobs,
    new_task,
    new_workspace,
    walk,
)


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
        chances = self.chances(input_in(public), hand.low, hand.high)
        return {option: chance for option, chance in chances.items() if chance > 0}

    def follow(self, state: int, play: int, retained: int, shown: int) -> Branch | None:
        """A turn as both saw it; None if it ends the round, or if nobody is expected to play so."""
        branches = {branch[:3]: branch for branch in self.branches[state]}
        branch = branches.get((play, retained, shown))
        if branch is None and play < GUARD_NAMES:
            # A card was named where only a Guard can be held.
            branch = branches.get((GUARD_NAMES_NOBODY, 0, 0))
        return None if branch is None or branch.state == OVER else branch


def input_in(public: PublicState) -> StrategyInput:
    shown = only(public.theirs) if public.shown & THEIRS else 0
    return StrategyInput(public.unseen, public.protected, shown)


class BestResponse(Solver):
    """The best response to a strategy in a round."""

    states: ResponseStates

    def __init__(self, round_: Round, states: ResponseStates, threads: int = 1) -> None:
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
        branches, places = self.tree.branches, self.tree.states
        here = np.repeat(np.arange(len(places)), places["branch_to"] - places["branch_from"])
        there = np.where(branches["next"] == OVER, here, branches["next"])
        branches["offset"] = self._bases[there] - self._bases[here]
        places["regrets"] = 0  # a best response has none
        self._cells: dict[tuple[int, int, bytes], Any] = {}

    def solve_both(self, report: Report = lambda progress: None) -> tuple[float, float]:
        """What the player to move gets with the strategy against the best response; and with the
        best response against the strategy."""
        done = 0
        for level in self.subgames.levels:
            places = [self._bases[which.state] for which in level]
            self.subgames.bound_in(level, places, self.table)
            done += len(level)
            report(self.progress("subgames", done, self.number_of_subgames))
        whole = self.cfr(self.whole)
        whole.start["offset"] = self._bases[self.root]
        return whole.bounds(self.table)

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
        weight = self.reach(position, low, high)
        place = self.tree.states[state]
        rows = self.tree.rows[place["row_from"] : place["row_to"]].tolist()
        (hand,) = (hand for hand in self.states.hands[state] if hand[:2] == (low, high))
        return {
            (play, retained): float(cells[rows.index(play) * LANES + retained - 1]) / weight
            for play, retained in hand.options
        }

    def reach(self, position: ResponsePosition, low: int, high: int) -> float:
        """How likely the strategy is to have come here, up to a factor, if the best response
        holds these cards."""
        unseen = unseen_in(self.tree, position.state).copy()
        unseen[low - 1] -= 1
        unseen[high - 1] -= 1
        return float(position.range @ unseen)

    def any_range(self, position: ResponsePosition) -> ResponsePosition:
        """If the best response is to move: with all cards that the other may hold alike."""
        theirs = self.states.states[position.state].theirs
        return position._replace(range=as_vector(theirs))

    def _walk(self, position: ResponsePosition) -> Any:
        """The cells of a node where the best response is to move, after a walk below it."""
        work, task = new_workspace(), new_task()
        task["mode"] = BEST_RESPONSE
        start = new_frame(position.state, self._bases[position.state], position.lead)
        priors = np.concatenate([np.zeros(LANES), position.range]).astype(np.float32)
        begin(start, priors, 1, work)
        tables = WalkTables(np.zeros(0, np.float32), self.table)
        walk(self.tree, self.subgames.values, tables, task, work, new_jobs(1))
        return work.cells

    def after(
        self, position: ResponsePosition, play: int, retained: int, shown: int
    ) -> ResponsePosition | None:
        """After a turn as both saw it; None if the round is over."""
        branch = self.states.follow(position.state, play, retained, shown)
        if branch is None:
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
        range_ = np.zeros(LANES)
        for hand in self.states.hands[position.state]:
            reach = position.range[hand.low - 1]
            if hand.low != hand.high:
                reach += position.range[hand.high - 1]
            if reach > 0:
                for (made, retained), chance in self.states.played(public, hand).items():
                    range_[retained - 1] += reach * chance * (made == play)
        return range_
