"""What PIMC knows of high card."""

from collections.abc import Mapping
from typing import Any

from kibitz.core.game import View
from kibitz.strategies.common.measures import Measure

UNIT = 1.0
FIXED_REPLIES = False


def weights(settings: Mapping[str, Any]) -> tuple[float, ...]:
    return ()


def measure(view: View[Any], settings: Mapping[str, Any]) -> Measure:
    return Measure("chance to take two tricks", 0.01, 2)
