"""Intervals: published values, scipy's, and how often they hold the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, t, ttest_1samp

from kibitz.arena.statistics import (
    Score,
    elo,
    elo_from,
    mean_from,
    score_from,
    score_of,
    students,
    wilson,
)

SCORES = np.array([0, 0.25, 0.5, 0.75, 1])
"""What a pair of games may score."""


def pair_chances(score: float, draws: float, bond: float) -> np.ndarray:
    """The chances of the five SCORES if a game scores so much and has so many draws.

    The bond is the share of pairs where the first game decides the second: above 0 it has the
    same result, as if one player were surely better at this deal; below 0 the opposite one, as
    far as the score allows, as if the cards decided.
    """
    game = np.array([1 - score - draws / 2, draws, score - draws / 2])
    both = (1 - abs(bond)) * np.outer(game, game)
    if bond > 0:
        both += bond * np.diag(game)
    else:
        ends = np.append(0, game.cumsum())
        low = np.maximum(ends[:-1, None], 1 - ends[None, 1:])
        high = np.minimum(ends[1:, None], 1 - ends[None, :-1])
        both -= bond * np.maximum(0, high - low)
    chances = np.array([np.trace(both[:, ::-1], 2 - total) for total in range(5)])
    assert math.isclose(chances.sum(), 1) and math.isclose(chances @ SCORES, score)
    return chances / chances.sum()


# -- known values ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("won", "n", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilsons_interval_as_published(won: int, n: int, low: float, high: float) -> None:
    """Newcombe, Statistics in Medicine 17, 1998, table I, method 3."""
    ours = wilson(won / n, n, 1.959964)
    assert ours == pytest.approx((low, high), abs=5e-5)
    theirs = binomtest(won, n).proportion_ci(method="wilson")
    assert ours == pytest.approx((theirs.low, theirs.high), abs=1e-6)


@pytest.mark.parametrize(("won", "n"), [(81, 263), (15, 148), (2631, 5000), (49990, 50000)])
def test_pairs_that_are_single_outcomes_have_wilsons_interval(won: int, n: int) -> None:
    """But for Student's quantile, and n − 1 instead of n, as the variance is estimated."""
    ours = score_from(n, won, won)
    theirs = binomtest(won, n).proportion_ci(method="wilson")
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.2 / n)
    assert (ours.low, ours.high) == pytest.approx(wilson(won / n, n - 1, students(n - 1)))


def test_who_won_everything_may_yet_lose() -> None:
    for n in (2, 5, 20, 1000):
        all_won, all_lost = score_from(n, n, n), score_from(n, 0, 0)
        square = float(t.ppf(0.975, n - 1)) ** 2
        assert all_won.low == pytest.approx(n / (n + square)) and all_won.high == 1
        assert (all_lost.low, all_lost.high) == pytest.approx((0, 1 - all_won.low))
    assert score_from(20, 20, 20).low < score_from(100, 100, 100).low < 1


def test_equal_strategies_score_a_half_for_sure() -> None:
    assert score_from(500, 250, 125) == Score(0.5, 0.5, 0.5)


@pytest.mark.parametrize("share", [1 / 3, 2 / 3, 0.1])
def test_rounding_is_no_variance(share: float) -> None:
    ours = score_of(np.full(9999, share))
    assert ours.low == ours.mean == ours.high == pytest.approx(share)
    one_differs = score_of(np.append(np.full(9999, share), 0.5))
    assert one_differs.low < one_differs.mean < one_differs.high


@pytest.mark.parametrize("score", [0, 0.25, 0.5, 1])
def test_one_pair_says_nothing(score: float) -> None:
    assert score_from(1, score, score**2) == Score(score, 0, 1)
    assert mean_from(1, score, score**2) == Score(score, -math.inf, math.inf)


@given(st.lists(st.sampled_from(SCORES.tolist()), min_size=2, max_size=60))
def test_the_ends_solve_the_equation(scores: list[float]) -> None:
    """(m − p)² = t² v(p) / n with v(p) = s² p(1 − p) / m(1 − m); the other side is the mirror."""
    pairs = np.array(scores)
    ours, other = score_of(pairs), score_of(1 - pairs)
    assert 0 <= ours.low <= ours.mean <= ours.high <= 1
    assert (other.low, other.high) == pytest.approx((1 - ours.high, 1 - ours.low))
    n, mean, variance = len(pairs), pairs.mean(), pairs.var(ddof=1)
    if variance > 0:
        for p in (ours.low, ours.high):
            scaled = variance * p * (1 - p) / (mean * (1 - mean))
            assert (mean - p) ** 2 == pytest.approx(students(n - 1) ** 2 * scaled / n)


def test_margins_have_students_interval() -> None:
    margins = np.random.default_rng(2).normal(3, 20, 150).round()
    ours = mean_from(150, float(margins.sum()), float((margins**2).sum()))
    low, high = ttest_1samp(margins, 0).confidence_interval(0.95)
    assert (ours.mean, ours.low, ours.high) == pytest.approx((margins.mean(), low, high))
    assert mean_from(10, 70, 490) == Score(7, 7, 7)


def test_elo_of_an_interval() -> None:
    assert elo_from(Score(0.5, 0.25, 0.9)) == (0, elo(0.25), elo(0.9))
    assert elo_from(score_from(10, 10, 10))[::2] == (None, None)
    assert elo_from(score_from(1, 0.5, 0.25)) == (0, None, None)


# -- how often the interval holds the truth ----------------------------------------------------


def coverage(chances: np.ndarray, n: int, runs: int = 20_000) -> float:
    """How often the interval of n pairs with these chances holds their true score."""
    truth = float(chances @ SCORES)
    counts = np.random.default_rng(n).multinomial(n, chances, runs)
    counts, times = np.unique(counts, axis=0, return_counts=True)
    totals, squares = counts @ SCORES, counts @ SCORES**2
    scores = [score_from(n, *sums) for sums in zip(totals.tolist(), squares.tolist(), strict=True)]
    low, high = np.array([(score.low, score.high) for score in scores]).T
    return float(times @ ((low < truth + 1e-12) & (truth - 1e-12 < high)) / runs)


@pytest.mark.parametrize("n", [100, 500, 2000])
@pytest.mark.parametrize("score", [0.5, 0.55, 0.65, 0.8])
@pytest.mark.parametrize(("draws", "bond"), [(0.3, 0), (0.1, 0.4), (0, 0.8), (0.1, -0.4)])
def test_the_interval_holds_the_truth(score: float, draws: float, bond: float, n: int) -> None:
    assert 0.94 <= coverage(pair_chances(score, draws, bond), n) <= 0.96


@pytest.mark.parametrize(
    ("chances", "n"),
    [
        ([0, 0.025, 0.9, 0.075, 0], 200),
        ([0, 0.0125, 0.95, 0.0375, 0], 500),
        ([0, 0.005, 0.98, 0.015, 0], 1000),
        ([0.0025, 0.0025, 0.98, 0.0075, 0.0075], 1000),
    ],
)
def test_rare_decisive_pairs_need_more_of_them(chances: list[float], n: int) -> None:
    """Where nearly all pairs score a half, it takes about 20 others: with 2 no interval helps."""
    assert 0.94 <= coverage(np.array(chances), n) <= 0.96
    few = round(2 / (1 - chances[2]))
    assert coverage(np.array(chances), few) < 0.94


@pytest.mark.parametrize(("bond", "low", "high"), [(0.8, 0.80, 0.88), (-0.8, 0.99, 1)])
def test_games_of_a_pair_are_no_sample(bond: float, low: float, high: float) -> None:
    """Counted one by one, games that depend on each other give a wrong interval."""
    chances = pair_chances(0.55, 0, bond)
    won = np.random.default_rng(1).multinomial(500, chances, 2000) @ (2 * SCORES)
    scores = [score_from(1000, games, games) for games in won.tolist()]
    assert low <= np.mean([score.low <= 0.55 <= score.high for score in scores]) <= high
