"""The joint rating of a comparison: all its players on one Elo scale, and whether that fits.

How it is computed is in `statistics.rating`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.arena.statistics.rating import Contest, Place, Scale, fit_scale, places_of
from kibitz.core.shown import Sheet, Shown

if TYPE_CHECKING:
    from kibitz.arena.run import LineupRun

Interval = tuple[float, float]
SCORE, LESS_LUCK = "score", "less-luck"
PARTNERS = "partners score together: a score at a table says nothing of one of them alone"


@dataclass(frozen=True)
class RatingLine:
    """One player on the scale, in Elo points."""

    name: str
    scale: int
    """From 1. Nothing is known of players on different scales."""
    elo: float | None
    """From the mean of the players on its scale that have one; None if it has lost nothing, or
    won nothing, and so could be anywhere beyond its bound."""
    ci95: Interval | None
    """None if there is no rating, nobody else on its scale, or too few pairs to tell."""
    at_least: float | None
    """Of one that lost nothing to those on the scale."""
    at_most: float | None
    """Of one that won nothing from them."""
    ahead: float | None
    """How far it is ahead of the next one that has a rating."""
    ahead95: Interval | None


@dataclass(frozen=True)
class ResidualLine:
    """What a player scored in a match or at a table, and what the ratings expect."""

    players: tuple[str, ...]
    """Who met, this one first if there are two."""
    player: str
    score: float
    expected: float
    off: float
    """The score less what was expected."""
    off95: Interval | None
    """All intervals of a comparison hold at once. None: too few pairs, or nothing to test."""
    clear: bool
    """Whether chance alone does not explain it: the interval does not hold 0, and all matches
    together do not fit either."""


@dataclass(frozen=True, repr=False)
class Rating(Shown):
    """Every player on one scale, the best first.

    Examples
    --------
    >>> import kibitz
    >>> names = ["random", "alpha-beta", "minimax"]
    >>> rating = kibitz.compare("twenty-one", names, pairs=200, seed=1).rating
    >>> [line.name for line in rating.players], rating.fits
    (['alpha-beta', 'minimax', 'random'], True)
    """

    by: str
    """`score`, or `less-luck` where the scores less luck were rated."""
    players: tuple[RatingLine, ...] = ()
    residuals: tuple[ResidualLine, ...] = ()
    probability: float | None = None
    """Of scores that are off the scale so far, if it is right; None: nothing to test, or too few
    pairs."""
    freedom: int = 0
    """In how many ways the scores could be off it."""
    circles: tuple[tuple[str, str, str], ...] = ()
    """Each clearly better than the next, and the last than the first; where it does not fit."""
    why_not: str = ""
    """Why there is no rating, if there is none."""

    @property
    def fits(self) -> bool | None:
        """Whether one scale explains all scores but for chance; None: nothing can be said."""
        return None if self.probability is None else self.probability >= MISFIT

    def document(self) -> dict[str, Any]:
        """As `--json` has it."""
        return {"why_not": self.why_not} if self.why_not else asdict(self)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each player."""
        rows = []
        for line in self.players:
            row = asdict(line)
            for name in ("ci95", "ahead95"):
                row[f"{name}_low"], row[f"{name}_high"] = row.pop(name) or (None, None)
            rows.append(row)
        return rows

    def sheet(self) -> Sheet:
        from kibitz.arena.report.rating_words import rating_head, rating_rows, say_rating

        return Sheet("Joint rating", rating_head(self), rating_rows(self), say_rating(self))


MISFIT = 0.05
"""A scale with a smaller probability does not fit."""


def rate_lineups(
    names: Sequence[str], lineups: Sequence[tuple[int, ...]], runs: Sequence[LineupRun],
    better: Callable[[str, str], bool],
) -> Rating | None:  # fmt: skip
    """The joint rating of what has been played; None if nothing was. Which player is clearly
    better than another has been decided."""
    if any(run.part.game.partners > 1 for run in runs):
        return Rating(SCORE, why_not=PARTNERS)
    played = [(who, run, run.total) for who, run in zip(lineups, runs, strict=True)]
    played = [(who, run, total) for who, run, total in played if total.pairs]
    if not played:
        return None
    corrected = [total.corrected_sums() for _, _, total in played]
    means = [scored / pairs if pairs else -1.0 for pairs, scored, _ in corrected]
    # Scores less luck are not bounded: where one says more than all or less than nothing, no
    # rating expects it.
    if all(
        pairs == total.pairs and 0 < mean < 1
        for (_, _, total), (pairs, _, _), mean in zip(played, corrected, means, strict=True)
    ):
        contests = [
            run.sums.corrected_contest(who, total.pairs, mean, run.end)
            for (who, run, total), mean in zip(played, means, strict=True)
        ]
        return rate(names, contests, better, LESS_LUCK)
    contests = [
        run.sums.contest(
            who, total.pairs,
            np.array([total.score_sums(k)[1] for k in range(len(who))]) / total.pairs, run.end,
        )
        for who, run, total in played
    ]  # fmt: skip
    return rate(names, contests, better)


def rate(
    names: Sequence[str],
    contests: Sequence[Contest],
    better: Callable[[str, str], bool],
    by: str = SCORE,
) -> Rating:
    """The joint rating of players by name. Whoever met nobody is left out."""
    met = sorted({player for contest in contests for player in contest.players})
    numbers = {player: number for number, player in enumerate(met)}
    own = [names[player] for player in met]
    contests = [
        Contest(
            tuple(numbers[player] for player in c.players), c.pairs, c.scores, c.deviations,
            c.size, c.blocks,
        )
        for c in contests
    ]  # fmt: skip
    scale = fit_scale(contests, len(own))
    places = places_of(scale, contests)
    probability = scale.probability
    is_off = probability is not None and probability < MISFIT
    residuals = []
    for each in scale.residuals:
        who = [own[player] for player in contests[each.contest].players]
        ends = None if each.half is None else (each.off - each.half, each.off + each.half)
        residuals.append(
            ResidualLine(
                tuple(who), own[each.player], each.score, each.expected, each.off, ends,
                is_off and each.is_clear,
            )
        )  # fmt: skip
    return Rating(
        by, tuple(_lines(own, scale, places)), tuple(residuals), probability, scale.ties,
        tuple(circles(own, better)) if is_off else (),
    )  # fmt: skip


def _lines(
    names: Sequence[str], scale: Scale, places: dict[tuple[int, ...], Place]
) -> list[RatingLine]:
    """The best first; on one scale whoever is above by a bound before all with a rating."""

    def height(group: tuple[int, ...]) -> tuple[int, int]:
        side = places[group].side
        way = scale.reach if side == 1 else scale.reach.T
        return places[group].scale, -side * int(way[group[0]].sum())

    lines = []
    for group in sorted(scale.groups, key=height):
        order = sorted(group, key=lambda player: -scale.ratings[player])
        for player, following in zip(order, [*order[1:], None], strict=True):
            place = places[group]
            lines.append(_line(names[player], scale, place, group, player, following))
    return lines


def _line(
    name: str, scale: Scale, place: Place, group: Sequence[int], player: int, following: int | None
) -> RatingLine:
    rating = float(scale.ratings[player])
    if place.side:
        bound = None if place.shift is None else rating + place.shift
        least, most = (bound, None) if place.side == 1 else (None, bound)
        return RatingLine(name, place.scale + 1, None, None, least, most, None, None)
    weights = np.zeros(len(scale.ratings))
    weights[list(group)] = -1 / len(group)
    weights[player] += 1
    own = _interval(scale, rating, weights) if len(group) > 1 else None
    ahead, ahead95 = None, None
    if following is not None:
        ahead = float(rating - scale.ratings[following])
        weights = np.zeros(len(scale.ratings))
        weights[player], weights[following] = 1, -1
        ahead95 = _interval(scale, ahead, weights)
    return RatingLine(name, place.scale + 1, rating, own, None, None, ahead, ahead95)


def _interval(scale: Scale, value: float, weights: np.ndarray) -> Interval | None:
    half = scale.interval_half(weights)
    return None if half is None else (value - half, value + half)


def circles(names: Sequence[str], better: Callable[[str, str], bool]) -> list[tuple[str, str, str]]:
    """All three players of whom each is clearly better than the next, and the last than the
    first."""
    return [
        (a, b, c)
        for one, two, three in combinations(names, 3)
        for a, b, c in ((one, two, three), (one, three, two))
        if better(a, b) and better(b, c) and better(c, a)
    ]
