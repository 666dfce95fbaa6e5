"""What the reports of both studies of players share: tables, files, and the folder's check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kibitz.arena.comparison import Comparison
from kibitz.arena.report.rating_words import (
    is_worth_showing,
    rating_head,
    rating_rows,
    say_rating,
)
from kibitz.arena.report.words import elo, mean_scores, points_ahead
from kibitz.arena.store.store import Store
from kibitz.report.blocks import Block, DataTable, Plot, Text
from kibitz.report.files import (
    check_files,
    plot_names,
    prepare_folder,
    report_files,
    write_report,
)
from kibitz.report.plots import PlotFiles
from kibitz.studies.players.footprint import Footprint
from kibitz.studies.players.measure import STORE
from kibitz.studies.players.words import between, duration, megabytes, percent
from kibitz.studies.search.words import whole
from kibitz.version import __version__

REPORT = "report"
FIGURES = "figures.json"
REPORT_FILES = (f"{REPORT}.md", f"{REPORT}.html", FIGURES)
MEMORY = (
    "Memory is the most that the process held: with Python, Numba and the game in it, and what of"
    " that the strategy added after two random players had played (its machine code, read from the"
    " disk, its tables and trees)."
)
PAIRED = (
    "Every pair is one shuffle played twice with the seats swapped; a match has as many pairs as"
    " its slower player has time for. The same command gives the same figures, but for times and"
    " memory."
)
EACH_FOR_ITSELF = (
    "Each interval stands for itself: of twenty between equal players, about one misses the even"
    " value."
)


def prepare_players(folder: Path, plots: Sequence[str]) -> None:
    """Make the folder, or refuse it, before anything is played for it."""
    if folder.is_dir():
        check_files(folder, [*REPORT_FILES, *plot_names(plots)])
        if (folder / STORE).exists():
            with Store(folder / STORE):
                pass
    prepare_folder(folder)


def match_table(comparison: Comparison, *, with_points: bool = False) -> DataTable:
    """Every match: the winner's side is marked if it is clear."""
    points = ["points ahead a game (95 %)"] * with_points
    rows = []
    for match in comparison.matches:
        side = match.side
        rows.append(
            (
                f"{match.a}{' ▲' * (side > 0)} – {match.b}{' ▲' * (side < 0)}",
                whole(match.pairs), whole(match.wins), whole(match.draws), whole(match.losses),
                percent(match.score), between(*match.ci95), elo(match),
                *[points_ahead(match)] * with_points,
            )
        )  # fmt: skip
    head = ("match", "pairs", "won", "drawn", "lost", "score", "95 %", "Elo", *points)
    return DataTable(head, rows)


def ranking_table(comparison: Comparison) -> DataTable:
    """Everybody by the mean score over the matches."""
    knows = {player.name: player.knows for player in comparison.players}
    rows = [(name, knows[name], percent(mean)) for name, mean in mean_scores(comparison).items()]
    return DataTable(("player", "knows", "mean score"), rows, words=(0, 1))


def rating_blocks(comparison: Comparison) -> Iterator[Block]:
    """Everybody on one scale, and whether that explains the scores."""
    rating = comparison.rating
    if rating is None or not is_worth_showing(rating):
        return
    yield DataTable(rating_head(rating), rating_rows(rating), caption="Joint rating")
    for said in say_rating(rating):
        yield Text(said)
    yield Plot("rating", "Joint rating of every player with its 95 % interval.")


def footprint_table(prints: Sequence[Footprint], unit: str, count: int) -> DataTable:
    """Time and memory; the time of `count` games, and of one decision."""
    head = (
        "player", f"{whole(count)} {unit}{'s' * (count > 1)}", "a decision", f"decisions a {unit}",
        "peak, MB", "of that its own, MB", f"{unit}s timed",
    )  # fmt: skip
    rows = [
        (
            each.player, duration(count * each.game), duration(each.decision),
            f"{each.decisions / each.games:.1f}", megabytes(each.peak), megabytes(each.own),
            whole(each.games),
        )
        for each in prints
    ]  # fmt: skip
    return DataTable(head, rows)


def measured(prints: Sequence[Footprint]) -> dict[str, Any]:
    """What is not the same twice, apart from the figures that are."""
    players = [{**asdict(each), "own": each.own} for each in prints]
    return {"about": "times and memory: not the same twice", "players": players}


def figures_of(
    command: str, comparison: Comparison, prints: Sequence[Footprint], more: Mapping[str, Any]
) -> dict[str, Any]:
    """All figures of a study as a document."""
    document = comparison.document()
    knows = [{"name": player.name, "knows": player.knows} for player in comparison.players]
    return {
        "command": command, "version": __version__, "game": comparison.game,
        "unit": comparison.unit, "seed": comparison.seed, "players": knows,
        "matches": document["matches"], "rating": document["rating"], **more,
        "measured": measured(prints),
    }  # fmt: skip


def write(
    folder: Path, title: str, parts: Sequence[Block], drawn: PlotFiles, figures: Mapping[str, Any]
) -> list[Path]:
    """All files of a report, all or nothing."""
    files = report_files(REPORT, title, parts, drawn)
    return [*write_report(folder, files, figures, FIGURES), folder / STORE]
