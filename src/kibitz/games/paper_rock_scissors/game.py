"""Paper-rock-scissors in turn, from the lab exercise on game graphs.

Seat 2 chooses first, and openly; then seat 1. The exercise counts lost 1, drawn 2, won 3.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from kibitz.core.game import Traits, View
from kibitz.core.presenter import Presenter
from kibitz.core.registry import game
from kibitz.core.scene import Detail, Note, SeatScene
from kibitz.games.compiled_presenter import CompiledPresenter
from kibitz.games.lab import CHOICES, NOT_CHOSEN, LabelledGame, next_choice, read_choice, state_at
from kibitz.games.text import read_fields, write_fields

ORDER = ("first", "second")


class PaperRockScissorsView(View[Any]):
    """A view of paper-rock-scissors."""

    @property
    def choices(self) -> tuple[str | None, str | None]:
        """What each seat has chosen; None: nothing yet."""
        chosen = _chosen(self.state)
        return chosen.get("second"), chosen.get("first")


class PaperRockScissorsPresenter(CompiledPresenter):
    """How paper-rock-scissors is shown."""

    def seat_scene(self, view: View[Any], seat: int) -> SeatScene:
        choice = _chosen(view.state).get(ORDER[1 - seat], "")
        details = (Detail("choice", choice, choice or "has not chosen"),)
        return replace(super().seat_scene(view, seat), details=details)

    def notes(self, view: View[Any]) -> Sequence[Note | str]:
        return [next_choice(self.game, view.state)]


@game
class PaperRockScissors(LabelledGame):
    """Paper-rock-scissors in turn: seat 2 first, openly."""

    view_class: ClassVar[type[View[Any]]] = PaperRockScissorsView
    presenter_class: ClassVar[type[Presenter[Any, Any]] | None] = PaperRockScissorsPresenter
    name: ClassVar[str] = "paper-rock-scissors"
    title: ClassVar[str] = "Paper-rock-scissors in turn: seat 2 first, openly"
    traits: ClassVar[Traits] = Traits(roles=True)
    codec: ClassVar[str] = "kibitz.games.paper_rock_scissors.codec"
    labels: ClassVar[Mapping[str, float]] = {"lost": 1, "drawn": 2, "won": 3}

    def _play_text(self, code: int) -> str:
        return CHOICES[code]

    def position(self, state: Any) -> str:
        """`first=paper; second=rock`; what is left out is not yet chosen."""
        return write_fields(_chosen(state))

    def parse_position(self, text: str) -> Any:
        fields = read_fields(text, ORDER)
        chosen = {key: read_choice(key, fields[key]) for key in ORDER if key in fields}
        return state_at(self, write_fields(chosen))

    def caption(self, state: Any) -> str:
        return ", ".join(_chosen(state).values()) or "start"


def _chosen(state: Any) -> dict[str, str]:
    codes = {key: int(state[0][key]) for key in ORDER}
    return {key: CHOICES[code] for key, code in codes.items() if code != NOT_CHOSEN}
