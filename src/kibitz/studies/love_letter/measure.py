"""What the study of Love Letter measures: time, win statistics and convergence of decisions, for
chapter 5 of thesis LL. Two players, a round, the published deck of 16 cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.arena.agreement import STEPS, Agreement, Settling, agree, settling
from kibitz.arena.comparison import Comparison
from kibitz.core.registry import make_strategy
from kibitz.studies.players.footprint import Footprint
from kibitz.studies.players.measure import (
    Entrant,
    PlayedMatch,
    Setting,
    play_all,
    take_footprints,
    together,
)


@dataclass(frozen=True)
class LoveLetterSize:
    """How much is measured."""

    players: tuple[Entrant, ...]
    situations: int
    settle_situations: int
    steps: tuple[int, ...]
    seconds: float
    """For which each player's time is taken."""

    @staticmethod
    def of_study(quick: bool) -> LoveLetterSize:
        return QUICK if quick else FULL


FULL = LoveLetterSize(
    players=(
        Entrant("random", 20000), Entrant("probabilistic", 20000), Entrant("greedy", 20000),
        Entrant("greedy:bluff=true", 20000), Entrant("flat-mc", 4000), Entrant("ismcts", 4000),
        Entrant("pimc", 1000),
    ),
    situations=2000, settle_situations=1000, steps=STEPS, seconds=5.0,
)  # fmt: skip
QUICK = LoveLetterSize(
    players=(
        Entrant("random", 2000), Entrant("probabilistic", 2000), Entrant("greedy", 2000),
        Entrant("greedy:bluff=true", 2000), Entrant("flat-mc", 100), Entrant("ismcts", 100),
        Entrant("pimc", 60),
    ),
    situations=200, settle_situations=100, steps=STEPS[:-1], seconds=0.4,
)  # fmt: skip


@dataclass(frozen=True)
class LoveLetterStudy:
    command: str
    comparison: Comparison
    played: Sequence[PlayedMatch]
    agreement: Agreement
    curve: Settling
    prints: Sequence[Footprint]


def measure(setting: Setting, size: LoveLetterSize, command: str) -> LoveLetterStudy:
    """All of it; what the folder's store has is not played again."""
    played = play_all(setting, size.players)
    made = [make_strategy(player.spec) for player in size.players]

    game, seed, jobs = setting.make_game(), setting.seed, setting.jobs
    agreement = agree(
        game, made, size.situations, seed, jobs,
        lambda done: setting.progress(f"who decides alike, {done} of {size.situations} situations"),
        cluster=setting.cluster,
    )  # fmt: skip
    n = size.settle_situations
    curve = settling(
        game, "ismcts", n, seed, jobs,
        lambda done: setting.progress(f"how ISMCTS settles, {done} of {n} situations"), size.steps,
        cluster=setting.cluster,
    )  # fmt: skip
    prints = take_footprints(setting, size.players, size.seconds)
    comparison = together(setting, size.players, played, prints)
    return LoveLetterStudy(command, comparison, played, agreement, curve, prints)
