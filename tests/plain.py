"""Games in plain Python, as a newcomer writes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from kibitz.core.game import CHANCE, Chance, Game, Traits, View
from kibitz.jit.rng import below

Heap = tuple[int, int]
"""What is left, and whose turn it is."""


class Nim(Game[Heap, int]):
    name: ClassVar[str] = "nim"
    title: ClassVar[str] = "Nim: take one to three, the last one wins"

    def deal(self, seed: int, first: int = 0) -> Heap:
        return 10, first

    def mover(self, state: Heap) -> int:
        return state[1]

    def is_over(self, state: Heap) -> bool:
        return state[0] == 0

    def plays(self, state: Heap) -> Sequence[int]:
        return range(1, min(3, state[0]) + 1)

    def after(self, state: Heap, play: int) -> Heap:
        return state[0] - play, 1 - state[1]

    def returns(self, state: Heap) -> tuple[float, ...]:
        return (-1.0, 1.0) if state[1] == 0 else (1.0, -1.0)


Toss = tuple[int, int, bool]
"""The sum of both seats' heads, whose turn it is, and whether the coin is in the air."""


class Tosses(Game[Toss, str]):
    """Each in turn tosses a bent coin or passes; an even number of heads wins for seat 1."""

    name: ClassVar[str] = "tosses"
    title: ClassVar[str] = "Tosses of a bent coin"
    traits: ClassVar[Traits] = Traits(chance=Chance.PLAY, roles=True)

    def deal(self, seed: int, first: int = 0) -> Toss:
        return 0, 0, False

    def mover(self, state: Toss) -> int:
        return CHANCE if state[2] else state[1] % 2

    def is_over(self, state: Toss) -> bool:
        return state[1] == 4

    def plays(self, state: Toss) -> Sequence[str]:
        if self.is_over(state):
            return []
        return ["heads", "tails"] if state[2] else ["toss", "pass"]

    def chances(self, state: Toss) -> Sequence[tuple[str, float]]:
        return [("heads", 0.9), ("tails", 0.1)]

    def after(self, state: Toss, play: str) -> Toss:
        heads, turn, _ = state
        if play == "toss":
            return heads, turn, True
        return heads + (play == "heads"), turn + 1, False

    def returns(self, state: Toss) -> tuple[float, ...]:
        return (1.0, -1.0) if state[0] % 2 == 0 else (-1.0, 1.0)


Guess = tuple[str, str]
"""The card that chance has drawn, and what was guessed."""


class GuessTheCard(Game[Guess, str]):
    """Chance draws a card that nobody sees; seat 1 guesses, then it is shown."""

    name: ClassVar[str] = "guess-the-card"
    title: ClassVar[str] = "Guess the hidden card"
    traits: ClassVar[Traits] = Traits(chance=Chance.PLAY, hidden=True)

    def deal(self, seed: int, first: int = 0) -> Guess:
        return "", ""

    def mover(self, state: Guess) -> int:
        return 0 if state[0] else CHANCE

    def is_over(self, state: Guess) -> bool:
        return bool(state[1])

    def plays(self, state: Guess) -> Sequence[str]:
        return [] if state[1] else ["ace", "king"]

    def after(self, state: Guess, play: str) -> Guess:
        return (state[0], play) if state[0] else (play, "")

    def returns(self, state: Guess) -> tuple[float, ...]:
        return (1.0, -1.0) if state[0] == state[1] else (-1.0, 1.0)

    def view(self, state: Guess, seat: int) -> View[Guess]:
        return View(self, seat, state if state[1] else ("?", ""))

    def redeal(self, view: View[Guess], rng: np.ndarray) -> Guess:
        return ("ace", "king")[below(rng, 2)], view.state[1]
