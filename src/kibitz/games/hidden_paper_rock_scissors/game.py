"""Paper-rock-scissors at once: the lecture on search wants a game without chance, but hidden.

One seat chooses and does not show it, then the other; then both are shown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from kibitz.core.errors import BadText
from kibitz.core.game import Play, Traits, View
from kibitz.core.presenter import Presenter
from kibitz.core.registry import game
from kibitz.core.scene import Detail, Note, SeatScene
from kibitz.core.strategy import Knows
from kibitz.games.compiled_presenter import CompiledPresenter
from kibitz.games.lab import CHOICES, HIDDEN, NOT_CHOSEN, LabelledGame, next_choice, read_choice
from kibitz.games.text import read_fields, read_seat, write_fields

KEYS = ("choice1", "choice2")
WORDS = {NOT_CHOSEN: "", HIDDEN: "?", **dict(enumerate(CHOICES))}
CODES = {word: code for code, word in WORDS.items()}


class HiddenPaperRockScissorsView(View[Any]):
    """A view of hidden paper-rock-scissors."""

    @property
    def choices(self) -> tuple[str | None, ...]:
        """What each seat has chosen; None: nothing yet; `?`: it is hidden."""
        return tuple(word or None for word in _words(self.state))


class HiddenPaperRockScissorsPresenter(CompiledPresenter):
    """How hidden paper-rock-scissors is shown."""

    def seat_scene(self, view: View[Any], seat: int) -> SeatScene:
        choice = _words(view.state)[seat]
        shown = {"": "has not chosen", "?": "has chosen"}.get(choice, choice)
        details = (Detail("choice", choice, shown),)
        return replace(super().seat_scene(view, seat), details=details)

    def notes(self, view: View[Any]) -> Sequence[Note | str]:
        return [next_choice(self.game, view.state)]

    def narrate(self, before: Any, play: Play, after: Any, seat: int | None) -> str:
        mover = self.game.mover(before)
        if self.game.is_over(after):
            other = _words(after)[1 - mover]
            return f"seat {mover + 1}: {play}; seat {2 - mover} shows {other}"
        return f"seat {mover + 1}: {play if seat == mover else 'has chosen'}"


@game
class HiddenPaperRockScissors(LabelledGame):
    """Paper-rock-scissors at once: the first choice is hidden."""

    view_class: ClassVar[type[View[Any]]] = HiddenPaperRockScissorsView
    presenter_class: ClassVar[type[Presenter[Any, Any]] | None] = HiddenPaperRockScissorsPresenter
    name: ClassVar[str] = "hidden-paper-rock-scissors"
    title: ClassVar[str] = "Paper-rock-scissors at once: the first choice is hidden"
    codec: ClassVar[str] = "kibitz.games.hidden_paper_rock_scissors.codec"
    traits: ClassVar[Traits] = Traits(hidden=True)

    def _play_text(self, code: int) -> str:
        return CHOICES[code]

    def position(self, state: Any) -> str:
        """`choice1=paper; turn=2`: a choice left out is not yet made, `?` is not known."""
        made = {key: word for key, word in zip(KEYS, _words(state), strict=True) if word}
        return write_fields({**made, "turn": str(int(state[0].turn) + 1)})

    def parse_position(self, text: str) -> Any:
        fields = read_fields(text, (*KEYS, "turn"))
        made = [key for key in KEYS if key in fields]
        for key in made:
            if fields[key] != "?":
                read_choice(key, fields[key])
            elif len(made) == 2:
                raise BadText(f"{key}=? is not possible: when both have chosen, both are shown")
        # Who began shows in the turn, except after one choice: then it is the other's.
        turn = read_seat(fields, "turn", 2)
        if len(made) == 1:
            other = 1 - KEYS.index(made[0])
            if "turn" in fields and turn != other:
                raise BadText(f"turn={turn + 1} is not possible: that seat has chosen already")
            turn = other
        state = self.blank()
        state[0].turn = turn
        for seat, key in enumerate(KEYS):
            state[0].choice[seat] = CODES[fields.get(key, "")]
        return state

    def hidden_cards(self, view: View[Any], world: Any) -> Mapping[str, Sequence[str]]:
        return {
            f"seat {seat + 1}'s choice": [_words(world)[seat]]
            for seat, word in enumerate(_words(view.state))
            if word == "?"
        }

    def missing(self, state: Any, seat: int, knows: Knows) -> Sequence[str]:
        if knows is Knows.FAIR:
            return ()
        return [key for key, word in zip(KEYS, _words(state), strict=True) if word == "?"]


def _words(state: Any) -> list[str]:
    """The two choices."""
    return [WORDS[int(code)] for code in state[0].choice]
