"""What the studies of players measure: every pair of strategies on the same shuffles, stored in a
file, and what each strategy takes.

Every figure but times and memory is a function of the seed. A line-up is a comparison of its
own, so that quick players can play many pairs and slow ones few; pair number i has the same
shuffle in all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.arena.compare import check, compare
from kibitz.arena.comparison import Comparison, MatchLine, PlayerLine, beaten_by
from kibitz.arena.plan import Plan
from kibitz.arena.rating import Rating, rate
from kibitz.arena.statistics.rating import Contest
from kibitz.arena.statistics.scores import Score, game_scores, score_of
from kibitz.arena.store.store import Store
from kibitz.arena.workers import workers
from kibitz.core.game import Game
from kibitz.core.interrupts import Interrupted
from kibitz.core.registry import make_game, make_strategy
from kibitz.studies.players.footprint import Footprint, footprint

OnProgress = Callable[[str], None]
"""Is called with what is done now."""
STORE = "results.sqlite"


@dataclass(frozen=True)
class Entrant:
    """A strategy, and how many pairs it has time for against anybody."""

    spec: str
    pairs: int

    @property
    def name(self) -> str:
        return str(make_strategy(self.spec))


@dataclass(frozen=True)
class Setting:
    """What all line-ups of a study have in common."""

    game: str
    seed: int
    folder: Path
    jobs: int = 1
    progress: OnProgress = lambda what: None
    cluster: str | None = None
    """Where games are played, instead of by processes of this machine. Times and memory are always
    those of this machine."""

    @property
    def store(self) -> Path:
        return self.folder / STORE

    def make_game(self) -> Game[Any, Any]:
        return make_game(self.game)


@dataclass(frozen=True)
class PlayedMatch:
    """Two players and all their games."""

    match: MatchLine
    rows: np.ndarray
    """A row for each pair: the results of a and b with a in the first seat, and in the second."""

    @property
    def first_seat(self) -> Score:
        """The score of whoever sat first."""
        points = game_scores(self.rows, 2)
        return score_of((points[:, 0, 0] + points[:, 1, 1]) / 2)


def matchups(players: Sequence[Entrant]) -> list[tuple[Entrant, Entrant]]:
    return list(combinations(players, 2))


def check_players(setting: Setting, players: Sequence[Entrant]) -> None:
    """Refuse what can't be played, before anything is."""
    with workers(setting.jobs, setting.cluster):
        pass  # a cluster that does not answer is an error now
    game = setting.make_game()
    check(game, [make_strategy(player.spec) for player in players], 1, None)


def play(setting: Setting, a: Entrant, b: Entrant, pairs: int | None = None) -> PlayedMatch:
    """Two players, as many pairs as both have time for: what the store has is not played again."""
    game = setting.make_game()
    pairs = pairs or min(a.pairs, b.pairs)
    specs = [make_strategy(player.spec) for player in (a, b)]

    def report(figures: Callable[[], Comparison]) -> None:
        done = sum(match.pairs for match in figures().matches)
        setting.progress(f"{a.spec} – {b.spec}, {done} of {pairs} pairs")

    comparison = compare(
        game, specs, pairs, setting.seed, jobs=setting.jobs, cluster=setting.cluster,
        store=setting.store, progress=report,
    )  # fmt: skip
    if comparison.interrupted:
        raise Interrupted
    plan = Plan(str(game), tuple(map(str, specs)), setting.seed, comparison.unit)
    return PlayedMatch(comparison.matches[0], stored_rows(setting.store, plan, pairs))


def stored_rows(path: Path, plan: Plan, pairs: int) -> np.ndarray:
    """The results of the first so many pairs of a plan with one line-up. A store may have more."""
    rows = np.zeros((pairs, 4))
    with Store(path) as store:
        for played in store.load_parts(store.find_or_begin_run(plan), 0):
            within = played.within(0, pairs)
            rows[within.start : within.start + len(within.results)] = within.results
    return rows


def play_all(setting: Setting, players: Sequence[Entrant]) -> list[PlayedMatch]:
    """Everybody against everybody."""
    return [play(setting, a, b) for a, b in matchups(players)]


def take_footprints(
    setting: Setting, players: Sequence[Entrant], enough: float
) -> tuple[Footprint, ...]:
    """What each player takes, one after the other: all other processes rest meanwhile."""
    footprints = []
    for player in players:
        setting.progress(f"time and memory of {player.spec}")
        own = footprint(setting.game, player.spec, setting.seed, enough)
        footprints.append(replace(own, player=player.name))
    return tuple(footprints)


def together(
    setting: Setting,
    players: Sequence[Entrant],
    played: Sequence[PlayedMatch],
    prints: Sequence[Footprint] = (),
) -> Comparison:
    """All line-ups as one comparison, for the words and pictures that know such. The times are
    those of the footprints."""
    taken = {each.player: each for each in prints}
    lines = []
    for player in players:
        strategy = make_strategy(player.spec)
        own = taken.get(player.name)
        decisions, seconds = (own.decisions, own.seconds) if own else (0, None)
        lines.append(
            PlayerLine(
                player.name, str(strategy.knows), strategy.reproducible, decisions, seconds, 0
            )
        )
    return Comparison(
        setting.game, setting.seed, setting.make_game().traits.unit,
        max(each.match.pairs for each in played), tuple(lines),
        tuple(each.match for each in played), (), (), False, joint_rating(players, played),
    )  # fmt: skip


def joint_rating(players: Sequence[Entrant], played: Sequence[PlayedMatch]) -> Rating:
    """All players on one scale, each match with as many pairs as it has."""
    names = [player.name for player in players]
    contests = [
        Contest.of_pairs(
            (names.index(each.match.a), names.index(each.match.b)),
            game_scores(each.rows, 2).mean(axis=1),
        )
        for each in played
    ]
    return rate(names, contests, beaten_by([each.match for each in played]))


def match_of(played: Sequence[PlayedMatch], a: str, b: str) -> MatchLine:
    """A match from the side of its first player, whichever way it was played."""
    for each in played:
        if (each.match.a, each.match.b) == (a, b):
            return each.match
        if (each.match.a, each.match.b) == (b, a):
            return turned(each.match)
    raise KeyError(f"{a} and {b} did not play")


def turned(match: MatchLine) -> MatchLine:
    """The same match from the other side."""
    low, high = match.ci95
    least, most = match.elo95
    behind, ahead = match.margin95
    return replace(
        match, a=match.b, b=match.a, wins=match.losses, losses=match.wins,
        score=1 - match.score, ci95=(1 - high, 1 - low),
        elo=_negative(match.elo), elo95=(_negative(most), _negative(least)),
        margin=-match.margin, margin95=(-ahead, -behind),
    )  # fmt: skip


def _negative(points: float | None) -> float | None:
    return None if points is None else -points
