"""The joint rating against its textbook twin, by simulation, and where no rating is finite."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2, f, t

from kibitz.arena.statistics.rating import (
    POINTS,
    Contest,
    Scale,
    fit_scale,
    places_of,
)
from kibitz.arena.statistics.scores import elo
from tests.arena.statistics.rating_twin import (
    as_games,
    expects,
    twin,
    twin_covariance,
    twin_gain,
)

# -- pairs to rate -----------------------------------------------------------------------------


def chance(ratings: Sequence[float], i: int, j: int) -> float:
    return float(1 / (1 + 10 ** ((ratings[j] - ratings[i]) / 400)))


def pair_scores(rng: Any, p: float, n: int, shared: np.ndarray) -> np.ndarray:
    """n pairs of two games each, both won with chance p. A part of the luck is that of the shuffle,
    the same for all matches, and helps one side in one game and the other in the other."""
    by_shuffle = rng.random(n) < 0.5
    first = np.where(by_shuffle, shared, rng.random(n))
    second = np.where(by_shuffle, 1 - shared, rng.random(n))
    own = ((first < p).astype(float) + (second < p)) / 2
    return np.stack([own, 1 - own], axis=1)


def round_robin(
    rng: Any, ratings: Sequence[float], n: int, off: dict[tuple[int, int], float] | None = None
) -> list[Contest]:
    """Everybody against everybody by the model, but for some chances that are given."""
    shared = rng.random(n)
    return [
        Contest.of_pairs((i, j), pair_scores(rng, p, n, shared))
        for i, j in combinations(range(len(ratings)), 2)
        for p in [(off or {}).get((i, j), chance(ratings, i, j))]
    ]


def three_at_a_table(rng: Any, ratings: Sequence[float], n: int) -> list[Contest]:
    """Every three players, six games a pair: one wins each, by Luce's model."""
    contests = []
    for who in combinations(range(len(ratings)), 3):
        odds = np.array([10 ** (ratings[player] / 400) for player in who])
        won = rng.multinomial(6, odds / odds.sum(), size=n)
        contests.append(Contest.of_pairs(who, won / 6))
    return contests


def half(scale: Scale, one: int, other: int | None = None) -> float:
    """Half the interval of a rating, or of how far it is ahead of another."""
    weights = np.zeros(len(scale.ratings))
    if other is None:
        weights -= 1 / len(weights)
    else:
        weights[other] = -1
    weights[one] += 1
    width = scale.interval_half(weights)
    assert width is not None
    return width


SKILL = [120.0, 40.0, 0.0, -160.0]


# -- the twin agrees ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("seats", [2, 3])
def test_the_ratings_are_those_of_the_twin(seed: int, seats: int) -> None:
    rng = np.random.default_rng(seed)
    make = round_robin if seats == 2 else three_at_a_table
    contests = make(rng, [*SKILL, 500.0 * (seed % 2)], 60)
    scale = fit_scale(contests, 5)
    assert len(scale.groups) == 1
    assert scale.ratings == pytest.approx(twin(as_games(contests), 5), abs=1e-5)
    # And everybody scores in all what is expected of it.
    for player in range(5):
        off = sum(
            r.off * contests[r.contest].pairs * (1 if r.player == player else -1)
            for r in scale.residuals
            if r.player == player or (seats == 2 and player in contests[r.contest].players)
        )
        assert off == pytest.approx(0, abs=1e-6)


def test_matches_with_other_numbers_of_pairs_and_some_that_were_not_played() -> None:
    rng = np.random.default_rng(3)
    contests = round_robin(rng, SKILL, 80)
    cut = [
        Contest.of_pairs(c.players, c.deviations[:n] + c.scores)
        for c, n in zip(contests[:5], (80, 30, 55, 12, 80), strict=True)
    ]
    scale = fit_scale(cut, 4)
    assert scale.ratings == pytest.approx(twin(as_games(cut), 4), abs=1e-5)
    _check_intervals(cut, scale, 11)


@pytest.mark.parametrize("seats", [2, 3])
def test_the_intervals_are_those_of_the_twin(seats: int) -> None:
    rng = np.random.default_rng(9)
    make = round_robin if seats == 2 else three_at_a_table
    contests = make(rng, SKILL, 50)
    _check_intervals(contests, fit_scale(contests, 4), 49)


def _check_intervals(contests: Sequence[Contest], scale: Scale, freedom: int) -> None:
    """Intervals and residuals, from the twin's derivatives and a covariance counted in loops."""
    gain, covariance = twin_gain(contests, 4), twin_covariance(contests)
    ratings = gain @ covariance @ gain.T
    quantile = float(t.ppf(0.975, freedom))
    for player in range(4):
        assert half(scale, player) == pytest.approx(
            quantile * math.sqrt(ratings[player, player]), rel=1e-4
        )
        for other in range(player):
            variance = ratings[player, player] + ratings[other, other] - 2 * ratings[player, other]
            assert half(scale, player, other) == pytest.approx(
                quantile * math.sqrt(variance), rel=1e-4
            )
    rows = [(c, k) for c in contests for k in range(len(c.players) - 1)]
    slopes = np.zeros((len(rows), 4))
    found = np.array(twin(as_games(contests), 4))
    for player in range(4):
        up, down = found.copy(), found.copy()
        up[player] += 1e-3
        down[player] -= 1e-3
        slopes[:, player] = [(expects(c, k, up) - expects(c, k, down)) / 2e-3 for c, k in rows]
    left = np.eye(len(rows)) - slopes @ gain
    spread = left @ covariance @ left.T
    off = np.array([c.scores[k] - expects(c, k, found) for c, k in rows])
    ties = len(rows) - 3
    assert scale.ties == ties
    squares = off @ np.linalg.pinv(spread, rcond=1e-7) @ off
    inner = freedom - ties + 1
    assert scale.probability == pytest.approx(
        f.sf(squares * inner / (ties * freedom), ties, inner), rel=1e-3
    )
    widths = {(scale.contests[r.contest], r.player): r.half for r in scale.residuals}
    many = len(scale.residuals)
    reach = min(
        t.ppf(1 - 0.025 / many, freedom),
        math.sqrt(ties * freedom / inner * f.ppf(0.95, ties, inner)),
    )
    for (contest, player), width in widths.items():
        row = (
            next(
                i
                for i, (c, k) in enumerate(rows)
                if c.players == contest.players and c.players[k] == player
            )
            if (player != contest.players[-1])
            else None
        )
        if row is not None:
            assert width == pytest.approx(reach * math.sqrt(spread[row, row]), rel=1e-3)


def test_of_two_players_it_is_the_elo_of_the_match() -> None:
    rng = np.random.default_rng(1)
    (match,) = round_robin(rng, [70.0, 0.0], 40)
    scale = fit_scale([match], 2)
    assert scale.ratings[0] - scale.ratings[1] == pytest.approx(elo(float(match.scores[0])))
    assert scale.ties == 0 and scale.probability is None
    assert [r.half for r in scale.residuals] == [None]


def test_the_bootstrap_over_pairs_finds_the_same_width() -> None:
    """Pairs are drawn again with their numbers: all matches of a shuffle stay together."""
    rng = np.random.default_rng(17)
    contests = round_robin(rng, SKILL, 400)
    scale = fit_scale(contests, 4)
    drawn = []
    for _ in range(300):
        numbers = rng.integers(0, 400, 400)
        again = [Contest.of_pairs(c.players, (c.deviations + c.scores)[numbers]) for c in contests]
        drawn.append(fit_scale(again, 4).ratings)
    spread = np.std(np.array(drawn), axis=0) * t.ppf(0.975, 399)
    for player in range(4):
        assert half(scale, player) == pytest.approx(spread[player], rel=0.15)


def test_shuffles_in_common_count() -> None:
    """Two matches that go the same way by the same shuffles are less than two of their own."""
    rng = np.random.default_rng(5)
    own = pair_scores(rng, 0.5, 300, rng.random(300))
    own -= own.mean(axis=0) - 0.5
    other = own[rng.permutation(300)]
    apart, alike = (
        fit_scale([Contest.of_pairs((0, 1), own), Contest.of_pairs((0, 2), second)], 3)
        for second in (other, own)
    )
    # 0's rating is its two scores together; 1 and 2 are as far from each other as the two differ.
    assert half(alike, 0) == pytest.approx(half(apart, 0) * math.sqrt(2), rel=0.1)
    assert half(alike, 1, 2) < 0.2 * half(apart, 1, 2)


# -- by simulation -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ratings", "pairs"), [((60.0, 0.0, -60.0), 60), ((250.0, 0.0, 0.0, -250.0), 120)]
)
def test_intervals_hold_the_truth_and_a_right_model_is_rarely_refused(
    ratings: tuple[float, ...], pairs: int
) -> None:
    rng = np.random.default_rng(2)
    runs, players = 600, len(ratings)
    held, ahead, refused, named = np.zeros(players), 0, 0, 0
    for _ in range(runs):
        scale = fit_scale(round_robin(rng, ratings, pairs), players)
        assert len(scale.groups) == 1
        held += [abs(scale.ratings[k] - ratings[k]) <= half(scale, k) for k in range(players)]
        gap = scale.ratings[0] - scale.ratings[1] - (ratings[0] - ratings[1])
        ahead += abs(gap) <= half(scale, 0, 1)
        refused += scale.probability is not None and scale.probability < 0.05
        named += any(residual.is_clear for residual in scale.residuals)
    # 95 of 100, less three standard errors; a little wider with few pairs, but not by much.
    least, most = 0.95 - 3 * math.sqrt(0.05 * 0.95 / runs), 0.99
    assert all(least <= share <= most for share in [*(held / runs), ahead / runs])
    assert max(refused, named) / runs < 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
    assert refused


@pytest.mark.parametrize("players", [3, 5])
def test_rock_paper_scissors_is_noticed(players: int) -> None:
    rng = np.random.default_rng(4)
    off = {(0, 1): 0.62, (1, 2): 0.62, (0, 2): 0.38}
    scale = fit_scale(round_robin(rng, [0.0] * players, 300, off), players)
    assert scale.probability is not None and scale.probability < 1e-4
    clear = {(scale.contests[r.contest].players, r.off > 0) for r in scale.residuals if r.is_clear}
    assert clear == {((0, 1), True), ((1, 2), True), ((0, 2), False)}


def test_with_many_pairs_the_test_is_the_chi_square() -> None:
    rng = np.random.default_rng(6)
    contests = round_robin(rng, SKILL, 3000)
    scale = fit_scale(contests, 4)
    gain, covariance = twin_gain(contests, 4), twin_covariance(contests)
    found = np.array(twin(as_games(contests), 4))
    off = np.array([c.scores[0] - expects(c, 0, found) for c in contests])
    slopes = np.array(
        [
            [
                expects(c, 0, found)
                * (1 - expects(c, 0, found))
                / POINTS
                * ((p == c.players[0]) - (p == c.players[1]))
                for p in range(4)
            ]
            for c in contests
        ]
    )
    left = np.eye(6) - slopes @ gain
    squares = off @ np.linalg.pinv(left @ covariance @ left.T, rcond=1e-7) @ off
    assert scale.probability == pytest.approx(chi2.sf(squares, 3), abs=0.005)


# -- where no rating is finite -----------------------------------------------------------------


def sure(players: tuple[int, int], wins: int, pairs: int = 40) -> Contest:
    """So many pairs won, the others lost."""
    own = (np.arange(pairs) < wins).astype(float)
    return Contest.of_pairs(players, np.stack([own, 1 - own], axis=1))


def test_who_never_lost_is_at_least_so_far_ahead() -> None:
    contests = [sure((0, 1), 40), sure((0, 2), 40), sure((1, 2), 25)]
    scale = fit_scale(contests, 3)
    places = places_of(scale, contests)
    assert scale.groups == ((0,), (1, 2))
    assert scale.ratings[1] - scale.ratings[2] == pytest.approx(elo(25 / 40))
    assert places[(1, 2)].side == 0 and places[(1, 2)].shift == 0
    place = places[(0,)]
    assert (place.scale, place.side) == (0, 1)
    # As far as it takes to win 40 shuffles in one of 40 cases.
    assert place.shift is not None
    taken = [chance([place.shift, rating], 0, 1) for rating in scale.ratings[1:]]
    assert np.mean(taken) ** 40 == pytest.approx(0.025)


def test_who_never_won_is_at_most_so_far_behind() -> None:
    ahead = [sure((0, 1), 40), sure((0, 2), 40), sure((1, 2), 25)]
    behind = [sure((0, 1), 0), sure((0, 2), 0), sure((1, 2), 15)]
    shifts = []
    for contests in (ahead, behind):
        place = places_of(fit_scale(contests, 3), contests)[(0,)]
        shifts.append((place.side, place.shift))
    assert shifts[0][0] == 1 and shifts[1][0] == -1
    assert shifts[0][1] == pytest.approx(-(shifts[1][1] or 0))


def test_a_chain_of_groups() -> None:
    """0 beats all; 1 and 2 are near each other; 3 lost all to them, and 4 all to everybody."""
    wins = {(0, 1): 40, (0, 2): 40, (0, 3): 40, (0, 4): 40, (1, 2): 22, (1, 3): 40, (1, 4): 40,
            (2, 3): 40, (2, 4): 40, (3, 4): 40}  # fmt: skip
    contests = [sure(who, won) for who, won in wins.items()]
    places = places_of(fit_scale(contests, 5), contests)
    assert [places[g].side for g in ((0,), (1, 2), (3,), (4,))] == [1, 0, -1, -1]
    third, fourth = places[(3,)].shift, places[(4,)].shift
    assert third is not None and fourth is not None and fourth < third < 0
    assert {place.scale for place in places.values()} == {0}


def test_no_bound_from_a_few_pairs() -> None:
    contests = [sure((0, 1), 9, 9), sure((0, 2), 9, 9), sure((1, 2), 5, 9)]
    scale = fit_scale(contests, 3)
    assert places_of(scale, contests)[(0,)].shift is None
    assert scale.freedom == 0 and scale.probability is None
    assert scale.interval_half(np.array([0.0, 1.0, -1.0])) is None


def test_players_who_have_nobody_in_common_have_scales_of_their_own() -> None:
    contests = [sure((0, 1), 25), sure((2, 3), 10), sure((3, 4), 20), sure((2, 4), 12)]
    scale = fit_scale(contests, 5)
    places = places_of(scale, contests)
    assert scale.groups == ((0, 1), (2, 3, 4))
    assert places[(2, 3, 4)].scale == 0 and places[(0, 1)].scale == 1
    assert scale.ratings[0] - scale.ratings[1] == pytest.approx(elo(25 / 40))
    assert half(fit_scale([contests[0]], 2), 0, 1) == pytest.approx(half(scale, 0, 1))


def test_two_who_both_beat_a_third_and_never_met() -> None:
    contests = [sure((0, 2), 40), sure((1, 2), 40)]
    places = places_of(fit_scale(contests, 3), contests)
    sides = sorted((place.scale, place.side) for place in places.values())
    assert sides == [(0, -1), (0, 0), (1, 0)], "nothing is known of the two"


def test_at_a_table_the_winners_group_is_rated_by_what_it_shared() -> None:
    """0 and 1 share all points of every pair; 2 has none."""
    rows = np.array([[1, 0, 0], [0.5, 0.5, 0], [0, 1, 0], [1, 0, 0]] * 10, float)
    contests = [Contest.of_pairs((0, 1, 2), rows)]
    scale = fit_scale(contests, 3)
    assert scale.groups == ((0, 1), (2,))
    assert scale.ratings[0] - scale.ratings[1] == pytest.approx(elo(rows[:, 0].mean()))
    place = places_of(scale, contests)[(2,)]
    assert place.side == -1 and place.shift is not None
    third = expects(contests[0], 2, [*scale.ratings[:2].tolist(), place.shift])
    assert (1 - third) ** 40 == pytest.approx(0.025)


@pytest.mark.parametrize("lost", [1, 3])
def test_one_pair_lost_in_very_many_is_enough(lost: int) -> None:
    contests = [sure((0, 1), 20_000 - lost, 20_000), sure((1, 2), 19_999, 20_000),
                sure((0, 2), 20_000, 20_000)]  # fmt: skip
    scale = fit_scale(contests, 3)
    assert len(scale.groups) == 1 and np.isfinite(scale.ratings).all()
    points = [sum(c.pairs * c.scores[c.players.index(p)] for c in contests if p in c.players)
              for p in range(3)]  # fmt: skip
    wanted = [sum(c.pairs * expects(c, c.players.index(p), list(scale.ratings)) for c in contests
                  if p in c.players) for p in range(3)]  # fmt: skip
    assert wanted == pytest.approx(points, abs=1e-4)


def test_all_alike_are_equal() -> None:
    even = np.full((50, 2), 0.5)
    scale = fit_scale([Contest.of_pairs(who, even) for who in ((0, 1), (0, 2), (1, 2))], 3)
    assert scale.ratings == pytest.approx([0, 0, 0])
    assert scale.probability == pytest.approx(1)
    assert 0 < half(scale, 0) < 20
