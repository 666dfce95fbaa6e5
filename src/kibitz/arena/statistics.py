"""What the results of pairs show: scores, margins, intervals, Elo. The sample is the pair.

All figures come from three numbers, which can be added up over any parts of a comparison: the
number of pairs, the sum of what they gave and the sum of its squares. When a comparison may
stop is in sequential.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

ROUNDING = 1e-12
"""A smaller part of the sum of squares is an error of rounding, no variance."""


@dataclass(frozen=True)
class Score:
    """A mean over pairs with its 95 % interval."""

    mean: float
    low: float
    high: float


def score_of(pair_scores: np.ndarray) -> Score:
    """The mean of scores between 0 and 1, one for each pair."""
    return score_from(len(pair_scores), float(pair_scores.sum()), float((pair_scores**2).sum()))


def score_from(n: int, total: float, squares: float) -> Score:
    """The mean of scores between 0 and 1, from their number, their sum and that of their squares.

    The interval is Wilson's (Journal of the American Statistical Association 22, 1927) with
    Student's quantile. A pair may be worth more or less than one single outcome of 0 or 1, as
    its games depend on each other: their number is the one whose mean has the variance found.
    So the interval stays between 0 and 1, and it has a width when one side won everything. It
    has none if all pairs scored the same between 0 and 1, as equal strategies do.
    """
    mean = total / n
    if n < 2:
        return Score(mean, 0.0, 1.0)
    single = mean * (1 - mean)
    if single <= 0:
        return Score(mean, *wilson(mean, n, students(n - 1)))
    variance = _variance(n, total, squares)
    if variance == 0:
        return Score(mean, mean, mean)
    return Score(mean, *wilson(mean, n * single / variance, students(n - 1)))


def mean_from(n: int, total: float, squares: float) -> Score:
    """The mean of anything, such as margins in points, with Student's interval."""
    mean = total / n
    if n < 2:
        return Score(mean, -math.inf, math.inf)
    half = students(n - 1) * math.sqrt(_variance(n, total, squares) / n)
    return Score(mean, mean - half, mean + half)


def wilson(mean: float, number: float, quantile: float) -> tuple[float, float]:
    """Where (mean − p)² ≤ quantile² · p(1 − p) / number: Wilson's interval for a share."""

    def lower(mean: float) -> float:
        shift = quantile**2 / (2 * number)
        half = math.sqrt(2 * shift * mean * (1 - mean) + shift**2)
        return (mean + shift - half) / (1 + 2 * shift)

    return lower(mean), 1 - lower(1 - mean)


@cache
def students(freedom: int) -> float:
    """How many standard errors Student's 95 % interval reaches to each side."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.975))


def _variance(n: int, total: float, squares: float) -> float:
    spread = squares - total * total / n
    return spread / (n - 1) if spread > ROUNDING * squares else 0.0


def elo_from(score: Score) -> tuple[float | None, float | None, float | None]:
    """Elo points of the mean and of both ends of the interval; None for infinitely many."""
    return elo(score.mean), elo(score.low), elo(score.high)


def elo(score: float) -> float | None:
    """The difference in Elo points that a score stands for; None for 0 and 1."""
    if not 0 < score < 1:
        return None
    return 400 * math.log10(score / (1 - score))


def game_scores(results: np.ndarray, players: int, partners: int = 1) -> np.ndarray:
    """Each game's point, 1 to the winner, shared if tied: by pair, seat order, strategy.

    Partners win together: each of them has the point.
    """
    games = results.reshape(len(results), results.shape[1] // players, players)
    best = games == games.max(axis=2, keepdims=True)
    return best * partners / best.sum(axis=2, keepdims=True)
