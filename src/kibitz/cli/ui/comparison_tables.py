"""A comparison on the screen: tables of its matches, line-ups and players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kibitz.cli.ui.tables import USUAL, table
from kibitz.core.checks import one_line

if TYPE_CHECKING:
    from rich.console import Console

    from kibitz.arena.comparison import Comparison, MatchLine, PlayerLine, TableLine
    from kibitz.arena.rating import Rating

FAILURES = 5
"""How many are printed; `--json` has all."""


def show_comparison(comparison: Comparison) -> None:
    from rich.console import Console
    from rich.markup import escape

    from kibitz.arena.report.words import say_equal, say_less_luck

    console = Console(highlight=False)
    comparison, shortened = _with_short_names(comparison, console.width)
    console.print(_heading(comparison))
    if comparison.matches:
        console.print(_matches(comparison))
    if any(match.less_luck for match in comparison.matches):
        console.print(_less_luck(comparison))
    for entry in comparison.tables:
        console.print(_line_up(entry))
        console.print(
            f"{entry.games} {comparison.unit}s, {entry.shared} shared;"
            f" the first seat scores {entry.first_seat:.1%}"
        )
    if any(entry.teams for entry in comparison.tables):
        console.print(_teams(comparison))
    _show_rating(comparison.rating, console)
    console.print(_players(comparison.players))
    for failure in comparison.failures[:FAILURES]:
        console.print(f"lost by failing, pair {failure.pair}: {escape(one_line(failure.reason))}")
    if len(comparison.failures) > FAILURES:
        console.print(f"… and {len(comparison.failures) - FAILURES} more; --json has them all")
    if comparison.matches and comparison.matches[0].clear is not None:
        console.print(_in_words(comparison.matches), markup=False)
    for said in (say_less_luck(comparison), say_equal(comparison)):
        if said:
            console.print(escape(said))
    if comparison.interrupted:
        console.print("Stopped early: the figures are those of the pairs played.")
    if shortened:
        console.print(_filled(("short", "name in full"), list(shortened.items()), "name in full"))


def live_view(comparison: Comparison) -> Any:
    """For a screen that changes: the heading, a bar, and the scores."""
    from rich.console import Group
    from rich.progress_bar import ProgressBar

    comparison, _ = _with_short_names(comparison, USUAL)
    count = max(_lineups(comparison), 1)
    done = sum(line.pairs for line in comparison.matches) + sum(t.pairs for t in comparison.tables)
    bar = ProgressBar(comparison.pairs * count, done, width=60)
    shown: list[Any] = [_heading(comparison), bar]
    if comparison.matches:
        shown.append(_matches(comparison))
    return Group(*shown, *(_line_up(entry) for entry in comparison.tables))


def _with_short_names(comparison: Comparison, width: int) -> tuple[Comparison, dict[str, str]]:
    """As `with_short_names`; on a wide screen names have more room."""
    from kibitz.arena.report.names import NARROW, ROOM, with_short_names
    from kibitz.arena.report.words import has_points

    narrow = has_points(comparison) or any(entry.teams for entry in comparison.tables)
    room = (NARROW if narrow else ROOM) + max(width - USUAL, 0) // 2
    return with_short_names(comparison, room)


def _lineups(comparison: Comparison) -> int:
    from math import comb

    seats = len(comparison.tables[0].players) if comparison.tables else 2
    return comb(len(comparison.players), seats)


def _heading(comparison: Comparison) -> str:
    from rich.markup import escape

    from kibitz.arena.report.words import what_was_played

    return f"[bold]{escape(comparison.game)}[/], {what_was_played(comparison)}"


def _matches(comparison: Comparison) -> Any:
    from kibitz.arena.report.words import match_table

    head, cells = match_table(comparison)
    return _filled(head, cells)


def _less_luck(comparison: Comparison) -> Any:
    from kibitz.arena.report.words import LESS_LUCK, less_luck_rows

    return _filled(LESS_LUCK, less_luck_rows(comparison))


def _show_rating(rating: Rating | None, console: Console) -> None:
    """All players on one scale, where that says more than the matches do."""
    from rich.markup import escape

    from kibitz.arena.report.rating_words import (
        is_worth_showing,
        rating_head,
        rating_rows,
        say_rating,
    )

    if rating is None or not is_worth_showing(rating):
        return
    if rating.players:
        console.print(_filled(rating_head(rating), rating_rows(rating)))
    for said in say_rating(rating):
        console.print(escape(said))


def _filled(head: Sequence[str], cells: Sequence[Sequence[str]], long: str = "") -> Any:
    rows = table(*head, long=long)
    for row in cells:
        rows.add_row(*map(_in_lines, row))
    return rows


def _in_lines(who: str) -> str | list[str]:
    """Two names, or one. If there are spaces in them a line breaks between them, not in one."""
    for between in (" – ", " + "):
        a, found, b = who.partition(between)
        if found and " " in f"{a}{b}":
            return [f"{a}{between.rstrip()}", b]
    return who


def _line_up(entry: TableLine) -> Any:
    from kibitz.arena.report.words import LINE_UP, line_up_rows

    return _filled(LINE_UP, line_up_rows(entry))


def _teams(comparison: Comparison) -> Any:
    from kibitz.arena.report.words import TEAMS, team_rows

    return _filled(TEAMS, team_rows(comparison))


def _players(players: tuple[PlayerLine, ...]) -> Any:
    from kibitz.arena.report.words import time_cells

    failed = any(player.failures for player in players)
    columns = ["player", "knows", "decisions", "µs a decision", "decisions / s"]
    rows = table(*columns, *(["lost by failing"] if failed else []))
    for player in players:
        cells = [player.name, player.knows, str(player.decisions), *time_cells(player)]
        rows.add_row(*cells, *([str(player.failures)] if failed else []))
    return rows


def _in_words(matches: tuple[MatchLine, ...]) -> str:
    lines = []
    for match in matches:
        if match.clear:
            ahead = match.deciding_score > 0.5
            better, worse = (match.a, match.b) if ahead else (match.b, match.a)
            lines.append(f"{better} is better than {worse}, clear after {match.pairs} pairs.")
        else:
            lines.append(f"{match.a} – {match.b}: no clear difference in {match.pairs} pairs.")
    return "\n".join(lines)
