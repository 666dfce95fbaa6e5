"""One scale for all players of a comparison: the model of Bradley and Terry, fitted to pair scores.

The model (R. Bradley and M. Terry, Biometrika 39, 1952; for Elo's scale see A. Elo, The Rating of
Chessplayers, 1978): of two players with ratings r and s, the first scores

    1 / (1 + 10^((s − r) / 400))

of a point on the mean. At a table of more, each scores in proportion to 10^(r / 400), the choice
model of R. Luce (Individual Choice Behavior, 1959); with two it is the same.

A draw is half a win. Models with a parameter for draws (R. Davidson, Journal of the American
Statistical Association 65, 1970) take it that draws depend on nothing but how near two players are;
ours depend on who meets whom, for two that decide alike draw every pair. So nothing is assumed of
how often a score comes, only of its mean: quasi-likelihood (R. Wedderburn, Biometrika 61, 1974).
The equations are those of the likelihood without draws: every player scores in all what its rating
expects.

The sample is the pair. Pair number i of every match has the same shuffle, so matches are not
independent: the covariance of their mean scores is counted pair by pair, and carried over to the
ratings by the first derivatives (the sandwich of P. Huber, Fifth Berkeley Symposium, 1967). It
holds also where the model is wrong. The score of one pair at each end is added to the variance,
as what is rare may not have been seen yet (see `scores.bounds`).

Whether the model fits is asked of the residuals, mean score less what the ratings expect, by
Hotelling's test (The Annals of Mathematical Statistics 2, 1931); which matches are off, by
intervals that hold all at once, Bonferroni's or Scheffé's (Biometrika 40, 1953), whichever are
narrower.

A rating is finite only within a group in which everybody can be reached from everybody, going from
a player to whomever it took points from (L. Ford, The American Mathematical Monthly 64, 1957). A
group that took all points from another is above it by an unknown number of points: what is known is
a bound. Where not even that is known, there are several scales.

An example: a beat b by 3 to 1, which is log(3) · 400 / log(10) Elo points.

>>> scores = np.repeat([[1.0, 0.0], [0.5, 0.5]], 20, axis=0)
>>> fit = fit_scale([Contest.of_pairs((0, 1), scores)], players=2)
>>> [round(float(rating), 1) for rating in fit.ratings]
[95.4, -95.4]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kibitz.arena.statistics.scores import FEWEST, students

POINTS = 400 / math.log(10)
"""Elo points of one unit of a log odds."""
LEVEL = 0.05
STEPS, CLOSE = 200, 1e-12
"""Of Newton's method: how many at most, and what is close enough, as a share of a point."""


@dataclass(frozen=True, eq=False)
class Contest:
    """Players who met, and what each scored. The scores of a pair add up to 1."""

    players: tuple[int, ...]
    pairs: int
    scores: np.ndarray
    """The mean score of each: float64[k]."""
    deviations: np.ndarray
    """What the pairs of a block scored together, less what is to be expected by their own mean:
    float64[blocks, k]. Block i has the same numbers of pairs in every contest; 0 where it was not
    played as a whole."""
    size: int = 1
    """Pairs of a block."""
    blocks: int = 0
    """How many blocks were played as a whole."""

    @classmethod
    def of_pairs(cls, players: Sequence[int], scores: np.ndarray) -> Contest:
        """From a row for each pair, the first row of pair number 0."""
        means = scores.mean(axis=0)
        return cls(tuple(players), len(scores), means, scores - means, 1, len(scores))

    def among(self, group: Sequence[int]) -> Contest:
        """The same of those in a group, who had all points."""
        own = [k for k, player in enumerate(self.players) if player in group]
        return Contest(
            tuple(self.players[k] for k in own), self.pairs, self.scores[own],
            self.deviations[:, own], self.size, self.blocks,
        )  # fmt: skip


@dataclass(frozen=True)
class Residual:
    """What a player scored in a contest, and what the ratings expect."""

    contest: int
    player: int
    score: float
    expected: float
    half: float | None
    """Half the width of the interval; all such intervals hold at once. None: too few pairs."""

    @property
    def off(self) -> float:
        """What it scored beyond what was expected."""
        return self.score - self.expected

    @property
    def is_clear(self) -> bool:
        """Whether chance alone does not explain it."""
        return self.half is not None and abs(self.off) > self.half


@dataclass(frozen=True, eq=False)
class Scale:
    """Ratings of all players, in Elo points, by groups in which they are finite."""

    contests: tuple[Contest, ...]
    """Those within groups."""
    numbers: tuple[int, ...]
    """The places of these in what was given."""
    groups: tuple[tuple[int, ...], ...]
    reach: np.ndarray
    """Whether one can be reached from another, from a player to whomever it took points from."""
    ratings: np.ndarray
    """Each from the mean of its group."""

    # -- intervals -------------------------------------------------------------------------

    @cached_property
    def freedom(self) -> int:
        """How many degrees of freedom the variances have; 0: too few pairs for an interval."""
        if not self.contests or min(contest.pairs for contest in self.contests) < FEWEST:
            return 0
        return min(contest.blocks for contest in self.contests) - 1

    def interval_half(self, weights: np.ndarray) -> float | None:
        """Half the width of the 95 % interval of a weighted sum of ratings in one group."""
        if self.freedom < 1:
            return None
        variance = float(weights @ self._covariance @ weights)
        return students(self.freedom) * math.sqrt(max(variance, 0.0)) * POINTS

    @cached_property
    def _slopes(self) -> np.ndarray:
        """Of every expected score by every rating; all contests one below the other."""
        rows = np.zeros((len(self._rows), len(self.ratings)))
        at = 0
        for contest in self.contests:
            chances = expected(contest, self.ratings / POINTS)
            k = len(chances)
            own = np.diag(chances) - np.outer(chances, chances)
            rows[at : at + k, contest.players] = own
            at += k
        return rows

    @cached_property
    def _rows(self) -> list[tuple[int, int]]:
        """The contest and the player of every row."""
        return [(i, player) for i, c in enumerate(self.contests) for player in c.players]

    @cached_property
    def _equations(self) -> np.ndarray:
        """What every score adds to the equation of every player: its pairs, for its own."""
        matrix = np.zeros((len(self.ratings), len(self._rows)))
        for row, (number, player) in enumerate(self._rows):
            matrix[player, row] = self.contests[number].pairs
        return matrix

    @cached_property
    def _gain(self) -> np.ndarray:
        """What a rating gains if a score does: the inverse of the equations' slopes."""
        inverse: np.ndarray = np.linalg.pinv(self._equations @ self._slopes, hermitian=True)
        return inverse @ self._equations

    @cached_property
    def _scores_covariance(self) -> np.ndarray:
        """Of the mean scores of all rows."""
        longest = max(len(contest.deviations) for contest in self.contests)
        columns = np.zeros((longest, len(self._rows)))
        ends = np.zeros((len(self._rows),) * 2)
        at = 0
        for contest in self.contests:
            k = len(contest.players)
            share = contest.pairs * contest.size * (contest.blocks - 1)
            own = slice(at, at + k)
            columns[: len(contest.deviations), own] = contest.deviations / math.sqrt(share)
            far = np.eye(k) - contest.scores
            ends[own, own] = far.T @ far / contest.pairs**2
            at += k
        # By no library that sums in another order with another number of threads.
        return np.einsum("pi,pj->ij", columns, columns, optimize=False) + ends

    @cached_property
    def _covariance(self) -> np.ndarray:
        return self._gain @ self._scores_covariance @ self._gain.T

    # -- does it fit? ----------------------------------------------------------------------

    @cached_property
    def ties(self) -> int:
        """How many ways there are for the scores not to fit: scores less ratings, where all are
        counted from the mean of their group."""
        free_scores = sum(len(contest.players) - 1 for contest in self.contests)
        return free_scores - (len(self.ratings) - len(self.groups))

    @cached_property
    def probability(self) -> float | None:
        """Of residuals that are off so far, if the model is right; None: nothing can be said."""
        if not self._test_freedom:
            return None
        from scipy.special import fdtrc

        whole = self._residual_covariance
        values, vectors = np.linalg.eigh(whole)
        axes = vectors[:, -self.ties :] / np.sqrt(values[-self.ties :])
        squares = float(((self._off @ axes) ** 2).sum())
        inner = self._test_freedom
        return float(fdtrc(self.ties, inner, squares * inner / (self.ties * self.freedom)))

    @property
    def _test_freedom(self) -> int:
        """The inner degrees of freedom of Hotelling's test; 0: there is nothing to test, or too
        few pairs."""
        return max(self.freedom - self.ties + 1, 0) if self.ties and self.freedom else 0

    @cached_property
    def _off(self) -> np.ndarray:
        scores = [score for contest in self.contests for score in contest.scores]
        chances = [expected(contest, self.ratings / POINTS) for contest in self.contests]
        return np.array(scores) - np.concatenate(chances)

    @cached_property
    def _residual_covariance(self) -> np.ndarray:
        left = np.eye(len(self._rows)) - self._slopes @ self._gain
        return left @ self._scores_covariance @ left.T

    @cached_property
    def residuals(self) -> tuple[Residual, ...]:
        """Of every contest; of two players the first one's, as the other's is the same."""
        reach = self._reach_of_residuals()
        residuals = []
        for row, (number, player) in enumerate(self._rows):
            contest = self.contests[number]
            if len(contest.players) == 2 and player != contest.players[0]:
                continue
            score = float(contest.scores[contest.players.index(player)])
            half = None
            if reach is not None:
                half = reach * math.sqrt(max(float(self._residual_covariance[row, row]), 0.0))
            off = float(self._off[row])
            residuals.append(Residual(self.numbers[number], player, score, score - off, half))
        return tuple(residuals)

    def _reach_of_residuals(self) -> float | None:
        """How many standard errors the intervals reach, so that all hold at once."""
        inner = self._test_freedom
        if not inner:
            return None
        from scipy.special import fdtri, stdtrit

        counted = sum(len(c.players) if len(c.players) > 2 else 1 for c in self.contests)
        bonferroni = float(stdtrit(self.freedom, 1 - LEVEL / 2 / counted))
        quantile = float(fdtri(self.ties, inner, 1 - LEVEL))
        return min(bonferroni, math.sqrt(self.ties * self.freedom / inner * quantile))


def expected(contest: Contest, strengths: np.ndarray) -> np.ndarray:
    """What each player of a contest scores on the mean. Strengths are logarithms of odds."""
    own = strengths[list(contest.players)]
    odds = np.exp(own - own.max())
    shares: np.ndarray = odds / odds.sum()
    return shares


# -- the fit -------------------------------------------------------------------------------


def fit_scale(contests: Sequence[Contest], players: int) -> Scale:
    """The ratings that explain the scores best."""
    reach = reached(contests, players)
    groups = groups_of(reach)
    own = {player: group for group in groups for player in group}
    within, numbers = [], []
    for number, contest in enumerate(contests):
        # Whoever scored is of one group: of two who did, each took points from the other.
        winner = contest.players[int(np.argmax(contest.scores))]
        if sum(player in own[winner] for player in contest.players) > 1:
            within.append(contest.among(own[winner]))
            numbers.append(number)
    strengths = maximum(within, players)
    for group in groups:
        strengths[list(group)] -= strengths[list(group)].mean()
    return Scale(tuple(within), tuple(numbers), groups, reach, strengths * POINTS)


def reached(contests: Sequence[Contest], players: int) -> np.ndarray:
    """Whether one can be reached from another, going from a player to whomever it took points
    from: bool[players, players]."""
    reach = np.eye(players, dtype=bool)
    for contest in contests:
        for player, score in zip(contest.players, contest.scores, strict=True):
            if score > 0:
                reach[player, list(contest.players)] = True
    for through in range(players):  # Warshall
        reach |= np.outer(reach[:, through], reach[through])
    return reach


def groups_of(reach: np.ndarray) -> tuple[tuple[int, ...], ...]:
    """Those that can be reached from each other, by their first."""
    both = reach & reach.T
    return tuple(dict.fromkeys(tuple(np.flatnonzero(row).tolist()) for row in both))


def maximum(contests: Sequence[Contest], players: int) -> np.ndarray:
    """The strengths at which every player scores in all what is expected: by Newton's method on
    a concave function, with shorter steps where a whole one goes too far."""
    strengths = np.zeros(players)
    if not contests:
        return strengths
    whole = sum(contest.pairs for contest in contests)
    best = _likelihood(contests, strengths)
    for _ in range(STEPS):
        slope, curve = np.zeros(players), np.zeros((players, players))
        for contest in contests:
            own = list(contest.players)
            chances = expected(contest, strengths)
            slope[own] += contest.pairs * (contest.scores - chances)
            spread = np.diag(chances) - np.outer(chances, chances)
            curve[np.ix_(own, own)] += contest.pairs * spread
        if np.abs(slope).max() < CLOSE * whole:
            break
        step = np.linalg.pinv(curve, hermitian=True) @ slope
        step /= max(1.0, np.abs(step).max())  # where few points were lost, a step leads too far
        while (value := _likelihood(contests, strengths + step)) < best and step.any():
            step = np.where(np.abs(step) > CLOSE, step / 2, 0.0)
        strengths, best = strengths + step, max(best, value)
        if not step.any():
            break
    return strengths


def _likelihood(contests: Sequence[Contest], strengths: np.ndarray) -> float:
    total = 0.0
    for contest in contests:
        own = strengths[list(contest.players)]
        top = own.max()
        norm = top + math.log(np.exp(own - top).sum())
        total += contest.pairs * float(contest.scores @ own - norm)
    return total


# -- groups on one scale -------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """Where a group is."""

    scale: int
    """The number of its scale, from 0. Scales have nothing in common."""
    side: int
    """0: its ratings are what they are; 1: they are at least that; −1: they are at most that."""
    shift: float | None
    """What is added to the ratings of the group, in Elo points; None if there is no bound."""


def places_of(scale: Scale, contests: Sequence[Contest]) -> dict[tuple[int, ...], Place]:
    """Every group on a scale: the largest group of it lies around 0."""
    places: dict[tuple[int, ...], Place] = {}
    number = 0
    while left := [group for group in scale.groups if group not in places]:
        main = max(left, key=len)  # the first of equal ones
        places[main] = Place(number, 0, 0.0)
        placed = np.full(len(scale.ratings), np.nan)
        placed[list(main)] = scale.ratings[list(main)]
        for side in (1, -1):
            way = scale.reach if side == 1 else scale.reach.T
            further = [g for g in left if g is not main and way[g[0], main[0]]]
            beside = placed.copy()
            for group in sorted(further, key=lambda g: int(way[g[0]].sum())):
                between = np.where(way[group[0]], beside, np.nan)
                shift = _bound(scale, contests, group, between, side)
                places[group] = Place(number, side, shift)
                if shift is not None:
                    beside[list(group)] = scale.ratings[list(group)] + shift
        number += 1
    return places


def _bound(
    scale: Scale, contests: Sequence[Contest], group: Sequence[int], known: np.ndarray, side: int
) -> float | None:
    """How far a group is above (or below) those whose ratings are known, at least: as far as it
    takes to win all these pairs in 2.5 of 100 cases. As pairs have their shuffles in common, those
    of several matches count once."""
    from scipy.optimize import brentq

    met = [
        contest for contest in contests
        if any(player in group for player in contest.players)
        and any(player not in group for player in contest.players)
        and all(player in group or not np.isnan(known[player]) for player in contest.players)
    ]  # fmt: skip
    most = max((contest.pairs for contest in met), default=0)
    if most < FEWEST:
        return None
    share = (LEVEL / 2) ** (1 / most)
    whole = sum(contest.pairs for contest in met)

    def excess(shift: float) -> float:
        ratings = known.copy()
        ratings[list(group)] = scale.ratings[list(group)] + shift
        won = 0.0
        for contest in met:
            own = [player in group for player in contest.players]
            taken = expected(contest, ratings / POINTS)[own].sum()
            won += contest.pairs * (taken if side == 1 else 1 - taken)
        return won / whole - share

    return float(brentq(excess, -1e5, 1e5, xtol=1e-9))
