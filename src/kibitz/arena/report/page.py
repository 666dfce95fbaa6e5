"""A comparison as one HTML page with its pictures in it: no network, to read and to print.

The pictures lie also in a folder next to it. What the figures say is in `words.py`.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from html import escape
from pathlib import Path
from urllib.parse import quote

from kibitz.arena.agreement import Agreement
from kibitz.arena.comparison import Comparison
from kibitz.arena.report.plots import LINES, draw, score_lines, seated
from kibitz.arena.report.words import (
    TEAMS,
    counted,
    elo,
    even_share,
    interval,
    is_numbered,
    main_result,
    match_side,
    mean_scores,
    numbers,
    points_ahead,
    printable,
    say_even,
    say_first_seat,
    say_knowing,
    say_sure,
    say_time,
    scores_of,
    side_of,
    team_rows,
    time_cells,
)
from kibitz.core.errors import BadText
from kibitz.core.files import write_files
from kibitz.version import __version__

FAILURES = 100
"""How many are told; `--json` has all."""
PICTURES = ("wins", "scores", "time", "first-seat", "agreement")


# -- files ---------------------------------------------------------------------------------


def check_path(path: Path) -> None:
    """Refuse a report that can't be written, before anything is played for it."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise BadText(f"a report is a page, FILE.html, not {path}")
    if path.exists() and not path.is_file():
        raise BadText(f"{path}: not a file that can be written")
    pictures = files_folder(path)
    for folder in (path.parent, pictures):
        there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
        try:
            with tempfile.TemporaryFile(dir=there):
                pass
        except OSError as error:
            raise BadText(f"{path}: can't be written, {there}: {error.strerror}") from error


def files_folder(path: Path) -> Path:
    """Where the pictures of a report are."""
    return path.with_name(f"{path.stem}_files")


def write_report(
    found: Comparison,
    path: Path,
    command: str,
    when: str,
    agreement: Agreement | None = None,
    no_agreement: str = "",
) -> list[Path]:
    """Write the page and its pictures, all or nothing; the files written.

    Without an agreement its section is left out, or says why there is none.
    """
    check_path(path)
    drawn = draw(found, agreement)
    folder = files_folder(path)
    page = _Page(found, {name: svg for name, (svg, _) in drawn.items()}, folder.name)
    text = page.html(command, when, agreement, no_agreement)
    contents = {path: text.encode(errors="replace")}
    for name, (svg, png) in drawn.items():
        contents |= {folder / f"{name}.svg": svg, folder / f"{name}.png": png}
    write_files(contents)
    for name in PICTURES:  # of an earlier report: they would belong to other figures
        for kind in ("svg", "png"):
            if name not in drawn:
                with suppress(OSError):
                    (folder / f"{name}.{kind}").unlink()
    return list(contents)


# -- the page ------------------------------------------------------------------------------


class _Page:
    """The parts of a page, each a piece of HTML."""

    def __init__(self, found: Comparison, pictures: dict[str, bytes], folder: str) -> None:
        self.found = found
        self.pictures = pictures
        self.folder = folder
        self.number = numbers(found)
        self.even = even_share(found)

    def html(self, command: str, when: str, agreement: Agreement | None, no_agreement: str) -> str:
        title = f"{self.found.game}: {counted(len(self.found.players), 'strategy', 'strategies')}"
        parts = [
            *self._heading(title, command, when), *self._wins(), *self._scores(), *self._time(),
            *self._first_seat(), *self._agreement(agreement, no_agreement),
            *self._figures(agreement),
        ]  # fmt: skip
        body = "\n".join(parts)
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{text(title)} compared</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
            f"<main>\n{body}\n</main>\n</body>\n</html>\n"
        )

    def _heading(self, title: str, command: str, when: str) -> Iterator[str]:
        found = self.found
        yield f"<h1>{breakable(title)} compared</h1>"
        yield f'<p class="result">{breakable(main_result(found))}</p>'
        if found.interrupted:
            yield paragraph("Stopped early: the figures are those of the pairs played.")
        facts = {
            "game": found.game, "unit": found.unit, "pairs": f"{found.pairs:,}",
            "seed": str(found.seed), "version": f"Kibitz {__version__}", "date": when,
        }  # fmt: skip
        told = "".join(f"<div><dt>{k}</dt><dd>{breakable(v)}</dd></div>" for k, v in facts.items())
        yield f"<dl>{told}</dl>"
        yield paragraph(
            f"In a pair the same cards are dealt again and every {found.unit} is played in all"
            " seats. The figures are made again, all but the times, by:"
        )
        yield f"<pre>{text(command)}</pre>"
        if self.pictures:
            yield paragraph(
                f"Every picture is also a file, as SVG and as PNG, in the folder {self.folder}"
                " next to this page."
            )

    def _wins(self) -> Iterator[str]:
        if self.found.tables:
            yield "<h2>Scores by table</h2>"
            yield paragraph(say_even(self.found))
            yield self._by_table()
        elif self.found.matches:
            yield "<h2>Who beats whom</h2>"
            yield self._figure(
                "wins",
                "The score of the row against the column. Blue: the row scores more; orange: the"
                " column does; white: 50 %.",
            )

    def _by_table(self) -> str:
        rows = []
        for table in self.found.tables:
            row = [""] * len(self.number)
            for name in table.players:
                mark = {1: " ▲", 0: "", -1: " ▼"}[side_of(table.ci95[name], self.even)]
                row[self.number[name] - 1] = f"{table.score[name]:.1%}{mark}"
            rows.append((seated(table.players, self.number), *row))
        return board("Scores by table", ("table", *map(self._named, self.number)), rows)

    def _scores(self) -> Iterator[str]:
        lines = len(score_lines(self.found))
        if not lines:
            return
        yield "<h2>How sure that is</h2>"
        what = "player at every table" if self.found.tables else "match"
        each = f"A line for every {what}: the score with its 95 % interval. Hollow: not clear."
        many = "A row for every player, as there are too many lines to draw; the table has all."
        yield self._figure("scores", many if lines > LINES else each)
        yield paragraph(say_sure(self.found))

    def _time(self) -> Iterator[str]:
        if "time" not in self.pictures:
            return
        yield "<h2>Time and strength</h2>"
        yield self._figure(
            "time", "The mean score of each player against its time for a decision, on a log scale."
        )
        yield paragraph(say_time(self.found))

    def _first_seat(self) -> Iterator[str]:
        if "first-seat" not in self.pictures:
            return
        yield "<h2>The first seat</h2>"
        yield self._figure("first-seat", "The score of whoever sat first, whoever that was.")
        yield paragraph(say_first_seat(self.found))

    def _agreement(self, agreement: Agreement | None, why_not: str) -> Iterator[str]:
        if agreement is None and not why_not:
            return
        yield "<h2>Who decides alike</h2>"
        if agreement is None:
            yield paragraph(why_not)
            return
        yield self._figure(
            "agreement",
            f"In how many of {agreement.situations} situations that came up in play two decide"
            " alike. One with itself: with other random numbers.",
        )

    # -- tables ----------------------------------------------------------------------------

    def _figures(self, agreement: Agreement | None) -> Iterator[str]:
        yield "<h2>All figures</h2>"
        if self.found.matches:
            yield self._matches()
        if self.found.tables:
            yield self._tables()
        if teams := team_rows(self.found):
            yield board("Partners", TEAMS, teams, {0, 1})
        yield self._players()
        yield paragraph(say_knowing(self.found))
        if agreement is not None:
            yield self._alike(agreement)
        yield from self._failures()

    def _matches(self) -> str:
        matches = self.found.matches
        points = any(abs(match.margin) > 1 for match in matches)
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
            row += ["yes" if match_side(match) else "no"] * asked
            rows.append(row)
        head += ["points ahead"] * points + ["clear"] * asked
        return board("Matches, from the first one's side", head, rows)

    def _tables(self) -> str:
        rows = []
        for table in self.found.tables:
            for k, name in enumerate(table.players):
                low, high = table.ci95[name]
                own = [str(table.wins[name]), f"{table.score[name]:.1%}", interval(low, high)]
                common = [str(table.pairs), str(table.games), str(table.shared)]
                common += [f"{table.first_seat:.1%}"]
                where = seated(table.players, self.number)
                rows.append(
                    [self._named(name), *own, *(["", *[""] * 4] if k else [where, *common])]
                )
        head = ["player", "won", "score", "95 %", "table", "pairs", f"{self.found.unit}s"]
        return board("Players at each table", [*head, "shared", "1st seat"], rows)

    def _players(self) -> str:
        found, means, scores = self.found, mean_scores(self.found), scores_of(self.found)
        failed = any(player.failures for player in found.players)
        rows = []
        for player in sorted(found.players, key=lambda each: self.number[each.name]):
            row = [
                self._named(player.name), player.knows, str(player.decisions),
                *time_cells(player),
                f"{means[player.name]:.1%}" if player.name in means else "–",
                str(len(scores.get(player.name, ()))), "yes" if player.reproducible else "no",
            ]  # fmt: skip
            rows.append(row + [str(player.failures)] * failed)
        what = "tables" if found.tables else "matches"
        head = ["player", "knows", "decisions", "µs a decision", "decisions / s", "mean score"]
        head += [what, "reproducible"] + ["lost by failing"] * failed
        return board("Players", head, rows)

    def _alike(self, agreement: Agreement) -> str:
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
        return board("Decisions alike", ("players", "alike", "95 %"), rows)

    def _failures(self) -> Iterator[str]:
        failures = self.found.failures
        if not failures:
            return
        yield "<h3>Lost by failing</h3>"
        rows = [(f.player, str(f.pair), str(f.order), f.reason) for f in failures[:FAILURES]]
        yield board("Games lost by failing", ("player", "pair", "order", "reason"), rows, {3})
        if len(failures) > FAILURES:
            yield paragraph(f"… and {len(failures) - FAILURES} more; --json has them all.")

    def _named(self, name: str) -> str:
        return f"{self.number[name]} {name}" if is_numbered(self.found) else name

    def _figure(self, name: str, caption: str) -> str:
        svg = inline(name, self.pictures[name].decode())
        svg = svg.replace("<svg", f'<svg role="img" aria-label="{text(caption)}"', 1)
        address = f"{quote(os.fsencode(self.folder))}/{name}"
        links = ", ".join(f'<a href="{address}.{k}">{k.upper()}</a>' for k in ("svg", "png"))
        told = f"<figcaption>{breakable(caption)} <small>{links}</small></figcaption>"
        return f"<figure>{svg}{told}</figure>"


# -- pieces --------------------------------------------------------------------------------


def text(raw: str) -> str:
    """A text for HTML, on one line."""
    return escape(printable(raw))


def paragraph(raw: str) -> str:
    return f"<p>{breakable(raw)}</p>"


def board(
    title: str, head: Sequence[str], rows: Sequence[Sequence[str]], words: set[int] | None = None
) -> str:
    """A table in a box of its own, which scrolls; words in the first column, and in others."""
    left = {0} | (words or set())

    def cells(row: Sequence[str], kind: str) -> str:
        marks = [' class="word"' if i in left else "" for i in range(len(row))]
        scope = ' scope="col"' if kind == "th" else ""
        return "".join(
            f"<{kind}{scope}{mark}>{breakable(cell)}</{kind}>"
            for mark, cell in zip(marks, row, strict=True)
        )

    body = "\n".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows)
    return (
        f'<div class="table" role="region" tabindex="0" aria-label="{text(title)}"><table>\n'
        f"<caption>{text(title)}</caption>\n<thead><tr>{cells(head, 'th')}</tr></thead>\n"
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


def breakable(raw: str) -> str:
    """A text that may go on in the next line after a colon or comma inside a name, but not
    before a percent sign."""
    return re.sub(r"([:,])(?=[^\W\d])", r"\1<wbr>", text(raw)).replace(" %", "&nbsp;%")


def inline(name: str, svg: str) -> str:
    """An SVG as part of a page: nothing about itself, its size left to the page, its ids its
    own."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r' (?:xmlns(?::\w+)?="[^"]*"|(?:width|height)="[^"]*pt")', "", svg)
    svg = re.sub(r"\n\s+", "\n", re.sub(r"\n\s*\n", "\n", svg)).strip()
    return re.sub(r'( id="|href="#|url\(#)', rf"\1{name}-", svg)


STYLE = """
body { margin: 0; color: #111; background: #fff; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 52rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h1, h2, h3 { line-height: 1.2; } h2 { margin-top: 2.5rem; } p { max-width: 42rem; }
.result { font-size: 1.125rem; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(7rem, 1fr));
  gap: .5rem 1rem; margin: 1rem 0; }
dt { font-size: .8rem; color: #444; } dd { margin: 0; }
pre { padding: .6rem; border: 1px solid #bbb; white-space: pre-wrap; font-size: .85rem; }
.table { overflow-x: auto; margin: 1rem 0; overflow-wrap: normal; }
table { border-collapse: separate; border-spacing: 0; font-size: .85rem; line-height: 1.25rem;
  font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: bold; padding: .25rem .5rem; }
th, td { padding: .25rem .5rem; border-bottom: 1px solid #ccc; text-align: right; }
td { white-space: nowrap; vertical-align: top; }
th { vertical-align: bottom; border-bottom-color: #111; }
.word { text-align: left; white-space: normal; min-width: 6rem; max-width: 18rem;
  overflow-wrap: break-word; }
.word:first-child { position: sticky; left: 0; background: #fff; }
figure { margin: 1.5rem 0; } figure svg { display: block; width: 100%; max-width: 36rem;
  height: auto; }
figcaption { font-size: .875rem; color: #333; max-width: 36rem; } a { color: #00527f; }
small { white-space: nowrap; }
@media (max-width: 40rem) { th, td { padding: .25rem .3rem; } .word { max-width: 11rem; }
  .word:first-child { max-width: 9.5rem; } }
@media print { body { font-size: 10pt; } main { max-width: none; padding: 0; }
  .table { overflow: visible; } table { font-size: 7pt; line-height: 1.3; }
  th, td { padding: .1rem .25rem; } td { white-space: normal; } th { overflow-wrap: anywhere; }
  .word { min-width: 0; } .word:first-child { position: static; }
  figure, pre, tr, dl { break-inside: avoid; } h2, h3 { break-after: avoid; }
  figure svg { max-width: 15cm; max-height: 21cm; } a { color: inherit; text-decoration: none; } }
"""
