"""Numbers as a person reads them: tables, charts and sentences round in one way."""

from __future__ import annotations

import math


def rounded(value: float, decimals: int = 0) -> str:
    """Halves go away from zero, and nothing is never negative. What a float is off by is no
    reason to round 86.5 down and 54.5 up."""
    scaled = round(abs(value) * 10**decimals, 6)
    whole = math.floor(scaled + 0.5) / 10**decimals
    return f"{-whole if value < 0 < whole else whole:.{decimals}f}"


def percent(share: float, decimals: int = 0) -> str:
    """A share of one. In whole percents something is never 0%, and less than all never 100%."""
    if not decimals and 0 < share < 0.005:
        return "<1%"
    if not decimals and 0.995 <= share < 1 - 1e-9:
        return ">99%"
    return f"{rounded(100 * share, decimals)}%"
