"""The value of the ends of a game: the results of games that were played on, as values of a seat.

Samplers give a row of numbers for each end: the returns of all seats, and behind them the points
that it adds to a match. A `UnitValue` makes values of them that mean the same everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.game import Game, ResultKind
from kibitz.strategies.common.measures import measure_of

POINTS_FROM = 4
"""The column of an end in which the points begin."""
COLUMNS = 8
PRECISIONS = {ResultKind.WIN: 0.01, ResultKind.POINTS: 0.5, ResultKind.CHIPS: 0.05}
"""Half the width of the interval of a loss, if nobody asks for another."""


@dataclass(frozen=True)
class UnitValue:
    """The value of an end of one game: its result."""

    game: Game[Any, Any]

    @property
    def name(self) -> str:
        """What the values are, in words."""
        return measure_of(self.game).name

    @property
    def is_chance(self) -> bool:
        """Whether they are chances to win."""
        return measure_of(self.game).chance

    @property
    def margin(self) -> float:
        """Plays that differ by less are as good as each other."""
        return measure_of(self.game).margin

    @property
    def precision(self) -> float:
        """What is asked of the interval of a loss, unless somebody says otherwise."""
        kind = self.game.result_kind or (ResultKind.WIN if self.game.labels else None)
        return PRECISIONS.get(kind, 0.02) if kind is not None else 0.02

    @property
    def spread(self) -> float:
        """What is much of a value: a quarter of a win, or five points."""
        return 0.25 if self.is_chance else 5.0

    def values(self, ends: Any) -> Any:
        """Of rows of ends: the value to each seat, along the last axis."""
        measure, returns = measure_of(self.game), ends[..., : self.game.players]
        if self.game.labels and self.game.players == 2:  # their numbers may be any
            low, high = self.game.bounds
            first = (returns[..., 0] - low) / (high - low)
            return np.stack([first, 1 - first], axis=-1)
        even = 1 / measure.players if measure.players else 0.0
        return returns * measure.scale + even

    def chances(self, ends: Any) -> Any:
        """Of rows of ends: 1 to each side that wins, shared where several do."""
        returns = ends[..., : self.game.players]
        best = returns >= returns.max(axis=-1, keepdims=True) - 1e-9
        return best / np.maximum(best.sum(axis=-1, keepdims=True) / self.game.partners, 1)
