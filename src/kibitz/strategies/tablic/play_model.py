"""How the judge plays Tablić on: what a play takes, what it leaves, and the last cards exactly.

**Until the last cards** a play is worth

    points + CARD · cards + KEPT · K − REPLY · E − LAID · (points of a card that is laid)

K is the best that the rest of the own hand takes from the table after the play, E the best reply
that is to be expected from the next player, both in points with a card as a quarter. Of equal plays
the first one is made, as greedy orders them.

**The reply.** Of N cards that the mover has not seen the next player holds h, and any h are as
likely. Let a card of kind i take vᵢ, with v₁ ≥ v₂ ≥ …, nᵢ copies of it unseen, and bᵢ = n₁ + … +
nᵢ. He makes vᵢ if he has none of the better ones and has that one, so

    E = Σ vᵢ · (none(bᵢ₋₁) − none(bᵢ))        none(b) = C(N − b, h) / C(N, h)

Example: N = 10, h = 6, two cards take 3 points and three others 1. none(2) = 28 / 210 and
none(5) = 0, so E = 3 · (1 − 2/15) + 1 · (2/15 − 0) = 2.73. In the last deal of two players h = N:
E is the best reply itself.

**The last cards.** Where two players hold ENDING cards or fewer in the last deal, the other's hand
is known by counting, and the best play is searched to the end.

The weights were found by playing against greedy and human: any near them do as well. It is a
player for play-outs: quick, fair, without a memory, and stronger than greedy by far.
"""

from typing import Any

import numpy as np

from kibitz.games.tablic import open_hands
from kibitz.games.tablic.capture_values import (
    BUFFER,
    as_card,
    best_capture_with,
    cards_of_play,
    packed,
    points_of,
    points_of_card,
    special_in,
    table_after,
    tie,
)
from kibitz.games.tablic.captures import COUNTS, groups_on, sums_on
from kibitz.games.tablic.cards import PLAYED_SPECIAL, RANK_AT, VALUES
from kibitz.games.tablic.ends import bits
from kibitz.games.tablic.kernels import legal
from kibitz.jit.kernels import bind, kernel
from kibitz.search.fast.alpha_beta import new_workspace, search
from kibitz.search.fast.continuations import recall_nothing, watch_nothing
from kibitz.search.fast.transposition_table import ENTRY, INFINITE
from kibitz.strategies.tablic.beliefs import prepare, sample
from kibitz.strategies.tablic.deal_value import through_the_game
from kibitz.strategies.tablic.human import unseen_cards

__all__ = ["FOLLOWS_PLAY", "NAME", "SIZE", "choose", "prepare", "recall", "sample", "watch"]

NAME = "a player who weighs the reply and, of two, plays the last cards exactly"
SIZE = 1
FOLLOWS_PLAY = True
"""It draws worlds by how the others have played."""
CARD, KEPT, REPLY, LAID = 1.0, 2.5, 9.0, 1.5
ENDING = 4
QUARTERS = 4
ENTRIES = 256
"""Of the table of a search: so few plies need no more."""
END_WEIGHTS = np.array(through_the_game(0.25, 0.0))
"""What the end of the game is worth in that search: its result."""
watch, recall = watch_nothing, recall_nothing
value_at_the_end = bind(search, twin=open_hands)


@kernel
def captures_by_rank(table: int, cards: int, desk: Any) -> None:
    """Fill desk[0][rank] with what a card of each of these ranks takes from a packed table, in
    quarters and without its own extra point; 0 if nothing."""
    value_of, buffer = desk
    value_of[:] = 0
    if table & COUNTS == 0:
        return
    groups = groups_on(table & COUNTS, cards, buffer)
    if groups < 0:
        return  # thousands of captures: none is looked at
    sums = sums_on(buffer, groups)
    for rank in range(13):
        if (cards >> (4 * rank)) & 15 and (sums >> VALUES[rank]) & 1:
            value, _ = best_capture_with(table, rank, False, QUARTERS, buffer, groups)
            value_of[rank] = max(value, 0)


@kernel
def taking(desk: Any, cards: int, rank: int) -> int:
    """What a card of this rank takes, the best one of these cards."""
    value = desk[0][rank]
    return value + QUARTERS if value and special_in(cards, rank) else value


@kernel
def expected_reply(desk: Any, hidden: int, unseen: int, held: int) -> float:
    """E, in points: the formula above, after captures_by_rank."""
    expected, better, none = 0.0, 0, 1.0
    left = hidden
    while none > 0:
        most, best = 0, -1
        for rank in range(13):
            if desk[0][rank] and (left >> (4 * rank)) & 15:
                value = taking(desk, hidden, rank)
                if value > most:
                    most, best = value, rank
        if best < 0:
            break
        then = none
        for _ in range((left >> (4 * best)) & 15):
            then *= (unseen - held - better) / (unseen - better)
            better += 1
        expected += most * (none - then)
        none = then
        left &= ~(15 << (4 * best))
    return expected / QUARTERS


@kernel
def value_of_play(
    table: int, hand: int, play: int, hidden: int, unseen: int, held: int, desk: Any
) -> float:
    """What a play is worth on a packed table, the first formula above."""
    cards = cards_of_play(play)
    after, rest = table_after(table, play), hand - as_card(play)
    value = points_of(table & COUNTS, play) + CARD * cards
    if cards == 0:
        value -= LAID * points_of_card((play >> RANK_AT) & 15, play & PLAYED_SPECIAL != 0)
    if after & COUNTS == 0:
        return value
    captures_by_rank(after, (hidden | rest) & COUNTS, desk)
    if held:
        value -= REPLY * expected_reply(desk, hidden, unseen, held)
    kept = 0
    for rank in range(13):
        if (rest >> (4 * rank)) & 15:
            kept = max(kept, taking(desk, rest, rank))
    return value + KEPT * kept / QUARTERS


@kernel
def best_at_the_end(view: Any, seat: int, unseen: int, plays: Any) -> int:
    """The best of these plays, for two players who know each other's last cards."""
    world = view.copy()
    world[0].hand[1 - seat] = unseen
    plies = world[0].held[0] + world[0].held[1]
    stack = np.zeros(plies + 2, open_hands.STATE)
    open_hands.set_up(world, stack[0:1])
    work = new_workspace(
        stack, np.zeros(ENTRIES, ENTRY), END_WEIGHTS, open_hands.PLAYS_CAPACITY, seat, plies + 1
    )
    best, most = plays[0], -INFINITE
    for play in plays:  # a play that is no better than the best so far need not be valued
        stack[1] = stack[0]
        open_hands.apply(stack, 1, play)
        value = value_at_the_end(work, np.int64(1), most, INFINITE)
        if value > most:
            best, most = play, value
    return best


@kernel
def choose(view: Any, seat: int, memory: Any, numbers: Any, rng: Any) -> int:
    """A play."""
    v, plays = view[0], legal(view)
    if len(plays) == 1:
        return plays[0]
    cards = unseen_cards(v, seat)
    if v.players == 2 and v.dealt == 52 and v.held[0] + v.held[1] <= ENDING:
        return best_at_the_end(view, seat, cards, plays)
    table, hand, hidden = packed(v.table), packed(v.hand[seat]), packed(cards)
    unseen, held = bits(cards), v.held[(seat + 1) % v.players]
    best, most = -1, 0.0
    desk = np.empty(13, np.int64), np.empty(4 * BUFFER, np.int64)
    for play in plays:
        value = value_of_play(table, hand, play, hidden, unseen, held, desk)
        if best < 0 or value > most or (value == most and tie(play) < tie(best)):
            best, most = play, value
    return best
