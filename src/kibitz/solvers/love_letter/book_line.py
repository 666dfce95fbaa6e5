"""A round played by the book: in its trunk as stored, below it as solved again at the table.

A `BookLine` follows one round for one seat, P, through three kinds of places:

    TrunkPlace      a node of a trunk: the policy is stored. P's range is carried along.
    SolvedPlace     a node of a tree that was solved at the table: the rest of the round from a
                    leaf on (safe re-solving, `gadget.py`), or an independent subgame
    None            the round is over, or a play was made that no line of the book has

Everything is a function of what is public and of the seat: solved again, it is the same. So the
last trees stay in memory, and later turns of a round cost nothing.

What is guaranteed: Q's best response to the book brings at most `responses` of its header. Every
part that is solved again at the table, a leaf or an independent subgame, adds at most its excess,
times the chance that the round comes there (see `gadget.py`; a subgame is solved to within EXCESS
of its value). A round may come through several of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from kibitz.jit.vectors import LANES
from kibitz.solvers.love_letter.book import BOUND_NODES, SCALE, Book, load_book, subgame_key
from kibitz.solvers.love_letter.gadget import EXCESS, BookLeaf, resolve
from kibitz.solvers.love_letter.listing import Listing
from kibitz.solvers.love_letter.public_line import (
    LinePosition,
    PolicyOption,
    PublicLine,
    matching_branch,
)
from kibitz.solvers.love_letter.public_states import (
    GUARD_NAMES,
    OVER,
    PLAY_PRIEST,
    PRINCE_ON_OTHER,
    PRINCE_ON_SELF,
    Branch,
    Hand,
    PublicState,
    PublicStates,
    among,
)
from kibitz.solvers.love_letter.public_tree import (
    PublicTree,
    equivalent_lead,
    lead_of,
    unseen_in,
)
from kibitz.solvers.love_letter.subgames import Subgame, SubgameValues

SUBGAME_EPSILON = EXCESS / 2
"""Then a best response to the solved subgame brings at most EXCESS more than its value."""
REMEMBERED = 64
"""Trees that were solved last."""


class Certificate(NamedTuple):
    """Of a tree that was solved at the table."""

    excess: float
    iterations: int
    nodes: int


class SolvedTree(NamedTuple):
    tree: PublicTree
    policy: Any
    certificate: Certificate


class OneState(PublicStates):
    """The hands and branches of single states: what comes after them is not listed."""

    def add(self, public: PublicState) -> int:
        self.states.append(public)
        return len(self.states) - 1

    def look(self, public: PublicState) -> tuple[list[Hand], list[Branch]]:
        self.states.clear()
        hands = self.hands_of(public)
        return hands, list(self._branches(public, hands))


# -- one round -----------------------------------------------------------------------------


class BookRound:
    """A book, and the seat that plays by it."""

    def __init__(self, file: Path, moves_first: bool) -> None:
        self.file, self.book, self.moves_first = file, book_of(file), moves_first

    def start(self, public: PublicState) -> TrunkPlace:
        """Before the first turn."""
        trunk = self.book.trunk(subgame_key(public, 0))
        return TrunkPlace(self, public, 0, self.moves_first, int(trunk["node"]), np.ones(LANES))

    def enter_subgame(self, public: PublicState, lead: int, to_move: bool) -> Place:
        """An independent subgame: both ranges are uniform again."""
        lead = equivalent_lead(np.array(public.unseen), lead)
        trunk = self.book.trunk(subgame_key(public, lead))
        if trunk is not None:
            return TrunkPlace(self, public, lead, to_move, int(trunk["node"]), np.ones(LANES))
        solved = solve_subgame(self.file, public, lead)
        return SolvedPlace(self, solved, to_move, 0, 0, lead)

    def enter_leaf(self, public: PublicState, leaf: BookLeaf) -> Place:
        ranges = np.asarray(leaf.own_range, np.float32).tobytes(), leaf.limits.tobytes()
        solved = resolve_leaf(self.file, public, leaf.lead, leaf.opponent_moves, *ranges)
        return SolvedPlace(self, solved, not leaf.opponent_moves, 0, 0, leaf.lead)


@dataclass(frozen=True)
class TrunkPlace:
    """A node of a trunk, before the player to move draws."""

    round: BookRound
    public: PublicState
    lead: int
    """Of the player to move."""
    to_move: bool
    """Whether P is to move."""
    node: int
    own_range: Any
    """P's, by lane."""

    certificate: ClassVar[None] = None

    def options(self, one: int, other: int) -> list[PolicyOption]:
        """The policy with two cards in hand; nothing if nobody can hold them here."""
        hands, _ = OneState().look(self.public)
        pair = tuple(sorted((one, other)))
        return next((options for hand, options in self._policy(hands) if hand[:2] == pair), [])

    def _policy(self, hands: Sequence[Hand]) -> Iterator[tuple[Hand, list[PolicyOption]]]:
        at = int(self.round.book.nodes[self.node]["policy"])
        for hand in hands:
            number = len(hand.options)
            weights = np.ones(1)
            if number > 1:
                weights = np.asarray(self.round.book.policy[at : at + number], float)
                at += number
            chances = (weights / weights.sum()).tolist()
            yield (
                hand,
                [
                    PolicyOption(play, retained, chance)
                    for (play, retained), chance in zip(hand.options, chances, strict=True)
                ],
            )

    def go(self, play: int, retained: int = 0, shown: int = 0, held: int = 0) -> Place | None:
        """After a turn as both saw it; None if the book has no such line, or the round is over."""
        look = OneState()
        hands, branches = look.look(self.public)
        which = matching_branch([each[:3] for each in branches], play, retained, shown, held)
        if which is None or branches[which].state == OVER:
            return None
        branch = branches[which]
        public = look.states[branch.state]
        lead, to_move = -(self.lead + lead_of(branch)), not self.to_move
        if public.is_subgame:
            return self.round.enter_subgame(public, lead, to_move)
        range_ = self._range_after(hands, branch)
        deep = [
            each
            for each in branches
            if each.state != OVER and not look.states[each.state].is_subgame
        ]
        node = self.round.book.nodes[self.node]
        child, limit = self.node + 1, int(node["limit"])
        for k, each in enumerate(deep):
            is_leaf = int(node["leaves"]) >> k & 1
            there = look.states[each.state]
            if each is branch and is_leaf:
                return self.round.enter_leaf(public, self._leaf(public, lead, range_, limit))
            if each is branch:
                return TrunkPlace(self.round, public, lead, to_move, child, range_)
            if is_leaf:
                limit += there.mine.bit_count() + there.theirs.bit_count()
            else:
                child += int(self.round.book.nodes[child]["nodes"])
        raise AssertionError("every branch is a leaf, in the trunk, a subgame or the end")

    def _leaf(self, public: PublicState, lead: int, range_: Any, at: int) -> BookLeaf:
        """`at`: where its limits begin: those of the player to move there, then of the other."""
        opponent_moves = self.to_move
        cards = public.mine if opponent_moves else public.theirs
        at += 0 if opponent_moves else public.mine.bit_count()
        limits = np.full(LANES, np.nan)
        lanes = [card - 1 for card in among(cards)]
        limits[lanes] = np.asarray(self.round.book.limits[at : at + len(lanes)], float) / SCALE
        return BookLeaf(0, lead, opponent_moves, range_, limits)

    def _range_after(self, hands: Sequence[Hand], branch: Branch) -> Any:
        """P's range after a branch: as in `turns.range_after`."""
        if self.to_move:
            range_ = np.zeros(LANES)
            for hand, options in self._policy(hands):
                reach = self.own_range[hand.low - 1]
                if hand.low != hand.high:
                    reach += self.own_range[hand.high - 1]
                for play, retained, chance in options:
                    if play == branch.play:
                        range_[retained - 1] += reach * chance
            if branch.play == PRINCE_ON_SELF:
                range_ = np.full(LANES, range_[branch.retained - 1])
            return range_
        range_ = self.own_range.copy()
        if branch.play < GUARD_NAMES:
            range_[branch.play + 1] = 0.0
        elif branch.play == PLAY_PRIEST and branch.shown:
            range_ *= np.eye(LANES)[branch.shown - 1]
        elif branch.play == PRINCE_ON_OTHER:
            range_ = np.full(LANES, range_[branch.shown - 1])
        return range_


@dataclass(frozen=True)
class SolvedPlace:
    """A node of a tree that was solved at the table, before the player to move draws."""

    round: BookRound
    solved: SolvedTree
    to_move: bool
    state: int
    base: int
    lead: int

    @property
    def certificate(self) -> Certificate:
        return self.solved.certificate

    def _line(self) -> PublicLine:
        here = LinePosition(self.solved.policy, self.state, self.base, self.lead)
        return PublicLine(self.solved.tree, lambda state, lead: None, here)

    def options(self, one: int, other: int) -> list[PolicyOption]:
        return self._line().options(one, other)

    def go(self, play: int, retained: int = 0, shown: int = 0, held: int = 0) -> Place | None:
        line = self._line()
        if not line.go(play, retained, shown, held):
            return None
        state, lead, to_move = line.position.state, line.position.lead, not self.to_move
        tree = self.solved.tree
        if tree.states[state]["subgame"] >= 0:
            return self.round.enter_subgame(public_state(tree, state), lead, to_move)
        return SolvedPlace(self.round, self.solved, to_move, state, line.position.base, lead)


Place = TrunkPlace | SolvedPlace


def public_state(tree: PublicTree, state: int) -> PublicState:
    """The first state of an independent subgame, as it was listed."""
    here = tree.states[state]
    unseen = tuple(int(count) for count in unseen_in(tree, state))
    cards = int(here["mine"]), int(here["theirs"])
    return PublicState(unseen, bool(here["protected"]), *cards, True, True)


# -- solving at the table ------------------------------------------------------------------


@lru_cache(REMEMBERED)
def resolve_leaf(
    file: Path, public: PublicState, lead: int, opponent_moves: bool, own: bytes, limits: bytes
) -> SolvedTree:
    """The rest of the round from a leaf on. `own`, `limits`: arrays as bytes, to be compared."""
    tree, subgames = tree_with_values(file, public, lead)
    leaf = BookLeaf(
        0, lead, opponent_moves, np.frombuffer(own, np.float32), np.frombuffer(limits, float)
    )
    done = resolve(tree, subgames.values, leaf)
    nodes = int(tree.states[0]["nodes"])
    return SolvedTree(tree, done.policy, Certificate(done.excess, done.iterations, nodes))


@lru_cache(REMEMBERED)
def solve_subgame(file: Path, public: PublicState, lead: int) -> SolvedTree:
    """An independent subgame."""
    tree, subgames = tree_with_values(file, public, lead)
    ((solved,),) = subgames.solve([Subgame(0, lead)], SUBGAME_EPSILON)
    nodes = int(tree.states[0]["nodes"])
    excess = solved.high - solved.low  # by so much a best response may beat its value
    return SolvedTree(tree, solved.policy, Certificate(excess, solved.iterations, nodes))


def tree_with_values(
    file: Path, public: PublicState, lead: int
) -> tuple[PublicTree, SubgameValues]:
    """All that comes after a public state, with the values of its independent subgames: by the
    book, or solved now."""
    states = Listing()
    root = states.add(public)
    tree = states.tree()
    subgames = SubgameValues(tree, root, lead)
    book = book_of(file)
    for level in subgames.levels:
        unknown = []
        for which in level:
            bounds = None
            if tree.states[which.state]["nodes"] >= BOUND_NODES:
                bounds = book.bounds_of(subgame_key(states.state(which.state), which.lead))
            if bounds is None:
                unknown.append(which)
            else:
                subgames.set_bounds(which, *bounds)
        for _ in subgames.solve(unknown, SUBGAME_EPSILON):
            pass
    return tree, subgames


@lru_cache(REMEMBERED)
def book_of(file: Path) -> Book:
    return load_book(file)
