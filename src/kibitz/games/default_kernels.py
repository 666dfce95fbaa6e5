"""What a game's kernels do unless the game writes its own."""

from typing import Any

import numpy as np

from kibitz.jit.hashing import mix_words
from kibitz.jit.kernels import Slot, inlined, kernel, template
from kibitz.jit.rng import below

game: Any = Slot("game")
NEVER_AT_RANDOM = -1
OVER = -2
MANY = 1000
NAMES = (
    *("count", "nth", "legal", "write", "pick", "chance_of", "expand", "random_play"),
    *("observe", "view_key", "observed_play", "redeal", "points", "next_first"),
    *("is_valid", "is_complete", "is_legal", "strip"),
)


@template
def count(s: Any) -> int:
    """How many plays are legal."""
    return len(game.legal(s))


@template
def nth(s: Any, i: int) -> int:
    """Legal play number i."""
    return game.legal(s)[i]


@template
def legal(s: Any) -> Any:
    """All legal plays."""
    plays = np.empty(game.count(s), np.int64)
    for i in range(len(plays)):
        plays[i] = game.nth(s, i)
    return plays


@template
def write(s: Any, plays: Any) -> tuple[int, int]:
    """Write the legal plays into an array; from where to where, or -1 if it is too short."""
    n = game.count(s)
    if n > len(plays):
        return 0, -1
    for i in range(n):
        plays[i] = game.nth(s, i)
    return 0, n


@template
def pick(s: Any, rng: Any) -> int:
    """A legal play, or an outcome of chance, each with the same probability."""
    return game.nth(s, below(rng, game.count(s)))


@inlined
def random_play(s: Any, rng: Any) -> int:
    """A legal play at random, each as likely, but never the one nobody would make."""
    play = game.pick(s, rng)
    while play == game.NEVER_AT_RANDOM:
        play = game.pick(s, rng)
    return play


@template
def chance_of(s: Any, play: int) -> float:
    """All outcomes of chance are equally likely."""
    return 1.0 / game.count(s)


@template
def expand(s: Any) -> Any:
    """Who moves (OVER at an end), all legal plays, and the state after each, if they are not
    too many."""
    if game.over(s):
        return OVER, np.empty(0, np.int64), np.empty(0, s.dtype)
    plays = game.legal(s)
    after = np.empty(len(plays) if len(plays) <= MANY else 0, s.dtype)
    for i in range(len(after)):
        after[i] = s[0]
        game.apply(after[i : i + 1], plays[i])
    return game.mover(s), plays, after


@kernel
def is_valid(s: Any) -> bool:
    """Nobody has said what a record must hold."""
    return True


@kernel
def is_complete(s: Any) -> bool:
    """Nothing can be left out."""
    return True


@template
def is_legal(s: Any, play: int) -> bool:
    """Whether a play is among the legal ones."""
    for i in range(game.count(s)):  # noqa: SIM110  # any() is slower compiled
        if game.nth(s, i) == play:
            return True
    return False


@kernel
def observe(s: Any, seat: int, view: Any) -> None:
    """Everything is open."""
    view[0] = s[0]


@template
def view_key(s: Any, seat: int, buffer: Any) -> int:
    """A key of what a seat sees: the same for all states that it can't tell apart. The view is
    written into the buffer, an array of one state."""
    game.observe(s, seat, buffer)
    return mix_words(seat, buffer.view(np.int64))


@kernel
def observed_play(s: Any, seat: int, play: int) -> int:
    """Everybody sees every play."""
    return play


@kernel
def redeal(view: Any, seat: int, rng: Any, s: Any) -> bool:
    """Nothing is hidden, so there is one world."""
    s[0] = view[0]
    return True


@inlined
def strip(s: Any, lean: Any) -> Any:
    """There is no lean record: a game is played out on its state."""
    return s


@template
def points(s: Any, out: Any) -> None:
    """What an end adds to each seat's score in a match."""
    game.returns(s, out)


@kernel
def next_first(s: Any, rng: Any) -> int:
    """The first seat begins again."""
    return 0
