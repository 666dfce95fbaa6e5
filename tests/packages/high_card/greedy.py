"""Greedy at high card: the lowest card that takes the trick, else the lowest; leads the highest."""

from typing import Any

from kibitz.core.explanation import Belief, Reason
from kibitz.core.game import View
from kibitz.jit.kernels import kernel

from .kernels import count, nth

SCORE = "tricks, then what the card is spared for"
PARTS = ("trick", "card / 10")


@kernel
def score(view: Any, seat: int, numbers: Any, play: int, parts: Any) -> float:
    led = view[0].led
    if led == 0:
        parts[1] = play / 10
    else:
        parts[0] = 1.0 if play > led else 0.0
        parts[1] = -play / 10
    return parts[0] + parts[1]


@kernel
def tie(play: int) -> int:
    return play


@kernel
def choose(view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any) -> int:
    led = view[0].led
    last = count(view) - 1
    if led == 0:
        return nth(view, last)
    for i in range(last + 1):
        if nth(view, i) > led:
            return nth(view, i)
    return nth(view, 0)


def beliefs(view: View[Any], numbers: Any) -> tuple[Belief, ...]:
    return ()


def sentence(view: View[Any], reasons: list[Reason]) -> str:
    takes = "takes the trick" if reasons[0].parts.get("trick") else "is all that it can do"
    return f"The {reasons[0].play} {takes}."
