"""The report of the study of Tablić: the figures of thesis TB, chapter 4, beside ours over swapped
seats, and what TB left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from kibitz.arena.comparison import MatchLine
from kibitz.arena.report.plots import draw as draw_comparison
from kibitz.report.blocks import Block, DataTable, Heading, Plot, Points, Text
from kibitz.report.plots import PlotFiles, draw_plots
from kibitz.studies.players.measure import (
    Setting,
    check_players,
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
    duration,
    percent,
    points,
    say_champion,
    say_memory,
    say_pays,
    say_time,
    score_of_match,
    signed,
    with_interval,
)
from kibitz.studies.search.words import whole
from kibitz.studies.tablic.luck import Luck, SeatLuck
from kibitz.studies.tablic.measure import TablicSize, TablicStudy, measure
from kibitz.studies.tablic.plots import luck_bars, skill_dots
from kibitz.studies.tablic.words import (
    PRINTED,
    say_beside,
    say_correlation,
    say_decided,
    say_excuse,
    say_faster,
    say_knowing,
    say_luck,
    say_seat,
    say_skill,
)
from kibitz.version import __version__

GAME = "tablic"
TITLE = "Tablić: results"
PLOTS = ("wins", "scores", "rating", "time", "first-seat", "memory", "luck", "skill")
SEARCHES = ("flat-mc", "ismcts", "pimc")
MENDED = (
    "Mended in all: a capture must split into groups (TB's test lets sets pass that do not); 10♦"
    " and 2♣ count (TB has no suits); a card that takes nothing scores nothing and makes nobody the"
    " last captor; an empty table is not cleared again; seats are swapped on the same shuffles (TB"
    " has them fixed and does not say how). The bonus for more cards is always given (TB: only when"
    " the points are tied)."
)


def blocks(study: TablicStudy) -> Iterator[Block]:
    yield Text.rich(
        f"Measured by `{study.command}`, Kibitz {__version__}: chapter 4 of the thesis (TB) and"
        f" what it left out. Two players, a game of 52 cards. {PAIRED}"
    )
    yield from thesis_section(study)
    yield from player_section(study)
    yield from cost_section(study)
    yield from luck_section(study)
    yield Heading("5. Conclusions")
    yield Points(list(conclusions(study)))
    yield Text(EACH_FOR_ITSELF)


def thesis_section(study: TablicStudy) -> Iterator[Block]:
    took = {each.player: each.game / 2 for each in study.prints}
    yield Heading("1. The thesis's matches")
    rows = []
    for printed, match in study.thesis():
        score = score_of_match(match)
        rows += [
            (
                f"{printed.a} – {printed.b}", "TB", whole(printed.games),
                f"{printed.wins}–{printed.losses}–{printed.draws}",
                percent(printed.score.mean),
                between(printed.score.low, printed.score.high),
                duration(printed.seconds),
            ),
            (
                "", "ours", whole(2 * match.pairs), f"{match.wins}–{match.losses}–{match.draws}",
                percent(score.mean), between(*match.ci95),
                duration(took[printed.a]),
            ),
        ]  # fmt: skip
    head = ("match", "", "games", "won–lost–drawn", "score", "95 %", "first player's time a game")
    yield DataTable(head, rows, words=(0, 1))
    yield Text(
        "TB's intervals are ours, from its counts as if its games were independent; its times are"
        " those of one core of a 2.5 GHz i7, ours of this machine, half of a game against itself."
    )
    yield DataTable(
        ("match", "mended in ours"),
        [(f"{each.a} – {each.b}", each.mended) for each in PRINTED],
        words=(0, 1),
    )
    yield Text(MENDED)


def player_section(study: TablicStudy) -> Iterator[Block]:
    yield Heading("2. Every pair of players")
    yield Text.rich(
        "From the side of the first of the two. A ▲ marks who is clearly better: the 95 % interval"
        " does not hold one half. `fair` players know their own hand and all that passed,"
        " `open-hands` ones see the opponent's hand too."
    )
    yield ranking_table(study.comparison)
    yield from rating_blocks(study.comparison)
    yield match_table(study.comparison, with_points=True)
    yield Plot("wins", "Score of the row against the column.")
    yield Plot("scores", "Score of every match with its 95 % interval; hollow: not clear.")
    yield Plot("first-seat", "Score of whoever sat first.")


def cost_section(study: TablicStudy) -> Iterator[Block]:
    yield Heading("3. Time and memory")
    yield Text(
        "Each strategy against itself, in a process of its own, one game after the other: a game is"
        f" that of both players together; a decision has its share of the rules in it. {MEMORY}"
    )
    yield Text(f"{say_time(study.prints)} {say_memory(study.prints)}")
    yield footprint_table(study.prints, "game", 1)
    yield Plot("time", "Mean score against the time of a decision.")
    yield Plot("memory", "What each strategy adds to the memory of a process.")


def luck_section(study: TablicStudy) -> Iterator[Block]:
    yield Heading("4. The luck of the deal and the skill")
    yield Text(
        "If the same seat wins both games of a pair, the deal decided; if the same player does, the"
        " player; if a game is drawn, neither. By toss of a coin it would be half and half."
    )
    yield Text(say_luck(study.luck))
    yield Plot("luck", "Who decided the pairs of each match.")
    yield DataTable(
        ("match", "pairs", "same player", "neither", "same seat"),
        [
            (f"{each.a} – {each.b}", whole(each.pairs), *(
                percent(n / each.pairs)
                for n in (each.same_player, each.neither, each.same_seat)
            ))
            for each in study.luck
        ],
    )  # fmt: skip
    yield Text(
        "What the cards are worth to a seat is what greedy makes of the same shuffle against"
        f" greedy; the first seat scores {with_interval(study.deal)} there. Below, from the"
        " side of who scored more: points ahead a game that the cards were worth in each seat, that"
        " were made, and the difference, which is skill; and how what was made goes with what the"
        " cards were worth, over all games."
    )
    yield DataTable(
        ("match", "seat", "cards", "made", "skill (95 %)", "score by the cards", "score made",
         "correlation (95 %)"),
        [row for each in study.luck for row in seat_rows(each)],
        words=(0, 1),
    )  # fmt: skip
    yield Plot("skill", "Points beyond what the cards were worth, in either seat.")


def seat_rows(luck: Luck) -> Iterator[Sequence[str]]:
    for name, seat in (("first", luck.first), ("second", luck.second)):
        r = luck.correlation if name == "first" else None
        yield (
            f"{luck.a} against {luck.b}" if r else "", name, signed(seat.cards),
            signed(seat.made), points(seat.skill), percent(seat.cards_score),
            percent(seat.made_score), points(r) if r else "",
        )  # fmt: skip


def conclusions(study: TablicStudy) -> Iterator[str]:
    comparison = study.comparison
    took = {each.player: each.game / 2 for each in study.prints}
    knows = {player.name: player.knows for player in comparison.players}
    yield say_champion(comparison.matches)
    fair = [match for match in comparison.matches if knows[match.a] == knows[match.b] == "fair"]
    if any(know != "fair" for know in knows.values()):
        yield f"Among the fair ones: {say_champion(fair)}"
    for printed, match in study.thesis():
        yield say_beside(printed, match)
    for printed in PRINTED[:2]:
        yield say_faster(printed, took[printed.a])
    for match in comparison.matches:
        if {knows[match.a], knows[match.b]} == {"fair", "open-hands"} and is_search(match):
            yield say_knowing(match, knows)
    for name in knows:
        if name.startswith(SEARCHES):
            yield f"Among the fair ones: {say_pays(name, fair, study.prints)}"
    yield say_seat(study.deal)
    for printed in PRINTED:
        luck = study.luck_between(printed.a, printed.b)
        yield f"{say_decided(luck)} {say_excuse(luck)}"
        yield f"{say_skill(luck)} {say_correlation(luck)}"


def is_search(match: MatchLine) -> bool:
    return match.a.startswith(SEARCHES) or match.b.startswith(SEARCHES)


def draw(study: TablicStudy) -> PlotFiles:
    return {
        **draw_comparison(study.comparison, None),
        **draw_plots(
            {
                "memory": lambda: memory_bars(study.prints),
                "luck": lambda: luck_bars(study.luck),
                "skill": lambda: skill_dots(study.luck),
            }
        ),
    }


def luck_document(luck: Luck) -> dict[str, object]:
    """JSON has no infinity: a skill from one pair has no interval."""
    document = asdict(luck)
    for name in ("first", "second"):
        seat: SeatLuck = getattr(luck, name)
        if luck.pairs < 2:
            document[name]["skill"] = {"mean": seat.skill.mean, "low": None, "high": None}
    return document


def study_tablic(setting: Setting, size: TablicSize, command: str) -> list[Path]:
    """Measure and write; the files."""
    check_players(setting, size.players)
    prepare_players(setting.folder, PLOTS)
    study = measure(setting, size, command)
    setting.progress("drawing")
    more = {
        "greedy_first_seat": asdict(study.deal),
        "luck": [luck_document(each) for each in study.luck],
        "thesis": [{**asdict(each), "score": asdict(each.score)} for each in PRINTED],
    }
    figures = figures_of(command, study.comparison, study.prints, more)
    return write(setting.folder, TITLE, list(blocks(study)), draw(study), figures)
