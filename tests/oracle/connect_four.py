"""Connect Four by the book: slow and plain, to test a fast implementation against."""

from __future__ import annotations

COLUMNS, ROWS = 7, 6
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class ConnectFour:
    """Each column is a list of seats, lowest stone first. Seats count from 0."""

    def __init__(self, first: int = 0) -> None:
        self.columns: list[list[int]] = [[] for _ in range(COLUMNS)]
        self.mover = first
        self.winner: int | None = None

    @property
    def over(self) -> bool:
        full = all(len(column) == ROWS for column in self.columns)
        return self.winner is not None or full

    def legal(self) -> list[str]:
        if self.over:
            return []
        return [str(i + 1) for i in range(COLUMNS) if len(self.columns[i]) < ROWS]

    def play(self, text: str) -> None:
        assert text in self.legal()
        self.columns[int(text) - 1].append(self.mover)
        if self._has_four(self.mover):
            self.winner = self.mover
        self.mover = 1 - self.mover

    def returns(self) -> list[float]:
        if self.winner is None:
            return [0.0, 0.0]
        return [1.0 if seat == self.winner else -1.0 for seat in (0, 1)]

    def board(self) -> str:
        """The rows from the top, x is seat 0."""
        marks = {0: "x", 1: "o", None: "."}
        rows = []
        for row in reversed(range(ROWS)):
            rows.append("".join(marks[self._at(column, row)] for column in range(COLUMNS)))
        return "/".join(rows)

    def _at(self, column: int, row: int) -> int | None:
        if 0 <= column < COLUMNS and 0 <= row < len(self.columns[column]):
            return self.columns[column][row]
        return None

    def _has_four(self, seat: int) -> bool:
        for column in range(COLUMNS):
            for row in range(ROWS):
                for right, up in DIRECTIONS:
                    line = [self._at(column + i * right, row + i * up) for i in range(4)]
                    if line == [seat] * 4:
                        return True
        return False
