"""Divisible by four, from the lab exercise on game graphs: three numbers, and their sum.

Seat 1 chooses 2, 3 or 4, seat 2 then 1 or 3, seat 1 then 1 or 4. A sum that 4 divides wins
for seat 1, another even sum draws, an odd one loses.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from kibitz.core.game import Traits, View
from kibitz.core.presenter import Presenter
from kibitz.core.registry import game
from kibitz.core.scene import Note
from kibitz.games.compiled_presenter import CompiledPresenter
from kibitz.games.lab import LabelledGame, next_choice, state_at
from kibitz.games.text import read_fields, read_number, read_seat, write_fields


class DivisibleByFourView(View[Any]):
    """A view of divisible by four."""

    @property
    def sum(self) -> int:
        """The numbers so far, added up."""
        return int(self.state[0].total)

    @property
    def chosen(self) -> int:
        """How many of the three numbers are chosen."""
        return int(self.state[0].ply)


class DivisibleByFourPresenter(CompiledPresenter):
    """How divisible by four is shown."""

    def notes(self, view: View[Any]) -> Sequence[Note | str]:
        x = view.state[0]
        return [f"sum {x.total}, {x.ply} of 3 chosen", next_choice(self.game, view.state)]


@game
class DivisibleByFour(LabelledGame):
    """Divisible by four: three numbers, and their sum decides."""

    view_class: ClassVar[type[View[Any]]] = DivisibleByFourView
    presenter_class: ClassVar[type[Presenter[Any, Any]] | None] = DivisibleByFourPresenter
    name: ClassVar[str] = "divisible-by-four"
    title: ClassVar[str] = "Divisible by four: three numbers, and their sum decides"
    traits: ClassVar[Traits] = Traits(roles=True)
    codec: ClassVar[str] = "kibitz.games.divisible_by_four.codec"

    def _play_text(self, code: int) -> str:
        return str(code)

    def position(self, state: Any) -> str:
        """`sum=5; turn=1; ply=2`: ply is how many numbers are chosen."""
        return _write(int(state[0].total), self.mover(state), int(state[0].ply))

    def parse_position(self, text: str) -> Any:
        fields = read_fields(text, ("sum", "turn", "ply"))
        total = read_number("sum", fields.get("sum", "0"), 0, 11)
        ply = read_number("ply", fields.get("ply", "0"), 0, 3)
        turn = read_seat(fields, "turn", 2) if "turn" in fields else ply % 2
        return state_at(self, _write(total, turn, ply))

    def caption(self, state: Any) -> str:
        return f"sum {state[0].total}"


def _write(total: int, turn: int, ply: int) -> str:
    return write_fields({"sum": str(total), "turn": str(turn + 1), "ply": str(ply)})
