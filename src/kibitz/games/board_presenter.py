"""What the presenters of games on a board share: squares with marks, and whose mark is which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from kibitz.core.game import Play, View
from kibitz.core.presenter import word
from kibitz.core.scene import Note, SeatScene
from kibitz.games.compiled_presenter import CompiledPresenter

MARKS = "xo"
"""Of seat 1 and of seat 2."""


class BoardPresenter(CompiledPresenter):
    """A game of two on a board, whose plays name a place."""

    part: ClassVar[str] = "square"
    """What a play names."""

    def seat_scene(self, view: View[Any], seat: int) -> SeatScene:
        return replace(super().seat_scene(view, seat), mark=MARKS[seat])

    def notes(self, view: View[Any]) -> Sequence[Note | str]:
        """`x: seat 1 (you), to move; o: seat 2`."""
        seats = [self.seat_scene(view, seat) for seat in range(self.game.players)]
        moves = [", to move" if seat.to_move else "" for seat in seats]
        texts = [f"{s.mark}: {s.label}{move}" for s, move in zip(seats, moves, strict=True)]
        return [Note("; ".join(texts), quiet=True)]

    def legal(self, view: View[Any]) -> set[str]:
        """The texts of the viewer's plays."""
        return {str(play) for play in view.plays()} if view.turn == view.seat else set()

    def squares(self, rows: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """Rows of marks and dots, with nothing for a dot."""
        return tuple(tuple("" if cell == "." else cell for cell in row) for row in rows)

    def _parts(self, play: Play) -> Mapping[str, Any]:
        return {self.part: str(play)}

    def _text_of(self, parts: Mapping[str, Any]) -> str:
        return word(parts[self.part])
