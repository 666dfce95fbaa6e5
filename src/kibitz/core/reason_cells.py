"""The reasons of an explanation as cells of a table: screen, prompt and notebook show the same."""

from __future__ import annotations

import math
from collections.abc import Sequence

from kibitz.core.explanation import Explanation, Reason
from kibitz.core.figures import percent, rounded

BOUNDS = ("low", "high")
"""Parts that are of the score's kind."""
MANY = 12
"""Plays that are listed, unless all are wanted."""


def reason_table(
    explanation: Explanation, most: int | None, played: str | None = None
) -> tuple[list[str], list[list[str]]]:
    """The head and a row for each play, the best first; at most so many of them. What was played
    is marked."""
    reasons = explanation.reasons[:most]
    names = _parts(reasons)
    columns = [format_scores(explanation)]
    for name in names:
        values = [reason.parts.get(name) for reason in reasons]
        if explanation.chance and name in BOUNDS:
            columns.append(["" if value is None else percent(value, 1) for value in values])
        else:
            columns.append(_format_column(values))
    rows = [
        [_marked(explanation, reason, played), *(column[i] for column in columns)]
        for i, reason in enumerate(reasons)
    ]
    return ["  play", "score", *names], rows


def _marked(explanation: Explanation, reason: Reason, played: str | None) -> str:
    mark = "▸ " if reason.play == explanation.best else "  "
    if reason.play in explanation.equal:
        mark = "= "
    return f"{mark}{reason.play}{' (played)' if str(reason.play) == played else ''}"


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
