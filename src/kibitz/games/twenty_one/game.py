"""Twenty-one, from the lab exercise on game graphs: who takes a common sum over 21 loses.

Seat 1 begins; each in turn adds 4, 5 or 6. Exactly 21 is a draw.
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


class TwentyOneView(View[Any]):
    """A view of twenty-one."""

    @property
    def sum(self) -> int:
        """The numbers so far, added up."""
        return int(self.state[0].total)


class TwentyOnePresenter(CompiledPresenter):
    """How twenty-one is shown."""

    def notes(self, view: View[Any]) -> Sequence[Note | str]:
        return [f"sum {view.state[0].total} of 21", next_choice(self.game, view.state)]


@game
class TwentyOne(LabelledGame):
    """Twenty-one: add 4, 5 or 6, and do not go over."""

    view_class: ClassVar[type[View[Any]]] = TwentyOneView
    presenter_class: ClassVar[type[Presenter[Any, Any]] | None] = TwentyOnePresenter
    name: ClassVar[str] = "twenty-one"
    title: ClassVar[str] = "Twenty-one: add 4, 5 or 6, and do not go over"
    traits: ClassVar[Traits] = Traits(roles=True)
    codec: ClassVar[str] = "kibitz.games.twenty_one.codec"

    def _play_text(self, code: int) -> str:
        return str(code)

    def position(self, state: Any) -> str:
        """`sum=12; turn=2`."""
        return _write(int(state[0].total), int(state[0].turn))

    def parse_position(self, text: str) -> Any:
        fields = read_fields(text, ("sum", "turn"))
        total = read_number("sum", fields.get("sum", "0"), 0, 26)
        return state_at(self, _write(total, read_seat(fields, "turn", 2)))

    def caption(self, state: Any) -> str:
        return f"sum {state[0].total}"


def _write(total: int, turn: int) -> str:
    return write_fields({"sum": str(total), "turn": str(turn + 1)})
