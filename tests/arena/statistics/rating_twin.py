"""The textbook twin of the joint rating: the minorisation–maximisation of D. Hunter (The Annals of
Statistics 32, 2004), in plain Python: no derivative, no matrix. Its intervals are counted by small
changes of each score, the covariance of scores in loops over pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from kibitz.arena.statistics.rating import Contest

Games = Sequence[tuple[tuple[int, ...], float, Sequence[float]]]
"""Who met, in how many pairs, and the mean score of each."""


def twin(games: Games, players: int, steps: int = 20_000) -> list[float]:
    """Elo ratings around 0, by making each player's strength its points over what it met."""
    strength = [1.0] * players
    for _ in range(steps):
        before = strength
        strength = []
        for player in range(players):
            own = [(who, n, score) for who, n, score in games if player in who]
            points = sum(n * score[who.index(player)] for who, n, score in own)
            met = sum(n / sum(before[other] for other in who) for who, n, _ in own)
            strength.append(points / met)
        scale = sum(map(math.log, strength)) / players
        strength = [each / math.exp(scale) for each in strength]
        if max(abs(math.log(a / b)) for a, b in zip(strength, before, strict=True)) < 1e-13:
            break
    return [400 * math.log10(each) for each in strength]


def as_games(contests: Sequence[Contest]) -> Games:
    return [(c.players, c.pairs, c.scores.tolist()) for c in contests]


def twin_gain(contests: Sequence[Contest], players: int) -> np.ndarray:
    """What each rating gains with each score (the last of a contest loses it), by small steps."""
    columns = []
    step = 1e-5
    for number, contest in enumerate(contests):
        for k in range(len(contest.players) - 1):
            ends = []
            for sign in (1, -1):
                games = [*as_games(contests)]
                who, n, score = games[number]
                changed = list(score)
                changed[k] += sign * step
                changed[-1] -= sign * step
                games[number] = (who, n, changed)
                ends.append(np.array(twin(games, players)))
            columns.append((ends[0] - ends[1]) / (2 * step))
    return np.array(columns).T


def twin_covariance(contests: Sequence[Contest]) -> np.ndarray:
    """Of the mean scores but the last of each contest, counted pair by pair in plain loops."""
    rows = [(c, k) for c in contests for k in range(len(c.players) - 1)]
    matrix = np.zeros((len(rows), len(rows)))
    for i, (one, a) in enumerate(rows):
        for j, (other, b) in enumerate(rows):
            both = min(len(one.deviations), len(other.deviations))
            total = sum(one.deviations[p, a] * other.deviations[p, b] for p in range(both))
            n, m = one.pairs, other.pairs
            matrix[i, j] = total / math.sqrt(n * (n - 1) * m * (m - 1))
            if one is other:
                for winner in range(len(one.players)):  # one more pair at each end
                    far = [float(k == winner) - one.scores[k] for k in range(len(one.players))]
                    matrix[i, j] += far[a] * far[b] / n**2
    return matrix


def expects(contest: Contest, k: int, ratings: Sequence[float] | np.ndarray) -> float:
    """The score of the k-th of a contest, by the model."""
    odds = [10 ** (ratings[player] / 400) for player in contest.players]
    return odds[k] / sum(odds)
