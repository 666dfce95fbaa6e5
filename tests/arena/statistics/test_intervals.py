"""Intervals: published values, scipy's, and how often they hold the truth."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binomtest, norm, ttest_1samp

from kibitz.arena.statistics.scores import (
    FEWEST,
    Score,
    elo,
    elo_from,
    mean_from,
    score_from,
    score_of,
)
from tests.arena.statistics.coverage import NUMBERS, SCORES, coverage, lowest, pair_chances

# -- known values ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("won", "n", "low", "high"),
    [
        (81, 263, 0.2527, 0.3676),
        (15, 148, 0.0578, 0.1617),
        (0, 20, 0.0, 0.1684),
        (1, 29, 0.0009, 0.1776),
    ],
)
def test_pairs_won_or_lost_as_a_whole_have_the_exact_interval(
    won: int, n: int, low: float, high: float
) -> None:
    """Newcombe, Statistics in Medicine 17, 1998, table I, method 5 (Clopper and Pearson)."""
    ours = score_from(n, won, won)
    assert (ours.low, ours.high) == pytest.approx((low, high), abs=5e-5)
    theirs = binomtest(won, n).proportion_ci(method="exact")
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_who_won_everything_may_yet_lose() -> None:
    for n in (10, 20, 1000, 10**6):
        all_won, all_lost = score_from(n, n, n), score_from(n, 0, 0)
        assert all_won.low == pytest.approx(0.025 ** (1 / n)) and all_won.high == 1
        assert (all_lost.low, all_lost.high) == pytest.approx((0, 1 - all_won.low))


@pytest.mark.parametrize("share", [0.5, 1 / 3, 2 / 3, 0.1])
@pytest.mark.parametrize("n", [10, 500, 9999])
def test_pairs_that_all_score_the_same_have_a_width(share: float, n: int) -> None:
    """What is rare may not have been seen yet: all wins or losses that are missed in more than 6
    of 100 runs."""
    ours, rare = score_of(np.full(n, share)), 1 - 0.06 ** (1 / n)
    assert ours.low <= share * (1 - rare) and ours.high >= share + (1 - share) * rare
    assert ours.high - ours.low <= 4 / n
    one_differs = score_of(np.append(np.full(n - 1, share), 0.9))
    assert one_differs.high - one_differs.low > ours.high - ours.low


@pytest.mark.parametrize("n", [10**4, 10**6, 10**9, 10**12])
def test_very_many_pairs_have_the_normal_interval(n: int) -> None:
    half = float(norm.isf(0.025)) * math.sqrt(0.125 / n)
    ours = score_from(n, n * 0.5, n * 0.375)
    assert (ours.low - 0.5, ours.high - 0.5) == pytest.approx((-half, half), rel=0.02)
    even = score_from(n, n * 0.5, n * 0.25)
    assert ((even.low - 0.5) * n, (even.high - 0.5) * n) == pytest.approx((-1.48, 1.48), abs=0.01)


@pytest.mark.parametrize("n", [1, 2, FEWEST - 1])
@pytest.mark.parametrize("score", [0, 0.25, 0.5, 1])
def test_few_pairs_say_nothing(score: float, n: int) -> None:
    assert score_from(n, n * score, n * score**2) == Score(score, 0, 1)
    assert score_from(FEWEST, FEWEST * score, FEWEST * score**2) != Score(score, 0, 1)


def test_one_margin_says_nothing() -> None:
    assert mean_from(1, 3, 9) == Score(3, -math.inf, math.inf)


@given(st.lists(st.sampled_from(SCORES.tolist()), min_size=FEWEST, max_size=60))
def test_each_end_is_the_beta_quantile_with_one_more_pair(scores: list[float]) -> None:
    """With its mean, and the variance of a mean with random weights; the other side is the
    mirror."""
    ours, other = score_of(np.array(scores)), score_of(1 - np.array(scores))
    assert 0 <= ours.low <= ours.mean <= ours.high <= 1
    assert (other.low, other.high) == pytest.approx((1 - ours.high, 1 - ours.low))
    more = np.array([*scores, 1.0])
    if more.min() < 1:
        mean, variance = more.mean(), more.var() / (len(more) + 1)
        weight = mean * (1 - mean) / variance - 1
        expected = beta.ppf(0.975, mean * weight, (1 - mean) * weight)
        assert ours.high == pytest.approx(max(expected, ours.mean))


def test_the_beta_quantile_is_near_gaffkes_bound() -> None:
    """By drawing the weights themselves."""
    scores = np.repeat([0, 0.25, 0.5, 1], [2, 3, 9, 6])
    weights = np.random.default_rng(3).dirichlet(np.ones(len(scores) + 1), 100_000)
    drawn = np.quantile(weights @ np.append(scores, 1.0), 0.975)
    assert score_of(scores).high == pytest.approx(drawn, abs=0.005)


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


@pytest.mark.parametrize("n", NUMBERS)
def test_the_interval_holds_the_truth(n: int) -> None:
    """At least 94 of 100 times, whatever pairs score. Docs/comparing.md has the table; simulated
    shares are off by a few tenths."""
    coverage = lowest(n)
    assert min(coverage.values()) >= 0.94
    for kind, share in coverage.items():
        assert abs(_printed(kind, n) - 100 * share) < 0.5


def _printed(kind: str, n: int) -> float:
    page = (Path(__file__).parents[3] / "docs" / "comparing.md").read_text()
    (row,) = [line for line in page.splitlines() if line.startswith(f"| {kind} |")]
    return float(row.split("|")[2 + NUMBERS.index(n)])


@pytest.mark.parametrize(("n", "wider"), [(200, 1.065), (500, 1.04), (2000, 1.02)])
def test_the_interval_is_hardly_wider_than_the_normal_one(n: int, wider: float) -> None:
    for score in (0.5, 0.65, 0.8):
        for chances in (pair_chances(score, 0, 0), pair_chances(score, 0.1, 0.4)):
            held, width = coverage(chances, n)
            deviation = math.sqrt(chances @ SCORES**2 - score**2)
            assert 1 <= width / (2 * 1.96 * deviation / math.sqrt(n)) < wider
            assert held < 0.975


@pytest.mark.parametrize(("bond", "low", "high"), [(0.8, 0.80, 0.88), (-0.8, 0.99, 1)])
def test_games_of_a_pair_are_no_sample(bond: float, low: float, high: float) -> None:
    """Counted one by one, games that depend on each other give a wrong interval."""
    chances = pair_chances(0.55, 0, bond)
    won = np.random.default_rng(1).multinomial(500, chances, 2000) @ (2 * SCORES)
    scores = [score_from(1000, games, games) for games in won.tolist()]
    assert low <= np.mean([score.low <= 0.55 <= score.high for score in scores]) <= high
