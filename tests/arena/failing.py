"""Strategies that fail, each in its own way, and games with mistakes in them.

Some hang: they are for tests with a time limit. In a file of their own, so that other processes
can import them; the catalogue has them only where tests of runs are at work (see conftest.py).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from kibitz.core.game import Game, View
from kibitz.core.options import Option
from kibitz.core.strategy import Player, Strategy
from tests.plain import Heap, Nim


class Lucky:
    """Something that can't even be compared."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("incomparable")

    def __hash__(self) -> int:
        return 1


def hang() -> None:
    while True:
        pass


def hang_and_catch() -> None:
    while True:
        try:
            hang()
        except Exception:
            continue


def fail() -> None:
    raise ValueError("no\nidea")


def divide() -> None:
    print(1 // 0)


def interrupt() -> None:
    raise KeyboardInterrupt


WAYS: dict[str, Callable[[], Any]] = {
    "raise": fail,
    "divide": divide,
    "exit": lambda: sys.exit(3),
    "interrupt": interrupt,
    "hang": hang,
    "hang-and-catch": hang_and_catch,
    "sleep": lambda: time.sleep(3600),
    "late": lambda: time.sleep(1),
    "none": lambda: None,
    "text": lambda: "nonsense\n[bold]",
    "array": lambda: np.array([1, 2]),
    "list": lambda: [1],
    "illegal": lambda: 99,
    "lucky": Lucky,
}


class Failing(Strategy):
    """Plays the first play, but fails in games in which its own random number says so."""

    name: ClassVar[str] = "failing"
    title: ClassVar[str] = "fails in one of so many games"
    options = (
        Option("how", "raise", "in which way", choices=tuple(WAYS)),
        Option("one_in", 1, "of how many games", least=1),
        Option("where", "choose", "where", choices=("choose", "sit")),
    )

    def sit(self, game: Game[Any, Any], seat: int, rng: np.ndarray) -> Player:
        fails = int(rng[0] >> np.uint64(20)) % int(self.settings["one_in"]) == 0
        way = WAYS[str(self.settings["how"])]
        if fails and self.settings["where"] == "sit":
            return way()

        class First(Player):
            def choose(self, view: View[Any]) -> Any:
                return way() if fails else view.plays()[0]

        return First()


class Waiting(Strategy):
    """Decides as the first play, when there is a file; so that a test can stop a run."""

    name: ClassVar[str] = "waiting"
    title: ClassVar[str] = "waits for a file"
    options = (Option("file", "", "which"),)

    def sit(self, game: Game[Any, Any], seat: int, rng: np.ndarray) -> Player:
        file = Path(str(self.settings["file"]))

        class First(Player):
            def choose(self, view: View[Any]) -> Any:
                while not file.exists():
                    time.sleep(0.005)
                return view.plays()[0]

        return First()


class MistakenNim(Nim):
    """Whose rules break down with three left."""

    name: ClassVar[str] = "mistaken-nim"

    def plays(self, state: Heap) -> Sequence[int]:
        if state[0] == 3:
            raise LookupError("a mistake in the rules")
        return super().plays(state)


class EndlessNim(Nim):
    """Where the heap breaks down in the transition."""

    name: ClassVar[str] = "endless-nim"

    def after(self, state: Heap, play: int) -> Heap:
        if state[0] <= 3:
            raise LookupError("a mistake in the transition")
        return super().after(state, play)


class GenerousNim(Nim):
    """Where an end has no value."""

    name: ClassVar[str] = "generous-nim"

    def returns(self, state: Heap) -> tuple[float, ...]:
        return (float("nan"), 1.0)


class ShortNim(Nim):
    """Where an end has a value for one seat alone."""

    name: ClassVar[str] = "short-nim"

    def returns(self, state: Heap) -> tuple[float, ...]:
        return (1.0,)
