"""Paper-rock-scissors in turn, from the lab exercise on game graphs.

Seat 2 chooses first, and openly; then seat 1. The exercise counts lost 1, drawn 2, won 3.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from kibitz.core.game import Traits, View
from kibitz.core.registry import game
from kibitz.games.lab import CHOICES, NOT_CHOSEN, LabelledGame, next_choice, read_choice, state_at
from kibitz.games.text import read_fields, write_fields

ORDER = ("first", "second")


@game
class PaperRockScissors(LabelledGame):
    name: ClassVar[str] = "paper-rock-scissors"
    title: ClassVar[str] = "Paper-rock-scissors in turn: seat 2 first, openly"
    traits: ClassVar[Traits] = Traits()
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

    def draw(self, view: View[Any]) -> str:
        chosen = _chosen(view.state)
        lines = [f"seat {2 - i}: {chosen.get(key, '-')}" for i, key in enumerate(ORDER)]
        return "\n".join([*lines, next_choice(self, view.state)])


def _chosen(state: Any) -> dict[str, str]:
    codes = {key: int(state[0][key]) for key in ORDER}
    return {key: CHOICES[code] for key, code in codes.items() if code != NOT_CHOSEN}
