"""The value of a round of Love Letter in its match: the chance to win the match.

A round ends with points for some seats, and says who begins the next one. With the score before it
that leads to another score, whose chance to win the match is looked up: W(score, first), found by
working back from the ends of the match, each round ending as rounds of the judge's own player
end. Their outcomes are sampled once for each seat that may begin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from kibitz.core.errors import BadText, UnsuitableGame
from kibitz.core.game import Game
from kibitz.games.love_letter.game import LoveLetter
from kibitz.jit.rng import stream
from kibitz.review.continuation import continuation_of
from kibitz.review.unit_value import POINTS_FROM, UnitValue
from kibitz.table.record import Record, replay

ROUNDS = 20_000
"""From which it is known how rounds end."""
MARGIN, PRECISION = 0.002, 0.003
SWEEPS = 60
"""Of the chances at scores from which a round may lead back to the same score: a round without a
winner, or one that all leaders share."""

Score = tuple[int, ...]


@cache
def outcomes(game: LoveLetter, first: int) -> tuple[tuple[Score, float], ...]:
    """Who gets points in a round that a seat begins, and how often."""
    ends = continuation_of(game).ends_of_deals(first, stream(ROUNDS, first), ROUNDS)
    points = ends[:, POINTS_FROM : POINTS_FROM + game.players].astype(int)
    counted = Counter(map(tuple, points.tolist()))
    return tuple((score, number / ROUNDS) for score, number in sorted(counted.items()))


def settled(score: Score, target: int) -> Score:
    """The same chances with small numbers: leaders who share the target are one short of it."""
    most = max(score)
    over = most - target + 1 if most >= target and score.count(most) > 1 else 0
    return tuple(max(points - over, 0) for points in score)


@cache
def match_chances(game: LoveLetter) -> dict[tuple[Score, int], Any]:
    """The chance of each seat to win the match, by the score and who begins."""
    players, target = game.players, game.target
    scores = sorted(np.ndindex(*(target,) * players), key=lambda score: -sum(score))
    table = {
        (tuple(map(int, score)), first): np.full(players, 1 / players)
        for score in scores
        for first in range(players)
    }
    for score in scores:
        here = tuple(map(int, score))
        for _ in range(SWEEPS if players == 2 else 3):
            for first in range(players):
                table[here, first] = sum(
                    chance * after(game, table, here, points, first)
                    for points, chance in outcomes(game, first)
                )
    return table


def after(game: LoveLetter, table: Any, score: Score, points: Sequence[int], first: int) -> Any:
    """The chances when a round has added points: the winner begins the next one, or one of those
    who shared it by lot."""
    total = tuple(int(a + b) for a, b in zip(score, points, strict=True))
    most = max(total)
    if most >= game.target and total.count(most) == 1:
        return np.eye(game.players)[total.index(most)]
    begins = [seat for seat, got in enumerate(points) if got] or [first]
    where = settled(total, game.target)
    return np.mean([table[where, seat] for seat in begins], axis=0)


@dataclass(frozen=True)
class MatchValue(UnitValue):
    """The value of a round in a match: the chance to win it."""

    score: Score = ()
    """Before the round."""
    first: int = 0
    """Who began the round."""
    _known: dict[Score, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def name(self) -> str:
        return f"chance to win the match, at {' : '.join(map(str, self.score))} before the round"

    @property
    def is_chance(self) -> bool:
        return True

    @property
    def margin(self) -> float:
        return MARGIN

    @property
    def precision(self) -> float:
        return PRECISION

    def values(self, ends: Any) -> Any:
        points = ends[..., POINTS_FROM : POINTS_FROM + self.game.players].astype(int)
        flat = points.reshape(-1, self.game.players)
        rows = np.array([self._after(tuple(row)) for row in flat.tolist()])
        return rows.reshape(points.shape)

    def chances(self, ends: Any) -> Any:
        return self.values(ends)

    def _after(self, points: Score) -> Any:
        if points not in self._known:
            game = self.game
            assert isinstance(game, LoveLetter)
            table = match_chances(game)
            self._known[points] = after(game, table, self.score, points, self.first)
        return self._known[points]


def value_in_match(game: Game[Any, Any], before: Sequence[Record], first: int) -> MatchValue:
    """Of a round that these rounds of the same match came before."""
    if not isinstance(game, LoveLetter):
        raise UnsuitableGame(f"the unit match is for love-letter, not for {game.name}")
    score = np.zeros(game.players, int)
    for number, record in enumerate(before, 1):
        table = replay(record, f"game {number}", game)
        if not table.is_over:
            raise BadText(f"game {number} is not over, but another follows")
        score += np.array(game.points(table.state), int)
    if score.max() >= game.target and (score == score.max()).sum() == 1:
        raise BadText("the match was over before this round")
    return MatchValue(game, score=settled(tuple(score.tolist()), game.target), first=first)
