"""The presenter that every compiled game has unless it writes its own, and that those derive from.

What its methods are given is checked, as in the game's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.core import checks
from kibitz.core.errors import BadValue
from kibitz.core.game import Play
from kibitz.core.presenter import Presenter
from kibitz.games.guards import PRESENTED, guard_methods


class CompiledPresenter(Presenter[Any, Play]):
    """A compiled game for people."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        guard_methods(cls, [name for name in PRESENTED if name in vars(cls)])

    @property
    def _shows_outcome(self) -> bool:
        """A view of an end says who has won, whatever else it hides."""
        return True

    def parts(self, play: Play) -> Mapping[str, Any]:
        checks.one_of(play, Play, "a play")
        try:
            return self._parts(play)
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            raise BadValue(f"that is no play of {self.game.name}") from error

    def _parts(self, play: Play) -> Mapping[str, Any]:
        """The parts of a play, which may be forged."""
        return {"play": str(play)}


guard_methods(CompiledPresenter, PRESENTED)
