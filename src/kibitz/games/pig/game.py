"""Pig: roll a die as often as you dare, but a 1 loses what the turn has brought.

As in Neller and Presser, "Optimal Play of the Dice Game Pig" (2004), for two, except that a
player can't hold with nothing. Plays are `roll` and `hold`, the die shows `1` to `6`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from kibitz.core.errors import BadText
from kibitz.core.game import WIN_OR_LOSE, Chance, Play, Traits, View
from kibitz.core.options import Option
from kibitz.core.presenter import Presenter
from kibitz.core.registry import game
from kibitz.core.scene import Detail, Note, SeatScene
from kibitz.games.compiled_game import CompiledGame
from kibitz.games.compiled_presenter import CompiledPresenter
from kibitz.games.text import read_fields, read_number, read_seat, write_fields

PLAYS = ("roll", "hold")
MOST = 10**9
"""Nobody must hold, so totals and scores have no bound of their own."""


class PigView(View[Any]):
    """A view of Pig."""

    @property
    def scores(self) -> tuple[int, int]:
        """What each seat has, without this turn."""
        one, other = (int(score) for score in self.state[0].score)
        return one, other

    @property
    def total(self) -> int:
        """What this turn has brought so far."""
        return int(self.state[0].total)

    @property
    def rolling(self) -> bool:
        """Whether the die is about to fall."""
        return bool(self.state[0].rolling)


class PigPresenter(CompiledPresenter):
    """How Pig is shown."""

    def seat_scene(self, view: View[Any], seat: int) -> SeatScene:
        x = view.state[0]
        score = int(x.score[seat])
        details = (Detail("score", score, f"{score} of {x.target}"),)
        return replace(super().seat_scene(view, seat), points=score, details=details)

    def notes(self, view: View[Any]) -> Sequence[Note | str]:
        if self.game.is_over(view.state):
            return ()
        x = view.state[0]
        rolls = ", the die rolls" if x.rolling else ""
        return [f"seat {x.turn + 1} has {x.total} in this turn{rolls}"]


@game
class Pig(CompiledGame):
    """Pig: roll or hold, a 1 loses the turn."""

    view_class: ClassVar[type[View[Any]]] = PigView
    presenter_class: ClassVar[type[Presenter[Any, Any]] | None] = PigPresenter
    name: ClassVar[str] = "pig"
    title: ClassVar[str] = "Pig: roll or hold, a 1 loses the turn"
    codec: ClassVar[str] = "kibitz.games.pig.codec"
    traits: ClassVar[Traits] = Traits(chance=Chance.PLAY)
    labels: ClassVar[Mapping[str, float]] = WIN_OR_LOSE
    weights: ClassVar[Mapping[str, float]] = {"lead": 0.5, "at_risk": 0.4}
    levels: ClassVar[Mapping[str, str]] = {"easy": "random", "hard": "expectiminimax"}
    options: ClassVar[tuple[Option, ...]] = (Option("target", 100, "the score that wins", least=1),)

    def _configure(self, record: Any) -> None:
        record.target = self.settings["target"]

    def _play_text(self, code: int) -> str:
        return PLAYS[code]

    def _named_play(self, state: Any, code: int) -> Play:
        return Play(int(code), str(code) if state[0].rolling else self._play_text(int(code)))

    def position(self, state: Any) -> str:
        """`score1=12; score2=0; total=5; turn=1; rolling=false`: rolling means chance moves."""
        x = state[0]
        return write_fields(
            {
                "score1": str(x.score[0]),
                "score2": str(x.score[1]),
                "total": str(x.total),
                "turn": str(x.turn + 1),
                "rolling": "true" if x.rolling else "false",
            }
        )

    def parse_position(self, text: str) -> Any:
        fields = read_fields(text, ("score1", "score2", "total", "turn", "rolling"))
        score1, score2, total = (
            _read_sum(key, fields.get(key, "0")) for key in ("score1", "score2", "total")
        )
        turn = read_seat(fields, "turn", 2)
        rolling = fields.get("rolling", "false")
        if rolling not in ("true", "false"):
            raise BadText(f"rolling={rolling} is not possible; allowed: true, false")
        winners = [seat for seat in (0, 1) if (score1, score2)[seat] >= self.settings["target"]]
        if len(winners) == 2:
            raise BadText("both scores reach the target: it would be over before")
        if winners:
            if total or rolling == "true":
                raise BadText(f"seat {winners[0] + 1} has won: no total, and nothing rolls")
            if "turn" in fields and turn != winners[0]:
                raise BadText(f"turn={turn + 1} does not fit: seat {winners[0] + 1} has just won")
            turn = winners[0]
        state = self.blank()
        x = state[0]
        x.score[0], x.score[1], x.total = score1, score2, total
        x.turn, x.rolling = turn, rolling == "true"
        return state

    def caption(self, state: Any) -> str:
        x = state[0]
        return f"{x.score[0]}:{x.score[1]}, turn {x.total}"

    def features(self, state: Any) -> Mapping[str, float]:
        """The lead in points, and what this turn has brought so far, in parts of the target."""
        x = state[0]
        at_risk = float(x.total if x.turn == 0 else -x.total)
        lead = float(x.score[0] - x.score[1])
        return {"lead": lead / x.target, "at_risk": at_risk / x.target}


def _read_sum(key: str, text: str) -> int:
    """A sum of faces from 2 to 6: anything but 1."""
    value = read_number(key, text, 0, MOST)
    if value == 1:
        raise BadText(f"{key}=1 is not possible: a 1 never counts")
    return value
