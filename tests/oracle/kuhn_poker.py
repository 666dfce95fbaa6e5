"""Kuhn poker by the book: slow and plain, to test a fast implementation against."""

from __future__ import annotations

RANKS = "JQK"


class Kuhn:
    """`cards` are the hands of seat 0 and seat 1; seat `first` begins."""

    def __init__(self, cards: tuple[str, str], first: int = 0) -> None:
        assert cards[0] != cards[1]
        self.cards = cards
        self.first = first
        self.bets: list[str] = []

    @property
    def mover(self) -> int:
        return (self.first + len(self.bets)) % 2

    @property
    def over(self) -> bool:
        return self.folds or self.showdown

    @property
    def folds(self) -> bool:
        """A bet that is answered by pass."""
        return self.bets[-2:] == ["bet", "pass"]

    @property
    def showdown(self) -> bool:
        """Nobody bets, or a bet is met."""
        return self.bets[-2:] in (["pass", "pass"], ["bet", "bet"])

    def legal(self) -> list[str]:
        return [] if self.over else ["pass", "bet"]

    def play(self, text: str) -> None:
        assert text in self.legal()
        self.bets.append(text)

    def returns(self) -> list[float]:
        paid = [1, 1]
        for i, bet in enumerate(self.bets):
            if bet == "bet":
                paid[(self.first + i) % 2] += 1
        if self.folds:
            # The one who passed last has lost; nobody has moved since.
            winner = self.mover
        else:
            winner = 0 if RANKS.index(self.cards[0]) > RANKS.index(self.cards[1]) else 1
        values = [0.0, 0.0]
        values[winner] = float(paid[1 - winner])
        values[1 - winner] = -float(paid[1 - winner])
        return values
