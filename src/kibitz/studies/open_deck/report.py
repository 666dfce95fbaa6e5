"""The report of the study of solved shuffles: its text, tables, files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.report.blocks import (
    Block,
    DataTable,
    Heading,
    Plot,
    Points,
    Text,
)
from kibitz.report.files import (
    check_files,
    plot_names,
    prepare_folder,
    report_files,
    write_report,
)
from kibitz.report.plots import PlotFiles, draw_plots
from kibitz.studies.open_deck.losses import KINDS, PLIES, Loser, mean_of
from kibitz.studies.open_deck.measure import (
    RESULTS,
    OpenDeckSize,
    OpenDeckStudy,
    check_size,
    measure,
)
from kibitz.studies.open_deck.plots import (
    deal_bars,
    kind_bars,
    loss_dots,
    solving_curves,
    value_bars,
)
from kibitz.studies.open_deck.results_file import check
from kibitz.studies.open_deck.words import (
    amount,
    millions,
    part_of_game,
    say_decided,
    say_first,
    say_order,
    say_own,
    say_seats,
    say_solving,
    say_where,
)
from kibitz.studies.players.report import EACH_FOR_ITSELF, FIGURES, REPORT, REPORT_FILES
from kibitz.studies.players.words import duration, percent, points
from kibitz.studies.search.words import whole
from kibitz.version import __version__

TITLE = "Tablić with the deck known: perfect play"
PLOTS = ("values", "losses", "deals", "kinds", "solving")
QUANTILES = (("least", 0.0), ("a quarter", 0.25), ("median", 0.5), ("three quarters", 0.75),
             ("95 %", 0.95), ("most", 1.0))  # fmt: skip


def blocks(study: OpenDeckStudy) -> Iterator[Block]:
    size = study.size
    yield Text.rich(
        f"Measured by `{study.command}`, Kibitz {__version__}: two players, all cards known to"
        f" perfect play, the deck included, no bonus for cards (`{study.game}`). Solved to the"
        f" end: {part_of_game(size.plies)}, on {size.shuffles} shuffles. The same command"
        " gives the same figures, but for times."
    )
    if size.plies != PLIES:
        yield Text(
            f"This is a short study, and not of whole games: it begins {size.plies} plays before"
            " the end, where greedy play on both sides has come to from the shuffle, and counts"
            " the points from there on."
        )
    yield from first_section(study)
    yield from loss_section(study)
    yield from solving_section(study)
    yield Heading("4. Conclusions")
    yield Points(list(conclusions(study)))
    yield Text(EACH_FOR_ITSELF)


def first_section(study: OpenDeckStudy) -> Iterator[Block]:
    yield Heading("1. What it is worth to move first")
    yield Text(
        "Points ahead of the first player, who does not deal and moves first in every deal: with"
        " perfect play on both sides, and greedy against greedy on the same shuffles."
    )
    rows = []
    for name, values in (("perfect", study.values), ("greedy", study.greedy)):
        wins = [int(each.sum()) for each in (values > 0, values == 0, values < 0)]
        rows.append((name, points(mean_of(values)), *map(whole, wins), f"{values.std(ddof=1):.2f}"))
    rows.append(("perfect less greedy", points(study.difference), "", "", "", ""))
    head = ("play", "points ahead (95 %)", "won", "drawn", "lost", "standard deviation")
    yield DataTable(head, rows)
    yield Plot("values", "Results of the shuffles, from the side of the first player.")


def loss_section(study: OpenDeckStudy) -> Iterator[Block]:
    games = min(study.size.games, study.size.shuffles)
    yield Heading("2. What strategies lose against perfect play")
    yield Text(
        f"Each strategy played {games} of the shuffles in both seats, {2 * games} games, against"
        " perfect play, which knows the deck; of equally good plays it makes the first in the"
        " order of the strategies. A play loses what the position was worth less what it is worth"
        " afterwards, deck known: the strategy does not know it, so that not every loss is a fault."
        " The losses of a game add up to what it was worth less what was made of it. Intervals"
        " take the shuffle as the sample."
    )
    rows = [
        (
            each.player, each.knows, amount(each.loss),
            *(amount(mean_of(seat)) for seat in each.seats),
            percent(each.mistakes / each.decisions),
        )
        for each in study.losers
    ]  # fmt: skip
    head = ("player", "knows", "points lost a game (95 %)", "moving first", "dealing",
            "plays that lose")  # fmt: skip
    yield DataTable(head, rows, words=(0, 1))
    yield Plot("losses", "Points lost a game against perfect play, in either seat.")
    yield Text("By deal, in points a game:")
    yield DataTable(
        ("player", *(f"deal {deal}" for deal in study.losers[0].deals)),
        [(each.player, *map(_mean, each.deals.values())) for each in study.losers],
    )
    yield Plot("deals", "Points lost a game by deal.")
    yield Text(
        "By kind of mistake, in points a game, and how many of a hundred decisions were such. What"
        " it should do is told from the nearest of the best plays: capturing where it should lay,"
        " for one, means that no capture was among them."
    )
    yield DataTable(
        ("player", *KINDS.values()),
        [(each.player, *(kind_cell(each, kind) for kind in KINDS)) for each in study.losers],
    )
    yield Plot("kinds", "Points lost a game by kind of mistake.")


def _mean(lost: np.ndarray) -> str:
    return f"{lost.mean():.2f}"


def kind_cell(loser: Loser, kind: str) -> str:
    return f"{_mean(loser.kinds[kind])} ({100 * loser.counts[kind] / loser.decisions:.1f})"


def solving_section(study: OpenDeckStudy) -> Iterator[Block]:
    yield Heading("3. What solving takes")
    yield Text(
        "A solution is the value and a line of best play, from nothing, in one process; the times"
        " are those of the machine that measured."
    )
    seconds, nodes = costs(study)
    yield DataTable(
        ("", *(name for name, _ in QUANTILES), "mean"),
        [
            (name, *(text(float(np.quantile(values, q))) for _, q in QUANTILES),
             text(float(values.mean())))
            for name, values, text in (
                ("time", seconds, duration), ("nodes", nodes, millions),
            )
        ],
    )  # fmt: skip
    yield Plot("solving", "Share of the shuffles solved within a time, and a number of nodes.")


def costs(study: OpenDeckStudy) -> tuple[np.ndarray, np.ndarray]:
    """Seconds and nodes."""
    costs = np.array([(each.seconds, each.nodes) for each in study.solved], float)
    return costs[:, 0], costs[:, 1]


def conclusions(study: OpenDeckStudy) -> Iterator[str]:
    if study.size.plies != PLIES:
        yield f"All of this is about {part_of_game(study.size.plies)} only."
    perfect, greedy = mean_of(study.values), mean_of(study.greedy)
    yield say_first("Perfect", perfect)
    yield say_first("Greedy", greedy)
    yield say_seats(perfect, greedy, study.difference)
    yield say_decided(study.values)
    yield say_order(study.losers)
    yield say_where(study.losers)
    yield from map(say_own, study.losers)
    yield say_solving(*costs(study))


def draw(study: OpenDeckStudy) -> PlotFiles:
    return draw_plots(
        {
            "values": lambda: value_bars(study.values, study.greedy),
            "losses": lambda: loss_dots(study.losers),
            "deals": lambda: deal_bars(study.losers),
            "kinds": lambda: kind_bars(study.losers),
            "solving": lambda: solving_curves(*costs(study)),
        }
    )


def figures_of(study: OpenDeckStudy) -> dict[str, Any]:
    """All figures as a document."""
    seconds = [each.seconds for each in study.solved]
    return {
        "command": study.command, "version": __version__, "game": study.game, "seed": study.seed,
        "plies": study.size.plies,
        "first_player": {
            "perfect": asdict(mean_of(study.values)), "greedy": asdict(mean_of(study.greedy)),
            "difference": asdict(study.difference),
        },
        "shuffles": [
            {"worth": each.value, "greedy": each.greedy, "nodes": each.nodes}
            for each in study.solved
        ],
        "losses": [loser_document(each) for each in study.losers],
        "measured": {"about": "times: not the same twice", "seconds": seconds},
    }  # fmt: skip


def loser_document(loser: Loser) -> dict[str, Any]:
    def score(values: np.ndarray) -> dict[str, float]:
        return asdict(mean_of(values))

    return {
        "player": loser.player, "knows": loser.knows, "games": 2 * len(loser.by_shuffle),
        "decisions": loser.decisions, "loss": score(loser.by_shuffle),
        "first": score(loser.seats[0]), "dealer": score(loser.seats[1]),
        "deals": {str(deal): score(lost) for deal, lost in loser.deals.items()},
        "kinds": {
            kind: {**score(lost), "mistakes": loser.counts[kind]}
            for kind, lost in loser.kinds.items()
        },
    }  # fmt: skip


# -- files ---------------------------------------------------------------------------------


def prepare_open(folder: Path) -> None:
    """Make the folder, or refuse it, before anything is solved for it."""
    if folder.is_dir():
        check_files(folder, [*REPORT_FILES, RESULTS, *plot_names(PLOTS)])
        check(folder / RESULTS)
    prepare_folder(folder)


def study_open_deck(
    folder: Path,
    seed: int,
    size: OpenDeckSize,
    command: str,
    progress: Callable[[str], None],
    cluster: str | None = None,
) -> list[Path]:
    """Measure and write; the files."""
    check_size(size)
    prepare_open(folder)
    study = measure(folder, seed, size, command, progress, cluster)
    progress("drawing")
    files = report_files(REPORT, TITLE, list(blocks(study)), draw(study))
    return [*write_report(folder, files, figures_of(study), FIGURES), folder / RESULTS]
