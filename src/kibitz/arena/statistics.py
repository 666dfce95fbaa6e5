"""What the results of pairs show: scores, intervals, Elo. The sample is the pair."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Score:
    """A mean over pairs with its 95 % interval (Student's t)."""

    mean: float
    low: float
    high: float


def score_of(pair_scores: np.ndarray) -> Score:
    """The mean of scores between 0 and 1, one for each pair."""
    from scipy.stats import t

    n = len(pair_scores)
    mean = float(pair_scores.mean())
    if n < 2:
        return Score(mean, 0.0, 1.0)
    half = float(t.ppf(0.975, n - 1)) * float(pair_scores.std(ddof=1)) / math.sqrt(n)
    return Score(mean, max(0.0, mean - half), min(1.0, mean + half))


def elo(score: float) -> float | None:
    """The difference in Elo points that a score stands for; None for 0 and 1."""
    if not 0 < score < 1:
        return None
    return 400 * math.log10(score / (1 - score))


def game_scores(results: np.ndarray, players: int, partners: int = 1) -> np.ndarray:
    """Each game's point, 1 to the winner, shared if tied: by pair, rotation, strategy.

    Partners win together: each of them has the point.
    """
    games = results.reshape(len(results), players, players)
    best = games == games.max(axis=2, keepdims=True)
    return best * partners / best.sum(axis=2, keepdims=True)
