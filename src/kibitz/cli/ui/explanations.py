"""Explanations on the screen and as JSON: the plays with their scores, beliefs as bars."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kibitz.core.explanation import Belief, Explanation, Reason
from kibitz.core.figures import percent, rounded

if TYPE_CHECKING:
    from rich.console import Console

BLOCKS = " ▏▎▍▌▋▊▉█"
BAR = 10
"""Characters of a bar that stands for 100 %."""
GAP = "   "
BOUNDS = ("low", "high")
"""Parts that are of the score's kind."""
MANY = 12
"""Plays that are listed, unless all are wanted."""


# -- the plays -----------------------------------------------------------------------------


def show_reasons(
    console: Console, explanation: Explanation, most: int | None, played: str | None = None
) -> None:
    """A table of the plays, the best first; at most so many of them."""
    from rich.markup import escape

    from kibitz.cli.ui.tables import table

    reasons = explanation.reasons[:most]
    names = _parts(reasons)
    rows = table("  play", "score", *names)
    rows.columns[0].no_wrap = True
    figures = [format_scores(explanation)]
    for name in names:
        values = [r.parts.get(name) for r in reasons]
        if explanation.chance and name in BOUNDS:
            figures.append(["" if value is None else percent(value, 1) for value in values])
        else:
            figures.append(_format_column(values))
    for i, reason in enumerate(reasons):
        mark = "▸ " if reason.play == explanation.best else "  "
        if reason.play in explanation.equal:
            mark = "= "
        was = " (played)" if str(reason.play) == played else ""
        style = "bold" if reason.play == explanation.best else ""
        rows.add_row(
            f"{mark}{escape(str(reason.play))}{was}",
            *(column[i] for column in figures),
            style=style,
        )
    console.print(f"score: {explanation.score}", markup=False)
    console.print(rows)
    left = len(explanation.reasons) - len(reasons)
    if left:
        console.print(f"  … and {left} more (--all lists them)\n")


def format_scores(explanation: Explanation) -> list[str]:
    """The scores of all plays as a column of text."""
    values = [reason.score for reason in explanation.reasons]
    if explanation.chance:
        return ["" if math.isnan(value) else percent(value, 1) for value in values]
    return _format_column(values)


def half_width(explanation: Explanation, reason: Reason) -> str:
    """Half the width of a score's interval: ` ± 0.4%`; nothing if it is no estimate."""
    if reason.interval is None:
        return ""
    half = (reason.interval[1] - reason.interval[0]) / 2
    return f" ± {percent(half, 1)}" if explanation.chance else f" ± {half:.2f}"


def _parts(reasons: Sequence[Reason]) -> list[str]:
    """The names of the parts, in their order; none if they only say the score again."""
    names = dict.fromkeys(name for reason in reasons for name in reason.parts)
    again = all(list(reason.parts.values()) in ([], [reason.score]) for reason in reasons)
    return [] if again else list(names)


def _format_column(values: Sequence[float | None]) -> list[str]:
    """Numbers under each other: whole ones, or with up to three decimals, or four where one
    would be nothing otherwise. What is not there is blank."""
    values = [None if value is None or math.isnan(value) else value for value in values]
    known = [value for value in values if value is not None]
    tiny = any(1e-6 < abs(value) < 0.0005 for value in known)
    exact = (d for d in range(3) if all(abs(value - round(value, d)) < 1e-9 for value in known))
    decimals = 4 if tiny else next(exact, 3)
    return ["" if v is None else rounded(v, decimals) for v in values]


# -- the beliefs ---------------------------------------------------------------------------


def show_belief(console: Console, belief: Belief, note: str = "") -> None:
    for line in belief_lines(belief, console.width, note):
        console.print(line)


def belief_lines(belief: Belief, width: int, note: str = "") -> list[str]:
    """What may be in a place, the likeliest first, in as many columns as fit."""
    from rich.markup import escape

    if not belief.cards:
        return []
    several = "at least one of each" if sum(belief.cards.values()) > 1 + 1e-6 else ""
    notes = ", ".join(filter(None, [several, belief.basis, note]))
    head = f"[bold]{escape(belief.place)}[/]{f'  [dim]({notes})[/]' if notes else ''}"
    likely = sorted(belief.cards.items(), key=lambda item: -item[1])
    longest = max(len(card) for card, _ in likely)
    cells = [
        f"{escape(card.ljust(longest))} [cyan]{bar(p)}[/] {percent(p):>4}" for card, p in likely
    ]
    most = (width - 2 + len(GAP)) // (longest + 1 + BAR + 5 + len(GAP))
    columns = max(1, min(most, len(cells)))
    rows = -(-len(cells) // columns)
    return [head, *(f"  {GAP.join(cells[i::rows])}" for i in range(rows))]


def bar(share: float) -> str:
    """A share of one as a bar, to an eighth of a character; something is never nothing."""
    eighths = round(share * BAR * 8)
    eighths = max(eighths, 1) if share > 0 else 0
    return ("█" * (eighths // 8) + BLOCKS[eighths % 8]).rstrip().ljust(BAR)


# -- JSON ----------------------------------------------------------------------------------


def explanation_entry(explanation: Explanation, name: str, knows: str) -> dict[str, Any]:
    """An explanation as values for JSON."""
    return {
        "name": name,
        "knows": knows,
        "best": str(explanation.best),
        "score_is": explanation.score,
        "reasons": [
            {
                "play": str(r.play),
                "score": _number(r.score),
                "parts": _numbers(r.parts),
                "ci95": None if r.interval is None else [_number(end) for end in r.interval],
            }
            for r in explanation.reasons
        ],
        "beliefs": beliefs_entry(explanation.beliefs),
        "sentence": explanation.sentence,
        "why": list(explanation.why),
        "equal": [str(play) for play in explanation.equal],
        "margin": explanation.margin,
    }


def beliefs_entry(beliefs: Sequence[Belief]) -> list[dict[str, Any]]:
    return [
        {"place": belief.place, "cards": _numbers(belief.cards), "exact": belief.exact}
        for belief in beliefs
    ]


def _numbers(named: Mapping[str, float]) -> dict[str, float | None]:
    return {name: _number(value) for name, value in named.items()}


def _number(value: float) -> float | None:
    """JSON has no infinities: a bound that is none is null."""
    return float(value) if math.isfinite(value) else None
