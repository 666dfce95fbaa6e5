"""Games in plain Python that put a search to the test: too many players, too deep, too wide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from kibitz.core.game import CHANCE, Chance, Game, Traits


class Chain(Game[int, str]):
    """One play at a time, each in turn, for a long time; the end has value 1 for seat 1."""

    name: ClassVar[str] = "chain"
    title: ClassVar[str] = "A long chain of plays"
    length: ClassVar[float] = 5_000

    def deal(self, seed: int, first: int = 0) -> int:
        return 0

    def mover(self, state: int) -> int:
        return state % 2

    def is_over(self, state: int) -> bool:
        return state >= self.length

    def plays(self, state: int) -> Sequence[str]:
        return ["on"]

    def after(self, state: int, play: str) -> int:
        return state + 1

    def returns(self, state: int) -> tuple[float, ...]:
        return 1.0, -1.0


class ChanceChain(Chain):
    """Every second move is chance's."""

    name: ClassVar[str] = "chance-chain"
    traits: ClassVar[Traits] = Traits(chance=Chance.PLAY)

    def mover(self, state: int) -> int:
        return CHANCE if state % 2 else state // 2 % 2


class Endless(Chain):
    name: ClassVar[str] = "endless"
    length: ClassVar[float] = float("inf")


class HiddenEndless(Endless):
    """Says that it hides something."""

    name: ClassVar[str] = "hidden-endless"
    traits: ClassVar[Traits] = Traits(hidden=True)


class EndlessChance(ChanceChain):
    name: ClassVar[str] = "endless-chance"
    length: ClassVar[float] = float("inf")


class Circle(Endless):
    """Endless, but with three states only."""

    name: ClassVar[str] = "circle"

    def after(self, state: int, play: str) -> int:
        return (state + 1) % 3


class Bushy(Endless):
    """Endless, with two plays at every state, to the same one."""

    name: ClassVar[str] = "bushy"

    def plays(self, state: int) -> Sequence[str]:
        return ["one", "two"]


class Wide(Game[int, int]):
    """200 000 plays, each to an end."""

    name: ClassVar[str] = "wide"
    title: ClassVar[str] = "One play of many"
    width: ClassVar[int] = 200_000

    def deal(self, seed: int, first: int = 0) -> int:
        return -1

    def mover(self, state: int) -> int:
        return 0

    def is_over(self, state: int) -> bool:
        return state >= 0

    def plays(self, state: int) -> Sequence[int]:
        return range(self.width)

    def after(self, state: int, play: int) -> int:
        return play

    def returns(self, state: int) -> tuple[float, ...]:
        return float(state), float(-state)


class WideChance(Wide):
    """200 000 outcomes, all alike."""

    name: ClassVar[str] = "wide-chance"
    traits: ClassVar[Traits] = Traits(chance=Chance.PLAY)

    def mover(self, state: int) -> int:
        return CHANCE


Chosen = tuple[int, ...]


class Favours(Game[Chosen, int]):
    """Three seats in turn name a seat each; the last one named wins."""

    name: ClassVar[str] = "favours"
    title: ClassVar[str] = "Three seats, and the last one decides"

    @property
    def players(self) -> int:
        return 3

    def deal(self, seed: int, first: int = 0) -> Chosen:
        return ()

    def mover(self, state: Chosen) -> int:
        return len(state)

    def is_over(self, state: Chosen) -> bool:
        return len(state) == 3

    def plays(self, state: Chosen) -> Sequence[int]:
        return [0, 1, 2]

    def after(self, state: Chosen, play: int) -> Chosen:
        return (*state, play)

    def returns(self, state: Chosen) -> tuple[float, ...]:
        return tuple(1.0 if seat == state[-1] else 0.0 for seat in range(3))


class LuckyFavours(Favours):
    """The same, but it says that chance moves."""

    name: ClassVar[str] = "lucky-favours"
    traits: ClassVar[Traits] = Traits(chance=Chance.PLAY)


class SecretCoin(ChanceChain):
    """A short game with a chance node that its traits do not mention."""

    name: ClassVar[str] = "secret-coin"
    traits: ClassVar[Traits] = Traits()
    length: ClassVar[float] = 4
