"""The coin game, from the lecture on search: MAX, a fair coin, MIN.

MAX (seat 1) goes left or right, a coin is tossed, MIN (seat 2) goes left or right, and MIN
pays MAX the number there: 2 4 | 7 4 under the left coin, 6 0 | 5 -2 under the right one.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from kibitz.core.game import CHANCE, Chance, Play, Traits, View
from kibitz.core.presenter import Presenter
from kibitz.core.registry import game
from kibitz.core.scene import Note
from kibitz.games.compiled_game import CompiledGame
from kibitz.games.compiled_presenter import CompiledPresenter
from kibitz.games.lab import next_choice, state_at
from kibitz.games.text import read_fields, write_fields

SIDES = ("left", "right")
FACES = ("heads", "tails")


class CoinGameView(View[Any]):
    """A view of the coin game."""

    @property
    def path(self) -> tuple[str, ...]:
        """The choices so far, and how the coin fell."""
        return tuple(_path(self.state))


class CoinGamePresenter(CompiledPresenter):
    """How the coin game is shown."""

    def notes(self, view: View[Any]) -> Sequence[Note | str]:
        return [f"path: {' '.join(_path(view.state)) or '-'}", next_choice(self.game, view.state)]

    def outcome(self, state: Any) -> str:
        return f"value {self.game.returns(state)[0]:g} for seat 1"


@game
class CoinGame(CompiledGame):
    """The coin game: MAX, a fair coin, MIN."""

    view_class: ClassVar[type[View[Any]]] = CoinGameView
    presenter_class: ClassVar[type[Presenter[Any, Any]] | None] = CoinGamePresenter
    name: ClassVar[str] = "coin-game"
    title: ClassVar[str] = "The coin game: MAX, a fair coin, MIN"
    traits: ClassVar[Traits] = Traits(chance=Chance.PLAY, roles=True)
    codec: ClassVar[str] = "kibitz.games.coin_game.codec"

    def _play_text(self, code: int) -> str:
        return SIDES[code]

    def _named_play(self, state: Any, code: int) -> Play:
        words = FACES if self.kernels.mover(state) == CHANCE else SIDES
        return Play(int(code), words[code])

    def position(self, state: Any) -> str:
        """`path=left heads`: the choices so far."""
        return write_fields({"path": " ".join(_path(state))})

    def parse_position(self, text: str) -> Any:
        path = read_fields(text, ("path",)).get("path", "").split()
        return state_at(self, write_fields({"path": " ".join(path)}))

    @property
    def bounds(self) -> tuple[float, float]:
        leaves = self.kernels.LEAVES
        return float(leaves.min()), float(leaves.max())

    def caption(self, state: Any) -> str:
        return " ".join(_path(state)[-1:]) or "start"


def _path(state: Any) -> list[str]:
    words = (SIDES, FACES, SIDES)
    return [words[i][int(state[0].path[i])] for i in range(int(state[0].ply))]
