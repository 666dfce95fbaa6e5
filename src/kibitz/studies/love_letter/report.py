"""The report of the study of Love Letter: chapter 5 of thesis LL, which has headings only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kibitz.arena.agreement import Agreement
from kibitz.arena.report.plots import draw as draw_comparison
from kibitz.report.blocks import Block, DataTable, Heading, Plot, Points, Text
from kibitz.report.plots import PlotFiles, draw_plots
from kibitz.studies.love_letter.measure import LoveLetterSize, LoveLetterStudy, measure
from kibitz.studies.love_letter.plots import settling_curve
from kibitz.studies.players.measure import (
    Setting,
    check_players,
    match_of,
)
from kibitz.studies.players.plots import memory_bars
from kibitz.studies.players.report import (
    EACH_FOR_ITSELF,
    MEMORY,
    PAIRED,
    figures_of,
    footprint_table,
    match_table,
    prepare_players,
    ranking_table,
    rating_blocks,
    write,
)
from kibitz.studies.players.words import (
    between,
    percent,
    say_alike,
    say_champion,
    say_first_seat,
    say_itself,
    say_match,
    say_memory,
    say_pays,
    say_settling,
    say_time,
)
from kibitz.studies.search.words import whole
from kibitz.version import __version__

GAME = "love-letter"
TITLE = "Love Letter: results"
PLOTS = ("wins", "scores", "rating", "time", "first-seat", "agreement", "memory", "settling")
ROUNDS = 1000
DUELS = (
    ("probabilistic", "random"), ("greedy", "random"), ("greedy", "probabilistic"),
    ("greedy:bluff=true", "greedy"), ("flat-mc", "greedy"), ("ismcts", "greedy"),
    ("pimc", "greedy"), ("ismcts", "flat-mc"), ("ismcts", "pimc"),
)  # fmt: skip
"""What a reader of the thesis asks: each against the one it should improve on."""
SEARCHES = ("flat-mc", "ismcts", "pimc")


def blocks(study: LoveLetterStudy) -> Iterator[Block]:
    yield Text.rich(
        f"Measured by `{study.command}`, Kibitz {__version__}: chapter 5 of the thesis. Two"
        f" players, a round, the published deck of 16 cards (the thesis lists 15). {PAIRED}"
    )
    yield from time_section(study)
    yield from win_section(study)
    yield from decision_section(study)
    yield Heading("5.4 Conclusions")
    yield Points(list(conclusions(study)))
    yield Text(EACH_FOR_ITSELF)


def conclusions(study: LoveLetterStudy) -> Iterator[str]:
    matches = study.comparison.matches
    names = {player.name for player in study.comparison.players}
    yield say_champion(matches)
    for duel in DUELS:
        if names.issuperset(duel):
            yield say_match(match_of(study.played, *duel))
    for name in SEARCHES:
        if name in names:
            yield say_pays(name, matches, study.prints)
    yield say_first_seat({f"{p.match.a} – {p.match.b}": p.first_seat for p in study.played})
    yield say_alike(study.agreement)
    yield say_settling(study.curve)


def time_section(study: LoveLetterStudy) -> Iterator[Block]:
    yield Heading("5.1 Time and memory")
    yield Text(
        "Each strategy against itself, in a process of its own, one round after the other: the"
        f" time of {whole(ROUNDS)} rounds is that of the rounds timed, scaled; a decision has its"
        f" share of the rules in it. {MEMORY}"
    )
    yield Text(f"{say_time(study.prints)} {say_memory(study.prints)}")
    yield footprint_table(study.prints, "round", ROUNDS)
    yield Plot("time", "Mean score against the time of a decision.")
    yield Plot("memory", "What each strategy adds to the memory of a process.")


def win_section(study: LoveLetterStudy) -> Iterator[Block]:
    yield Heading("5.2 Win statistics")
    yield Text(
        "From the side of the first of the two. A ▲ marks who is clearly better: the 95 % interval"
        " does not hold one half."
    )
    yield match_table(study.comparison)
    yield Plot("wins", "Score of the row against the column.")
    yield ranking_table(study.comparison)
    yield from rating_blocks(study.comparison)
    yield Plot("scores", "Score of every match with its 95 % interval; hollow: not clear.")
    yield Plot("first-seat", "Score of whoever sat first.")


def decision_section(study: LoveLetterStudy) -> Iterator[Block]:
    agreement, curve = study.agreement, study.curve
    yield Heading("5.3 Convergence of decisions")
    yield Text(
        f"All are asked in the same {agreement.situations} situations, which come up in play"
        " between them; where there is one play only, nobody is asked. With itself: with other"
        " random numbers."
    )
    yield Text(f"{say_alike(agreement)} {say_itself(agreement)}")
    yield agreement_table(agreement)
    yield Plot("agreement", "How often two decide alike.")
    yield Text(
        f"How the decision of {curve.strategy} settles: in {curve.situations} situations, how often"
        f" it decides as with {curve.values[-1]} {curve.option}. The last is with itself, with"
        " other random numbers: the most that can be had."
    )
    yield Text(say_settling(curve))
    yield Plot("settling", "Decisions as with the most simulations; the band is the last interval.")
    yield DataTable(
        (curve.option, "alike", "95 %"),
        [
            (str(value), percent(share.mean), between(share.low, share.high))
            for value, share in zip(curve.values, curve.shares, strict=True)
        ],
        words=(),
    )


def agreement_table(agreement: Agreement) -> DataTable:
    n = range(len(agreement.names))
    shares = [[f"{100 * agreement.share(i, j).mean:.1f}" for j in n] for i in n]
    rows = [(f"{i + 1} {agreement.names[i]}", *shares[i]) for i in n]
    return DataTable(("alike, %", *(str(i + 1) for i in n)), rows)


def draw(study: LoveLetterStudy) -> PlotFiles:
    return {
        **draw_comparison(study.comparison, study.agreement),
        **draw_plots(
            {
                "memory": lambda: memory_bars(study.prints),
                "settling": lambda: settling_curve(study.curve),
            }
        ),
    }


def study_love_letter(setting: Setting, size: LoveLetterSize, command: str) -> list[Path]:
    """Measure and write; the files."""
    check_players(setting, size.players)
    prepare_players(setting.folder, PLOTS)
    study = measure(setting, size, command)
    setting.progress("drawing")
    more = {"agreement": study.agreement.document(), "settling": study.curve.document()}
    figures = figures_of(command, study.comparison, study.prints, more)
    return write(setting.folder, TITLE, list(blocks(study)), draw(study), figures)
