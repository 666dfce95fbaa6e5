"""The best play of Tablić against a known opponent, by plain recursion over the oracle's own
game: every play of the one, the one play of the other, nothing remembered, nothing left out.

The value of an end: the difference of points, with `cards_bonus=tie` before the bonus, and
then the difference of cards.
"""

from __future__ import annotations

import copy
from collections.abc import Callable

from tests.oracle.tablic import Game, card_points
from tests.oracle.tablic_strategies import (
    THESIS_GENOME,
    Play,
    Table,
    genetic,
    greedy,
    human,
    pick,
    plays,
)

Value = tuple[int, int]
Opponent = Callable[[Table], Play]
OPPONENTS: dict[str, Opponent] = {
    "greedy": greedy,
    "human": human,
    "genetic": lambda position: genetic(position, THESIS_GENOME),
}


def after(game: Game, card: str, taken: frozenset[str]) -> Game:
    then = copy.copy(game)
    then.hands = {seat: list(hand) for seat, hand in game.hands.items()}
    then.piles = {seat: list(pile) for seat, pile in game.piles.items()}
    then.tablas, then.table = dict(game.tablas), list(game.table)
    then.deck, then.deals = list(game.deck), list(game.deals)
    then.play(card, sorted(taken))
    return then


def seen(game: Game) -> Table:
    """The position as the mover's strategy wants it."""
    other = game.hands[3 - game.mover]
    return Table(
        tuple(game.hands[game.mover]), tuple(game.table), tuple(other), (*other, *game.deck)
    )


def legal(game: Game) -> list[Play]:
    """Every play with cards: the first suits of equal ones."""
    if not game.forced_capture:
        return plays(game.hands[game.mover], game.table)
    hand = game.hands[game.mover]
    return [
        (min(pick(hand, [name])), pick(game.table, taken)) for name, taken in sorted(game.legal())
    ]


def end_value(game: Game, seat: int) -> Value:
    points = {
        s: sum(map(card_points, game.piles[s])) + game.tablas[s]  # 4.1, 6.1, 6.2
        for s in game.seats
    }
    cards = {s: len(game.piles[s]) for s in game.seats}
    other = 3 - seat
    ahead = cards[seat] - cards[other]
    if game.cards_bonus == "always" and ahead:  # 6.3
        points[seat if ahead > 0 else other] += 3
    return points[seat] - points[other], ahead if game.cards_bonus == "tie" else 0


def value(game: Game, seat: int, opponent: Opponent) -> Value:
    """The most that a seat (from 1) can make of a game."""
    if game.over:
        return end_value(game, seat)
    if game.mover != seat:
        return value(after(game, *opponent(seen(game))), seat, opponent)
    return max(value(after(game, *play), seat, opponent) for play in legal(game))
