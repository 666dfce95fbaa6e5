"""What the results of pairs show: scores, margins, intervals, Elo. The sample is the pair.

All figures come from three numbers, which can be added up over any parts of a comparison: the
number of pairs, the sum of what they gave and the sum of its squares. When a comparison may
stop is in sequential.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

FEWEST = 10
"""Fewer pairs are too few to say how far their mean is off: they have no interval."""
ROUNDING = 1e-12
"""A smaller part of the sum of squares is an error of rounding, no variance."""
NORMAL = 1e9
"""A Beta distribution with parameters above this is a normal one, but for a few 10⁻⁵ of its
deviation; its quantiles would suffer from rounding."""
TAIL = 0.975
SAME = 1e-9
"""Two scores that differ by less are the same."""


@dataclass(frozen=True)
class Score:
    """A mean over pairs with its 95 % interval; from 0 to 1 if there are too few pairs."""

    mean: float
    low: float
    high: float


def score_of(pair_scores: np.ndarray) -> Score:
    """The mean of scores between 0 and 1, one for each pair."""
    return score_from(len(pair_scores), float(pair_scores.sum()), float((pair_scores**2).sum()))


def score_from(n: int, total: float, squares: float) -> Score:
    """The mean of scores between 0 and 1, from their number, their sum and that of their squares.

    The interval is from 0 to 1 if there are fewer than `FEWEST`; for others see `bounds`.
    """
    mean = total / n
    if n < FEWEST:
        return Score(mean, 0.0, 1.0)
    low, high = bounds(n, total, squares)
    return Score(mean, min(mean, float(low)), max(mean, float(high)))


def bounds(n: int, total: Any, squares: Any) -> tuple[Any, Any]:
    """The 95 % interval of a mean of scores between 0 and 1; arrays will do.

    Each end is Gaffke's bound (Mathematical Methods of Statistics 14, 2005; Phan, Thomas and
    Learned-Miller, Proceedings of Machine Learning Research 139, 2021): one more pair is taken
    to have scored the most there is, the weights of all are drawn at random, evenly from all
    that add up to 1, and the bound is the quantile of the weighted mean. Here its distribution
    is the Beta distribution with the same mean and variance. So pairs that are won or lost as a
    whole have the interval of Clopper and Pearson (Biometrika 26, 1934), and there is a width
    where all pairs scored the same: what is rare may not have been seen yet.
    """
    spread = np.maximum(squares - total * total / n, 0.0)
    mean = total / n
    return 1 - _upper(n, 1 - mean, spread), _upper(n, mean, spread)


def _upper(n: int, mean: Any, spread: Any) -> Any:
    """The upper end, from the sum of the squared distances to the mean."""
    from scipy.special import betaincinv, ndtri

    rest = 1 - mean
    centre, missing = mean + rest / (n + 1), np.maximum(rest * n / (n + 1), np.finfo(float).tiny)
    variance = (spread + rest * missing) / ((n + 1) * (n + 2))
    weight = np.where(rest > 0, centre * missing / np.maximum(variance, 1e-300) - 1, n)
    wins, losses = centre * weight, missing * weight
    normal = centre + ndtri(TAIL) * np.sqrt(variance)
    is_normal = np.minimum(wins, losses) > NORMAL
    return np.where(is_normal, normal, betaincinv(*np.where(is_normal, 1, (wins, losses)), TAIL))


def mean_from(n: int, total: float, squares: float) -> Score:
    """The mean of anything, such as margins in points, with Student's interval. It has no width
    if all are equal."""
    mean = total / n
    if n < 2:
        return Score(mean, -math.inf, math.inf)
    variance = variance_from(n, total, squares)
    half = students(n - 1) * math.sqrt(variance / n)
    return Score(mean, mean - half, mean + half)


def variance_from(n: int, total: float, squares: float) -> float:
    """The variance of what these are sums of; 0 if there are fewer than two."""
    spread = squares - total * total / n if n > 1 else 0.0
    return spread / (n - 1) if spread > ROUNDING * squares else 0.0


@cache
def students(freedom: int) -> float:
    """How many standard errors Student's 95 % interval reaches to each side."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.975))


def elo_from(score: Score) -> tuple[float | None, float | None, float | None]:
    """Elo points of the mean and of both ends of the interval; None for infinitely many."""
    return elo(score.mean), elo(score.low), elo(score.high)


def elo(score: float) -> float | None:
    """The difference in Elo points that a score stands for; None for 0 and 1."""
    if not 0 < score < 1:
        return None
    return 400 * math.log10(score / (1 - score))


def side_of(interval: tuple[float, float], even: float) -> int:
    """1 if an interval lies above what is even, −1 if below, else 0."""
    low, high = interval
    return int(low > even + SAME) - int(high < even - SAME)


def game_scores(results: np.ndarray, players: int, partners: int = 1) -> np.ndarray:
    """Each game's point, 1 to the winner, shared if tied: by pair, seat order, strategy.

    Partners win together: each of them has the point.
    """
    games = results.reshape(len(results), results.shape[1] // players, players)
    best = games == games.max(axis=2, keepdims=True)
    return best * partners / best.sum(axis=2, keepdims=True)
