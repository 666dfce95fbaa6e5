"""The page of a review: the curve, what mattered, the table at every turn, plays and losses."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from kibitz.core.errors import BadText
from kibitz.core.files import atomic_write
from kibitz.core.shown import piece
from kibitz.report.page import render
from kibitz.report.plots import draw_plots
from kibitz.review.judgement import MOST_SHOWN, amount, figure
from kibitz.review.plots import curve, parts_of_luck
from kibitz.review.review import Review, ReviewedDecision
from kibitz.review.words import luck_in_words, total_in_words
from kibitz.version import __version__


def check_path(path: Path) -> None:
    """Refuse a page that can't be written, before anything is judged for it."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise BadText(f"a review is a page, FILE.html, not {path}")
    if path.exists() and not path.is_file():
        raise BadText(f"{path}: not a file that can be written")
    try:
        with tempfile.TemporaryFile(dir=path.absolute().parent):
            pass
    except OSError as error:
        raise BadText(f"{path}: can't be written: {error.strerror}") from error


def write_page(review: Review, path: Path) -> None:
    """Write the page of a review."""
    check_path(path)
    atomic_write({path: review_page(review).encode(errors="replace")})


def review_page(review: Review) -> str:
    """The page as HTML: it stands alone, and nothing is fetched."""
    return render("review.html", **page_values(review))


def review_piece(review: Review) -> str:
    """The table of decisions and what is said of it, for a notebook."""
    sheet = review.sheet()
    return piece(
        "sheet.html", title=sheet.title, head=sheet.head, rows=sheet.rows,
        notes=[note for note in sheet.notes if note], words=sheet.words, bold=None,
    )  # fmt: skip


def page_values(review: Review) -> dict[str, Any]:
    """All that the template shows."""
    plots = {"curve": lambda: curve(review)}
    if review.luck is not None:
        plots["luck"] = lambda: parts_of_luck(review)
    drawn = draw_plots(plots)
    game = review.played.rules
    return {
        "title": f"{game.name}: a review",
        "review": review,
        "heading": review.played.heading,
        "outcome": "; ".join(
            f"seat {seat + 1} {figure(result, False, signed=True)}"
            for seat, result in enumerate(review.played.returns)
        ),
        "version": __version__,
        "pictures": {name: svg for name, (svg, _) in drawn.items()},
        "totals": [_total(review, each) for each in review.seats],
        "turns": [_turn(review, one) for one in review.decisions],
        "mattered": [one.turn for one in review.mattered],
        "luck": _luck_rows(review),
        "hindsight": None if review.hindsight is None else review.hindsight.table(),
    }


def _total(review: Review, each: Any) -> dict[str, str]:
    words = luck_in_words(each.parts, review.is_chance) if each.parts else ""
    return {
        "who": f"Seat {each.seat + 1} ({each.player})",
        "lost": total_in_words(each.loss, each.decisions, review.is_chance),
        "luck": words,
    }


def _turn(review: Review, one: ReviewedDecision) -> dict[str, Any]:
    """One decision: what the seat saw, what it played, what every play was worth."""
    view, judged = one.view, one.judgement
    presenter, chance = view.game.presenter, review.is_chance
    plays = [
        (
            presenter.describe(view, each.play), amount(each.value, chance),
            amount(each.behind, chance) if each is not judged.values[0] else "best",
            str(each.play) == one.play,
        )
        for each in judged.values[:MOST_SHOWN]
    ]  # fmt: skip
    made = judged.of(one.play)
    if not any(shown[3] for shown in plays):
        said = presenter.describe(view, made.play)
        plays.append((said, amount(made.value, chance), amount(made.behind, chance), True))
    return {
        "turn": one.turn, "seat": one.seat + 1,
        "said": presenter.describe(view, made.play),
        "best": presenter.describe(view, judged.values[0].play),
        "lost": amount(one.loss, chance) if one.counted else "",
        "verdict": str(one.verdict), "a_verdict": one.verdict.with_article,
        "counted": one.counted, "why": one.why,
        "kind": f"{judged.kind}: {judged.judge}",
        "more": len(judged.values) - len(plays), "plays": plays,
        "scene": presenter.html(view),
    }  # fmt: skip


def _luck_rows(review: Review) -> list[list[str]]:
    """A row for each turn: what it did to the first seat that was reviewed."""
    if review.luck is None or not review.seats:
        return []
    seat = review.seats[0].seat
    rows = []
    for turn in review.luck.turns:
        who = "the deal" if turn.seat is None else f"turn {turn.turn}, seat {turn.seat + 1}"
        shown = (turn.before[seat], turn.skill[seat], turn.hidden[seat], turn.draw[seat])
        first, *changes = shown
        cells = [figure(first, review.is_chance)]
        rows.append(
            [who, *cells, *(figure(part, review.is_chance, signed=True) for part in changes)]
        )
    return rows
