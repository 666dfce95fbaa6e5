"""Leduc poker by the book: slow and plain, to test a fast implementation against."""

from __future__ import annotations

RANKS = "JQK"
BET = {1: 2, 2: 4}


class Leduc:
    """`cards` are the hands of seat 0 and seat 1, `board` is turned after the first round."""

    def __init__(self, cards: tuple[str, str], board: str, first: int = 0) -> None:
        assert not cards[0] == cards[1] == board
        self.cards = cards
        self.board = board
        self.first = first
        self.rounds: list[list[str]] = [[]]
        self.paid = [1, 1]
        self.loser: int | None = None  # who folded
        self.showdown = False

    @property
    def over(self) -> bool:
        return self.showdown or self.loser is not None

    @property
    def mover(self) -> int:
        return (self.first + len(self.rounds[-1])) % 2

    def legal(self) -> list[str]:
        if self.over:
            return []
        plays = ["call"]
        if self.paid[self.mover] < self.paid[1 - self.mover]:
            plays.insert(0, "fold")
        if self.rounds[-1].count("raise") < 2:
            plays.append("raise")
        return plays

    def play(self, text: str) -> None:
        assert text in self.legal()
        me = self.mover
        owed = self.paid[1 - me] - self.paid[me]
        plays = self.rounds[-1]
        plays.append(text)
        if text == "fold":
            self.loser = me
            return
        self.paid[me] += owed
        if text == "raise":
            self.paid[me] += BET[len(self.rounds)]
        bet_is_called = text == "call" and owed > 0
        both_check = plays == ["call", "call"]
        if bet_is_called or both_check:
            if len(self.rounds) == 2:
                self.showdown = True
            else:
                self.rounds.append([])

    def returns(self) -> list[float]:
        loser = self.loser
        if loser is None:
            pairs = [card == self.board for card in self.cards]
            ranks = [RANKS.index(card) for card in self.cards]
            if ranks[0] == ranks[1]:
                return [0.0, 0.0]
            loser = 1 if (pairs[0], ranks[0]) > (pairs[1], ranks[1]) else 0
        values = [0.0, 0.0]
        values[loser] = -float(self.paid[loser])
        values[1 - loser] = float(self.paid[loser])
        return values
