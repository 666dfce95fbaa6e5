"""The figures of a comparison counted again from single games, in plain Python and fractions.

Nothing of the arena is used, so that the two can be held against each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scipy.stats import beta, t


@dataclass(frozen=True)
class Seated:
    """A player in a game: one row of an export."""

    pair: int
    order: int
    seat: int
    """From 0."""
    player: str
    result: float
    failed: bool = False


def points(game: Sequence[Seated], partners: int = 1) -> dict[str, Fraction]:
    """The point of a game: to the best, shared if there are more of them than partners."""
    best = max(one.result for one in game)
    winners = [one for one in game if one.result == best]
    share = Fraction(partners, len(winners))
    return {one.player: share if one in winners else Fraction(0) for one in game}


def games(rows: Iterable[Seated]) -> list[list[Seated]]:
    """The rows game by game."""
    games: dict[tuple[int, int], list[Seated]] = {}
    for row in rows:
        games.setdefault((row.pair, row.order), []).append(row)
    return [games[key] for key in sorted(games)]


def mean_and_variance(values: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    mean = sum(values, Fraction(0)) / len(values)
    return mean, sum(((v - mean) ** 2 for v in values), Fraction(0)) / (len(values) - 1)


def pair_means(values: Iterable[tuple[int, Fraction]]) -> list[Fraction]:
    """The mean of each pair, of numbers that are each of a pair."""
    of_pair: dict[int, list[Fraction]] = {}
    for pair, value in values:
        of_pair.setdefault(pair, []).append(value)
    return [sum(of_pair[pair], Fraction(0)) / len(of_pair[pair]) for pair in sorted(of_pair)]


def score(rows: Sequence[Seated], player: str, partners: int = 1) -> tuple[float, float, float]:
    """A player's score with its interval: each end with one more pair at that end."""
    own = ((game[0].pair, points(game, partners)[player]) for game in games(rows))
    scores = pair_means(own)
    mean = float(mean_and_variance(scores)[0])
    if len(scores) < 10:
        return mean, 0.0, 1.0
    ends = []
    for end, tail in ((Fraction(0), 0.025), (Fraction(1), 0.975)):
        centre, variance = mean_and_variance([*scores, end])
        # With weights drawn at random a mean of n has this variance, but for n + 1.
        variance *= Fraction(len(scores), (len(scores) + 1) * (len(scores) + 2))
        weight = float(centre * (1 - centre) / variance) - 1 if variance else 0
        a, b = float(centre) * weight, float(1 - centre) * weight
        ends.append(float(beta.ppf(tail, a, b)) if variance else float(end))
    return mean, ends[0], ends[1]


def margin(rows: Sequence[Seated], player: str, unit: str) -> tuple[float, float, float]:
    """Points ahead in a game of two, with Student's interval. A failed game has none."""
    ahead: list[tuple[int, Fraction]] = []
    for game in games(rows):
        (own,) = [Fraction(one.result) for one in game if one.player == player]
        (other,) = [Fraction(one.result) for one in game if one.player != player]
        lead = own - other if unit == "match" else own
        ahead.append((game[0].pair, Fraction(0) if any(one.failed for one in game) else lead))
    means = pair_means(ahead)
    mean, variance = mean_and_variance(means)
    if len(means) < 10 or not variance:
        return float(mean), -math.inf, math.inf
    half = t.ppf(0.975, len(means) - 1) * math.sqrt(variance / len(means))
    return float(mean), float(mean) - half, float(mean) + half


def first_seat(rows: Sequence[Seated], partners: int = 1) -> float:
    """The mean point of whoever sat first."""
    scores = []
    for game in games(rows):
        (first,) = [one.player for one in game if one.seat == 0]
        scores.append(points(game, partners)[first])
    return float(sum(scores, Fraction(0)) / len(scores))


def match_line(rows: Sequence[Seated], a: str, b: str, unit: str) -> dict[str, Any]:
    """What a document says about two players, but for Elo."""
    won = [points(game) for game in games(rows)]
    mean, low, high = score(rows, a)
    ahead, least, most = margin(rows, a, unit)
    return {
        "a": a, "b": b, "pairs": len({row.pair for row in rows}),
        "wins": sum(each[a] == 1 for each in won),
        "draws": sum(0 < each[a] < 1 for each in won),
        "losses": sum(each[b] == 1 for each in won),
        "score": mean, "ci95": [low, high], "first_seat": first_seat(rows),
        "margin": ahead, "margin95": [least, most],
    }  # fmt: skip


def table_line(rows: Sequence[Seated], players: Sequence[str], partners: int) -> dict[str, Any]:
    """What a document says about a table of three or four."""
    won = [points(game, partners) for game in games(rows)]
    scores = {player: score(rows, player, partners) for player in players}
    return {
        "players": list(players), "pairs": len({row.pair for row in rows}), "games": len(won),
        "wins": {player: sum(each[player] == 1 for each in won) for player in players},
        "shared": sum(max(each.values()) < 1 for each in won),
        "score": {player: scores[player][0] for player in players},
        "ci95": {player: list(scores[player][1:]) for player in players},
        "first_seat": first_seat(rows, partners),
        "teams": team_lines(rows, players) if partners > 1 else [],
    }  # fmt: skip


def team_lines(rows: Sequence[Seated], players: Sequence[str]) -> list[dict[str, Any]]:
    """For each partner of the first player, the games in which they sit opposite each other."""
    lines = []
    for partner in players[1:]:
        teams = [
            [players[0], partner], [p for p in players if p not in (players[0], partner)],
        ]  # fmt: skip
        own = [game for game in games(rows) if opposite(game, players[0]) == partner]
        mine = [one for game in own for one in game]
        scores = [score(mine, team[0], 2) for team in teams]
        won = [points(game, 2) for game in own]
        lines.append(
            {
                "teams": teams, "games": len(own),
                "wins": [sum(each[team[0]] == 1 for each in won) for team in teams],
                "shared": sum(max(each.values()) < 1 for each in won),
                "score": [each[0] for each in scores], "ci95": [list(s[1:]) for s in scores],
            }
        )  # fmt: skip
    return lines


def opposite(game: Sequence[Seated], player: str) -> str:
    (seat,) = [one.seat for one in game if one.player == player]
    (partner,) = [one.player for one in game if one.seat == (seat + 2) % 4]
    return partner


def close(value: Any, wanted: Any) -> bool:
    """Whether two documents are the same but for the rounding of numbers."""
    if isinstance(wanted, dict):
        return value.keys() == wanted.keys() and all(close(value[k], wanted[k]) for k in wanted)
    if isinstance(wanted, list | tuple):
        return len(value) == len(wanted) and all(map(close, value, wanted))
    if isinstance(wanted, float):
        return math.isclose(value, wanted, rel_tol=1e-9, abs_tol=1e-9)
    return bool(value == wanted)
