"""Connect Four: stones fall into seven columns of six; four in a row win.

Plays are the columns `1` to `7`. A full board without four in a row is drawn.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from kibitz.core.errors import BadText
from kibitz.core.game import WIN_OR_LOSE, Traits, View
from kibitz.core.presenter import Presenter
from kibitz.core.registry import game
from kibitz.core.scene import Board
from kibitz.games.board_presenter import BoardPresenter
from kibitz.games.compiled_game import CompiledGame
from kibitz.games.text import read_fields, write_fields

COLUMNS, ROWS = 7, 6
EMPTY = "/".join(["." * COLUMNS] * ROWS)


class ConnectFourView(View[Any]):
    """A view of Connect Four."""

    @property
    def board(self) -> tuple[str, ...]:
        """The six rows from the top: `x` is seat 0, `o` is seat 1, `.` is free."""
        return tuple(_rows(self.state))


class ConnectFourPresenter(BoardPresenter):
    """How Connect Four is shown."""

    part: ClassVar[str] = "column"

    def board(self, view: View[Any]) -> Board:
        names = tuple(str(column + 1) for column in range(COLUMNS))
        legal = self.legal(view)
        plays = tuple(name if name in legal else None for name in names)
        return Board(
            self.squares(_rows(view.state)),
            names,
            plays=(plays,) * ROWS,
            line=self._four(view),
            falls=True,
        )

    def _four(self, view: View[Any]) -> tuple[tuple[int, int], ...]:
        """The squares of four or more in a row that have ended the game."""
        won = int(view.state[0].won)
        if won < 0:
            return ()
        stones = int(view.state[0].stones[won])
        lines = self.game.kernels.LINES.tolist()  # type: ignore[attr-defined]
        word = 0
        for line in lines:
            word |= line if line & stones == line else 0
        return tuple(
            (ROWS - 1 - height, column)
            for height in reversed(range(ROWS))
            for column in range(COLUMNS)
            if word >> ((ROWS + 1) * column + height) & 1
        )


@game
class ConnectFour(CompiledGame):
    """Connect Four."""

    view_class: ClassVar[type[View[Any]]] = ConnectFourView
    presenter_class: ClassVar[type[Presenter[Any, Any]] | None] = ConnectFourPresenter
    name: ClassVar[str] = "connect-four"
    title: ClassVar[str] = "Connect Four: four in a row, stones fall"
    codec: ClassVar[str] = "kibitz.games.connect_four.codec"
    traits: ClassVar[Traits] = Traits()
    labels: ClassVar[Mapping[str, float]] = WIN_OR_LOSE
    weights: ClassVar[Mapping[str, float]] = {"threes": 0.05, "twos": 0.01}
    levels: ClassVar[Mapping[str, str]] = {
        "easy": "random", "medium": "mcts:simulations=100", "hard": "mcts:simulations=10000",
    }  # fmt: skip
    search_depths: ClassVar[Mapping[str, Mapping[int, int]]] = {
        "minimax": {2: 4}, "alpha-beta": {2: 9},
    }  # fmt: skip

    def _play_text(self, code: int) -> str:
        return str(code + 1)

    def position(self, state: Any) -> str:
        """`board=` six rows from the top, x is seat 1; `turn=` the seat to move."""
        return write_fields(
            {"board": "/".join(_rows(state)), "turn": str(int(state[0].turn) + 1)},
        )

    def parse_position(self, text: str) -> Any:
        fields = read_fields(text, ("board", "turn"))
        rows = fields.get("board", EMPTY).lower().split("/")
        if [len(row) for row in rows] != [COLUMNS] * ROWS or set("".join(rows)) - set("xo."):
            raise BadText(f"board is six rows of seven x, o and ., from the top, such as {EMPTY}")
        # Columns as text, lowest row first.
        columns = ["".join(row[column] for row in reversed(rows)) for column in range(COLUMNS)]
        for number, column in enumerate(columns, 1):
            if "." in column.rstrip("."):
                raise BadText(f"a stone floats in column {number}")
        counts = [sum(column.count(mark) for column in columns) for mark in "xo"]
        more = counts[0] - counts[1]
        turn = fields.get("turn", "2" if more == 1 else "1")
        # Either seat may have begun, so the one to move has as many stones or one fewer.
        if turn not in ("1", "2") or more not in ((0, -1) if turn == "1" else (0, 1)):
            raise BadText(f"turn={turn} does not fit {counts[0]} x and {counts[1]} o")
        state = self.blank()
        state[0].turn = int(turn) - 1
        for seat, mark in enumerate("xo"):
            state[0].stones[seat] = _word(columns, mark)
        state[0].won = self._winner(columns, int(turn) - 1)
        return state

    def _winner(self, columns: list[str], turn: int) -> int:
        """The seat that has four in a row, or -1. It must have got them with the last stone."""
        has_four = self.kernels.has_four
        if has_four(_word(columns, "xo"[turn])):
            if has_four(_word(columns, "xo"[1 - turn])):
                raise BadText("both seats have four in a row")
            raise BadText("the seat to move has four in a row already: it would be over before")
        mark = "xo"[1 - turn]
        if not has_four(_word(columns, mark)):
            return -1
        for i, column in enumerate(columns):
            stones = column.rstrip(".")
            if stones.endswith(mark):
                before = [*columns[:i], stones[:-1], *columns[i + 1 :]]
                if not has_four(_word(before, mark)):
                    return 1 - turn
        raise BadText(f"no last stone of {mark} makes its four in a row: it would be over before")

    def caption(self, state: Any) -> str:
        return "\n".join(_rows(state))

    def features(self, state: Any) -> Mapping[str, float]:
        """Lines of four with three or two stones of one seat and none of the other."""
        x, o = (int(word) for word in state[0].stones)
        counts = [0] * 9
        for line in self.kernels.LINES.tolist():
            mine, theirs = (line & x).bit_count(), (line & o).bit_count()
            if not (mine and theirs):
                counts[4 + mine - theirs] += 1
        return {"threes": counts[7] - counts[1], "twos": counts[6] - counts[2]}

    def symmetry_key(self, state: Any) -> str:
        """The lesser of the board and its mirror image, and who moves."""
        rows = _rows(state)
        return min("".join(rows), "".join(row[::-1] for row in rows)) + str(state[0].turn)


def _word(columns: list[str], mark: str) -> int:
    """The stones of one mark as the kernels have them."""
    return sum(
        1 << ((ROWS + 1) * i + height)
        for i, column in enumerate(columns)
        for height, cell in enumerate(column)
        if cell == mark
    )


def _rows(state: Any) -> list[str]:
    """The rows from the top."""
    x, o = (int(word) for word in state[0].stones)
    return [
        "".join(
            "x" if x >> place & 1 else "o" if o >> place & 1 else "."
            for place in range(height, (ROWS + 1) * COLUMNS, ROWS + 1)
        )
        for height in reversed(range(ROWS))
    ]
