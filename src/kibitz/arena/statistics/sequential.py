"""When may a comparison stop because it is clear who is better?

Who looks at the results again and again, and stops when the difference seems clear, is wrong
far more often than each look alone. Here the looks are fixed beforehand, and each may spend a
part of the allowed false alarms: nearly nothing at first, nearly all at the end, by the
function of O'Brien and Fleming's type of Lan and DeMets (Biometrika 70, 1983). The boundaries
follow by integrating from look to look (Armitage, McPherson and Rowe, Journal of the Royal
Statistical Society A 132, 1969; Jennison and Turnbull, Group Sequential Methods, 2000).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from kibitz.arena.statistics.scores import FEWEST as FEWEST_PAIRS

LOOKS = 20
FEWEST = 30
"""Pairs between two looks, and before the first."""
FARTHEST = 12.0
"""No integral goes further, in standard deviations: what lies beyond has a share of 10⁻³²."""
UNREACHABLE = 1e-300
"""A look that may spend less has no boundary: nothing is clear so early."""


@dataclass(frozen=True)
class Verdict:
    """What a comparison shows when it ends: at a look where it is clear, or at its limit."""

    clear: bool
    better: int
    """0 for the first, 1 for the second, −1 if it is not clear."""
    pairs: int
    limit: int
    z: float
    """The statistic where it ended, positive if the first is ahead."""
    boundary: float
    """What it had to reach there."""
    alpha: float


def judge(prefix: Sequence[tuple[int, float, float]], limit: int, alpha: float) -> Verdict | None:
    """The verdict on scores between 0 and 1, or on such scores less luck, where equal players get
    a half; None: play on.

    Given are the number of pairs, the sum of their scores and that of their squares at each of
    the looks(limit) so far. What follows the look that decides makes no difference. Nothing is
    clear with so few pairs that they have no interval.
    """
    planned = looks(limit)
    if [pairs for pairs, _, _ in prefix] != planned[: len(prefix)]:
        raise ValueError(f"the looks of {limit} pairs are {planned}")
    limits = boundaries([pairs / limit for pairs in planned], alpha)
    for (pairs, total, squares), boundary in zip(prefix, limits, strict=False):
        z = statistic(pairs, total, squares)
        clear = pairs >= FEWEST_PAIRS and abs(z) >= boundary
        if clear or pairs == limit:
            better = -1 if not clear else int(z < 0)
            return Verdict(clear, better, pairs, limit, z, boundary, alpha)
    return None


def statistic(n: int, total: float, squares: float) -> float:
    """How far the mean score is from a half, in standard errors, positive above it.

    The variance is taken around a half, as if the players were equal. So it is never 0 unless
    all pairs scored a half, and rare decisive pairs seem no surer than they are: if d pairs are
    decisive and all for one side, the answer is below √d. Half a pair is taken off, for scores
    come in steps (Yates, Supplement to the Journal of the Royal Statistical Society 1, 1934).
    Without it up to 8 % instead of 5 % are false alarms where few pairs are decisive.
    """
    ahead = total - n / 2
    sure = max(0.0, abs(ahead) - 0.5)
    return math.copysign(sure / math.sqrt(squares - total + n / 4), ahead) if sure else 0.0


def looks(limit: int) -> list[int]:
    """The numbers of pairs at which to look: 20 equal steps, fewer if they would be short."""
    steps = max(1, min(LOOKS, limit // FEWEST))
    return [round(limit * step / steps) for step in range(1, steps + 1)]


def corrected(alpha: float, comparisons: int) -> float:
    """What each may spend if several are judged and all shall be right (Bonferroni)."""
    return alpha / comparisons


def boundaries(fractions: Sequence[float], alpha: float) -> list[float]:
    """How large |z| must be to be clear, at looks after these fractions of the limit.

    Either side may be the better one, so each spends half of alpha: a(t) = 2 − 2Φ(q / √t) up
    to the fraction t, with q such that a(1) = alpha / 2. So do the published tables.
    """
    return list(_boundaries(tuple(fractions), alpha))


@cache
def _boundaries(fractions: tuple[float, ...], alpha: float) -> tuple[float, ...]:
    """From look to look: how the sum of the scores is spread among what was not yet clear.

    The sum has variance 1 at the limit. Integrals are Gauss and Legendre's, with points closer
    to each other than a step from look to look is wide.
    """
    from scipy.special import ndtr, ndtri

    if not all(a < b for a, b in pairwise((0.0, *fractions))) or max(fractions, default=1) > 1:
        raise ValueError(f"fractions of the limit must rise, above 0 and up to 1: {fractions}")
    narrowest = min((math.sqrt(b / a - 1) for a, b in pairwise(fractions)), default=1.0)
    points, weights = np.polynomial.legendre.leggauss(64 + int(16 / min(1.0, narrowest)))
    q = -float(ndtri(alpha / 4))
    limits: list[float] = []
    sums, masses = np.zeros(1), np.ones(1)
    earlier = spent = 0.0
    for fraction in fractions:
        width, deviation = math.sqrt(fraction - earlier), math.sqrt(fraction)
        allowed = 2 * float(ndtr(-q / deviation))
        limits.append(_boundary(sums / width, masses, deviation / width, allowed - spent))
        edge = min(limits[-1], FARTHEST) * deviation
        steps = (edge * points[:, None] - sums) / width
        density = np.exp(-(steps**2) / 2) @ masses / (width * math.sqrt(2 * math.pi))
        sums, masses = edge * points, edge * weights * density
        earlier, spent = fraction, allowed
    return tuple(limits)


def _boundary(sums: np.ndarray, masses: np.ndarray, deviation: float, spend: float) -> float:
    """The z that the next sum exceeds with probability spend, if its step has variance 1."""
    from scipy.optimize import brentq
    from scipy.special import ndtr

    if spend < UNREACHABLE:
        return math.inf

    def excess(z: float) -> float:
        return math.log(max(float(masses @ ndtr(sums - z * deviation)), 1e-320) / spend)

    return float(brentq(excess, 0, 40, xtol=1e-12))
