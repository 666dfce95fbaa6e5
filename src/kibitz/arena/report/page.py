"""The report of a comparison: one HTML page with its plots in it, to read and to print.

The plots lie also in a folder next to it. What the figures say is in `words.py`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from kibitz.arena.agreement import Agreement
from kibitz.arena.comparison import Comparison
from kibitz.arena.report.plots import LINES, draw, score_lines, seated
from kibitz.arena.report.rating_words import (
    RESIDUALS,
    is_worth_showing,
    rating_head,
    rating_rows,
    residual_rows,
    say_rating,
)
from kibitz.arena.report.words import (
    LESS_LUCK,
    TEAMS,
    counted,
    elo,
    even_share,
    has_points,
    interval,
    is_numbered,
    less_luck_rows,
    main_result,
    mean_scores,
    numbers,
    points_ahead,
    say_even,
    say_first_seat,
    say_knowing,
    say_less_luck,
    say_sure,
    say_time,
    scores_of,
    team_rows,
    time_cells,
)
from kibitz.arena.statistics.scores import side_of
from kibitz.core.checks import one_line
from kibitz.core.errors import BadText
from kibitz.core.files import atomic_write
from kibitz.report.blocks import Block, DataTable, Facts, Heading, Lead, Plot, Preformatted, Text
from kibitz.report.page import render_report
from kibitz.version import __version__

FAILURES = 100
"""How many are listed; `--json` has all."""
PLOTS = ("wins", "scores", "rating", "time", "first-seat", "agreement")


# -- files ---------------------------------------------------------------------------------


def check_path(path: Path) -> None:
    """Refuse a report that can't be written, before anything is played for it."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise BadText(f"a report is a page, FILE.html, not {path}")
    if path.exists() and not path.is_file():
        raise BadText(f"{path}: not a file that can be written")
    for folder in (path.parent, files_folder(path)):
        existing = next(each for each in (folder, *folder.absolute().parents) if each.exists())
        try:
            with tempfile.TemporaryFile(dir=existing):
                pass
        except OSError as error:
            raise BadText(f"{path}: can't be written, {existing}: {error.strerror}") from error


def files_folder(path: Path) -> Path:
    """Where the plots of a report are."""
    return path.with_name(f"{path.stem}_files")


def write_report(
    comparison: Comparison,
    path: Path,
    command: str,
    when: str,
    agreement: Agreement | None = None,
    no_agreement: str = "",
) -> list[Path]:
    """Write the page and its plots, all or nothing; the files written.

    Without an agreement its section is left out, or says why there is none.
    """
    check_path(path)
    plots = draw(comparison, agreement)
    folder = files_folder(path)
    report = ComparisonReport(comparison, set(plots), folder.name)
    page = render_report(
        report.title,
        list(report.blocks(command, when, agreement, no_agreement)),
        {name: svg for name, (svg, _) in plots.items()},
    )
    contents = {path: page.encode(errors="replace")}
    for name, (svg, png) in plots.items():
        contents |= {folder / f"{name}.svg": svg, folder / f"{name}.png": png}
    atomic_write(contents)
    for name in PLOTS:  # of an earlier report: they would belong to other figures
        for kind in ("svg", "png"):
            if name not in plots:
                with suppress(OSError):
                    (folder / f"{name}.{kind}").unlink()
    return list(contents)


# -- the page ------------------------------------------------------------------------------


class ComparisonReport:
    """A comparison as blocks."""

    def __init__(self, comparison: Comparison, plots: set[str], folder: str) -> None:
        self.comparison = comparison
        self.plots = plots
        self.folder = folder
        self.number = numbers(comparison)
        self.even = even_share(comparison)

    @property
    def title(self) -> str:
        """What stands at the top of the page."""
        players = counted(len(self.comparison.players), "strategy", "strategies")
        return f"{self.comparison.game}: {players} compared"

    def blocks(
        self, command: str, when: str, agreement: Agreement | None, no_agreement: str
    ) -> Iterator[Block]:
        """The page from its command to its figures."""
        yield from self._opening(command, when)
        yield from self._wins()
        yield from self._scores()
        yield from self._rating()
        yield from self._time()
        yield from self._first_seat()
        yield from self._agreement(agreement, no_agreement)
        yield from self._figures(agreement)

    def _opening(self, command: str, when: str) -> Iterator[Block]:
        comparison = self.comparison
        yield Lead(main_result(comparison))
        if comparison.interrupted:
            yield Text("Stopped early: the figures are those of the pairs played.")
        yield Facts(
            {
                "game": comparison.game, "unit": comparison.unit,
                "pairs": f"{comparison.pairs:,}", "seed": str(comparison.seed),
                "version": f"Kibitz {__version__}", "date": when,
            }
        )  # fmt: skip
        yield Text(
            f"In a pair the same cards are dealt again and every {comparison.unit} is played in all"
            " seats. The figures are made again, all but the times, by:"
        )
        yield Preformatted(one_line(command))
        if self.plots:
            yield Text(
                f"Every picture is also a file, as SVG and as PNG, in the folder {self.folder}"
                " next to this page."
            )

    def _wins(self) -> Iterator[Block]:
        if self.comparison.tables:
            yield Heading("Scores by table")
            yield Text(say_even(self.comparison))
            yield self._by_table()
        elif self.comparison.matches:
            yield Heading("Who beats whom")
            yield self._plot(
                "wins",
                "The score of the row against the column. Blue: the row scores more; orange: the"
                " column does; white: 50 %.",
            )

    def _by_table(self) -> DataTable:
        rows = []
        for table in self.comparison.tables:
            row = [""] * len(self.number)
            for name in table.players:
                mark = {1: " ▲", 0: "", -1: " ▼"}[side_of(table.ci95[name], self.even)]
                row[self.number[name] - 1] = f"{table.score[name]:.1%}{mark}"
            rows.append((seated(table.players, self.number), *row))
        return DataTable(("table", *map(self._named, self.number)), rows, caption="Scores by table")

    def _scores(self) -> Iterator[Block]:
        lines = len(score_lines(self.comparison))
        if not lines:
            return
        yield Heading("How sure that is")
        what = "player at every table" if self.comparison.tables else "match"
        each = f"A line for every {what}: the score with its 95 % interval. Hollow: not clear."
        many = "A row for every player, as there are too many lines to draw; the table has all."
        yield self._plot("scores", many if lines > LINES else each)
        yield Text(say_sure(self.comparison))
        if rows := less_luck_rows(self.comparison):
            yield Heading("Less luck")
            yield Text(say_less_luck(self.comparison))
            yield DataTable(LESS_LUCK, rows, caption="Scores less luck")

    def _rating(self) -> Iterator[Block]:
        rating = self.comparison.rating
        if rating is None or not is_worth_showing(rating):
            return
        yield Heading("One scale for all")
        if rating.players:
            yield self._plot(
                "rating",
                "The joint rating of each player with its 95 % interval. Hollow: not clearly off"
                " the mean; a triangle: a bound.",
            )
        for said in say_rating(rating):
            yield Text(said)
        if rating.players:
            yield DataTable(rating_head(rating), rating_rows(rating), caption="Joint rating")

    def _time(self) -> Iterator[Block]:
        if "time" not in self.plots:
            return
        yield Heading("Time and strength")
        yield self._plot(
            "time", "The mean score of each player against its time for a decision, on a log scale."
        )
        yield Text(say_time(self.comparison))

    def _first_seat(self) -> Iterator[Block]:
        if "first-seat" not in self.plots:
            return
        yield Heading("The first seat")
        yield self._plot("first-seat", "The score of whoever sat first, whoever that was.")
        yield Text(say_first_seat(self.comparison))

    def _agreement(self, agreement: Agreement | None, why_not: str) -> Iterator[Block]:
        if agreement is None and not why_not:
            return
        yield Heading("Who decides alike")
        if agreement is None:
            yield Text(why_not)
            return
        yield self._plot(
            "agreement",
            f"In how many of {agreement.situations} situations that came up in play two decide"
            " alike. One with itself: with other random numbers.",
        )

    # -- tables ----------------------------------------------------------------------------

    def _figures(self, agreement: Agreement | None) -> Iterator[Block]:
        yield Heading("All figures")
        if self.comparison.matches:
            yield self._matches()
        if self.comparison.tables:
            yield self._tables()
        rating = self.comparison.rating
        if rating is not None and rating.freedom and is_worth_showing(rating):
            yield DataTable(
                RESIDUALS, residual_rows(rating), caption="Scores, and what the ratings expect"
            )
        if teams := team_rows(self.comparison):
            yield DataTable(TEAMS, teams, (0, 1), caption="Partners")
        yield self._players()
        yield Text(say_knowing(self.comparison))
        if agreement is not None:
            yield self._alike(agreement)
        yield from self._failures()

    def _matches(self) -> DataTable:
        matches = self.comparison.matches
        points = has_points(self.comparison)
        asked = any(match.clear is not None for match in matches)
        head = ["match", "pairs", "won", "drawn", "lost", "score", "95 %", "Elo", "1st seat"]
        rows = []
        for match in matches:
            row = [
                f"{match.a} – {match.b}", str(match.pairs), str(match.wins), str(match.draws),
                str(match.losses), f"{match.score:.1%}", interval(*match.ci95), elo(match),
                f"{match.first_seat:.1%}",
            ]  # fmt: skip
            row += [points_ahead(match)] * points
            row += ["yes" if match.side else "no"] * asked
            rows.append(row)
        head += ["points ahead"] * points + ["clear"] * asked
        return DataTable(head, rows, caption="Matches, from the first one's side")

    def _tables(self) -> DataTable:
        rows = []
        for table in self.comparison.tables:
            for k, name in enumerate(table.players):
                low, high = table.ci95[name]
                own = [str(table.wins[name]), f"{table.score[name]:.1%}", interval(low, high)]
                common = [str(table.pairs), str(table.games), str(table.shared)]
                common += [f"{table.first_seat:.1%}"]
                where = seated(table.players, self.number)
                rows.append(
                    [self._named(name), *own, *(["", *[""] * 4] if k else [where, *common])]
                )
        head = ["player", "won", "score", "95 %", "table", "pairs", f"{self.comparison.unit}s"]
        return DataTable([*head, "shared", "1st seat"], rows, caption="Players at each table")

    def _players(self) -> DataTable:
        comparison = self.comparison
        means, scores = mean_scores(comparison), scores_of(comparison)
        failed = any(player.failures for player in comparison.players)
        rows = []
        for player in sorted(comparison.players, key=lambda each: self.number[each.name]):
            row = [
                self._named(player.name), player.knows, str(player.decisions),
                *time_cells(player),
                f"{means[player.name]:.1%}" if player.name in means else "–",
                str(len(scores.get(player.name, ()))), "yes" if player.reproducible else "no",
            ]  # fmt: skip
            rows.append(row + [str(player.failures)] * failed)
        what = "tables" if comparison.tables else "matches"
        head = ["player", "knows", "decisions", "µs a decision", "decisions / s", "mean score"]
        head += [what, "reproducible"] + ["lost by failing"] * failed
        return DataTable(head, rows, caption="Players")

    def _alike(self, agreement: Agreement) -> DataTable:
        rows = []
        for i, a in enumerate(agreement.names):
            for j, b in enumerate(agreement.names[i:], i):
                share = agreement.share(i, j)
                rows.append(
                    (
                        f"{a} – {b}",
                        f"{share.mean:.1%}",
                        interval(share.low, share.high, "situations"),
                    )
                )
        return DataTable(("players", "alike", "95 %"), rows, caption="Decisions alike")

    def _failures(self) -> Iterator[Block]:
        failures = self.comparison.failures
        if not failures:
            return
        yield Heading("Lost by failing", 3)
        rows = [(f.player, str(f.pair), str(f.order), f.reason) for f in failures[:FAILURES]]
        yield DataTable(
            ("player", "pair", "order", "reason"), rows, (0, 3), caption="Games lost by failing"
        )
        if len(failures) > FAILURES:
            yield Text(f"… and {len(failures) - FAILURES} more; --json has them all.")

    def _named(self, name: str) -> str:
        return f"{self.number[name]} {name}" if is_numbered(self.comparison) else name

    def _plot(self, name: str, caption: str) -> Plot:
        return Plot(name, caption, files=f"{quote(os.fsencode(self.folder))}/{name}")
