"""Rounds that a solution plays against itself, turn by turn, without the game's engine.

Cards are shuffled, both players draw lots as the solution says, and every turn is a row: what
was held, what was played, and what the player could know of the other's card. That one is made
of what both see and of how the other plays: his range, as the solver carries it.

After a play a, with the player's hands {x, y} by what was held and drawn and π the solution's
probability, his range becomes

    range'(x) = Σ over hands {x, y} of (range(x) + range(y)) · π(lay y as a | {x, y})

(range(x) alone if the cards are equal). The copies that are unseen are not in it: they weigh
where a probability is wanted. Example: his range is 1 for Guard and for Baron, 0 else. He plays
the Priest; with {Guard, Priest} the solution does so in ¾ of the cases, with {Baron, Priest}
always. Then his range is ¾ for the Guard and 1 for the Baron; with two Guards and one Baron unseen
he holds the Guard with probability 2 · ¾ / (2 · ¾ + 1) = 0.6.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from kibitz.games.love_letter.cards import PRINCESS
from kibitz.jit.kernels import kernel
from kibitz.jit.rng import fork, shuffle, stream, unit
from kibitz.jit.vectors import LANES
from kibitz.solvers.love_letter.public_line import LinePosition
from kibitz.solvers.love_letter.public_states import (
    GUARD_NAMES,
    OVER,
    PLAY_BARON,
    PLAY_KING,
    PLAY_PRIEST,
    PLAY_PRINCESS,
    PRINCE_ON_OTHER,
    PRINCE_ON_SELF,
)
from kibitz.solvers.love_letter.public_tree import LEADS, PublicTree, furthest_leads

GOES_ON, WINS, LOSES, COMPARED = range(4)
"""How a turn ends: the play wins, or loses, or it was the last one and hands are compared."""
MOST_TURNS = 16
MOST_CARDS = 16

TURN = np.dtype(
    [
        ("round", np.int32),
        ("turn", np.int8),
        ("left", np.int8),
        ("protected", np.int8),
        ("held", np.int8),
        ("drawn", np.int8),
        ("other", np.int8),
        ("options", np.int8),
        ("can_bluff", np.int8),
        ("play", np.int8),
        ("retained", np.int8),
        ("end", np.int8),
        ("result", np.int8),
        ("mine_after", np.int8),
        ("other_after", np.int8),
        ("probability", np.float32),
        ("top", np.float32),
        ("aimed", np.float32),
        ("likeliest", np.float32),
    ]
)
"""`turn`: from 0, the first player has the even ones. `left`: cards in the deck before he draws.
`protected`: the other. `other`: his card. `options`: how many plays the solution considers.
`can_bluff`: one of them is to name with the Guard the card that is retained beside it. `result`: at
the end of a round, 1 if who has played wins it, -1 if he loses. `…_after`: the cards then held.
`probability`, `top`: of the play, and of the likeliest one. `aimed`, `likeliest`: how likely the
other is to hold the card that is named, and the likeliest of those that can be named."""


def rounds_of(
    tree: PublicTree,
    opening: LinePosition,
    subgames: Iterable[tuple[int, int, Any]],
    rounds: int,
    seed: int,
) -> Any:
    """The turns of so many rounds. `subgames`: state, lead and policy of each."""
    parts, size = [np.zeros(0, np.uint16)], 0
    row_of = tree.states["subgame"]
    begins = np.full((int(row_of.max()) + 1, 2 * LEADS + 1), -1, np.int64)
    for state, lead, policy in subgames:
        if row_of[state] >= 0:
            begins[row_of[state], lead + LEADS] = size
            parts.append(np.array(policy))  # a copy: there are more than files may be open
            size += len(policy)
    furthest = furthest_leads(tree.unseen.reshape(-1, LANES))
    turns = np.zeros(rounds * MOST_TURNS, TURN)
    start = np.array([opening.state, opening.base, opening.lead], np.int64)
    whole, apart = np.ascontiguousarray(opening.policy, np.uint16), np.concatenate(parts)
    n = _play_rounds(tree, whole, apart, begins, furthest, start, rounds, stream(seed), turns)
    return turns[:n]


@kernel
def _play_rounds(
    tree: Any, whole: Any, apart: Any, begins: Any, furthest: Any, start: Any, rounds: int,
    root: Any, turns: Any,
) -> int:  # fmt: skip
    rng = np.zeros(1, np.uint64)
    cards = np.zeros(MOST_CARDS, np.int64)
    ranges = np.zeros((2, LANES))
    fresh = np.zeros(LANES)
    hands = np.zeros(2, np.int64)
    n = 0
    for number in range(rounds):
        fork(root, number, rng)
        i, base, lead = start[0], start[1], start[2]
        policy = whole
        top = _deal(tree.unseen[LANES * i : LANES * (i + 1)], rng, cards, hands)
        ranges[:] = 1.0
        turn = 0
        while True:
            me, you = turn % 2, 1 - turn % 2
            row = turns[n]
            n += 1
            row.round, row.turn = number, turn
            row.left = int(tree.states[i].total) - 3
            row.protected = tree.states[i].protected
            row.held, row.drawn, row.other = hands[me], cards[top], hands[you]
            _choose(tree, i, base, policy, row, unit(rng))
            _judge(tree.unseen[LANES * i : LANES * (i + 1)], ranges[you], row)
            seen_mine, seen_other, top = _take_effect(row, hands, me, cards, top + 1)
            row.mine_after, row.other_after = hands[me], hands[you]
            if row.end != GOES_ON:
                row.result = 1 if row.end == WINS else -1
                break
            _update_range(tree, i, base, policy, row.play, ranges[me], fresh)
            _show(row.play, ranges, hands, me, seen_mine, seen_other)
            j = tree.states[i].branch_from
            while not _is_branch(tree.branches[j], row.play, seen_mine, seen_other):
                j += 1
            branch = tree.branches[j]
            lead += branch.lead
            if branch.next == OVER:
                row.end = COMPARED
                ahead = hands[me] - hands[you]
                row.result = np.sign(lead if ahead == 0 else ahead)
                break
            i, lead = branch.next, -lead
            base += branch.offset
            if branch.subgame >= 0:
                policy = apart
                met = max(-furthest[i], min(furthest[i], lead))
                base = begins[branch.subgame, met + LEADS]
                assert base >= 0, "not all of it is there"
            turn += 1
    return n


@kernel
def _deal(unseen: Any, rng: Any, cards: Any, hands: Any) -> int:
    """Shuffle, and deal a card to each. Returns the place of the deck's next card."""
    total = 0
    for lane in range(LANES):
        for _ in range(int(unseen[lane])):
            cards[total] = lane + 1
            total += 1
    shuffle(rng, cards, total)
    hands[0], hands[1] = cards[0], cards[1]
    return 2


@kernel
def _take_effect(row: Any, hands: Any, me: int, cards: Any, top: int) -> Any:
    """What a play does to the hands, and how it ends. Returns which of my cards and of the other's
    is seen, and the place of the deck's next card."""
    you = 1 - me
    play, retained = row.play, row.retained
    hands[me] = retained
    seen_mine, seen_other = 0, 0
    row.end = GOES_ON
    if play < GUARD_NAMES:
        if hands[you] == play + 2:
            row.end = WINS
    elif play == PLAY_PRINCESS or (play == PRINCE_ON_SELF and retained == PRINCESS):
        row.end = LOSES
    elif play == PRINCE_ON_OTHER:
        seen_other = hands[you]
        if hands[you] == PRINCESS:
            row.end = WINS
        else:
            hands[you] = cards[top]
            top += 1
    elif play == PRINCE_ON_SELF:
        seen_mine = retained
        hands[me] = cards[top]
        top += 1
    elif not row.protected and play == PLAY_PRIEST:
        seen_other = hands[you]
    elif not row.protected and play == PLAY_BARON:
        seen_mine, seen_other = retained, hands[you]
        if retained != hands[you]:
            row.end = WINS if retained > hands[you] else LOSES
    elif not row.protected and play == PLAY_KING:
        seen_mine, seen_other = retained, hands[you]
        hands[me], hands[you] = hands[you], hands[me]
    return np.int64(seen_mine), np.int64(seen_other), top


@kernel
def _show(play: int, ranges: Any, hands: Any, me: int, seen_mine: int, seen_other: int) -> None:
    """Into the ranges: what a play has shown of the cards that are held now."""
    you = 1 - me
    if play < GUARD_NAMES:
        ranges[you, play + 1] = 0.0
    elif play == PRINCE_ON_OTHER:
        ranges[you, :] = 1.0
    elif play == PRINCE_ON_SELF:
        ranges[me, :] = 1.0
    elif seen_mine or seen_other:
        if seen_mine:
            ranges[me, :] = 0.0
            ranges[me, hands[me] - 1] = 1.0
        ranges[you, :] = 0.0
        ranges[you, hands[you] - 1] = 1.0


@kernel
def _is_branch(branch: Any, play: int, retained: int, shown: int) -> bool:
    return branch.play == play and branch.retained == retained and branch.shown == shown


@kernel
def _total(policy: Any, at: int, options: int) -> float:
    """Of the probabilities of a hand, which are whole numbers."""
    total = 0.0
    for k in range(options):
        total += policy[at + k]
    return total


@kernel
def _probability(policy: Any, at: int, options: int, total: float, k: int) -> float:
    if options == 1:
        return 1.0
    return policy[at + k] / total if total > 0.0 else 1.0 / options


@kernel
def _choose(tree: Any, i: int, base: int, policy: Any, row: Any, lot: float) -> None:
    low, high = min(row.held, row.drawn), max(row.held, row.drawn)
    h = tree.states[i].hand_from
    while tree.hands[h].low + 1 != low or tree.hands[h].high + 1 != high:
        h += 1
    hand = tree.hands[h]
    n, at = np.int64(hand.options), base + hand.first_regret
    total = _total(policy, at, n) if n > 1 else 1.0
    row.options, row.can_bluff, row.top, row.probability = n, 0, 0.0, 0.0
    chosen = False
    for k in range(n):
        cell = np.int64(tree.options[hand.first_option + k])
        play = np.int64(tree.rows[tree.states[i].row_from + cell // LANES])
        retained = cell % LANES + 1
        probability = _probability(policy, at, n, total, k)
        if play < GUARD_NAMES and retained == play + 2:
            row.can_bluff = 1
        row.top = max(row.top, probability)
        if not chosen and probability > 0.0:
            row.play, row.retained, row.probability = play, retained, probability
            chosen = lot < probability
            lot -= probability


@kernel
def _judge(unseen: Any, theirs: Any, row: Any) -> None:
    """How likely it is that the other holds what is named, or what is best named."""
    total, row.aimed, row.likeliest = 0.0, 0.0, 0.0
    for card in range(1, LANES + 1):
        copies = unseen[card - 1] - (card == row.held) - (card == row.drawn)
        total += theirs[card - 1] * copies
    for card in range(2, LANES + 1):
        copies = unseen[card - 1] - (card == row.held) - (card == row.drawn)
        here = theirs[card - 1] * copies / total
        row.likeliest = max(row.likeliest, here)
        if row.play == card - 2:
            row.aimed = here


@kernel
def _update_range(
    tree: Any, i: int, base: int, policy: Any, play: int, mine: Any, fresh: Any
) -> None:
    """The range of who has played so: for each card, how likely he is to have come here with
    it."""
    fresh[:] = 0.0
    state = tree.states[i]
    for h in range(state.hand_from, state.hand_to):
        hand = tree.hands[h]
        n, at = np.int64(hand.options), base + hand.first_regret
        reach = mine[hand.low] if hand.low == hand.high else mine[hand.low] + mine[hand.high]
        total = _total(policy, at, n) if n > 1 else 1.0
        for k in range(n):
            cell = np.int64(tree.options[hand.first_option + k])
            if tree.rows[state.row_from + cell // LANES] == play:
                fresh[cell % LANES] += reach * _probability(policy, at, n, total, k)
    mine[:] = fresh
