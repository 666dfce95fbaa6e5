"""All public states of a round as arrays, listed by compiled code.

The textbook twin is `PublicStates` with `tree_of`; the arrays are the same, element by element.
A state is known by its key (`state_keys.py`).

States are numbered depth first, as they are met. The path from the root is a stack of states
with the branch to go next. A state is written down whole when it is met: its hands, its rows, its
branches, each with the key of what follows; the numbers of these come as the branches are gone,
and the sizes when the last one has been.

Example: one card is left in the deck; unseen are two Guards, a Priest and a Handmaid. The player
to move holds a Guard, the other the Handmaid. He draws the other Guard or the Priest, names the
Handmaid and wins: one state, two hands with one option each, one row, no branches.

    >>> listing = Listing()
    >>> listing.add(PublicState((2, 1, 0, 1, 0, 0, 0, 0), False, 0b1, 0b1000, True, True))
    0
    >>> [len(array) for array in listing.tree()]
    [8, 1, 2, 2, 1, 0]
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kibitz.jit.hashing import find_slot, mix
from kibitz.jit.intrinsics import borrowed
from kibitz.jit.kernels import inlined, kernel
from kibitz.jit.vectors import LANES
from kibitz.solvers.love_letter.play_sets import considered, play_constraints
from kibitz.solvers.love_letter.public_states import (
    ANY,
    LAID,
    OVER,
    PLAY_BARON,
    PLAY_KING,
    PLAYS,
    PRINCE_ON_OTHER,
    PRINCE_ON_SELF,
    PublicState,
)
from kibitz.solvers.love_letter.public_tree import BRANCH, HAND, STATE, PublicTree
from kibitz.solvers.love_letter.state_keys import (
    BOTH_UNIFORM,
    COUNT_BITS,
    COUNTS,
    IMPOSSIBLE,
    LAID_LANE,
    LOWEST,
    MINE_AT,
    PROTECTED,
    THEIRS_AT,
    count_in,
    is_single,
    key_after,
    key_of,
    seen_by,
    state_of,
    total_in,
)

FIRST_PLAY = np.array([LAID.index(lane + 1) for lane in range(LANES)] + [PLAYS])
"""The plays that lay a card are those from its own first one to the next card's."""
SHOW_BOTH = 1 << PLAY_BARON | 1 << PLAY_KING

MOST_HANDS, MOST_OPTIONS, MOST_BRANCHES = 36, 36 * 9, 128
"""Of one state: pairs of cards; a Guard that names any of seven beside a Prince; a King may trade
any two cards, all other plays together have fewer branches than he."""
FIRST_STATES = 1 << 15
"""The capacity for states at first: memory that is not written to costs nothing. On average a
state has 6 hands, 12 options, 4 rows and 6 branches."""
MOST_TURNS = 128
"""More than the cards that a key can count."""

ENDS = np.dtype(
    (
        np.record,
        [
            (name, np.int64)
            for name in (
                *("states", "hands", "options", "rows", "branches"),
                *("hashed", "depth", "waiting"),
            )
        ],
    )
)
"""How many of each are listed; how many states are in the hash table; the length of the path;
the key of a state that is to be listed next, or 0."""

PATH = np.dtype((np.record, [("state", np.int64), ("branch", np.int64)]))
"""A state on the path from the root, and the branch to go next."""


class ListingArrays(NamedTuple):
    """What the kernel writes into. The tree and the keys have capacity for more."""

    tree: PublicTree
    keys: Any
    """int64, one a state."""
    slots: Any
    """A hash table: the mixed keys, int64, a power of two of them; 0 where there is none."""
    numbers: Any
    """The number of the state in each slot."""
    path: Any
    """MOST_TURNS of PATH."""
    ends: Any
    """One of ENDS."""
    hand_plays: Any
    """Of the state that is being listed, (MOST_HANDS, 2): the plays that lay the low card of each
    hand, and the high one."""
    retained: Any
    """The cards that may be retained after each play, PLAYS sets."""
    row_of: Any
    """The row of each play."""


# -- one state -----------------------------------------------------------------------------


@inlined
def _list_hands(lists: Any, key: int) -> None:
    """All pairs of cards, their weights, and what may be played with them: not yet the options,
    which need the rows."""
    ends = lists.ends[0]
    counts = key & COUNTS
    mine, theirs = key >> MINE_AT & ANY, key >> THEIRS_AT & ANY
    drawn = counts - (1 << COUNT_BITS * LOWEST[theirs]) if is_single(theirs) else counts
    others = total_in(counts) - 2
    now = play_constraints(key)
    lists.retained[:] = 0
    hands = 0
    for low in range(LANES):
        if count_in(drawn, low) == 0:
            continue
        for high in range(low, LANES):
            if count_in(drawn, high) <= (low == high) or mine & (1 << low | 1 << high) == 0:
                continue
            hand = lists.tree.hands[ends.hands + hands]
            hand.low = low
            hand.high = high
            hand.low_weight = np.float32((count_in(counts, high) - (low == high)) / others)
            hand.high_weight = np.float32(0 if low == high else count_in(counts, low) / others)
            lays_low, lays_high = considered(now, low, high)
            lists.hand_plays[hands, 0] = lays_low
            lists.hand_plays[hands, 1] = lays_high
            hands += 1
            for play in range(FIRST_PLAY[low], FIRST_PLAY[low + 1]):
                lists.retained[play] |= (lays_low >> play & 1) << high
            for play in range(FIRST_PLAY[high], FIRST_PLAY[high + 1]):
                lists.retained[play] |= (lays_high >> play & 1) << low
    ends.hands += hands


@inlined
def _list_rows(lists: Any) -> None:
    """The plays that some hand has."""
    ends = lists.ends[0]
    row = 0
    for play in range(PLAYS):
        if lists.retained[play] != 0:
            lists.tree.rows[ends.rows + row] = play
            lists.row_of[play] = row
            row += 1
    ends.rows += row


@inlined
def _list_options(lists: Any, first_hand: int) -> int:
    """The cells of all hands of a state, from its first hand on. How many regrets they have."""
    ends = lists.ends[0]
    regrets = 0
    for h in range(first_hand, ends.hands):
        hand = lists.tree.hands[h]
        first = ends.options
        for which in range(2):
            laid = np.int64(hand.high if which else hand.low)
            retained = np.int64(hand.low if which else hand.high)
            plays = lists.hand_plays[h - first_hand, which]
            for play in range(FIRST_PLAY[laid], FIRST_PLAY[laid + 1]):
                if plays >> play & 1 != 0:
                    lists.tree.options[ends.options] = lists.row_of[play] * LANES + retained
                    ends.options += 1
        options = ends.options - first
        hand.first_option = first
        hand.first_regret = regrets
        hand.options = options
        if options > 1:
            regrets += options
    return regrets


@inlined
def _list_branches(lists: Any, key: int) -> int:
    """Branches with the keys of what follows, in place of the offsets. The deep rows."""
    deep_rows = 0
    for play in range(PLAYS):
        retained = lists.retained[play]
        if retained == 0:
            continue
        all_seen, all_shown = seen_by(key, play, retained)
        while all_seen != 0:
            seen = LOWEST[all_seen]
            all_seen &= all_seen - 1
            left = all_shown
            while left != 0:
                shown = LOWEST[left]
                left &= left - 1
                if play == PLAY_BARON and seen != shown:
                    continue
                after = key_after(key, play, retained, seen, shown)
                if after != IMPOSSIBLE:
                    deep_rows |= _add_branch(lists, key, after, play, seen, shown)
    return deep_rows


@inlined
def _add_branch(lists: Any, key: int, after: int, play: int, seen: int, shown: int) -> int:
    """The bit of its row, if the tree goes on behind it."""
    ends = lists.ends[0]
    branch = lists.tree.branches[ends.branches]
    ends.branches += 1
    both_known = 1 << play & SHOW_BOTH != 0 and key & PROTECTED == 0
    begins_subgame = after != OVER and after & BOTH_UNIFORM == BOTH_UNIFORM
    branch.offset = after
    branch.lead = LAID_LANE[play] + 1
    if play == PRINCE_ON_SELF:
        branch.lead += seen
    elif play == PRINCE_ON_OTHER:
        branch.lead -= shown
    branch.next = OVER
    branch.subgame = 0 if begins_subgame else -1
    branch.both_known = both_known
    branch.play = play
    branch.row = lists.row_of[play]
    branch.retained = seen
    branch.shown = shown
    if after == OVER or begins_subgame or both_known:
        return 0
    return 1 << lists.row_of[play]


@inlined
def _list_state(lists: Any, key: int) -> None:
    """With its hands, rows, options and branches."""
    tree, ends = lists.tree, lists.ends[0]
    i = ends.states
    ends.states += 1
    lists.keys[i] = key
    for lane in range(LANES):
        tree.unseen[LANES * i + lane] = count_in(key, lane)
    state = tree.states[i]
    state.hand_from = ends.hands
    state.row_from = ends.rows
    state.branch_from = ends.branches
    _list_hands(lists, key)
    _list_rows(lists)
    state.regrets = _list_options(lists, np.int64(state.hand_from))
    state.deep_rows = _list_branches(lists, key)
    state.nodes = 1
    state.hand_to = ends.hands
    state.row_to = ends.rows
    state.branch_to = ends.branches
    state.subgame = -1
    state.protected = key & PROTECTED != 0
    state.mine = key >> MINE_AT & ANY
    state.theirs = key >> THEIRS_AT & ANY
    total = total_in(key & COUNTS)
    state.total = total
    state.per_draw = np.float32(1 / max(total - 2, 1))
    state.per_renewal = np.float32(1 / max(total - 3, 1))


# -- all states ----------------------------------------------------------------------------


@inlined
def _has_capacity(lists: Any) -> bool:
    """For one state more."""
    tree, ends = lists.tree, lists.ends[0]
    return (
        ends.states < len(tree.states)
        and ends.hands + MOST_HANDS <= len(tree.hands)
        and ends.options + MOST_OPTIONS <= len(tree.options)
        and ends.rows + PLAYS <= len(tree.rows)
        and ends.branches + MOST_BRANCHES <= len(tree.branches)
    )


@inlined
def _add_sizes(tree: Any, i: int) -> None:
    """Regrets, nodes and offsets of a state whose branches have all been gone."""
    state = tree.states[i]
    for j in range(state.branch_from, state.branch_to):
        branch = tree.branches[j]
        branch.offset = state.regrets
        if branch.next != OVER and branch.subgame < 0:
            state.regrets += tree.states[branch.next].regrets
            state.nodes += tree.states[branch.next].nodes


@kernel
def list_states(lists: Any) -> bool:
    """All below the state that waits. False if the arrays are full: it goes on where it was when
    it is called with larger ones."""
    lists = borrowed(lists)
    tree, ends = lists.tree, lists.ends[0]
    while True:
        while ends.hashed < ends.states:
            mixed = mix(lists.keys[ends.hashed], 0)
            slot = find_slot(lists.slots, mixed)
            lists.slots[slot] = mixed
            lists.numbers[slot] = ends.hashed
            ends.hashed += 1
        if ends.waiting != 0:
            if not _has_capacity(lists):
                return False
            here = lists.path[ends.depth]
            here.state = ends.states
            here.branch = ends.branches
            ends.depth += 1
            _list_state(lists, ends.waiting)
            ends.waiting = 0
            continue
        here = lists.path[ends.depth - 1]
        if here.branch < tree.states[here.state].branch_to:
            branch = tree.branches[here.branch]
            here.branch += 1
            if branch.offset != OVER:
                slot = find_slot(lists.slots, mix(branch.offset, 0))
                if lists.slots[slot] != 0:
                    branch.next = lists.numbers[slot]
                else:
                    branch.next = ends.states
                    ends.waiting = branch.offset
        else:
            _add_sizes(tree, here.state)
            ends.depth -= 1
            if ends.depth == 0:
                return True


# -- from Python ---------------------------------------------------------------------------


class Listing:
    """All public states that can come from those that were added, each once."""

    def __init__(self) -> None:
        tree = PublicTree(
            np.empty(FIRST_STATES * LANES, np.float32),
            np.empty(FIRST_STATES, STATE),
            np.empty(FIRST_STATES * 8, HAND),
            np.empty(FIRST_STATES * 16, np.uint8),
            np.empty(FIRST_STATES * 6, np.uint8),
            np.empty(FIRST_STATES * 8, BRANCH),
        )
        self._lists = ListingArrays(
            tree,
            np.empty(FIRST_STATES, np.int64),
            *_hash_table(FIRST_STATES),
            np.zeros(MOST_TURNS, PATH),
            np.zeros(1, ENDS),
            np.zeros((MOST_HANDS, 2), np.int64),
            np.zeros(PLAYS, np.int64),
            np.zeros(PLAYS, np.int64),
        )

    @property
    def keys(self) -> Any:
        """The key of each state, int64."""
        return self._lists.keys[: self._lists.ends[0]["states"]]

    def add(self, public: PublicState) -> int:
        """The number of a state, with all that comes from it."""
        key = key_of(public)
        known = np.flatnonzero(self.keys == key)
        if len(known):
            return int(known[0])
        number = len(self.keys)
        self._lists.ends["waiting"] = key
        while not list_states(self._lists):
            self._lists = _with_more_capacity(self._lists)
        return number

    def state(self, number: int) -> PublicState:
        return state_of(int(self.keys[number]))

    def tree(self) -> PublicTree:
        """Views of the arrays, which change when more is added."""
        full, ends = self._lists.tree, self._lists.ends[0]
        tree = PublicTree(
            full.unseen[: LANES * ends["states"]],
            full.states[: ends["states"]],
            full.hands[: ends["hands"]],
            full.options[: ends["options"]],
            full.rows[: ends["rows"]],
            full.branches[: ends["branches"]],
        )
        subgame = np.full(len(self.keys) + 1, -1, np.int32)  # one more, for OVER
        first = np.flatnonzero(self.keys & BOTH_UNIFORM == BOTH_UNIFORM)
        first = first[np.argsort(tree.states["total"][first], kind="stable")]
        subgame[first] = np.arange(len(first))
        tree.states["subgame"] = subgame[:-1]
        tree.branches["subgame"] = subgame[tree.branches["next"]]
        return tree


def _hash_table(states: int) -> tuple[Any, Any]:
    """Empty, for so many states: a power of two. Half of the slots stay empty."""
    return np.zeros(2 * states, np.int64), np.empty(2 * states, np.int64)


def _with_more_capacity(lists: ListingArrays) -> ListingArrays:
    """Twice as much. The states are hashed anew."""
    lists.ends["hashed"] = 0
    tree = PublicTree(*map(_twice_as_long, lists.tree))
    slots, numbers = _hash_table(len(tree.states))
    keys = _twice_as_long(lists.keys)
    return lists._replace(tree=tree, keys=keys, slots=slots, numbers=numbers)


def _twice_as_long(array: Any) -> Any:
    longer = np.empty(2 * len(array), array.dtype)
    longer[: len(array)] = array
    return longer
