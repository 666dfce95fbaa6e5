"""Reasons that a card player would give for a play: each game has sentences of its own."""

from __future__ import annotations

import importlib
from typing import Any

from kibitz.core.game import View


def why(view: View[Any], play: Any) -> tuple[str, ...]:
    """What was counted, what earlier plays have shown, which rule forces a play; in sentences
    that are true whatever the strategy that makes the play went by."""
    if not view.game.reasons:
        return ()
    sentences: tuple[str, ...] = importlib.import_module(view.game.reasons).why(view, play)
    return sentences
