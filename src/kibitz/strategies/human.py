"""Human: how people play Tablić (thesis TB, 3.1)."""

from __future__ import annotations

from typing import ClassVar

from kibitz.core.registry import strategy
from kibitz.strategies.common.base import RuleStrategy


@strategy
class Human(RuleStrategy):
    """The thesis's human player of Tablić."""

    name: ClassVar[str] = "human"
    trusted: ClassVar[bool] = True
    title: ClassVar[str] = "captures like greedy, gives least away, counts cards"
    suit_blind: ClassVar[bool] = True
