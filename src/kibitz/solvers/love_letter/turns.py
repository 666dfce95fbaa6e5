"""What happens at one public node of a walk through a round: see `walk.py`.

Where the traverser moves a *cell* holds the counterfactual value of that play with that card
retained; where the opponent moves, the reach probability with which the opponent plays so and
retains that card. All vectors are by card. Everything is compiled into the walk.

Example: the traverser holds Guard and Priest, and may lay either. If the Guard that names the King
has the value 0.2 with the Priest retained, and the Priest 0.5 with the Guard retained, these are
two cells, v = (0.2, 0.5). With cumulative regrets R = (1, 3) the hand's value is
(1 · 0.2 + 3 · 0.5) / 4 = 0.425; without discount the regrets become 1 − 0.225 and 3 + 0.075. Where
the opponent moves with the same hand and reach 0.8, the two cells get 0.2 and 0.6.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.games.love_letter.cards import BARON, GUARD, PRINCE, PRINCESS
from kibitz.jit.hashing import is_due
from kibitz.jit.kernels import inlined
from kibitz.jit.vectors import (
    LANES,
    any_positive,
    load,
    lower_minus_higher,
    one_hot,
    splat,
    store,
    total,
)
from kibitz.solvers.love_letter.public_states import (
    GUARD_NAMES,
    LAID,
    OVER,
    PLAY_BARON,
    PLAY_PRIEST,
    PLAY_PRINCESS,
    PRINCE_ON_OTHER,
    PRINCE_ON_SELF,
)
from kibitz.solvers.love_letter.public_tree import CELLS, LEADS

UPDATE_REGRETS, BEST_RESPONSE = 0, 1
"""What the traverser does: update regrets, or play the best response to the average policy."""
MIDDLE, UPPER, LOWER = 0, 1, 2
"""The first index of `subgames`, which has the value of each independent subgame to the player to
move, by row and lead: the value that CFR uses, and its bounds."""

GUARD_LANE, BARON_LANE, PRINCE_LANE, PRINCESS_LANE = GUARD - 1, BARON - 1, PRINCE - 1, PRINCESS - 1
LAID_LANE = np.array([card - 1 for card in LAID])
ZERO, ONE = np.float32(0), np.float32(1)
SKIPPED = np.float32(-1e30)
"""In the cells of a row that is not walked: its regrets, which are 0, stay 0."""
LEAST_WEIGHT = np.float32(1e-36)
"""Regrets of a hand that add up to less count as none: to divide by such a sum may overflow."""
ALL_ROWS = -1
LAZY_PERIOD = 3
"""An inactive row is walked in one of so many iterations, drawn anew for each visit."""


# -- the traverser moves -------------------------------------------------------------------


@inlined
def traverser_terminal_values(tree: Any, i: int, work: Any, d: int) -> None:
    """Into the cells: what the plays win and lose that end the round at once."""
    state = tree.states[i]
    unseen = load(tree.unseen, LANES * i)
    range_ = load(work.ranges, LANES * d)
    others = splat(ONE) - one_hot(PRINCESS_LANE)
    cell = CELLS * d
    for r in range(state.row_from, state.row_to):
        play = tree.rows[r]
        value = splat(ZERO)
        if play < GUARD_NAMES:
            named = np.int64(play) + 1
            there = splat(tree.unseen[LANES * i + named]) - one_hot(named)
            value = splat(work.ranges[LANES * d + named]) * there
        elif play == PLAY_BARON and state.protected == 0:
            value = lower_minus_higher(range_ * (unseen - one_hot(BARON_LANE)))
        elif play == PRINCE_ON_OTHER:
            held = work.ranges[LANES * d + PRINCESS_LANE] * tree.unseen[LANES * i + PRINCESS_LANE]
            value = splat(held) * others
        elif play == PRINCE_ON_SELF:
            held = total(range_ * (unseen - one_hot(PRINCE_LANE)) * others)
            value = splat(-held) * one_hot(PRINCESS_LANE)
        elif play == PLAY_PRINCESS:
            value = (range_ - splat(total(range_ * unseen * others))) * others
        store(work.cells, cell, value)
        cell += LANES


@inlined
def rows_to_walk(tree: Any, i: int, base: int, regrets: Any, iteration: int) -> Any:
    """A bit for each row of cells whose branches are to be walked now (lazy rows).

    A row is active if some hand has regret in it, or nothing but it, or no regret at all. Rows
    behind which no tree begins are always walked, inactive ones once in LAZY_PERIOD iterations:
    by a hash of the node and the iteration, so that no row is left out for ever, and threads do
    not matter.

    Regret-based pruning (N. Brown and T. Sandholm, "Regret-Based Pruning in Extensive-Form Games",
    2015) also skips actions of probability 0, but for as many iterations as their negative regret
    surely lasts, and then makes up for what it skipped: CFR's regret bound holds. Regrets of CFR+
    are never negative, so they can't say how long; here a skipped row is not made up for, its
    regrets stay 0, and the certificate alone says what that did.
    """
    state = tree.states[i]
    if state.deep_rows == 0 or is_due(base, iteration, LAZY_PERIOD):
        return ALL_ROWS
    active: Any = ~np.int64(state.deep_rows)
    for h in range(state.hand_from, state.hand_to):
        hand = tree.hands[h]
        option = np.int64(hand.first_option)
        if hand.options == 1:
            active |= 1 << (np.int64(tree.options[option]) >> 3)
            continue
        at = base + np.int64(hand.first_regret)
        with_regret = np.int64(0)
        every = np.int64(0)
        for k in range(hand.options):
            row = 1 << (np.int64(tree.options[option + k]) >> 3)
            every |= row
            if regrets[at + k] > ZERO:
                with_regret |= row
        active |= with_regret if with_regret != 0 else every
    return active


@inlined
def traverser_branches(tree: Any, subgames: Any, task: Any, work: Any, d: int) -> int:
    """Back up what is known at once: from the next branch to one behind which the tree goes on,
    or to the end. The opponent's range behind it is put in place."""
    frame = work.frames[d]
    i, rows, lead = frame.state, frame.rows, frame.lead
    end = np.int64(tree.states[i].branch_to)
    j = frame.branch
    while j < end:
        branch = tree.branches[j]
        if rows >> branch.row & 1 == 0:
            pass
        elif branch.both_known != 0:
            known_to_traverser(tree, i, j, lead, subgames, task.mode, work, d)
        else:
            range_ = range_after(tree, j, work, d)
            if any_positive(range_):
                now = lead + branch.lead
                if branch.next == OVER:
                    value = compare_hands(tree, i, j, now, range_)
                    back_up_to_traverser(tree, i, j, value, work, d)
                elif branch.subgame >= 0:
                    number = -subgame_value(subgames, branch.subgame, -now, LOWER, task.mode)
                    value = spread(tree, i, j, number, range_)
                    back_up_to_traverser(tree, i, j, value, work, d)
                elif total(range_) >= task.least_reach:
                    store(work.ranges, LANES * (d + 1), range_)
                    break
        j += 1
    frame.branch = j + 1
    return j


@inlined
def known_to_traverser(
    tree: Any, i: int, j: int, lead: int, subgames: Any, mode: int, work: Any, d: int
) -> None:
    """Equal cards at a Baron, or a King: both know both cards, so one number is all."""
    branch = tree.branches[j]
    retained, shown = np.int64(branch.retained) - 1, np.int64(branch.shown) - 1
    laid = np.int64(LAID_LANE[branch.play])
    weight = work.ranges[LANES * d + shown] * _copies(tree, i, shown, laid, retained)
    if weight == ZERO:
        return
    if branch.next == OVER:
        result = _result_of_known(retained, shown, lead + branch.lead)
    else:
        result = -subgame_value(subgames, branch.subgame, -(lead + branch.lead), LOWER, mode)
    work.cells[CELLS * d + LANES * np.int64(branch.row) + retained] += weight * result


@inlined
def range_after(tree: Any, j: int, work: Any, d: int) -> Any:
    """The opponent's range behind a branch of the traverser."""
    branch = tree.branches[j]
    here = LANES * d
    range_ = load(work.ranges, here)
    if branch.play == PRINCE_ON_OTHER:
        range_ = splat(work.ranges[here + np.int64(branch.shown) - 1])
    elif branch.play == PLAY_PRIEST and branch.shown > 0:
        range_ = range_ * one_hot(np.int64(branch.shown) - 1)
    elif branch.play < GUARD_NAMES:
        range_ = range_ * (splat(ONE) - one_hot(np.int64(branch.play) + 1))
    return range_


@inlined
def traverser_decision(
    tree: Any, i: int, base: int, regrets: Any, task: Any, work: Any, d: int
) -> None:
    """From cells to values by card. Regret matching on the way: with v the cells of a hand, R the
    cumulative regrets, δ the discount of this iteration (1 in CFR+),

        hand value = Σ over a of R(a) · v(a) / Σ over a of R(a)   (the mean if there are none)
        R(a)       = max(δ · R(a) + v(a) − hand value, 0)

    or, for a best response, hand value = max over a of v(a).
    """
    state = tree.states[i]
    cell = CELLS * d
    values = splat(ZERO)
    for h in range(state.hand_from, state.hand_to):
        hand = tree.hands[h]
        n = np.int64(hand.options)
        first = np.int64(hand.first_option)
        value = work.cells[cell + tree.options[first]]
        if n > 1 and task.mode == BEST_RESPONSE:
            for k in range(1, n):
                value = max(value, work.cells[cell + tree.options[first + k]])
        elif n > 1:
            at = base + np.int64(hand.first_regret)
            weight = ZERO
            weighted = ZERO
            plain = ZERO
            for k in range(n):
                each = work.cells[cell + tree.options[first + k]]
                weight += regrets[at + k]
                weighted += regrets[at + k] * each
                plain += each
            value = weighted / weight if weight > LEAST_WEIGHT else plain / np.float32(n)
            for k in range(n):
                each = work.cells[cell + tree.options[first + k]]
                regrets[at + k] = max(task.discount * regrets[at + k] + (each - value), ZERO)
        values = values + splat(hand.low_weight * value) * one_hot(np.int64(hand.low))
        values = values + splat(hand.high_weight * value) * one_hot(np.int64(hand.high))
    store(work.values, LANES * d, values)


@inlined
def back_up_to_traverser(tree: Any, i: int, j: int, value: Any, work: Any, d: int) -> None:
    """Into the cells of its play: the value behind a branch."""
    state = tree.states[i]
    branch = tree.branches[j]
    row = CELLS * d + LANES * np.int64(branch.row)
    if branch.play == PRINCE_ON_OTHER:
        shown = np.int64(branch.shown) - 1
        there = tree.unseen[LANES * i + shown] - np.float32(shown == PRINCE_LANE)
        factor = (splat(there) - one_hot(shown)) * splat(state.per_renewal)
        store(work.cells, row, load(work.cells, row) + factor * value)
    elif branch.play == PRINCE_ON_SELF:
        retained = np.int64(branch.retained) - 1
        drawn = load(tree.unseen, LANES * i) - one_hot(PRINCE_LANE) - one_hot(retained)
        work.cells[row + retained] += total(drawn * value) * state.per_renewal
    else:
        store(work.cells, row, load(work.cells, row) + value)


# -- the opponent moves --------------------------------------------------------------------


@inlined
def opponent_decision(
    tree: Any, i: int, base: int, tables: Any, task: Any, work: Any, d: int
) -> None:
    """Into the cells: the opponent's reach behind each play and card retained. When regrets are
    updated, the opponent's policy is counted in the average policy, with its own reach."""
    state = tree.states[i]
    cell = CELLS * d
    here = LANES * d
    for r in range(state.row_to - state.row_from):
        store(work.cells, cell + LANES * r, splat(ZERO))
    for h in range(state.hand_from, state.hand_to):
        hand = tree.hands[h]
        reach = work.ranges[here + hand.low]
        if hand.low != hand.high:
            reach += work.ranges[here + hand.high]
        if reach <= ZERO:
            continue
        n = np.int64(hand.options)
        first = np.int64(hand.first_option)
        at = base + np.int64(hand.first_regret)
        if n == 1:
            work.cells[cell + tree.options[first]] += reach
        elif task.mode == UPDATE_REGRETS:
            weight = sum_of(tables.regrets, at, n)
            if weight > LEAST_WEIGHT:
                factor = reach / weight
                for k in range(n):
                    if tables.regrets[at + k] > ZERO:
                        probability = factor * tables.regrets[at + k]
                        work.cells[cell + tree.options[first + k]] += probability
                        tables.average[at + k] += task.weight * probability
            else:
                probability = reach / np.float32(n)
                for k in range(n):
                    work.cells[cell + tree.options[first + k]] += probability
                    tables.average[at + k] += task.weight * probability
        else:
            _average_policy(tables.average, at, n, task.least_probability, work.policy)
            for k in range(n):
                if work.policy[k] > ZERO:
                    work.cells[cell + tree.options[first + k]] += reach * work.policy[k]


@inlined
def _average_policy(average: Any, at: int, n: int, least_probability: Any, policy: Any) -> None:
    """The average policy of one hand; uniform where nothing was added up. Unless it is taken
    AS_IT_IS, probabilities below the least are dropped, and the rest rounded as when stored."""
    weight = sum_of(average, at, n)
    if weight <= ZERO:
        for k in range(n):
            policy[k] = ONE / np.float32(n)
        return
    if least_probability != AS_IT_IS:
        rounded = ZERO
        for k in range(n):
            policy[k] = round_probability(average[at + k], weight, least_probability)
            rounded += policy[k]
        for k in range(n):
            policy[k] = policy[k] / rounded
    else:
        for k in range(n):
            policy[k] = average[at + k] / weight


@inlined
def sum_of(numbers: Any, at: int, n: int) -> Any:
    """Of the n numbers of one hand."""
    summed = ZERO
    for k in range(n):
        summed += numbers[at + k]
    return summed


PARTS = np.float32(65535)
"""Stored policies are whole numbers of so many parts: two bytes."""
LEAST_PROBABILITY = np.float32(0.001)
"""Probabilities of the average policy below this one are dropped where rounds are solved: they are
remains of what was tried at first. Best responses answer what is left, so the certificate does
not depend on it."""
AS_IT_IS = np.float32(-1)


@inlined
def round_probability(weight: Any, total_weight: Any, least_probability: Any) -> Any:
    """A weight of the average policy as a probability, in whole parts of PARTS."""
    probability = weight / total_weight
    if probability < least_probability:
        return ZERO
    return np.floor(PARTS * probability + np.float32(0.5))


@inlined
def opponent_terminal_values(tree: Any, i: int, work: Any, d: int) -> Any:
    """By the traverser's card: what the opponent's plays bring that end the round at once."""
    state = tree.states[i]
    at = LANES * i
    unseen = load(tree.unseen, at)
    per_draw = state.per_draw
    others = splat(ONE) - one_hot(PRINCESS_LANE)
    values = splat(ZERO)
    cell = CELLS * d
    for r in range(state.row_from, state.row_to):
        play = tree.rows[r]
        reach = load(work.cells, cell)
        if play < GUARD_NAMES:
            named = np.int64(play) + 1
            hit = total(reach * (unseen - one_hot(GUARD_LANE))) - work.cells[cell + named]
            drawn = tree.unseen[at + GUARD_LANE] * per_draw
            values = values - splat(drawn * hit) * one_hot(named)
        elif play == PLAY_BARON and state.protected == 0:
            drawn = (splat(tree.unseen[at + BARON_LANE]) - one_hot(BARON_LANE)) * splat(per_draw)
            values = values + drawn * lower_minus_higher(reach * (unseen - one_hot(BARON_LANE)))
        elif play == PRINCE_ON_OTHER:
            lost = total(reach * (unseen - one_hot(PRINCE_LANE)) * others)
            drawn = tree.unseen[at + PRINCE_LANE] * per_draw
            values = values - splat(drawn * lost) * one_hot(PRINCESS_LANE)
        elif play == PRINCE_ON_SELF:
            won = work.cells[cell + PRINCESS_LANE] * tree.unseen[at + PRINCESS_LANE]
            drawn = (splat(tree.unseen[at + PRINCE_LANE]) - one_hot(PRINCE_LANE)) * splat(per_draw)
            values = values + drawn * splat(won) * others
        elif play == PLAY_PRINCESS:
            won = total(reach * unseen * others)
            drawn = tree.unseen[at + PRINCESS_LANE] * per_draw
            values = values + splat(drawn) * (splat(won) - reach) * others
        cell += LANES
    return values


@inlined
def opponent_branches(tree: Any, subgames: Any, task: Any, work: Any, d: int) -> int:
    """As `traverser_branches`. The values are in a register until then."""
    frame = work.frames[d]
    i, lead = frame.state, frame.lead
    values = load(work.values, LANES * d)
    end = np.int64(tree.states[i].branch_to)
    j = frame.branch
    while j < end:
        branch = tree.branches[j]
        if branch.both_known != 0:
            values = values + known_to_opponent(tree, i, j, lead, subgames, task.mode, work, d)
        else:
            row = CELLS * d + LANES * np.int64(branch.row)
            range_ = load(work.cells, row)
            if branch.play == PRINCE_ON_SELF:
                range_ = splat(work.cells[row + np.int64(branch.retained) - 1])
            if any_positive(range_):
                now = lead + branch.lead
                if branch.next == OVER:
                    value = compare_hands(tree, i, j, -now, range_)
                    values = values + seen_by_opponent(tree, i, j, value)
                elif branch.subgame >= 0:
                    number = subgame_value(subgames, branch.subgame, -now, UPPER, task.mode)
                    value = spread(tree, i, j, number, range_)
                    values = values + seen_by_opponent(tree, i, j, value)
                elif total(range_) >= task.least_reach:
                    store(work.ranges, LANES * (d + 1), range_)
                    break
        j += 1
    store(work.values, LANES * d, values)
    frame.branch = j + 1
    return j


@inlined
def known_to_opponent(
    tree: Any, i: int, j: int, lead: int, subgames: Any, mode: int, work: Any, d: int
) -> Any:
    """As `known_to_traverser`: the value by the traverser's card."""
    branch = tree.branches[j]
    retained, shown = np.int64(branch.retained) - 1, np.int64(branch.shown) - 1
    laid = np.int64(LAID_LANE[branch.play])
    reach = work.cells[CELLS * d + LANES * np.int64(branch.row) + retained]
    weight = reach * _copies(tree, i, retained, laid, shown)
    if weight == ZERO:
        return splat(ZERO)
    if branch.next == OVER:
        result = -_result_of_known(retained, shown, lead + branch.lead)
    else:
        result = subgame_value(subgames, branch.subgame, -(lead + branch.lead), UPPER, mode)
    there = tree.unseen[LANES * i + laid] - np.float32(shown == laid)
    return splat(there * tree.states[i].per_draw * weight * result) * one_hot(shown)


@inlined
def seen_by_opponent(tree: Any, i: int, j: int, value: Any) -> Any:
    """The value behind a branch, as often as it is played."""
    state = tree.states[i]
    branch = tree.branches[j]
    laid = np.int64(LAID_LANE[branch.play])
    there = tree.unseen[LANES * i + laid]
    per_draw = state.per_draw
    shown = np.int64(branch.shown) - 1
    drawn = (splat(there) - one_hot(laid)) * splat(per_draw)
    if branch.play == PLAY_PRIEST and shown >= 0:
        drawn = drawn * one_hot(shown)
    elif branch.play == PRINCE_ON_OTHER:
        renewed = load(tree.unseen, LANES * i) - one_hot(PRINCE_LANE) - one_hot(shown)
        value = splat(total(renewed * value) * state.per_renewal)
        drawn = drawn * one_hot(shown)
    elif branch.play == PRINCE_ON_SELF:
        retained = np.int64(branch.retained) - 1
        copies = tree.unseen[LANES * i + retained] - np.float32(retained == PRINCE_LANE)
        value = value * (splat(copies) - one_hot(retained)) * splat(state.per_renewal)
    elif branch.play < GUARD_NAMES:
        drawn = drawn * (splat(ONE) - one_hot(np.int64(branch.play) + 1))
    return drawn * value


# -- where a branch leads ------------------------------------------------------------------


@inlined
def subgame_value(subgames: Any, row: int, lead: int, bound: int, mode: int) -> Any:
    """The value of a subgame to the player to move there, who has this lead: the one that CFR uses,
    or for a best response the bound that is the better one for the traverser."""
    which = bound if mode == BEST_RESPONSE else MIDDLE
    return subgames[which, row, LEADS + lead]


@inlined
def _unseen_after(tree: Any, i: int, j: int) -> Any:
    branch = tree.branches[j]
    unseen = load(tree.unseen, LANES * i) - one_hot(np.int64(LAID_LANE[branch.play]))
    if branch.play == PRINCE_ON_OTHER:
        unseen = unseen - one_hot(np.int64(branch.shown) - 1)
    elif branch.play == PRINCE_ON_SELF:
        unseen = unseen - one_hot(np.int64(branch.retained) - 1)
    return unseen


@inlined
def compare_hands(tree: Any, i: int, j: int, ahead: int, range_: Any) -> Any:
    """At the end, by the traverser's card; equal hands go to who is ahead in discards."""
    held = range_ * _unseen_after(tree, i, j)
    tie = splat(np.float32(np.sign(ahead)))
    return lower_minus_higher(held) + tie * (held - range_)


@inlined
def spread(tree: Any, i: int, j: int, value: Any, range_: Any) -> Any:
    """The value of a subgame for each of the traverser's cards: none has influenced a play yet."""
    return splat(value) * (splat(total(range_ * _unseen_after(tree, i, j))) - range_)


@inlined
def _copies(tree: Any, i: int, card: int, laid: int, other: int) -> Any:
    """How many there are of a card, the one that is laid and another hand taken out."""
    return tree.unseen[LANES * i + card] - np.float32(card == laid) - np.float32(card == other)


@inlined
def _result_of_known(retained: int, shown: int, ahead: int) -> Any:
    """To who has played, at the end, when both hands are known."""
    if retained == shown:
        return np.float32(np.sign(ahead))
    # Whoever has played the King holds the other's card now.
    return ONE if shown > retained else -ONE
