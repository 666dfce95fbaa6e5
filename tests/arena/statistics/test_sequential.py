"""When a comparison may stop: boundaries as published, false alarms, power."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom, multivariate_normal, norm

from kibitz.arena.statistics.sequential import (
    Verdict,
    boundaries,
    corrected,
    judge,
    looks,
    statistic,
)
from tests.arena.statistics.coverage import SCORES, pair_chances


def fractions(limit: int) -> list[float]:
    return [n / limit for n in looks(limit)]


def spent(fraction: float, alpha: float) -> float:
    """What both sides together may have spent (Lan and DeMets)."""
    return float(4 * norm.sf(norm.isf(alpha / 4) / math.sqrt(fraction)))


def simulated(chances: np.ndarray, limit: int, runs: int, seed: int = 0) -> np.ndarray:
    """Many comparisons whose pairs have these chances: by run, look, (pairs, sum, squares)."""
    random = np.random.default_rng(seed)
    steps = np.diff([0, *looks(limit)])
    counts = np.stack([random.multinomial(step, chances, runs) for step in steps], axis=1)
    return at_looks(limit, counts @ SCORES, counts @ SCORES**2)


def at_looks(limit: int, totals: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """The same from what each step between looks adds, by run and step."""
    pairs = np.broadcast_to(looks(limit), totals.shape)
    return np.stack([pairs, totals.cumsum(axis=1), squares.cumsum(axis=1)], axis=2)


def plain_z(runs: np.ndarray) -> np.ndarray:
    """The statistic of each run and look, but without half a pair taken off."""
    pairs, totals, squares = np.moveaxis(runs, 2, 0)
    return (totals - pairs / 2) / np.sqrt(np.maximum(squares - totals + pairs / 4, 1e-9))


def verdicts(runs: np.ndarray, limit: int, alpha: float = 0.05) -> list[Verdict]:
    verdicts = [judge(prefix, limit, alpha) for prefix in runs.tolist()]
    return [verdict for verdict in verdicts if verdict is not None]


def alarms(runs: np.ndarray, limit: int, alpha: float = 0.05) -> np.ndarray:
    """Which runs are judged to be clear. Only those that come near a boundary need a judge."""
    near = abs(plain_z(runs)) >= boundaries(fractions(limit), alpha)
    clear = np.array(near.any(axis=1))
    clear[clear] = [verdict.clear for verdict in verdicts(runs[clear], limit, alpha)]
    return clear


# -- looks and boundaries ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "first", "number"),
    [(1, 1, 1), (2, 2, 1), (59, 59, 1), (60, 30, 2), (100, 33, 3), (400, 31, 13), (599, 32, 19),
     (600, 30, 20), (2000, 100, 20), (10**6, 50_000, 20)],
)  # fmt: skip
def test_looks_are_equal_steps(limit: int, first: int, number: int) -> None:
    planned = looks(limit)
    assert (planned[0], planned[-1], len(planned)) == (first, limit, number)
    steps = np.diff([0, *planned])
    assert steps.max() - steps.min() <= 1


@pytest.mark.parametrize(
    "published",
    [
        [1.9600],
        [2.9626, 1.9686],
        [3.7103, 2.5114, 1.9930],
        [4.3326, 2.9631, 2.3590, 2.0141],
        [4.8769, 3.3569, 2.6803, 2.2898, 2.0310],
    ],
)
def test_boundaries_as_published(published: list[float]) -> None:
    """Reboussin, DeMets, Kim and Lan, Controlled Clinical Trials 21, 2000, and its programs.

    Their grid is coarser: the second of five is 3.35701 by any finer integration.
    """
    number = len(published)
    ours = boundaries([look / number for look in range(1, number + 1)], 0.05)
    assert ours == pytest.approx(published, abs=1.5e-4)


@pytest.mark.parametrize("alpha", [0.05, 0.05 / 3, 0.001])
def test_two_looks_spend_what_the_bivariate_normal_says(alpha: float) -> None:
    first, last = boundaries([0.4, 1], alpha)
    joint = multivariate_normal([0, 0], [[1, math.sqrt(0.4)], [math.sqrt(0.4), 1]])
    inside = joint.cdf([first, last], lower_limit=[-first, -last])
    assert 2 * norm.sf(first) == pytest.approx(spent(0.4, alpha))
    assert 1 - inside == pytest.approx(alpha, rel=1e-5)


@pytest.mark.parametrize("limit", [150, 2000])
def test_walks_spend_what_each_look_may(limit: int) -> None:
    """Independent of the integration: many sums of normal steps, and where they first cross."""
    walks = 200_000
    ours = boundaries(fractions(limit), 0.05)
    random = np.random.default_rng(4)
    position, inside, crossed, earlier = np.zeros(walks), np.ones(walks, bool), 0, 0.0
    for fraction, boundary in zip(fractions(limit), ours, strict=True):
        position += random.normal(0, math.sqrt(fraction - earlier), walks)
        inside &= abs(position) < boundary * math.sqrt(fraction)
        crossed, earlier = walks - int(inside.sum()), fraction
        expected = spent(fraction, 0.05)
        assert abs(crossed / walks - expected) <= 4 * math.sqrt(expected / walks) + 1 / walks
    assert spent(1, 0.05) == pytest.approx(0.05)


def test_boundaries_fall_and_grow_with_care() -> None:
    plain, careful = (boundaries(fractions(2000), alpha) for alpha in (0.05, 0.001))
    assert plain == sorted(plain, reverse=True)
    assert all(a < b for a, b in zip(plain, careful, strict=True))
    assert boundaries([0.0001, 1], 0.05) == pytest.approx([math.inf, 1.959964])
    assert boundaries(fractions(2000), 0.05) == plain


@pytest.mark.parametrize("wrong", [[0.5, 0.5], [0.6, 0.4], [0, 1], [0.5, 1.1]])
def test_fractions_must_rise(wrong: list[float]) -> None:
    with pytest.raises(ValueError, match="rise"):
        boundaries(wrong, 0.05)


# -- verdicts ----------------------------------------------------------------------------------


def same(score: float, limit: int) -> list[tuple[int, float, float]]:
    """All pairs score the same."""
    return [(n, n * score, n * score**2) for n in looks(limit)]


def end(score: float, limit: int) -> Verdict:
    verdict = judge(same(score, limit), limit, 0.05)
    assert verdict is not None
    return verdict


@pytest.mark.parametrize("limit", [1, 10, 400, 2000])
def test_halves_are_never_clear(limit: int) -> None:
    verdict = end(0.5, limit)
    assert (verdict.clear, verdict.better, verdict.pairs, verdict.z) == (False, -1, limit, 0)


@pytest.mark.parametrize(("score", "better"), [(1.0, 0), (0.0, 1)])
def test_who_wins_everything_is_better_soon(score: float, better: int) -> None:
    """But not at the first look: 31 won pairs of 400 are z = 5.4, and 8.0 is asked for."""
    verdict = end(score, 400)
    assert (verdict.clear, verdict.better, verdict.pairs) == (True, better, 62)
    assert verdict.z == pytest.approx((1 - 2 * better) * 61 / math.sqrt(62))
    assert abs(verdict.z) >= verdict.boundary == boundaries(fractions(400), 0.05)[1]
    assert end(score, 2000).pairs == 200


@pytest.mark.parametrize("limit", [1, 6, 9, 10])
def test_fewer_than_ten_pairs_are_too_few(limit: int) -> None:
    assert end(1.0, limit).clear is (limit == 10)


def test_before_the_limit_play_on_at_the_limit_a_verdict() -> None:
    even = same(0.5, 400)
    assert judge([], 400, 0.05) is None
    assert all(judge(even[:k], 400, 0.05) is None for k in range(len(even)))
    assert judge(even, 400, 0.05) == Verdict(
        False, -1, 400, 400, 0, boundaries(fractions(400), 0.05)[-1], 0.05
    )


@pytest.mark.parametrize("pairs", [30, 62, 400])
def test_other_looks_are_refused(pairs: int) -> None:
    with pytest.raises(ValueError, match="the looks of 400 pairs are"):
        judge([(pairs, pairs / 2, pairs / 4)], 400, 0.05)


def test_what_follows_the_stop_makes_no_difference() -> None:
    """Whoever looks after each step stops where one who sees everything at once does."""
    limit, stops = 2000, set()
    for prefix in simulated(pair_chances(0.55, 0.1, 0.4), limit, 100).tolist():
        whole = judge(prefix, limit, 0.05)
        assert whole is not None
        stop = looks(limit).index(whole.pairs)
        assert all(judge(prefix[:k], limit, 0.05) is None for k in range(stop + 1))
        otherwise = [(n, 0.0, 0.0) for n in looks(limit)[stop + 1 :]]
        for seen in (prefix[: stop + 1], prefix[: stop + 1] + otherwise, prefix):
            assert judge(seen, limit, 0.05) == whole
        stops.add(stop)
    assert len(stops) > 5


# -- false alarms ------------------------------------------------------------------------------

EQUAL = {
    "games on their own": pair_chances(0.5, 0, 0),
    "a draw is likely": pair_chances(0.5, 0.6, 0),
    "both games alike": pair_chances(0.5, 0.1, 0.8),
    "the cards decide": pair_chances(0.5, 0.1, -0.8),
    "few decisive": np.array([0.01, 0.01, 0.96, 0.01, 0.01]),
    "lopsided": np.array([1 / 3, 0, 0, 2 / 3, 0]),
    "few and lopsided": np.array([0, 0.02, 0.97, 0, 0.01]),
}


@pytest.mark.parametrize("limit", [400, 2000])
@pytest.mark.parametrize("kind", EQUAL)
def test_at_most_one_in_twenty_is_a_false_alarm(kind: str, limit: int) -> None:
    """Looks at 1.96 raise one in far more."""
    runs = simulated(EQUAL[kind], limit, 40_000)
    assert alarms(runs, limit).mean() <= 0.05
    assert (abs(plain_z(runs)) >= 1.96).any(axis=1).mean() > 0.1


@pytest.mark.parametrize("limit", [10, 12, 20, 50, 100, 400])
@pytest.mark.parametrize("decisive", [0.003, 0.01, 0.03, 0.1, 0.3, 1])
def test_nearly_all_halves_give_no_more_false_alarms(decisive: float, limit: int) -> None:
    """On either side alike, or rarely far on one side and more often near on the other."""
    for sides in ([1 / 2, 0, 0, 1 / 2], [0, 1 / 2, 1 / 2, 0], [1 / 3, 0, 2 / 3, 0]):
        chances = decisive * np.array(sides)
        runs = simulated(np.insert(chances, 2, 1 - decisive), limit, 20_000, seed=limit)
        assert alarms(runs, limit).mean() <= 0.05


@pytest.mark.parametrize("limits", [range(2, 60), (60, 109, 116, 400, 641, 2000)])
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 3])
def test_whole_pairs_have_no_more_false_alarms_than_allowed(limits: range, alpha: float) -> None:
    """Without chance: the probability of every sum, if each pair is won or lost as a whole."""
    for limit in limits:
        chances, earlier, alarm = np.ones(1), 0, 0.0
        for n, boundary in zip(looks(limit), boundaries(fractions(limit), alpha), strict=True):
            step = binom.pmf(np.arange(n - earlier + 1), n - earlier, 0.5)
            chances, earlier = np.convolve(chances, step), n
            clear = [abs(statistic(n, won, won)) >= boundary for won in range(n + 1)]
            alarm += float(chances[clear].sum())
            chances[clear] = 0
        assert alarm <= alpha


def test_half_a_pair_taken_off_is_needed() -> None:
    """Without it few and lopsided decisive pairs give more than 6 %."""
    runs = simulated(EQUAL["few and lopsided"], 400, 10_000)
    alarm = (abs(plain_z(runs)) >= boundaries(fractions(400), 0.05)).any(axis=1)
    assert alarm.mean() > 0.06 > 0.05 > alarms(runs, 400).mean()


def test_three_comparisons_at_once() -> None:
    """Three equal players on the same shuffles. All shall be right: a third of 5 % for each."""
    limit, runs = 200, 5000
    random = np.random.default_rng(8)
    deal, game = random.normal(size=(runs, limit, 3, 1)), random.normal(size=(runs, limit, 3, 2))
    luck = deal + game
    alone, together = np.zeros(runs, bool), np.zeros(runs, bool)
    for a, b in ((0, 1), (0, 2), (1, 2)):
        pairs = (luck[:, :, a] > luck[:, :, b]).mean(axis=2)
        starts = [0, *looks(limit)[:-1]]
        sums = [np.add.reduceat(values, starts, axis=1) for values in (pairs, pairs**2)]
        alone |= alarms(at_looks(limit, *sums), limit)
        together |= alarms(at_looks(limit, *sums), limit, corrected(0.05, 3))
    assert together.mean() <= 0.05 < 0.07 < alone.mean()


# -- power -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "limit", "power", "pairs"),
    [
        (0.55, 2000, 0.99, 900),
        (0.6, 2000, 0.99, 480),
        (0.35, 2000, 0.99, 350),
        (0.8, 400, 0.99, 90),
    ],
)
def test_a_clear_difference_stops_early(
    score: float, limit: int, power: float, pairs: float
) -> None:
    ends = verdicts(simulated(pair_chances(score, 0.1, 0.4), limit, 500), limit)
    better = int(score < 0.5)
    assert np.mean([verdict.better == better for verdict in ends]) >= power
    assert np.mean([verdict.pairs for verdict in ends]) <= pairs


def test_looking_costs_little_power() -> None:
    """A small difference is detected nearly as often as by one look at the limit, and sooner."""
    limit = 2000
    runs = simulated(pair_chances(0.52, 0.1, -0.4), limit, 4000)
    once = np.mean([abs(statistic(*run[-1])) >= 1.96 for run in runs.tolist()])
    ends = verdicts(runs, limit)
    assert once - 0.03 <= np.mean([verdict.better == 0 for verdict in ends]) <= once
    assert np.mean([verdict.pairs for verdict in ends]) < 0.75 * limit
