"""The results of thesis TB, chapter 4, beside ours over swapped seats, and what TB left out:
memory, other players, and the luck of the deal beside the skill. Two players, a game of 52
cards, with the bonus for more cards always given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from kibitz.arena.comparison import Comparison, MatchLine
from kibitz.arena.report import plots
from kibitz.arena.statistics.scores import Score
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
    play,
    play_all,
    take_footprints,
    together,
    turned,
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
from kibitz.studies.tablic import words as told
from kibitz.studies.tablic.luck import Luck, Seat, card_worths, first_seat_of, luck_of
from kibitz.studies.tablic.words import Printed
from kibitz.version import __version__

GAME = "tablic"
TITLE = "Tablić: results"
PLOTS = ("wins", "scores", "time", "first-seat", "memory", "luck", "skill")
SEARCHES = ("flat-mc", "ismcts", "pimc")
PRINTED = (
    Printed(
        "backtrack", "greedy", 35, 15, 0, 29.23,
        "scores kept to the end of the deal (TB kept the first move's); legal captures only",
    ),
    Printed(
        "genetic", "greedy", 553, 445, 2, 2.44e-3,
        "the reply is looked at after the own move (TB: before, so it was a constant)",
    ),
    Printed("backtrack", "genetic", 32, 18, 0, 23.18, "both of these"),
)  # fmt: skip
MENDED = (
    "Mended in all: a capture must split into groups (TB's test lets sets pass that do not); 10♦"
    " and 2♣ count (TB has no suits); a card that takes nothing scores nothing and makes nobody the"
    " last captor; an empty table is not cleared again; seats are swapped on the same shuffles (TB"
    " has them fixed and does not say how). The bonus for more cards is always given (TB: only when"
    " the points are tied)."
)


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    players: tuple[Player, ...]
    seconds: float
    """For which each player's time is taken."""


FULL = Size(
    players=(
        Player("random", 10000), Player("greedy", 10000), Player("human", 10000),
        Player("genetic", 10000), Player("backtrack", 1000), Player("flat-mc", 100),
        Player("ismcts", 100), Player("pimc", 200),
    ),
    seconds=10.0,
)  # fmt: skip
QUICK = Size(
    players=(
        Player("random", 500), Player("greedy", 500), Player("human", 500),
        Player("genetic", 500), Player("backtrack", 15), Player("flat-mc:worlds=20", 8),
        Player("ismcts:simulations=100", 8), Player("pimc:worlds=10", 8),
    ),
    seconds=0.4,
)  # fmt: skip


@dataclass(frozen=True)
class Study:
    command: str
    found: Comparison
    played: Sequence[LineUp]
    greedy: LineUp
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


def measure(setting: Setting, size: Size, command: str) -> Study:
    """All of it; what the folder's store has is not played again."""
    played = play_all(setting, size.players)
    most = max(len(each.rows) for each in played)
    yardstick = Player("greedy", most)
    greedy = play(setting, yardstick, yardstick)
    worths = card_worths(greedy)
    luck = [luck_of(stronger_first(each), worths) for each in played]
    prints = take_footprints(setting, size.players, size.seconds)
    found = together(setting, size.players, played, prints)
    return Study(command, found, played, greedy, luck, prints)


def stronger_first(lineup: LineUp) -> LineUp:
    """From the side of whoever scored more: the weaker one's figures are the same, negative."""
    if lineup.match.score >= 0.5:
        return lineup
    # Columns: a and b with a first, then a and b with b first.
    return LineUp(turned(lineup.match), lineup.rows[:, [3, 2, 1, 0]])


# -- the report ----------------------------------------------------------------------------


def blocks(study: Study) -> Iterator[Block]:
    yield Text.rich(
        f"Measured by `{study.command}`, Kibitz {__version__}: chapter 4 of the thesis (TB) and"
        " what it left out. Two players, a game of 52 cards. Every pair is one shuffle played"
        " twice with the seats swapped; a match has as many pairs as its slower player has time"
        " for. The same command gives the same figures, but for times and memory."
    )
    yield from thesis_section(study)
    yield from player_section(study)
    yield from cost_section(study)
    yield from luck_section(study)
    yield Heading("5. Conclusions")
    yield Points(list(conclusions(study)))
    yield Text(EACH_FOR_ITSELF)


def thesis_section(study: Study) -> Iterator[Block]:
    took = {each.player: each.game / 2 for each in study.prints}
    yield Heading("1. The thesis's matches")
    rows = []
    for printed, match in study.thesis():
        score = words.score_of_match(match)
        rows += [
            (
                f"{printed.a} – {printed.b}", "TB", whole(printed.games),
                f"{printed.wins}–{printed.losses}–{printed.draws}",
                words.percent(printed.score.mean),
                words.between(printed.score.low, printed.score.high),
                words.duration(printed.seconds),
            ),
            (
                "", "ours", whole(2 * match.pairs), f"{match.wins}–{match.losses}–{match.draws}",
                words.percent(score.mean), words.between(*match.ci95),
                words.duration(took[printed.a]),
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


def player_section(study: Study) -> Iterator[Block]:
    yield Heading("2. Every pair of players")
    yield Text.rich(
        "From the side of the first of the two. A ▲ marks who is clearly better: the 95 % interval"
        " does not hold one half. `fair` players know their own hand and all that passed,"
        " `open-hands` ones see the opponent's hand too."
    )
    yield ranking_table(study.found)
    yield match_table(study.found, with_points=True)
    yield Plot("wins", "Score of the row against the column.")
    yield Plot("scores", "Score of every match with its 95 % interval; hollow: not clear.")
    yield Plot("first-seat", "Score of whoever sat first.")


def cost_section(study: Study) -> Iterator[Block]:
    yield Heading("3. Time and memory")
    yield Text(
        "Each strategy against itself, in a process of its own, one game after the other: a game is"
        f" that of both players together; a decision has its share of the rules in it. {MEMORY}"
    )
    yield Text(f"{words.say_time(study.prints)} {words.say_memory(study.prints)}")
    yield footprint_table(study.prints, "game", 1)
    yield Plot("time", "Mean score against the time of a decision.")
    yield Plot("memory", "What each strategy adds to the memory of a process.")


def luck_section(study: Study) -> Iterator[Block]:
    yield Heading("4. The luck of the deal and the skill")
    yield Text(
        "If the same seat wins both games of a pair, the deal decided; if the same player does, the"
        " player; if a game is drawn, neither. By toss of a coin it would be half and half."
    )
    yield Text(told.say_luck(study.luck))
    yield Plot("luck", "Who decided the pairs of each match.")
    yield DataTable(
        ("match", "pairs", "same player", "neither", "same seat"),
        [
            (f"{each.a} – {each.b}", whole(each.pairs), *(
                words.percent(n / each.pairs)
                for n in (each.same_player, each.neither, each.same_seat)
            ))
            for each in study.luck
        ],
    )  # fmt: skip
    yield Text(
        "What the cards are worth to a seat is what greedy makes of the same shuffle against"
        f" greedy; the first seat scores {words.with_interval(study.deal)} there. Below, from the"
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
            f"{luck.a} against {luck.b}" if r else "", name, words.signed(seat.cards),
            words.signed(seat.made), words.points(seat.skill), words.percent(seat.cards_score),
            words.percent(seat.made_score), words.points(r) if r else "",
        )  # fmt: skip


def conclusions(study: Study) -> Iterator[str]:
    found = study.found
    took = {each.player: each.game / 2 for each in study.prints}
    knows = {player.name: player.knows for player in found.players}
    yield words.say_champion(found.matches)
    fair = [match for match in found.matches if knows[match.a] == knows[match.b] == "fair"]
    if any(know != "fair" for know in knows.values()):
        yield f"Among the fair ones: {words.say_champion(fair)}"
    for printed, match in study.thesis():
        yield told.say_beside(printed, match)
    for printed in PRINTED[:2]:
        yield told.say_faster(printed, took[printed.a])
    for match in found.matches:
        if {knows[match.a], knows[match.b]} == {"fair", "open-hands"} and is_search(match):
            yield told.say_knowing(match, knows)
    for name in knows:
        if name.startswith(SEARCHES):
            yield f"Among the fair ones: {words.say_pays(name, fair, study.prints)}"
    yield told.say_seat(study.deal)
    for printed in PRINTED:
        luck = study.luck_between(printed.a, printed.b)
        yield f"{told.say_decided(luck)} {told.say_excuse(luck)}"
        yield f"{told.say_skill(luck)} {told.say_correlation(luck)}"


def is_search(match: MatchLine) -> bool:
    return match.a.startswith(SEARCHES) or match.b.startswith(SEARCHES)


def draw(study: Study) -> PlotFiles:
    return {
        **plots.draw(study.found, None),
        **draw_plots(
            {
                "memory": lambda: pictures.memory_bars(study.prints),
                "luck": lambda: pictures.luck_bars(study.luck),
                "skill": lambda: pictures.skill_dots(study.luck),
            }
        ),
    }


def luck_document(luck: Luck) -> dict[str, object]:
    """JSON has no infinity: a skill from one pair has no interval."""
    document = asdict(luck)
    for name in ("first", "second"):
        seat: Seat = getattr(luck, name)
        if luck.pairs < 2:
            document[name]["skill"] = {"mean": seat.skill.mean, "low": None, "high": None}
    return document


def study_tablic(setting: Setting, size: Size, command: str) -> list[Path]:
    """Measure and write; the files."""
    check_players(setting, size.players)
    prepare_players(setting.folder, PLOTS)
    study = measure(setting, size, command)
    setting.tell("drawing")
    more = {
        "greedy_first_seat": asdict(study.deal),
        "luck": [luck_document(each) for each in study.luck],
        "thesis": [{**asdict(each), "score": asdict(each.score)} for each in PRINTED],
    }
    figures = figures_of(command, study.found, study.prints, more)
    return write(setting.folder, TITLE, list(blocks(study)), draw(study), figures)
