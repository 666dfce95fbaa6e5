"""What the study of Tablić measures: the matches of thesis TB, chapter 4, and what TB left out:
memory, other players, and the luck of the deal beside the skill. Two players, a game of 52
cards, with the bonus for more cards always given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.arena.comparison import Comparison, MatchLine
from kibitz.arena.statistics.scores import Score
from kibitz.studies.players.footprint import Footprint
from kibitz.studies.players.measure import (
    Entrant,
    PlayedMatch,
    Setting,
    match_of,
    play,
    play_all,
    take_footprints,
    together,
    turned,
)
from kibitz.studies.tablic.luck import Luck, card_values, first_seat_of, luck_of
from kibitz.studies.tablic.words import PRINTED, Printed


@dataclass(frozen=True)
class TablicSize:
    """How much is measured."""

    players: tuple[Entrant, ...]
    seconds: float
    """For which each player's time is taken."""

    @staticmethod
    def of_study(quick: bool) -> TablicSize:
        return QUICK if quick else FULL


FULL = TablicSize(
    players=(
        Entrant("random", 10000), Entrant("greedy", 10000), Entrant("human", 10000),
        Entrant("genetic", 10000), Entrant("backtrack", 1000), Entrant("flat-mc", 100),
        Entrant("ismcts", 100), Entrant("pimc", 200),
    ),
    seconds=10.0,
)  # fmt: skip
QUICK = TablicSize(
    players=(
        Entrant("random", 500), Entrant("greedy", 500), Entrant("human", 500),
        Entrant("genetic", 500), Entrant("backtrack", 15), Entrant("flat-mc:worlds=20", 8),
        Entrant("ismcts:simulations=100", 8), Entrant("pimc:worlds=10", 8),
    ),
    seconds=0.4,
)  # fmt: skip


@dataclass(frozen=True)
class TablicStudy:
    command: str
    comparison: Comparison
    played: Sequence[PlayedMatch]
    greedy: PlayedMatch
    """Greedy against itself on every shuffle that anybody played."""
    luck: Sequence[Luck]
    prints: Sequence[Footprint]

    @property
    def deal(self) -> Score:
        """What the first seat scores, greedy against greedy."""
        return first_seat_of(self.greedy)

    def luck_between(self, a: str, b: str) -> Luck:
        return next(each for each in self.luck if {each.a, each.b} == {a, b})

    def thesis(self) -> list[tuple[Printed, MatchLine]]:
        return [(printed, match_of(self.played, printed.a, printed.b)) for printed in PRINTED]


def measure(setting: Setting, size: TablicSize, command: str) -> TablicStudy:
    """All of it; what the folder's store has is not played again."""
    played = play_all(setting, size.players)
    most = max(len(each.rows) for each in played)
    yardstick = Entrant("greedy", most)
    greedy = play(setting, yardstick, yardstick)
    values = card_values(greedy)
    luck = [luck_of(stronger_first(each), values) for each in played]
    prints = take_footprints(setting, size.players, size.seconds)
    comparison = together(setting, size.players, played, prints)
    return TablicStudy(command, comparison, played, greedy, luck, prints)


def stronger_first(played: PlayedMatch) -> PlayedMatch:
    """From the side of whoever scored more: the weaker one's figures are the same, negative."""
    if played.match.score >= 0.5:
        return played
    # Columns: a and b with a first, then a and b with b first.
    return PlayedMatch(turned(played.match), played.rows[:, [3, 2, 1, 0]])
