"""Pig by the book: slow and plain, to test a fast implementation against."""

from __future__ import annotations

CHANCE = -1


class Pig:
    """Seats count from 0. The die is a mover of its own: its plays are the faces."""

    def __init__(self, target: int = 100, first: int = 0) -> None:
        self.target = target
        self.turn = first
        self.scores = [0, 0]
        self.rolls: list[int] = []  # of this turn
        self.rolling = False

    @property
    def over(self) -> bool:
        return any(score >= self.target for score in self.scores)

    @property
    def mover(self) -> int:
        return CHANCE if self.rolling else self.turn

    def legal(self) -> list[str]:
        if self.over:
            return []
        if self.rolling:
            return ["1", "2", "3", "4", "5", "6"]
        if self.rolls:
            return ["roll", "hold"]
        return ["roll"]

    def play(self, text: str) -> None:
        assert text in self.legal()
        if text == "roll":
            self.rolling = True
        elif text == "hold":
            self.scores[self.turn] += sum(self.rolls)
            if not self.over:
                self._pass_on()
        else:
            self.rolling = False
            if text == "1":
                self._pass_on()
            else:
                self.rolls.append(int(text))

    def _pass_on(self) -> None:
        self.rolls = []
        self.turn = 1 - self.turn

    def returns(self) -> list[float]:
        return [1.0 if score >= self.target else -1.0 for score in self.scores]
