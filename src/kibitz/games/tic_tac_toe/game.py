"""Tic-tac-toe: three in a row on three by three squares. Plays are `a1` to `c3`."""

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

SQUARES = tuple(column + row for row in "123" for column in "abc")
QUARTER_TURN = (6, 3, 0, 7, 4, 1, 8, 5, 2)
MIRROR = (2, 1, 0, 5, 4, 3, 8, 7, 6)


class TicTacToeView(View[Any]):
    """A view of tic-tac-toe."""

    @property
    def board(self) -> tuple[str, ...]:
        """The rows 1 to 3: `x` is seat 0, `o` is seat 1, `.` is free."""
        return _three(_cells(self.state))


class TicTacToePresenter(BoardPresenter):
    """How tic-tac-toe is shown."""

    part: ClassVar[str] = "square"

    def board(self, view: View[Any]) -> Board:
        legal = self.legal(view)
        plays = [square if square in legal else None for square in SQUARES]
        return Board(
            self.squares(_three(_cells(view.state))),
            tuple("abc"),
            tuple("123"),
            tuple(tuple(plays[i : i + 3]) for i in (0, 3, 6)),
            self._three(view),
        )

    def _three(self, view: View[Any]) -> tuple[tuple[int, int], ...]:
        """The squares of three in a row that have ended the game."""
        won = int(view.state[0].won)
        marks = int(view.state[0].marks[won]) if won >= 0 else 0
        lines = self.game.kernels.LINES  # type: ignore[attr-defined]
        full = [int(line) for line in lines if int(line) & marks == int(line)]
        return tuple(divmod(i, 3) for i in range(9) if any(line >> i & 1 for line in full))


@game
class TicTacToe(CompiledGame):
    """Tic-tac-toe."""

    view_class: ClassVar[type[View[Any]]] = TicTacToeView
    presenter_class: ClassVar[type[Presenter[Any, Any]] | None] = TicTacToePresenter
    name: ClassVar[str] = "tic-tac-toe"
    title: ClassVar[str] = "Tic-tac-toe: three in a row"
    codec: ClassVar[str] = "kibitz.games.tic_tac_toe.codec"
    traits: ClassVar[Traits] = Traits()
    labels: ClassVar[Mapping[str, float]] = WIN_OR_LOSE
    weights: ClassVar[Mapping[str, float]] = {"open_lines": 0.1}
    levels: ClassVar[Mapping[str, str]] = {
        "easy": "random", "medium": "mcts:simulations=100", "hard": "alpha-beta",
    }  # fmt: skip

    def _play_text(self, code: int) -> str:
        return SQUARES[code]

    def position(self, state: Any) -> str:
        """`board=xo./.x./..o; turn=1`: rows 1 to 3, x is seat 1."""
        rows = "/".join(_three(_cells(state)))
        return write_fields({"board": rows, "turn": str(int(state[0].turn) + 1)})

    def parse_position(self, text: str) -> Any:
        fields = read_fields(text, ("board", "turn"))
        board = fields.get("board", ".../.../...").replace("/", "").lower()
        if len(board) != 9 or set(board) - set("xo."):
            raise BadText("board is three rows of x, o and . such as xo./.x./..o")
        more = board.count("x") - board.count("o")
        turn = fields.get("turn", "2" if more == 1 else "1")
        # Either seat may have begun, so the one to move has as many marks or one fewer.
        if turn not in ("1", "2") or more not in ((0, -1) if turn == "1" else (0, 1)):
            raise BadText(f"turn={turn} does not fit {board.count('x')} x and {board.count('o')} o")
        state = self.blank()
        state[0].turn = int(turn) - 1
        state[0].won = -1
        for seat, mark in enumerate("xo"):
            state[0].marks[seat] = sum(1 << i for i, cell in enumerate(board) if cell == mark)
        lines = [self.kernels.HAS_LINE[int(state[0].marks[seat])] for seat in (0, 1)]
        if lines[int(turn) - 1]:
            raise BadText("the seat to move has three in a row already: it would be over before")
        if lines[2 - int(turn)]:
            state[0].won = 2 - int(turn)
        return state

    def caption(self, state: Any) -> str:
        return "\n".join(" ".join(row) for row in _three(_cells(state)))

    def features(self, state: Any) -> Mapping[str, float]:
        """Lines that are still open to x, less those still open to o (Nilsson 1971)."""
        x, o = (int(word) for word in state[0].marks)
        lines = self.kernels.LINES
        return {
            "open_lines": sum(not line & o for line in lines) - sum(not line & x for line in lines)
        }

    def symmetry_key(self, state: Any) -> str:
        """The least of the eight ways to turn and mirror the board, and who moves."""
        cells = _cells(state)
        boards = []
        for _ in range(4):
            cells = "".join(cells[i] for i in QUARTER_TURN)
            boards += [cells, "".join(cells[i] for i in MIRROR)]
        return min(boards) + str(state[0].turn)


def _three(cells: str) -> tuple[str, ...]:
    """Nine squares as rows."""
    return tuple(cells[i : i + 3] for i in (0, 3, 6))


def _cells(state: Any) -> str:
    marks = [int(word) for word in state[0].marks]
    return "".join(
        "x" if marks[0] >> i & 1 else "o" if marks[1] >> i & 1 else "." for i in range(9)
    )
