"""The result of a comparison: the figures of every match, typed, as a document and as rows."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from kibitz.arena.plan import Plan
from kibitz.arena.rating import Rating, rate_lineups
from kibitz.arena.run import LineupRun
from kibitz.arena.statistics.scores import (
    FEWEST,
    elo,
    elo_from,
    mean_from,
    score_from,
    side_of,
    variance_from,
)
from kibitz.arena.tally import Tally, TeamTally
from kibitz.core.checks import one_line
from kibitz.core.shown import Sheet, Shown
from kibitz.core.strategy import Strategy

Interval = tuple[float, float]


@dataclass(frozen=True)
class PlayerLine:
    """One player in all its games."""

    name: str
    knows: str
    reproducible: bool
    decisions: int
    seconds: float | None
    """What its decisions took, in all; None if they were too few to tell."""
    failures: int
    """Games that it lost by failing."""

    @property
    def decision(self) -> float | None:
        """Seconds a decision, if that is known."""
        return self.seconds / self.decisions if self.seconds and self.decisions else None


@dataclass(frozen=True)
class CorrectedLine:
    """The score of a match less luck, from the first one's side."""

    score: float
    ci95: Interval | None
    """None if there are too few pairs to tell. The score may lie outside 0 to 1, and so may the
    ends."""
    elo: float | None
    elo95: tuple[float | None, float | None]
    variance: float | None
    """Of a pair's score less luck, as a share of that of the plain score; None if that is 0."""


@dataclass(frozen=True)
class MatchLine:
    """Two players against each other, from the first one's side."""

    a: str
    b: str
    pairs: int
    wins: int
    draws: int
    losses: int
    score: float
    ci95: Interval
    """From 0 to 1 if there are too few pairs to tell."""
    elo: float | None
    elo95: tuple[float | None, float | None]
    first_seat: float
    """The score of whoever sat first."""
    margin: float
    """Points ahead in a game (of a match: in a match)."""
    margin95: Interval
    """Without ends if there are too few pairs to tell, or all gave the same."""
    clear: bool | None
    """Whether one is surely better; None if nobody asked (see `until_clear`)."""
    even: bool = False
    """Whether every single pair ended even."""
    less_luck: CorrectedLine | None = None
    """The same with the luck of chance events taken off; None if nobody asked."""

    @property
    def side(self) -> int:
        """Who is clearly better: 1 the first, −1 the second, 0 neither. Whoever stopped at a clear
        result asked a stricter question than the interval answers. Where luck was taken off, that
        decides."""
        if self.clear is None:
            interval = self.ci95 if self.less_luck is None else self.less_luck.ci95
            return side_of(interval, 0.5) if interval else 0
        return (1 if self.deciding_score > 0.5 else -1) if self.clear else 0

    @property
    def deciding_score(self) -> float:
        """The score by which it is said who is better: less luck, if that was asked for."""
        return self.score if self.less_luck is None else self.less_luck.score


@dataclass(frozen=True)
class TeamsLine:
    """The games of a table in which the same players were partners."""

    teams: tuple[tuple[str, ...], ...]
    games: int
    wins: tuple[int, ...]
    """Of each team, in their order; as all that follows."""
    shared: int
    score: tuple[float, ...]
    ci95: tuple[Interval, ...]


@dataclass(frozen=True)
class TableLine:
    """Three or four players at one table, in every order of the seats."""

    players: tuple[str, ...]
    pairs: int
    games: int
    wins: Mapping[str, int]
    shared: int
    score: Mapping[str, float]
    ci95: Mapping[str, Interval]
    first_seat: float
    teams: tuple[TeamsLine, ...]
    """Where players have partners: a line for each way to make teams of them."""


@dataclass(frozen=True)
class FailureLine:
    """A game that a player lost by failing."""

    player: str
    pair: int
    order: int
    """The number of the seat order."""
    reason: str


@dataclass(frozen=True, repr=False)
class Comparison(Shown):
    """Strategies compared: what `kibitz.compare` gives.

    Examples
    --------
    >>> import kibitz
    >>> comparison = kibitz.compare("twenty-one", ["random", "random"], pairs=20)
    >>> match = comparison.matches[0]
    >>> match.wins + match.draws + match.losses, comparison.failures
    (40, ())
    >>> comparison.players[0].name, comparison.rows()[0]["pairs"]
    ('random', 20)
    """

    game: str
    seed: int
    unit: str
    pairs: int
    players: tuple[PlayerLine, ...]
    matches: tuple[MatchLine, ...]
    tables: tuple[TableLine, ...]
    failures: tuple[FailureLine, ...]
    interrupted: bool
    rating: Rating | None = None
    """All players on one scale; None if nothing was played."""

    def document(self) -> dict[str, Any]:
        """As `kibitz compare --json` prints it."""
        whole: dict[str, Any] = json.loads(json.dumps(asdict(self)))  # lists, no tuples
        del whole["rating"]
        if self.rating is not None:
            whole["rating"] = json.loads(json.dumps(self.rating.document()))
        if not self.tables:
            del whole["tables"]
        for entry in whole.get("tables", ()):
            if not entry["teams"]:
                del entry["teams"]
        for optional in ("failures", "interrupted"):
            if not whole[optional]:
                del whole[optional]
        for player in whole["players"]:
            if not player["failures"]:
                del player["failures"]
        for match in whole["matches"]:
            if match["clear"] is None:
                del match["clear"]
            if not match["even"]:
                del match["even"]
            if match["less_luck"] is None:
                del match["less_luck"]
            if math.inf in match["margin95"]:  # which JSON does not have
                match["margin95"] = None
        return whole

    def rows(self) -> list[dict[str, Any]]:
        """A row for each match, or for each player of each table: for a data frame."""
        common = {"game": self.game, "seed": self.seed, "unit": self.unit}
        rows = []
        for match in self.matches:
            row = {**common, **asdict(match)}
            if (less := row.pop("less_luck")) is not None:
                low, high = less["ci95"] or (None, None)
                row |= {"less_luck": less["score"], "less_luck95_low": low}
                row |= {"less_luck95_high": high, "less_luck_variance": less["variance"]}
            for name in ("ci95", "elo95", "margin95"):
                row[f"{name}_low"], row[f"{name}_high"] = row.pop(name)
            rows.append(row)
        for table in self.tables:
            for player in table.players:
                low, high = table.ci95[player]
                rows.append(
                    {
                        **common,
                        "table": " ".join(table.players),
                        "player": player,
                        "pairs": table.pairs,
                        "wins": table.wins[player],
                        "score": table.score[player],
                        "ci95_low": low,
                        "ci95_high": high,
                    }
                )
        return rows

    def sheet(self) -> Sheet:
        from kibitz.arena.report.names import legend, with_short_names

        named, shortened = with_short_names(self)
        return named._sheet(legend(shortened))

    def _sheet(self, legend: Sequence[str]) -> Sheet:
        from kibitz.arena.report.words import (
            LINE_UP,
            line_up_rows,
            main_result,
            match_table,
            say_less_luck,
            what_was_played,
        )

        head, rows = match_table(self)
        if self.tables:
            head, rows = list(LINE_UP), [row for one in self.tables for row in line_up_rows(one)]
        failed = ""
        if self.failures:
            count = len(self.failures)
            lost = "1 game was" if count == 1 else f"{count} games were"
            failed = f"{lost} lost by failing; the first: {one_line(self.failures[0].reason)}"
        stopped = "Stopped early: the figures are those of the pairs played."
        less = [
            f"{m.a} – {m.b} less luck: {m.less_luck.score:.1%}."
            for m in self.matches
            if m.less_luck
        ]
        stopped *= self.interrupted
        notes = (main_result(self), *less, say_less_luck(self), failed, stopped, *legend)
        return Sheet(f"{self.game}, {what_was_played(self)}", head, rows, notes)


def summarize(
    plan: Plan,
    pairs: int,
    names: Sequence[str],
    strategies: Sequence[Strategy],
    lineups: Sequence[LineupRun],
    interrupted: bool,
) -> Comparison:
    """The figures of a run, or of what there is of it."""
    totals = [lineup.total for lineup in lineups]
    decisions, seconds = [0] * len(names), [0.0] * len(names)
    timed, failed = [0] * len(names), [0] * len(names)
    failures = []
    for lineup, total in zip(plan.lineups, totals, strict=True):
        for j, i in enumerate(lineup):
            decisions[i] += int(total.decisions[j])
            seconds[i] += float(total.seconds[j])
            timed[i] += int(total.timed[j])
        for failure in sorted(total.failures, key=lambda each: (each.pair, each.order)):
            i = lineup[failure.player]
            failed[i] += 1
            failures.append(FailureLine(names[i], failure.pair, failure.order, failure.reason))
    players = tuple(
        PlayerLine(
            name, str(s.knows), s.reproducible, decisions[i],
            (seconds[i] * (decisions[i] / timed[i] if timed[i] else 1)) or None, failed[i],
        )
        for i, (name, s) in enumerate(zip(names, strategies, strict=True))
    )  # fmt: skip
    who = [tuple(names[i] for i in lineup) for lineup in plan.lineups]
    played = [(w, t, u) for w, t, u in zip(who, totals, lineups, strict=True) if t.pairs]
    two = plan.seats == 2
    matches = tuple(match_line(w, t, u) for w, t, u in played) if two else ()
    return Comparison(
        plan.game, plan.seed, plan.unit, pairs, players, matches,
        () if two else tuple(table_line(w, t) for w, t, _ in played),
        tuple(failures), interrupted,
        rate_lineups(names, plan.lineups, lineups, beaten_by(matches)),
    )  # fmt: skip


def beaten_by(matches: Sequence[MatchLine]) -> Callable[[str, str], bool]:
    """Whether one player is clearly better than another, by their match."""
    sides = {(m.a, m.b): m.side for m in matches} | {(m.b, m.a): -m.side for m in matches}
    return lambda a, b: sides.get((a, b), 0) > 0


def match_line(who: Sequence[str], total: Tally, lineup: LineupRun) -> MatchLine:
    """The figures of two players, from what their pairs add up to."""
    pairs, scored, squares = total.score_sums(0)
    score = score_from(pairs, scored, squares)
    points, low, high = elo_from(score)
    margin = mean_from(*total.margin_sums())
    if pairs < FEWEST or margin.low == margin.high:
        margin = replace(margin, low=-math.inf, high=math.inf)
    clear = None if lineup.alpha is None else bool(lineup.verdict and lineup.verdict.clear)
    return MatchLine(
        a=who[0], b=who[1], pairs=total.pairs, wins=int(total.wins[0]),
        draws=int(total.shared[0]), losses=int(total.wins[1]), score=score.mean,
        ci95=(score.low, score.high), elo=points, elo95=(low, high),
        first_seat=total.first_share, margin=margin.mean,
        margin95=(margin.low, margin.high), clear=clear, even=squares == scored / 2 == pairs / 4,
        less_luck=corrected_line(total),
    )  # fmt: skip


def corrected_line(total: Tally) -> CorrectedLine | None:
    """The score of two players less luck, if that is known of every pair."""
    pairs, scored, squares = total.corrected_sums()
    if not pairs or pairs != total.pairs:
        return None
    score = mean_from(pairs, scored, squares)
    plain = variance_from(*total.score_sums(0))
    share = variance_from(pairs, scored, squares) / plain if plain else None
    if pairs < FEWEST:
        return CorrectedLine(score.mean, None, elo(score.mean), (None, None), share)
    points, low, high = elo_from(score)
    return CorrectedLine(score.mean, (score.low, score.high), points, (low, high), share)


def table_line(who: tuple[str, ...], total: Tally) -> TableLine:
    """The figures of three or four players at one table."""
    scores = [score_from(*total.score_sums(k)) for k in range(len(who))]
    return TableLine(
        players=who, pairs=total.pairs, games=total.games,
        wins={name: int(total.wins[k]) for k, name in enumerate(who)},
        shared=total.shared_games,
        score={name: scores[k].mean for k, name in enumerate(who)},
        ci95={name: (scores[k].low, scores[k].high) for k, name in enumerate(who)},
        first_seat=total.first_share,
        teams=tuple(teams_line(who, total, team) for team in total.teams),
    )  # fmt: skip


def teams_line(who: tuple[str, ...], total: Tally, played: TeamTally) -> TeamsLine:
    """The figures of partners at one table."""
    numbers = range(len(played.teams))
    scores = [score_from(*played.score_sums(total.pairs, team)) for team in numbers]
    return TeamsLine(
        tuple(tuple(who[player] for player in team) for team in played.teams),
        total.pairs * len(played.orders), tuple(played.wins.tolist()), played.shared,
        tuple(score.mean for score in scores), tuple((s.low, s.high) for s in scores),
    )  # fmt: skip
