"""What the kernels of a game's codec do unless it writes its own: an action is a whole play."""

from typing import Any

import numpy as np

from kibitz.jit.hashing import hash_128
from kibitz.jit.kernels import Slot, kernel, template

game: Any = Slot("game")
codec: Any = Slot("codec")
NAMES = ("action_of", "play_of", "advance", "mask", "is_choice")


@kernel
def action_of(v: Any, seat: int, chosen: int, play: int) -> int:
    """Plays are numbered from 0 without gaps."""
    return play


@kernel
def play_of(v: Any, seat: int, action: int) -> int:
    """The same the other way."""
    return action


@template
def advance(v: Any, seat: int, chosen: int, action: int) -> int:
    """Every action makes a play whole."""
    return codec.play_of(v, seat, action)


@template
def mask(v: Any, seat: int, chosen: int, out: Any) -> None:
    """The actions of all legal plays."""
    for i in range(game.count(v)):
        out[codec.action_of(v, seat, chosen, game.nth(v, i))] = 1


@kernel
def is_choice(v: Any, seat: int, chosen: int) -> bool:
    """Whether that can have been chosen so far: nothing but nothing."""
    return chosen == 0


@kernel
def fold_turn(key: Any, words: Any, play: int) -> None:
    """Take a turn into the key of an information state, int64[2]: the words of the view before it,
    and the play, -1 where it is hidden or not made yet."""
    n = len(words)
    row = np.empty(n + 3, np.int64)
    row[0], row[1], row[2] = key[0], key[1], play
    row[3:] = words
    key[0], key[1] = hash_128(row)
