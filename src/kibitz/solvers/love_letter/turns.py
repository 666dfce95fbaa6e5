"""What happens at one public node of a walk through a round: see `walk.py`.

A node has *cells*, one for each play and each card retained, `row * WIDTH + card`. Where the
traverser moves a cell holds the counterfactual value of that play with that card; where the
opponent moves, the reach probability with which the opponent plays so and retains that card.
Everything is compiled into the walk.
"""

from __future__ import annotations

from typing import Any

from kibitz.games.love_letter.cards import BARON, GUARD, PRINCE, PRINCESS
from kibitz.jit.kernels import inlined
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
from kibitz.solvers.love_letter.public_tree import (
    FIRST_OPTION,
    FIRST_REGRET,
    HIGH,
    LEADS,
    LOW,
    NEXT,
    OPTIONS,
    PLAY,
    RETAINED,
    ROW,
    SHOWN,
    SUBGAME,
    WIDTH,
)

UPDATE_REGRETS, BEST_RESPONSE = 0, 1
"""What the traverser does: update regrets, or play the best response to the average policy."""
MIDDLE, UPPER, LOWER = 0, 1, 2
"""The values of a stand-alone subgame to the player to move: what CFR+ uses, and the bounds."""

STATE, BASE, AHEAD, IS_TRAVERSER, BRANCH = range(5)
"""A node on the path: state, offset of its regrets, lead of the player to move, whether that is
the traverser, the branch to go next."""


# -- the traverser moves -------------------------------------------------------------------


@inlined
def traverser_terminal_values(tree: Any, i: int, ranges: Any, cells: Any, d: int) -> None:
    """Into the cells: what the plays win and lose that end the round at once."""
    row = 0
    for r in range(tree.row_from[i], tree.row_from[i + 1]):
        play = tree.rows[r]
        if play < GUARD_NAMES:
            named = play + 2
            here = ranges[d, named]
            if here != 0.0:
                for retained in range(1, WIDTH):
                    cells[d, row + retained] = here * tree.unseen[i, named]
                cells[d, row + named] -= here
        elif play == PLAY_BARON and not tree.protected[i]:
            lower = 0.0
            total = 0.0
            for o in range(1, WIDTH):
                total += ranges[d, o] * (tree.unseen[i, o] - (o == BARON))
            for retained in range(1, WIDTH):
                here = ranges[d, retained] * (tree.unseen[i, retained] - (retained == BARON))
                cells[d, row + retained] = 2.0 * lower + here - total
                lower += here
        elif play == PRINCE_ON_OTHER:
            here = ranges[d, PRINCESS] * tree.unseen[i, PRINCESS]
            for retained in range(1, PRINCESS):
                cells[d, row + retained] = here
        elif play == PRINCE_ON_SELF:
            total = 0.0
            for o in range(1, PRINCESS):
                total += ranges[d, o] * (tree.unseen[i, o] - (o == PRINCE))
            cells[d, row + PRINCESS] = -total
        elif play == PLAY_PRINCESS:
            total = 0.0
            for o in range(1, PRINCESS):
                total += ranges[d, o] * tree.unseen[i, o]
            for retained in range(1, PRINCESS):
                cells[d, row + retained] = ranges[d, retained] - total
        row += WIDTH


@inlined
def traverser_decision(
    tree: Any,
    i: int,
    base: int,
    regrets: Any,
    mode: int,
    values: Any,
    cells: Any,
    d: int,
    play_values: Any,
) -> None:
    """From cells to values by card. Regret matching+ on the way: with v the cells of a hand,
    R the cumulative regrets,

        hand value = Σ over a of R(a) · v(a) / Σ over a of R(a)   (the mean if all are 0)
        R(a)       = max(R(a) + v(a) − hand value, 0)

    or, for a best response, hand value = max over a of v(a).
    """
    others = tree.total[i] - 2.0
    for h in range(tree.hand_from[i], tree.hand_from[i + 1]):
        n = tree.hands[h, OPTIONS]
        first = tree.hands[h, FIRST_OPTION]
        if n == 1:
            hand_value = cells[d, tree.options[first]]
        elif mode == BEST_RESPONSE:
            hand_value = cells[d, tree.options[first]]
            for k in range(1, n):
                hand_value = max(hand_value, cells[d, tree.options[first + k]])
        else:
            at = base + tree.hands[h, FIRST_REGRET]
            total = 0.0
            hand_value = 0.0
            plain = 0.0
            for k in range(n):
                play_values[k] = cells[d, tree.options[first + k]]
                total += regrets[at + k]
                hand_value += regrets[at + k] * play_values[k]
                plain += play_values[k]
            hand_value = hand_value / total if total > 0.0 else plain / n
            for k in range(n):
                regrets[at + k] = max(regrets[at + k] + play_values[k] - hand_value, 0.0)
        low = tree.hands[h, LOW]
        high = tree.hands[h, HIGH]
        if low == high:
            values[d, low] += (tree.unseen[i, low] - 1.0) / others * hand_value
        else:
            values[d, low] += tree.unseen[i, high] / others * hand_value
            values[d, high] += tree.unseen[i, low] / others * hand_value


@inlined
def back_up_to_traverser(tree: Any, i: int, j: int, value: Any, cells: Any, d: int) -> None:
    play = tree.branches[j, PLAY]
    row = tree.branches[j, ROW] * WIDTH
    if play == PRINCE_ON_OTHER:
        shown = tree.branches[j, SHOWN]
        there = tree.unseen[i, shown] - (shown == PRINCE)
        for t in range(1, WIDTH):
            cells[d, row + t] += (there - (t == shown)) / (tree.total[i] - 3.0) * value[t]
    elif play == PRINCE_ON_SELF:
        retained = tree.branches[j, RETAINED]
        total = 0.0
        for t in range(1, WIDTH):
            total += (tree.unseen[i, t] - (t == PRINCE) - (t == retained)) * value[t]
        cells[d, row + retained] += total / (tree.total[i] - 3.0)
    else:
        for t in range(1, WIDTH):
            cells[d, row + t] += value[t]


# -- the opponent moves --------------------------------------------------------------------


@inlined
def opponent_decision(
    tree: Any,
    i: int,
    base: int,
    regrets: Any,
    average: Any,
    mode: int,
    weight: float,
    ranges: Any,
    cells: Any,
    d: int,
) -> None:
    """Into the cells: the opponent's reach behind each play and card retained. When regrets are
    updated, the opponent's policy is counted in the average policy, with its own reach."""
    for h in range(tree.hand_from[i], tree.hand_from[i + 1]):
        low = tree.hands[h, LOW]
        high = tree.hands[h, HIGH]
        reach = ranges[d, low]
        if low != high:
            reach += ranges[d, high]
        if reach <= 0.0:
            continue
        n = tree.hands[h, OPTIONS]
        first = tree.hands[h, FIRST_OPTION]
        if n == 1:
            cells[d, tree.options[first]] += reach
            continue
        at = base + tree.hands[h, FIRST_REGRET]
        total = 0.0
        if mode == UPDATE_REGRETS:
            for k in range(n):
                total += regrets[at + k]
            for k in range(n):
                probability = reach * (regrets[at + k] / total if total > 0.0 else 1.0 / n)
                if probability > 0.0:
                    cells[d, tree.options[first + k]] += probability
                    average[at + k] += weight * probability
        else:
            for k in range(n):
                total += average[at + k]
            for k in range(n):
                probability = average[at + k] / total if total > 0.0 else 1.0 / n
                cells[d, tree.options[first + k]] += reach * probability


@inlined
def opponent_terminal_values(tree: Any, i: int, values: Any, cells: Any, d: int) -> None:
    """Into the values, by the traverser's card: the opponent's plays that end the round at once."""
    others = tree.total[i] - 2.0
    row = 0
    for r in range(tree.row_from[i], tree.row_from[i + 1]):
        play = tree.rows[r]
        if play < GUARD_NAMES:
            named = play + 2
            total = -cells[d, row + named]
            for retained in range(1, WIDTH):
                total += cells[d, row + retained] * (tree.unseen[i, retained] - (retained == GUARD))
            values[d, named] -= tree.unseen[i, GUARD] / others * total
        elif play == PLAY_BARON and not tree.protected[i]:
            lower = 0.0
            total = 0.0
            for retained in range(1, WIDTH):
                total += cells[d, row + retained] * (tree.unseen[i, retained] - (retained == BARON))
            for t in range(1, WIDTH):
                here = cells[d, row + t] * (tree.unseen[i, t] - (t == BARON))
                laid = (tree.unseen[i, BARON] - (t == BARON)) / others
                values[d, t] += laid * (2.0 * lower + here - total)
                lower += here
        elif play == PRINCE_ON_OTHER:
            total = 0.0
            for retained in range(1, PRINCESS):
                total += cells[d, row + retained] * (
                    tree.unseen[i, retained] - (retained == PRINCE)
                )
            values[d, PRINCESS] -= tree.unseen[i, PRINCE] / others * total
        elif play == PRINCE_ON_SELF:
            here = cells[d, row + PRINCESS] * tree.unseen[i, PRINCESS]
            if here > 0.0:
                for t in range(1, PRINCESS):
                    values[d, t] += (tree.unseen[i, PRINCE] - (t == PRINCE)) / others * here
        elif play == PLAY_PRINCESS:
            total = 0.0
            for retained in range(1, PRINCESS):
                total += cells[d, row + retained] * tree.unseen[i, retained]
            for t in range(1, PRINCESS):
                values[d, t] += tree.unseen[i, PRINCESS] / others * (total - cells[d, row + t])
        row += WIDTH


@inlined
def back_up_to_opponent(tree: Any, i: int, j: int, value: Any, values: Any, d: int) -> None:
    play = tree.branches[j, PLAY]
    laid = LAID[play]
    there = tree.unseen[i, laid]
    others = tree.total[i] - 2.0
    shown = tree.branches[j, SHOWN]
    if play == PLAY_PRIEST and shown > 0:
        values[d, shown] += (there - (shown == laid)) / others * value[shown]
    elif play == PRINCE_ON_OTHER:
        total = 0.0
        for t in range(1, WIDTH):
            total += (tree.unseen[i, t] - (t == PRINCE) - (t == shown)) * value[t]
        values[d, shown] += (there - (shown == laid)) / others * total / (tree.total[i] - 3.0)
    elif play == PRINCE_ON_SELF:
        retained = tree.branches[j, RETAINED]
        copies = tree.unseen[i, retained] - (retained == PRINCE)
        for t in range(1, WIDTH):
            drawn = (copies - (t == retained)) / (tree.total[i] - 3.0)
            values[d, t] += (there - (t == laid)) / others * drawn * value[t]
    else:
        named = play + 2 if play < GUARD_NAMES else 0
        for t in range(1, WIDTH):
            if t != named:
                values[d, t] += (there - (t == laid)) / others * value[t]


# -- where a branch leads ------------------------------------------------------------------


@inlined
def range_after(
    tree: Any, i: int, j: int, is_traverser: int, ranges: Any, cells: Any, d: int, range_: Any
) -> bool:
    """The opponent's range there; False if all of it is 0."""
    play = tree.branches[j, PLAY]
    row = tree.branches[j, ROW] * WIDTH
    shown = tree.branches[j, SHOWN]
    renewed = 0.0
    if is_traverser:
        if play == PRINCE_ON_OTHER:
            renewed = ranges[d, shown]
        elif play == PLAY_PRIEST and shown > 0:
            for t in range(WIDTH):
                range_[t] = 0.0
            range_[shown] = ranges[d, shown]
            return range_[shown] > 0.0
        else:
            some = 0.0
            for t in range(1, WIDTH):
                range_[t] = ranges[d, t]
            if play < GUARD_NAMES:
                range_[play + 2] = 0.0
            for t in range(1, WIDTH):
                some += range_[t]
            return some > 0.0
    elif play == PRINCE_ON_SELF:
        renewed = cells[d, row + tree.branches[j, RETAINED]]
    else:
        some = 0.0
        for t in range(1, WIDTH):
            range_[t] = cells[d, row + t]
            some += range_[t]
        return some > 0.0
    for t in range(1, WIDTH):
        range_[t] = renewed
    return renewed > 0.0


@inlined
def count_after(tree: Any, i: int, j: int, card: int) -> float:
    """Copies of a card that are unseen after the branch."""
    play = tree.branches[j, PLAY]
    there = tree.unseen[i, card] - (card == LAID[play])
    if play == PRINCE_ON_OTHER:
        there -= card == tree.branches[j, SHOWN]
    elif play == PRINCE_ON_SELF:
        there -= card == tree.branches[j, RETAINED]
    return there


@inlined
def compare_hands(tree: Any, i: int, j: int, ahead: int, range_: Any, value: Any) -> None:
    """At the end, by the traverser's card; equal hands go to who is ahead in discards."""
    tie = 1.0 if ahead > 0 else -1.0 if ahead < 0 else 0.0
    total = 0.0
    for t in range(1, WIDTH):
        value[t] = range_[t] * count_after(tree, i, j, t)
        total += value[t]
    lower = 0.0
    for t in range(1, WIDTH):
        here = value[t]
        value[t] = 2.0 * lower + here - total + tie * (here - range_[t])
        lower += here


@inlined
def subgame_value(subgames: Any, row: int, ahead: int, mode: int, is_traverser: int) -> float:
    """To the traverser, after a play that left the player who made it ahead by so much."""
    if is_traverser:
        return -subgames[LOWER if mode == BEST_RESPONSE else MIDDLE, row, LEADS - ahead]
    return subgames[UPPER if mode == BEST_RESPONSE else MIDDLE, row, LEADS - ahead]


@inlined
def spread(tree: Any, i: int, j: int, number: float, range_: Any, value: Any) -> None:
    """The value of a subgame for each of the traverser's cards: none has influenced a play yet."""
    total = 0.0
    for t in range(1, WIDTH):
        total += range_[t] * count_after(tree, i, j, t)
    for t in range(1, WIDTH):
        value[t] = number * (total - range_[t])


@inlined
def both_hands_known(
    tree: Any,
    i: int,
    j: int,
    ahead: int,
    subgames: Any,
    mode: int,
    path: Any,
    ranges: Any,
    values: Any,
    cells: Any,
    d: int,
) -> None:
    """Equal cards at a Baron, or a King: both know both cards, so one number is all."""
    play = tree.branches[j, PLAY]
    row = tree.branches[j, ROW] * WIDTH
    retained = tree.branches[j, RETAINED]
    shown = tree.branches[j, SHOWN]
    is_traverser = path[d, IS_TRAVERSER]
    laid = LAID[play]
    if is_traverser:
        weight = ranges[d, shown] * (tree.unseen[i, shown] - (shown == laid) - (shown == retained))
    else:
        weight = cells[d, row + retained] * (
            tree.unseen[i, retained] - (retained == laid) - (shown == retained)
        )
    if weight == 0.0:
        return
    if tree.branches[j, NEXT] == OVER:
        result = 1.0 if ahead > 0 else -1.0 if ahead < 0 else 0.0
        if retained != shown:  # whoever has played the King holds the other's card now
            result = 1.0 if shown > retained else -1.0
        if not is_traverser:
            result = -result
    else:
        result = subgame_value(subgames, tree.branches[j, SUBGAME], ahead, mode, is_traverser)
    if is_traverser:
        cells[d, row + retained] += weight * result
    else:
        there = (tree.unseen[i, laid] - (shown == laid)) / (tree.total[i] - 2.0)
        values[d, shown] += there * weight * result
