"""What strategies lose against perfect play of Tablić with the deck known: play by play.

A play loses the difference between the value of the position before it and after it. The other
seat loses nothing, so the losses of a game add up to its value less its result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.arena.statistics.scores import Score, mean_from
from kibitz.core.game import Play
from kibitz.core.registry import make_strategy
from kibitz.core.strategy import Strategy
from kibitz.games.tablic.cards import RANK_AT
from kibitz.solvers.tablic.open_deck import Walk
from kibitz.table.table import Table

PLIES, IN_A_DEAL = 48, 12
KINDS: Mapping[str, str] = {
    "laid-not-captured": "laying where it should capture",
    "captured-not-laid": "capturing where it should lay",
    "wrong-cards": "capturing the wrong cards with the right card",
    "wrong-captor": "capturing with the wrong card",
    "wrong-laid": "laying the wrong card",
}


@dataclass(frozen=True)
class Mistake:
    deal: int
    """From 1."""
    kind: str
    loss: int


@dataclass(frozen=True)
class JudgedGame:
    """A game of a strategy against perfect play, with its mistakes."""

    player: str
    shuffle: int
    seat: int
    value: int
    """Points ahead of the seat with perfect play on both sides."""
    made: int
    """Points ahead that it made."""
    decisions: int
    mistakes: tuple[Mistake, ...]

    @property
    def loss(self) -> int:
        return sum(mistake.loss for mistake in self.mistakes)


def play_against_perfection(
    table: Table, walk: Walk, strategy: Strategy, seat: int
) -> tuple[list[Mistake], int]:
    """To the end, with the strategy in a seat and perfect play in the other: the mistakes, and
    out of how many decisions. The table and the walk are at the same position."""
    mistakes, decisions = [], 0
    player = strategy.sit(table.game, seat, table.seeds.seat(seat))
    while not table.is_over:
        if table.mover == seat:
            decisions += 1
            play = player.choose(table.view(seat, strategy.knows))
            mistake = mistake_of(walk, play)
            mistakes += [mistake] if mistake else []
        else:
            play = walk.best()
        walk.play(play)
        table.play(play)
    return mistakes, decisions


def mistake_of(walk: Walk, play: Play) -> Mistake | None:
    """What is wrong with a play, if anything. The walk stays where it is."""
    if walk.is_optimal(play):
        return None
    kind = kind_of(walk, play)
    return Mistake(deal_of(walk.state), kind, walk.loss(play).points)


def kind_of(walk: Walk, wrong: Play) -> str:
    """By the best play that is nearest to the wrong one."""
    others = [play for play in walk.game.plays(walk.state) if play != wrong]

    def any_good(plays: Iterator[Play]) -> bool:
        return any(walk.is_optimal(play) for play in plays)

    if not captures(wrong):
        laying = any_good(play for play in others if not captures(play))
        return "wrong-laid" if laying else "laid-not-captured"
    taking = [play for play in others if captures(play)]
    if any_good(play for play in taking if card_of(play) == card_of(wrong)):
        return "wrong-cards"
    capturing = any_good(play for play in taking if card_of(play) != card_of(wrong))
    return "wrong-captor" if capturing else "captured-not-laid"


def captures(play: Play) -> bool:
    return bool(play.code & ((1 << RANK_AT) - 1))


def card_of(play: Play) -> int:
    """Its rank, 10♦ and 2♣ apart from their twins."""
    return play.code >> RANK_AT & 31


def deal_of(state: Any) -> int:
    """The number of the deal that is played, from 1."""
    return int(state[0].dealt - 4) // IN_A_DEAL


def deals_in(plies: int) -> range:
    """The numbers of the deals that the last so many plies are of."""
    return range((PLIES - plies) // IN_A_DEAL + 1, PLIES // IN_A_DEAL + 1)


# -- summed up -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Loser:
    """What a strategy loses a game. The sample is the shuffle, played in both seats."""

    player: str
    knows: str
    by_shuffle: np.ndarray
    seats: tuple[np.ndarray, np.ndarray]
    deals: Mapping[int, np.ndarray]
    kinds: Mapping[str, np.ndarray]
    counts: Mapping[str, int]
    """How many mistakes of each kind."""
    decisions: int

    @property
    def loss(self) -> Score:
        return mean_of(self.by_shuffle)

    @property
    def mistakes(self) -> int:
        return sum(self.counts.values())


def summed_up(player: str, games: Sequence[JudgedGame], plies: int) -> Loser:
    """All games of one strategy: in both seats of each shuffle."""
    shuffles = sorted({game.shuffle for game in games})
    place = {shuffle: i for i, shuffle in enumerate(shuffles)}
    seats = np.zeros((2, len(shuffles)))
    deals = {deal: np.zeros(len(shuffles)) for deal in deals_in(plies)}
    kinds = {kind: np.zeros(len(shuffles)) for kind in KINDS}
    counts = dict.fromkeys(KINDS, 0)
    for game in games:
        at = place[game.shuffle]
        seats[game.seat, at] = game.loss
        for mistake in game.mistakes:
            deals[mistake.deal][at] += mistake.loss / 2
            kinds[mistake.kind][at] += mistake.loss / 2
            counts[mistake.kind] += 1
    return Loser(
        player, str(make_strategy(player).knows), seats.mean(axis=0), (seats[0], seats[1]),
        deals, kinds, counts, sum(game.decisions for game in games),
    )  # fmt: skip


def mean_of(values: np.ndarray) -> Score:
    """With Student's interval."""
    return mean_from(len(values), float(values.sum()), float((values**2).sum()))
