"""What happens at one node of a walk through a round: see `walk.py`.

A node has cells, one for each play and each card kept: what they bring the learner, or how
likely the modelled one is to come there. Everything is compiled into the walk.
"""

from __future__ import annotations

from typing import Any

from kibitz.games.love_letter.cards import BARON, GUARD, PRINCE, PRINCESS
from kibitz.jit.kernels import inlined
from kibitz.solvers.love_letter.public_states import (
    DUEL,
    EXPEL,
    LAID,
    LOOK,
    NAMED,
    OVER,
    RENEW,
    YIELD,
)
from kibitz.solvers.love_letter.public_tree import (
    FIRST_OPTION,
    FIRST_REGRET,
    HIGH,
    KEPT,
    LEADS,
    LOW,
    NEXT,
    OPTIONS,
    PLAY,
    ROW,
    SHOWN,
    STANDS_ALONE,
    WIDTH,
)

LEARN, RESPOND = 0, 1
"""What the learner does: mend his regrets, or answer the other's average as well as he can."""
MIDDLE, UPPER, LOWER = 0, 1, 2
"""What is kept of a state that stands alone, for the player to move."""

STATE, BASE, AHEAD, LEARNS, BRANCH = range(5)
"""A node on the way down: state, offset of its regrets, lead of the player to move, whether he
is the learner, the branch to go next."""


# -- a node of the learner -----------------------------------------------------------------


@inlined
def learner_at_once(tree: Any, i: int, ranges: Any, cells: Any, d: int) -> None:
    """What his plays win and lose before the other's turn."""
    row = 0
    for r in range(tree.row_from[i], tree.row_from[i + 1]):
        play = tree.rows[r]
        if play < NAMED:
            named = play + 2
            here = ranges[d, named]
            if here != 0.0:
                for kept in range(1, WIDTH):
                    cells[d, row + kept] = here * tree.unseen[i, named]
                cells[d, row + named] -= here
        elif play == DUEL and not tree.protected[i]:
            lower = 0.0
            total = 0.0
            for o in range(1, WIDTH):
                total += ranges[d, o] * (tree.unseen[i, o] - (o == BARON))
            for kept in range(1, WIDTH):
                here = ranges[d, kept] * (tree.unseen[i, kept] - (kept == BARON))
                cells[d, row + kept] = 2.0 * lower + here - total
                lower += here
        elif play == EXPEL:
            here = ranges[d, PRINCESS] * tree.unseen[i, PRINCESS]
            for kept in range(1, PRINCESS):
                cells[d, row + kept] = here
        elif play == RENEW:
            total = 0.0
            for o in range(1, PRINCESS):
                total += ranges[d, o] * (tree.unseen[i, o] - (o == PRINCE))
            cells[d, row + PRINCESS] = -total
        elif play == YIELD:
            total = 0.0
            for o in range(1, PRINCESS):
                total += ranges[d, o] * tree.unseen[i, o]
            for kept in range(1, PRINCESS):
                cells[d, row + kept] = ranges[d, kept] - total
        row += WIDTH


@inlined
def decide(
    tree: Any,
    i: int,
    base: int,
    regrets: Any,
    doing: int,
    values: Any,
    cells: Any,
    d: int,
    few: Any,
) -> None:
    """What each hand is worth to the learner; his regrets are mended on the way."""
    others = tree.total[i] - 2.0
    for h in range(tree.hand_from[i], tree.hand_from[i + 1]):
        n = tree.hands[h, OPTIONS]
        first = tree.hands[h, FIRST_OPTION]
        if n == 1:
            worth = cells[d, tree.options[first]]
        elif doing == RESPOND:
            worth = cells[d, tree.options[first]]
            for k in range(1, n):
                worth = max(worth, cells[d, tree.options[first + k]])
        else:
            at = base + tree.hands[h, FIRST_REGRET]
            total = 0.0
            worth = 0.0
            plain = 0.0
            for k in range(n):
                few[k] = cells[d, tree.options[first + k]]
                total += regrets[at + k]
                worth += regrets[at + k] * few[k]
                plain += few[k]
            worth = worth / total if total > 0.0 else plain / n
            for k in range(n):
                regrets[at + k] = max(regrets[at + k] + few[k] - worth, 0.0)
        low = tree.hands[h, LOW]
        high = tree.hands[h, HIGH]
        if low == high:
            values[d, low] += (tree.unseen[i, low] - 1.0) / others * worth
        else:
            values[d, low] += tree.unseen[i, high] / others * worth
            values[d, high] += tree.unseen[i, low] / others * worth


@inlined
def bring_to_learner(tree: Any, i: int, j: int, value: Any, cells: Any, d: int) -> None:
    play = tree.branches[j, PLAY]
    row = tree.branches[j, ROW] * WIDTH
    if play == EXPEL:
        shown = tree.branches[j, SHOWN]
        there = tree.unseen[i, shown] - (shown == PRINCE)
        for t in range(1, WIDTH):
            cells[d, row + t] += (there - (t == shown)) / (tree.total[i] - 3.0) * value[t]
    elif play == RENEW:
        kept = tree.branches[j, KEPT]
        total = 0.0
        for t in range(1, WIDTH):
            total += (tree.unseen[i, t] - (t == PRINCE) - (t == kept)) * value[t]
        cells[d, row + kept] += total / (tree.total[i] - 3.0)
    else:
        for t in range(1, WIDTH):
            cells[d, row + t] += value[t]


# -- a node of the modelled ----------------------------------------------------------------


@inlined
def model(
    tree: Any,
    i: int,
    base: int,
    regrets: Any,
    average: Any,
    doing: int,
    weight: float,
    ranges: Any,
    cells: Any,
    d: int,
) -> None:
    """How likely each of his plays is with each card kept."""
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
        if doing == LEARN:
            for k in range(n):
                total += regrets[at + k]
            for k in range(n):
                share = reach * (regrets[at + k] / total if total > 0.0 else 1.0 / n)
                if share > 0.0:
                    cells[d, tree.options[first + k]] += share
                    average[at + k] += weight * share
        else:
            for k in range(n):
                total += average[at + k]
            for k in range(n):
                share = average[at + k] / total if total > 0.0 else 1.0 / n
                cells[d, tree.options[first + k]] += reach * share


@inlined
def modelled_at_once(tree: Any, i: int, values: Any, cells: Any, d: int) -> None:
    """What his plays win and lose before the learner's turn, by the learner's card."""
    others = tree.total[i] - 2.0
    row = 0
    for r in range(tree.row_from[i], tree.row_from[i + 1]):
        play = tree.rows[r]
        if play < NAMED:
            named = play + 2
            total = -cells[d, row + named]
            for kept in range(1, WIDTH):
                total += cells[d, row + kept] * (tree.unseen[i, kept] - (kept == GUARD))
            values[d, named] -= tree.unseen[i, GUARD] / others * total
        elif play == DUEL and not tree.protected[i]:
            lower = 0.0
            total = 0.0
            for kept in range(1, WIDTH):
                total += cells[d, row + kept] * (tree.unseen[i, kept] - (kept == BARON))
            for t in range(1, WIDTH):
                here = cells[d, row + t] * (tree.unseen[i, t] - (t == BARON))
                laid = (tree.unseen[i, BARON] - (t == BARON)) / others
                values[d, t] += laid * (2.0 * lower + here - total)
                lower += here
        elif play == EXPEL:
            total = 0.0
            for kept in range(1, PRINCESS):
                total += cells[d, row + kept] * (tree.unseen[i, kept] - (kept == PRINCE))
            values[d, PRINCESS] -= tree.unseen[i, PRINCE] / others * total
        elif play == RENEW:
            here = cells[d, row + PRINCESS] * tree.unseen[i, PRINCESS]
            if here > 0.0:
                for t in range(1, PRINCESS):
                    values[d, t] += (tree.unseen[i, PRINCE] - (t == PRINCE)) / others * here
        elif play == YIELD:
            total = 0.0
            for kept in range(1, PRINCESS):
                total += cells[d, row + kept] * tree.unseen[i, kept]
            for t in range(1, PRINCESS):
                values[d, t] += tree.unseen[i, PRINCESS] / others * (total - cells[d, row + t])
        row += WIDTH


@inlined
def bring_to_modelled(tree: Any, i: int, j: int, value: Any, values: Any, d: int) -> None:
    play = tree.branches[j, PLAY]
    laid = LAID[play]
    there = tree.unseen[i, laid]
    others = tree.total[i] - 2.0
    shown = tree.branches[j, SHOWN]
    if play == LOOK and shown > 0:
        values[d, shown] += (there - (shown == laid)) / others * value[shown]
    elif play == EXPEL:
        total = 0.0
        for t in range(1, WIDTH):
            total += (tree.unseen[i, t] - (t == PRINCE) - (t == shown)) * value[t]
        values[d, shown] += (there - (shown == laid)) / others * total / (tree.total[i] - 3.0)
    elif play == RENEW:
        kept = tree.branches[j, KEPT]
        copies = tree.unseen[i, kept] - (kept == PRINCE)
        for t in range(1, WIDTH):
            drawn = (copies - (t == kept)) / (tree.total[i] - 3.0)
            values[d, t] += (there - (t == laid)) / others * drawn * value[t]
    else:
        named = play + 2 if play < NAMED else 0
        for t in range(1, WIDTH):
            if t != named:
                values[d, t] += (there - (t == laid)) / others * value[t]


# -- where a branch leads ------------------------------------------------------------------


@inlined
def range_after(
    tree: Any, i: int, j: int, learns: int, ranges: Any, cells: Any, d: int, range_: Any
) -> bool:
    """The modelled one's range there; False if he never comes there."""
    play = tree.branches[j, PLAY]
    row = tree.branches[j, ROW] * WIDTH
    shown = tree.branches[j, SHOWN]
    renewed = 0.0
    if learns:
        if play == EXPEL:
            renewed = ranges[d, shown]
        elif play == LOOK and shown > 0:
            for t in range(WIDTH):
                range_[t] = 0.0
            range_[shown] = ranges[d, shown]
            return range_[shown] > 0.0
        else:
            some = 0.0
            for t in range(1, WIDTH):
                range_[t] = ranges[d, t]
            if play < NAMED:
                range_[play + 2] = 0.0
            for t in range(1, WIDTH):
                some += range_[t]
            return some > 0.0
    elif play == RENEW:
        renewed = cells[d, row + tree.branches[j, KEPT]]
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
    if play == EXPEL:
        there -= card == tree.branches[j, SHOWN]
    elif play == RENEW:
        there -= card == tree.branches[j, KEPT]
    return there


@inlined
def compare_hands(tree: Any, i: int, j: int, ahead: int, range_: Any, value: Any) -> None:
    """At the end, by the learner's card; equal hands go to who is ahead in discards."""
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
def worth_alone(alone: Any, row: int, ahead: int, doing: int, learns: int) -> float:
    """To the learner, of a state that stands alone after a play that left its player ahead."""
    if learns:
        return -alone[LOWER if doing == RESPOND else MIDDLE, row, LEADS - ahead]
    return alone[UPPER if doing == RESPOND else MIDDLE, row, LEADS - ahead]


@inlined
def spread(tree: Any, i: int, j: int, worth: float, range_: Any, value: Any) -> None:
    """One number for all of the learner's cards: he has decided nothing with them yet."""
    total = 0.0
    for t in range(1, WIDTH):
        total += range_[t] * count_after(tree, i, j, t)
    for t in range(1, WIDTH):
        value[t] = worth * (total - range_[t])


@inlined
def all_is_open(
    tree: Any,
    i: int,
    j: int,
    ahead: int,
    alone: Any,
    doing: int,
    places: Any,
    ranges: Any,
    values: Any,
    cells: Any,
    d: int,
) -> None:
    """Equal cards at a Baron, or a King: both know both cards, so one number is all."""
    play = tree.branches[j, PLAY]
    row = tree.branches[j, ROW] * WIDTH
    kept = tree.branches[j, KEPT]
    shown = tree.branches[j, SHOWN]
    learns = places[d, LEARNS]
    laid = LAID[play]
    if learns:
        weight = ranges[d, shown] * (tree.unseen[i, shown] - (shown == laid) - (shown == kept))
    else:
        weight = cells[d, row + kept] * (tree.unseen[i, kept] - (kept == laid) - (shown == kept))
    if weight == 0.0:
        return
    if tree.branches[j, NEXT] == OVER:
        worth = 1.0 if ahead > 0 else -1.0 if ahead < 0 else 0.0
        if kept != shown:  # whoever has played the King holds the other's card now
            worth = 1.0 if shown > kept else -1.0
        if not learns:
            worth = -worth
    else:
        worth = worth_alone(alone, tree.branches[j, STANDS_ALONE], ahead, doing, learns)
    if learns:
        cells[d, row + kept] += weight * worth
    else:
        there = (tree.unseen[i, laid] - (shown == laid)) / (tree.total[i] - 2.0)
        values[d, shown] += there * weight * worth
