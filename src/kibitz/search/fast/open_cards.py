"""The open-card twin of a game, as `alpha_beta.py` wants it.

A game may name a module of its own in `open_card_twin` (Tablić does, which searches to the end
of a deal). All others get this one: the game itself, to its end. If its kernels have `move_order`,
`evaluate` or DENOMINATOR, these are used.
"""

from __future__ import annotations

import importlib
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from kibitz.games.compiled_game import CompiledGame
from kibitz.jit.hashing import hash_128
from kibitz.jit.kernels import Kernel, Slot, bind, kernel, template
from kibitz.search.fast.slots import MOST_SEATS

game: Any = Slot("game")
sides: Any = Slot("sides")
"""APART, how far apart partners sit."""

SIZES = ("MAX_PLIES", "TABLE_ENTRIES", "PLAYS_CAPACITY", "DENOMINATOR")
MAX_PLIES, TABLE_ENTRIES, PLAYS_CAPACITY = 64, 1 << 14, 64 * 64
DENOMINATOR = 9 * 512
"""Values are rounded to multiples of 1/DENOMINATOR: wins shared by two or three, and fractions of
a power of two, are exact. A game with others (a payoff of 0.1) declares its own in its kernels."""


@kernel
def set_up(world: Any, s: Any) -> None:
    s[0] = world[0]


@kernel
def fix_replies(s: Any, seat: int) -> None:
    """Others that answer by a fixed strategy need a twin of the game's own."""


@template
def mover(stack: Any, d: int) -> int:
    return game.mover(stack[d : d + 1])


@template
def over(stack: Any, d: int) -> bool:
    return game.over(stack[d : d + 1])


@template
def apply(stack: Any, d: int, play: int) -> None:
    game.apply(stack[d : d + 1], play)


@template
def write(stack: Any, d: int, plays: Any, at: int) -> tuple[int, int]:
    start, end = game.write(stack[d : d + 1], plays[at:])
    return at + start, at + end if end >= 0 else -1


@template
def move_order(stack: Any, d: int, play: int) -> int:
    return game.move_order(stack[d : d + 1], play)


@kernel
def no_move_order(stack: Any, d: int, play: int) -> int:
    """Nothing is known beforehand."""
    return 0


@kernel
def history_index(play: int) -> int:
    return play & 63


@kernel
def team_of(stack: Any, d: int, seat: int) -> int:
    return seat


@template
def side_of(stack: Any, d: int, seat: int) -> int:
    """The same where partners win together."""
    return seat % sides.APART


@kernel
def key(stack: Any, d: int) -> tuple[int, int, int]:
    """128 bits of the whole record: no two positions of a search will share them. Nobody
    holds what can only help."""
    first, second = hash_128(stack[d : d + 1].view(np.int64))
    return first, second, 0


@kernel
def banked(stack: Any, d: int, seat: int, weights: Any) -> float:
    return 0.0


@template
def terminal_value(stack: Any, d: int, seat: int, weights: Any) -> float:
    out = np.zeros(MOST_SEATS)
    game.returns(stack[d : d + 1], out)
    return out[seat]


@template
def evaluate(stack: Any, d: int, seat: int, weights: Any) -> float:
    return game.evaluate(stack[d : d + 1], seat, weights)


@kernel
def no_evaluation(stack: Any, d: int, seat: int, weights: Any) -> float:
    """Where the search must stop before the end, it knows nothing."""
    return 0.0


@template
def child_key_and_value(
    stack: Any, d: int, play: int, won: float, seat: int, weights: Any
) -> tuple[bool, tuple[int, int, int], float]:
    """By making the play."""
    stack[d + 1] = stack[d]
    apply(stack, d + 1, play)
    if over(stack, d + 1):
        return True, (0, 0, 0), terminal_value(stack, d + 1, seat, weights)
    return False, key(stack, d + 1), 0.0


@cache
def open_cards(game: CompiledGame) -> Any:
    """The kernels of a game's open-card twin."""
    if game.open_card_twin:
        return importlib.import_module(game.open_card_twin)
    kernels = game.kernels
    twin = {
        name: bind(value, game=kernels) if isinstance(value, Kernel) else value
        for name, value in globals().items()
        if isinstance(value, Kernel) or name in SIZES
    }
    twin["DENOMINATOR"] = getattr(kernels, "DENOMINATOR", DENOMINATOR)
    if game.partners > 1:
        apart = game.players // game.partners
        twin["team_of"] = bind(side_of, sides=SimpleNamespace(APART=apart))
    if not hasattr(kernels, "move_order"):
        twin["move_order"] = twin["no_move_order"]
    if not hasattr(kernels, "evaluate"):
        twin["evaluate"] = twin["no_evaluation"]
    return SimpleNamespace(STATE=kernels.STATE, **twin)
