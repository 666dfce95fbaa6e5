"""High card for people, and what strategies know of it."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from kibitz.core.errors import BadText
from kibitz.core.game import Chance, ResultKind, Traits, View
from kibitz.core.registry import game
from kibitz.core.strategy import Knows
from kibitz.games.compiled_game import CompiledGame
from kibitz.games.text import read_fields, read_number, read_seat, write_fields


@game
class HighCard(CompiledGame):
    name: ClassVar[str] = "high-card"
    title: ClassVar[str] = "High card: three tricks, the higher card takes"
    traits: ClassVar[Traits] = Traits(chance=Chance.DEAL, hidden=True)
    result_kind: ClassVar[ResultKind | None] = ResultKind.WIN
    levels: ClassVar[Mapping[str, str]] = {
        "easy": "random", "medium": "greedy", "hard": "pimc:worlds=20",
    }  # fmt: skip
    strategy_modules: ClassVar[Mapping[str, str]] = {
        "greedy": "high_card.greedy",
        "pimc": "high_card.pimc",
    }
    beliefs: ClassVar[Mapping[str, str]] = {
        "greedy": "high_card.beliefs",
        "strict": "high_card.beliefs",
    }
    counting: ClassVar[str] = "high_card.counting"
    reasons: ClassVar[str] = "high_card.reasons"
    search_depths: ClassVar[Mapping[str, Mapping[int, int]]] = {"pimc": {2: 6}}
    explained_worlds: ClassVar[Mapping[str, int]] = {"pimc": 200}
    solve_command: ClassVar[str] = "high_card.solve_command"
    quick_shuffles: ClassVar[int] = 10

    def _play_text(self, code: int) -> str:
        return str(code)

    def position(self, state: Any) -> str:
        """`hand1=2 5 9; led=7; played=7; taken1=0; taken2=0; turn=2`; no hand: it is hidden."""
        x = state[0]
        fields = {
            "hand1": _names(x.hand[0]),
            "hand2": _names(x.hand[1]),
            "led": str(x.led) if x.led else "",
            "played": _names(x.played),
            "taken1": str(x.taken[0]),
            "taken2": str(x.taken[1]),
            "turn": str(x.turn + 1),
        }
        return write_fields({key: value for key, value in fields.items() if value})

    def parse_position(self, text: str) -> Any:
        keys = ("hand1", "hand2", "led", "played", "taken1", "taken2", "turn")
        fields = read_fields(text, keys)
        state = self.blank()
        x = state[0]
        for seat in (0, 1):
            x.hand[seat] = _cards("hand", fields.get(f"hand{seat + 1}", ""))
            x.taken[seat] = read_number("taken", fields.get(f"taken{seat + 1}", "0"), 0, 3)
        x.played = _cards("played", fields.get("played", ""))
        x.led = read_number("led", fields.get("led", "0"), 0, 9)
        x.turn = read_seat(fields, "turn", 2)
        if not self.kernels.is_valid(state):
            raise BadText(f"{text} is not possible: the cards do not add up")
        return state

    def hidden_cards(self, view: View[Any], world: Any) -> Mapping[str, Sequence[str]]:
        return {
            f"seat {seat + 1}'s hand": _names(world[0].hand[seat]).split()
            for seat in (0, 1)
            if not view.state[0].hand[seat] and world[0].hand[seat]
        }

    def missing(self, state: Any, seat: int, knows: Knows) -> Sequence[str]:
        seen = (seat,) if knows is Knows.FAIR else (0, 1)
        return [
            f"hand{s + 1}" for s in seen if not state[0].hand[s] and self.kernels.held(state, s)
        ]


def _names(cards: int) -> str:
    return " ".join(str(card) for card in range(1, 10) if int(cards) >> card & 1)


def _cards(key: str, text: str) -> int:
    return sum({1 << read_number(key, word, 1, 9) for word in text.split()})
