"""The results of thesis LL, chapter 5, whose headings were left empty: time, win statistics,
convergence of decisions, conclusions. Two players, a round, the published deck of 16 cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kibitz.arena.agreement import STEPS, Agreement, Settling, agree, settling
from kibitz.arena.comparison import Comparison
from kibitz.arena.report import plots
from kibitz.core.registry import make_strategy
from kibitz.report.blocks import Block, DataTable, Heading, Plot, Points, Text
from kibitz.report.plots import PlotFiles, draw_plots
from kibitz.studies.players import plots as pictures
from kibitz.studies.players import words as words
from kibitz.studies.players.footprint import Footprint
from kibitz.studies.players.measure import (
    LineUp,
    Player,
    Setting,
    check_players,
    match_of,
    play_all,
    take_footprints,
    together,
)
from kibitz.studies.players.report import (
    EACH_FOR_ITSELF,
    MEMORY,
    figures_of,
    footprint_table,
    match_table,
    prepare_players,
    ranking_table,
    write,
)
from kibitz.studies.search.words import whole
from kibitz.version import __version__

GAME = "love-letter"
TITLE = "Love Letter: results"
PLOTS = ("wins", "scores", "time", "first-seat", "agreement", "memory", "settling")
ROUNDS = 1000
DUELS = (
    ("probabilistic", "random"), ("greedy", "random"), ("greedy", "probabilistic"),
    ("greedy:bluff=true", "greedy"), ("flat-mc", "greedy"), ("ismcts", "greedy"),
    ("pimc", "greedy"), ("ismcts", "flat-mc"), ("ismcts", "pimc"),
)  # fmt: skip
"""What a reader of the thesis asks: each against the one it should improve on."""
SEARCHES = ("flat-mc", "ismcts", "pimc")


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    players: tuple[Player, ...]
    situations: int
    settle_situations: int
    steps: tuple[int, ...]
    seconds: float
    """For which each player's time is taken."""


FULL = Size(
    players=(
        Player("random", 20000), Player("probabilistic", 20000), Player("greedy", 20000),
        Player("greedy:bluff=true", 20000), Player("flat-mc", 4000), Player("ismcts", 4000),
        Player("pimc", 1000),
    ),
    situations=2000, settle_situations=1000, steps=STEPS, seconds=5.0,
)  # fmt: skip
QUICK = Size(
    players=(
        Player("random", 2000), Player("probabilistic", 2000), Player("greedy", 2000),
        Player("greedy:bluff=true", 2000), Player("flat-mc", 100), Player("ismcts", 100),
        Player("pimc", 60),
    ),
    situations=200, settle_situations=100, steps=STEPS[:-1], seconds=0.4,
)  # fmt: skip


@dataclass(frozen=True)
class Study:
    command: str
    found: Comparison
    played: Sequence[LineUp]
    agreement: Agreement
    curve: Settling
    prints: Sequence[Footprint]


def measure(setting: Setting, size: Size, command: str) -> Study:
    """All of it; what the folder's store has is not played again."""
    played = play_all(setting, size.players)
    made = [make_strategy(player.spec) for player in size.players]

    game, seed, jobs = setting.made(), setting.seed, setting.jobs
    agreement = agree(
        game, made, size.situations, seed, jobs,
        lambda done: setting.tell(f"who decides alike, {done} of {size.situations} situations"),
    )  # fmt: skip
    n = size.settle_situations
    curve = settling(
        game, "ismcts", n, seed, jobs,
        lambda done: setting.tell(f"how ISMCTS settles, {done} of {n} situations"), size.steps,
    )  # fmt: skip
    prints = take_footprints(setting, size.players, size.seconds)
    found = together(setting, size.players, played, prints)
    return Study(command, found, played, agreement, curve, prints)


# -- the report ----------------------------------------------------------------------------


def blocks(study: Study) -> Iterator[Block]:
    yield Text.rich(
        f"Measured by `{study.command}`, Kibitz {__version__}: chapter 5 of the thesis. Two"
        " players, a round, the published deck of 16 cards (the thesis lists 15). Every pair is"
        " one shuffle played twice with the seats swapped; a match has as many pairs as its slower"
        " player has time for. The same command gives the same figures, but for times and memory."
    )
    yield from time_section(study)
    yield from win_section(study)
    yield from decision_section(study)
    yield Heading("5.4 Conclusions")
    yield Points(list(conclusions(study)))
    yield Text(EACH_FOR_ITSELF)


def conclusions(study: Study) -> Iterator[str]:
    matches = study.found.matches
    names = {player.name for player in study.found.players}
    yield words.say_champion(matches)
    for duel in DUELS:
        if names.issuperset(duel):
            yield words.say_match(match_of(study.played, *duel))
    for name in SEARCHES:
        if name in names:
            yield words.say_pays(name, matches, study.prints)
    yield words.say_first_seat({f"{p.match.a} – {p.match.b}": p.first_seat for p in study.played})
    yield words.say_alike(study.agreement)
    yield words.say_settling(study.curve)


def time_section(study: Study) -> Iterator[Block]:
    yield Heading("5.1 Time and memory")
    yield Text(
        "Each strategy against itself, in a process of its own, one round after the other: the"
        f" time of {whole(ROUNDS)} rounds is that of the rounds timed, scaled; a decision has its"
        f" share of the rules in it. {MEMORY}"
    )
    yield Text(f"{words.say_time(study.prints)} {words.say_memory(study.prints)}")
    yield footprint_table(study.prints, "round", ROUNDS)
    yield Plot("time", "Mean score against the time of a decision.")
    yield Plot("memory", "What each strategy adds to the memory of a process.")


def win_section(study: Study) -> Iterator[Block]:
    yield Heading("5.2 Win statistics")
    yield Text(
        "From the side of the first of the two. A ▲ marks who is clearly better: the 95 % interval"
        " does not hold one half."
    )
    yield match_table(study.found)
    yield Plot("wins", "Score of the row against the column.")
    yield ranking_table(study.found)
    yield Plot("scores", "Score of every match with its 95 % interval; hollow: not clear.")
    yield Plot("first-seat", "Score of whoever sat first.")


def decision_section(study: Study) -> Iterator[Block]:
    agreement, curve = study.agreement, study.curve
    yield Heading("5.3 Convergence of decisions")
    yield Text(
        f"All are asked in the same {agreement.situations} situations, which come up in play"
        " between them; where there is one play only, nobody is asked. With itself: with other"
        " random numbers."
    )
    yield Text(f"{words.say_alike(agreement)} {words.say_itself(agreement)}")
    yield agreement_table(agreement)
    yield Plot("agreement", "How often two decide alike.")
    yield Text(
        f"How the decision of {curve.strategy} settles: in {curve.situations} situations, how often"
        f" it decides as with {curve.values[-1]} {curve.option}. The last is with itself, with"
        " other random numbers: the most that can be had."
    )
    yield Text(words.say_settling(curve))
    yield Plot("settling", "Decisions as with the most simulations; the band is the last interval.")
    yield DataTable(
        (curve.option, "alike", "95 %"),
        [
            (str(value), words.percent(share.mean), words.between(share.low, share.high))
            for value, share in zip(curve.values, curve.shares, strict=True)
        ],
        words=(),
    )


def agreement_table(agreement: Agreement) -> DataTable:
    n = range(len(agreement.names))
    shares = [[f"{100 * agreement.share(i, j).mean:.1f}" for j in n] for i in n]
    rows = [(f"{i + 1} {agreement.names[i]}", *shares[i]) for i in n]
    return DataTable(("alike, %", *(str(i + 1) for i in n)), rows)


def draw(study: Study) -> PlotFiles:
    return {
        **plots.draw(study.found, study.agreement),
        **draw_plots(
            {
                "memory": lambda: pictures.memory_bars(study.prints),
                "settling": lambda: pictures.settling_curve(study.curve),
            }
        ),
    }


def study_love_letter(setting: Setting, size: Size, command: str) -> list[Path]:
    """Measure and write; the files."""
    check_players(setting, size.players)
    prepare_players(setting.folder, PLOTS)
    study = measure(setting, size, command)
    setting.tell("drawing")
    more = {"agreement": study.agreement.document(), "settling": study.curve.document()}
    figures = figures_of(command, study.found, study.prints, more)
    return write(setting.folder, TITLE, list(blocks(study)), draw(study), figures)
