"""Trees of small games with hidden cards, made of the games that are written from the rules."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from copy import deepcopy
from itertools import permutations

from tests.oracle.cfr import ChanceNode, Decision, End, Node
from tests.oracle.kuhn_poker import RANKS, Kuhn
from tests.oracle.love_letter import FULL_DECK, Round


def kuhn_tree() -> dict[tuple[str, str], Node]:
    """What follows each deal."""
    return {cards: _kuhn(Kuhn(cards)) for cards in ((a, b) for a, b in permutations(RANKS, 2))}


def _kuhn(game: Kuhn) -> Node:
    if game.over:
        return End(game.returns()[0])
    branches: dict[str, Node] = {}
    for play in game.legal():
        after = deepcopy(game)
        after.play(play)
        branches[play] = _kuhn(after)
    return Decision(game.mover, (game.cards[game.mover], *game.bets), branches)


Cards = tuple[str, ...]


def love_letter_tree(unseen: Sequence[str], discards: Sequence[Sequence[str]]) -> dict[Cards, Node]:
    """What follows each deal of the unseen cards, seat 1 to move: its hand, the card it drew,
    the hand of seat 2, the card aside, the deck from the top."""
    spent = [card for pile in discards for card in pile]
    face_up = list(FULL_DECK)
    for card in (*unseen, *spent):
        face_up.remove(card)
    assert len(face_up) == 3
    trees: dict[Cards, Node] = {}
    for cards in sorted(set(permutations(unseen))):
        mine, drawn, other, aside, *deck = cards
        game = Round(FULL_DECK)  # any; everything in it is replaced
        game.face_up, game.aside, game.deck = face_up, aside, list(deck)
        game.hands = {1: [mine, drawn], 2: [other]}
        game.discards = {1: list(discards[0]), 2: list(discards[1])}
        trees[cards] = _love_letter(game, ((), ()))
    return trees


def _love_letter(game: Round, past: tuple[tuple[Hashable, ...], ...]) -> Node:
    """`past` is what each seat has seen before."""
    if game.over:
        winners = game.winners()
        return End(0.0 if len(winners) == 2 else 1.0 if winners == [1] else -1.0)
    now = [(*past[seat - 1], _sight(game, seat)) for seat in (1, 2)]
    branches: dict[str, Node] = {}
    for play in game.legal():
        after = deepcopy(game)
        after.play(play)
        branches[play] = _love_letter(after, ((*now[0], play), (*now[1], play)))
    return Decision(game.mover - 1, (game.mover, now[game.mover - 1]), branches)


def _sight(game: Round, seat: int) -> Hashable:
    """What a seat sees on the table, in its hand, and in a hand that it was shown: 9.1, 9.2."""
    other = 3 - seat
    shown = game.hands[other][0] if game.knows(seat, other) else None
    piles = tuple(tuple(game.discards[s]) for s in (1, 2))
    return piles, tuple(game.hands[seat]), shown


def dealt(deals: dict[Cards, Node]) -> ChanceNode:
    """All deals equally likely."""
    return ChanceNode([(1 / len(deals), node) for node in deals.values()])
