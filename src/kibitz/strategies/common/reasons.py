"""Reasons that a card player would give for a play: each game has sentences of its own."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from kibitz.core.explanation import Belief
from kibitz.core.game import View


class Consequence(NamedTuple):
    """What a play leads to until the seat is to move again: a game's `until_next_turn(view,
    states)` lists them, over the states that it leads to."""

    words: str
    """A sentence with a place for the figure, which ends it."""
    figure: float
    is_share: bool
    wanted: bool
    """Whether more of it is better."""


def why(view: View[Any], play: Any, beliefs: Sequence[Belief] = ()) -> tuple[str, ...]:
    """What was counted, what earlier plays have shown, which rule forces a play; and where the
    strategy believes something else of the hidden cards than counting tells, that too."""
    if not view.game.reasons:
        return ()
    module = importlib.import_module(view.game.reasons)
    sentences: tuple[str, ...] = module.why(view, play, beliefs)
    return sentences
