"""Reasons for a play of high card, in sentences."""

from collections.abc import Sequence
from typing import Any

from kibitz.core.explanation import Belief
from kibitz.core.game import View


def why(view: View[Any], play: Any, beliefs: Sequence[Belief]) -> tuple[str, ...]:
    led = int(view.state[0].led)
    return (f"The {play} is higher than the {led}.",) if 0 < led < play.code else ()
