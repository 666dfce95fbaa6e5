"""What the pairs of a line-up add up to.

In whole numbers, so that the sums are exact: the same whatever the parts, and in whatever
order they come. A game's point is 1 to the winner, shared if tied. A pair's score for a player
is its mean over the seat orders, counted in 12·orders (a share is a half, a third or a quarter).
Points ahead are counted in 120ths. Partners win together: so a pair has scores of teams too, each
over the seat orders in which it plays against the same others. Where luck is taken off, pairs
have a corrected score of the first player too.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kibitz.arena.pair_sums import FINE, PairSums
from kibitz.arena.plan import Failure, Orders, PlayedPart, seat_orders
from kibitz.arena.statistics.scores import game_scores

SHARE, MARGIN = 12, 120


@dataclass
class Tally:
    """The sums of one line-up."""

    players: int
    partners: int = 1
    unit: str = "game"
    orders: Orders = ()
    """Of the seats, for each game of a pair: all there are if none are given."""
    pairs: int = 0
    wins: np.ndarray = field(init=False)
    """Games that each player won alone (or with a partner)."""
    shared: np.ndarray = field(init=False)
    """Games in which it shared the point."""
    shared_games: int = 0
    score: np.ndarray = field(init=False)
    """Of each player's pair scores: the sum, and the sum of squares."""
    teams: list[TeamTally] = field(init=False)
    """For each way to make teams of the players, if they have partners."""
    first: int = 0
    """Points of whoever sat first."""
    margin: np.ndarray = field(init=False)
    """Of the first player's points ahead in the games of a pair: the sum, and the sum of
    squares. With two players."""
    corrected: list[int] = field(default_factory=lambda: [0, 0, 0])
    """The pairs whose luck is known, and of the first player's scores in them, less luck: the
    sum, and the sum of squares."""
    decisions: np.ndarray = field(init=False)
    seconds: np.ndarray = field(init=False)
    timed: np.ndarray = field(init=False)
    """The decisions that took these seconds: those of parts that were timed."""
    failures: list[Failure] = field(default_factory=list)

    def __post_init__(self) -> None:
        k = self.players
        self.wins, self.shared, self.decisions, self.timed = (
            np.zeros(k, np.int64) for _ in range(4)
        )
        self.score, self.margin = np.zeros((2, k), np.int64), np.zeros(2, np.int64)
        self.seconds = np.zeros(k)
        self.orders = self.orders or seat_orders(k)
        self.teams = teams_of(self.orders, self.partners) if self.partners > 1 else []

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.pairs * len(self.orders)

    def add(self, played: PlayedPart, sums: PairSums | None = None) -> None:
        """Count a part; its pairs one by one too, if there are sums of them."""
        k = self.players
        points = game_scores(played.results, k, self.partners)
        share = np.rint(points * SHARE).astype(np.int64)
        self.pairs += len(points)
        self.wins += (points == 1).sum(axis=(0, 1))
        self.shared += ((points > 0) & (points < 1)).sum(axis=(0, 1))
        self.shared_games += int((points.max(axis=2) < 1).sum())
        own = share.sum(axis=1)
        self.score += np.stack([own.sum(axis=0), (own * own).sum(axis=0)])
        for number, seating in enumerate(self.orders):
            self.first += int(share[:, number, seating[0]].sum())
        for team in self.teams:
            team.add(points, share)
        self._add_margin(played)
        corrected = None
        if played.luck is not None:
            corrected = self._add_corrected(own[:, 0], played.luck)
        if sums is not None:
            sums.add(played.start, own, corrected)
        made, seconds = played.decisions.sum(axis=0), np.array(played.seconds)
        self.decisions += made
        self.seconds += seconds
        self.timed += made * (seconds > 0)
        self.failures += played.failures

    def _add_margin(self, played: PlayedPart) -> None:
        """A game that somebody lost by failing has no points."""
        if self.players != 2:
            return
        own, other = played.results[:, ::2], played.results[:, 1::2]
        # The result of a game says already how far ahead one is; that of a match, the points.
        ahead = np.rint((own - other if self.unit == "match" else own) * MARGIN).astype(np.int64)
        for failure in played.failures:
            ahead[failure.pair - played.start, failure.order] = 0
        ahead = ahead.sum(axis=1)
        self.margin += np.array([ahead.sum(), (ahead * ahead).sum()])

    def _add_corrected(self, own: np.ndarray, luck: np.ndarray) -> np.ndarray:
        """A pair's score less its luck, which is that of its games on the mean."""
        scores = own * FINE - np.rint(luck.sum(axis=1) * SHARE * FINE).astype(np.int64)
        sums = len(scores), scores.sum(), (scores * scores).sum()
        self.corrected = [a + int(b) for a, b in zip(self.corrected, sums, strict=True)]
        return scores

    def __iadd__(self, other: Tally) -> Tally:
        """Put two together."""
        self.corrected = [a + b for a, b in zip(self.corrected, other.corrected, strict=True)]
        self.pairs += other.pairs
        self.first += other.first
        self.shared_games += other.shared_games
        for name in ("wins", "shared", "score", "margin", "decisions", "seconds", "timed"):
            getattr(self, name).__iadd__(getattr(other, name))
        self.failures += other.failures
        for team, others in zip(self.teams, other.teams, strict=True):
            team += others
        return self

    @property
    def first_share(self) -> float:
        """The score of whoever sat first."""
        return self.first / (SHARE * self.games)

    def score_sums(self, player: int) -> tuple[int, float, float]:
        """The pairs, the sum of a player's pair scores, and the sum of their squares."""
        total, squares = (int(each) for each in self.score[:, player])
        whole = SHARE * len(self.orders)
        return self.pairs, total / whole, squares / whole**2

    def corrected_sums(self) -> tuple[int, float, float]:
        """The same of the first player's scores less luck."""
        pairs, total, squares = self.corrected
        whole = SHARE * len(self.orders) * FINE
        return pairs, total / whole, squares / whole**2

    def margin_sums(self) -> tuple[int, float, float]:
        """The same of the points ahead in a game, on the mean of a pair."""
        total, squares = (int(each) for each in self.margin)
        return self.pairs, total / (2 * MARGIN), squares / (2 * MARGIN) ** 2


@dataclass
class TeamTally:
    """The sums of games in which the same players were partners."""

    teams: tuple[tuple[int, ...], ...]
    """Who plays with whom, the first player's team first."""
    orders: list[int]
    """The numbers of the seat orders in which they do."""
    wins: np.ndarray = field(init=False)
    """Games that each team won."""
    shared: int = 0
    score: np.ndarray = field(init=False)
    """Of each team's pair scores: the sum, and the sum of squares."""

    def __post_init__(self) -> None:
        self.wins = np.zeros(len(self.teams), np.int64)
        self.score = np.zeros((2, len(self.teams)), np.int64)

    def add(self, points: np.ndarray, share: np.ndarray) -> None:
        """Add the results of some pairs."""
        first = [team[0] for team in self.teams]  # what one partner has, the others have
        won = points[:, self.orders][:, :, first]
        own = share[:, self.orders][:, :, first].sum(axis=1)
        self.wins += (won == 1).sum(axis=(0, 1))
        self.shared += int((won.max(axis=2) < 1).sum())
        self.score += np.stack([own.sum(axis=0), (own * own).sum(axis=0)])

    def __iadd__(self, other: TeamTally) -> TeamTally:
        self.wins += other.wins
        self.shared += other.shared
        self.score += other.score
        return self

    def score_sums(self, pairs: int, team: int) -> tuple[int, float, float]:
        """The pairs, the sum of a team's pair scores, and the sum of their squares."""
        total, squares = (int(each) for each in self.score[:, team])
        whole = SHARE * len(self.orders)
        return pairs, total / whole, squares / whole**2


def teams_of(orders: Orders, partners: int) -> list[TeamTally]:
    """Every way to make teams that the seat orders have. Partners sit opposite each other."""
    orders_by_teams: dict[tuple[tuple[int, ...], ...], list[int]] = {}
    for number, seating in enumerate(orders):
        sides = len(seating) // partners
        teams = tuple(sorted(tuple(sorted(seating[side::sides])) for side in range(sides)))
        orders_by_teams.setdefault(teams, []).append(number)
    return [TeamTally(teams, numbers) for teams, numbers in sorted(orders_by_teams.items())]
