"""Explanations on the screen and as JSON: the plays with their scores, beliefs as bars."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kibitz.core.explanation import Belief, Explanation
from kibitz.core.figures import percent
from kibitz.core.reason_cells import reason_table

if TYPE_CHECKING:
    from rich.console import Console

BLOCKS = " ▏▎▍▌▋▊▉█"
BAR = 10
"""Characters of a bar that stands for 100 %."""
GAP = "   "


# -- the plays -----------------------------------------------------------------------------


def show_reasons(
    console: Console, explanation: Explanation, most: int | None, played: str | None = None
) -> None:
    """A table of the plays, the best first; at most so many of them."""
    from kibitz.cli.ui.tables import table

    head, cells = reason_table(explanation, most, played)
    rows = table(*head)
    rows.columns[0].no_wrap = True
    for reason, row in zip(explanation.reasons, cells, strict=False):
        rows.add_row(*row, style="bold" if reason.play == explanation.best else "")
    console.print(f"score: {explanation.score}", markup=False)
    console.print(rows)
    left = len(explanation.reasons) - len(cells)
    if left:
        console.print(f"  … and {left} more (--all lists them)\n")


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
    likely = belief.likeliest()
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
