"""The luck of the deal beside the skill of the players.

A pair is one shuffle played twice, seats swapped. If the same seat wins both games, the deal
decided; if the same player does, the player. And what the greedy player makes of a shuffle
against itself is the value of the cards for a seat: what somebody else makes of them beyond
that is skill.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from kibitz.arena.statistics.scores import (
    Score,
    game_scores,
    mean_from,
    score_from,
    score_of,
    students,
)
from kibitz.studies.players.measure import PlayedMatch


@dataclass(frozen=True)
class SeatLuck:
    """What a player made of one seat, in points ahead and as a score."""

    cards: float
    """The value of the cards, in points ahead: what greedy made of them against greedy."""
    made: float
    skill: Score
    """Made beyond the cards, on the mean of the games."""
    cards_score: float
    made_score: float


@dataclass(frozen=True)
class Luck:
    """One match, from the side of its first player."""

    a: str
    b: str
    pairs: int
    same_seat: int
    """Pairs in which one seat won both games: the deal decided."""
    same_player: int
    """Pairs in which one player won both games."""
    neither: int
    """The other pairs: at least one of their games was drawn."""
    by_player: Score
    """1 for a pair that a player decided, 0 for one that the deal did, a half for neither."""
    first: SeatLuck
    second: SeatLuck
    correlation: Score
    """Between the value of the cards and what was made of them, over all games."""
    unlucky: Score | None
    """Of the games that the better player lost: in how many the cards had more value for the
    winner. A half if they had none for either; None if it lost none."""
    lost: int
    """How many games those are."""


def card_values(greedy: PlayedMatch) -> np.ndarray:
    """For each shuffle, the points that the first seat was ahead, greedy against greedy."""
    return greedy.rows[:, 0].copy()


def luck_of(played: PlayedMatch, values: np.ndarray) -> Luck:
    """All of it, for one match. Its pair number i has shuffle number i."""
    rows = played.rows
    value = values[: len(rows)]
    made = np.stack([rows[:, 0], rows[:, 2]], axis=1)
    cards = np.stack([value, -value], axis=1)
    won = np.sign(made)
    deal = (won[:, 0] * won[:, 1]) < 0  # a won from one seat and lost from the other
    player = (won[:, 0] * won[:, 1]) > 0
    unlucky = unlucky_games(made, cards)
    return Luck(
        played.match.a, played.match.b, len(rows), int(deal.sum()), int(player.sum()),
        int((~deal & ~player).sum()), score_of(player + (~deal & ~player) / 2),
        seat_of(made[:, 0], cards[:, 0]), seat_of(made[:, 1], cards[:, 1]),
        correlation(cards, made), score_of(unlucky) if len(unlucky) else None, len(unlucky),
    )  # fmt: skip


def seat_of(made: np.ndarray, cards: np.ndarray) -> SeatLuck:
    beyond = made - cards
    skill = mean_from(len(made), float(beyond.sum()), float((beyond**2).sum()))
    shares = ((np.sign(points) + 1) / 2 for points in (cards, made))
    cards_score, made_score = (float(share.mean()) for share in shares)
    return SeatLuck(float(cards.mean()), float(made.mean()), skill, cards_score, made_score)


def unlucky_games(made: np.ndarray, cards: np.ndarray) -> np.ndarray:
    """For each game that the better of the two lost, whether the cards were the winner's."""
    side = -1 if made.mean() < 0 else 1
    lost = side * made < 0
    return (1 - np.sign(side * cards[lost])) / 2


def correlation(cards: np.ndarray, made: np.ndarray) -> Score:
    """Pearson's, with Fisher's interval. The two games of a pair are not independent, so the
    interval counts pairs. Without any spread there is none: 0, and the interval is all."""
    x, y = cards.ravel() - cards.mean(), made.ravel() - made.mean()
    spread = math.sqrt(float((x * x).sum()) * float((y * y).sum()))
    n = len(cards)
    if not spread or n < 4:
        return Score(float((x * y).sum()) / spread if spread else 0.0, -1.0, 1.0)
    r = max(-1.0, min(1.0, float((x * y).sum()) / spread))
    if abs(r) > 1 - 1e-12:
        return Score(r, r, r)
    half = students(n - 1) / math.sqrt(n - 3)
    return Score(r, math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half))


def first_seat_of(greedy: PlayedMatch) -> Score:
    """What the first seat scores when greedy plays itself: both games of a pair are one."""
    points = game_scores(greedy.rows, 2)[:, 0, 0]
    return score_from(len(points), float(points.sum()), float((points**2).sum()))
