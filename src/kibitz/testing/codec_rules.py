"""What a codec must do: show a seat what its view holds and nothing else, and let legal actions
make legal plays.

Both are tried in compiled code on random play: `check_codec`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.game import Game
from kibitz.core.registry import game_of
from kibitz.games.codec import codec_of
from kibitz.jit.kernels import Slot, bind, kernel, template
from kibitz.jit.rng import below, stream
from kibitz.testing.broken_rule import require

game: Any = Slot("game")
codec: Any = Slot("codec")

TRIALS = 55
"""The key of the stream by which actions and worlds are drawn here."""
SITUATIONS, LEAKS, DEAD_ENDS = range(3)
"""What is counted."""


@kernel
def differ(one: Any, other: Any) -> bool:
    for i in range(len(one)):  # noqa: SIM110  # any() is slower compiled
        if one[i] != other[i]:
            return True
    return False


@template
def write_seen(v: Any, seat: int, chosen: int, to_move: bool, out: Any, mask: Any) -> None:
    """All that a codec says of a view."""
    out[:] = 0
    mask[:] = 0
    codec.encode(v, seat, chosen, out)
    if to_move:
        codec.mask(v, seat, chosen, mask)


@template
def try_codec(
    s: Any, views: Any, words: Any, world: Any, outs: Any, masks: Any, rng: Any, counts: Any
) -> None:
    """Random games, by actions of the codec, until so many situations of a seat were tried as
    counts[SITUATIONS] says. In each the view of the state is written to row 0, the view of that
    view, and then that of a world which it allows, to row 1. words are the views as numbers."""
    wanted, counts[SITUATIONS] = counts[SITUATIONS], 0
    dealt = rng.copy()
    while counts[SITUATIONS] < wanted:
        game.deal(s, dealt, 0)
        chosen = np.int64(0)
        while not game.over(s):
            mover = game.mover(s)
            if mover < 0:
                game.apply(s, game.pick(s, rng))
                continue
            for seat in range(counts[-1]):
                own = chosen if seat == mover else 0
                game.observe(s, seat, views[0:1])
                write_seen(views[0:1], seat, own, seat == mover, outs[0], masks[0])
                for trial in range(2):
                    if trial == 0:
                        game.observe(views[0:1], seat, views[1:2])
                    elif game.redeal(views[0:1], seat, rng, world):
                        game.observe(world, seat, views[1:2])
                    write_seen(views[1:2], seat, own, seat == mover, outs[1], masks[1])
                    if (
                        differ(words[0], words[1])
                        or differ(outs[0], outs[1])
                        or differ(masks[0], masks[1])
                    ):
                        counts[LEAKS] += 1
                counts[SITUATIONS] += 1
            game.observe(s, mover, views[0:1])
            write_seen(views[0:1], mover, chosen, True, outs[0], masks[0])
            legal = 0
            for action in range(masks.shape[1]):
                legal += masks[0, action]
            if legal == 0:
                counts[DEAD_ENDS] += 1
                break
            skip = below(rng, legal)
            action = 0
            while masks[0, action] == 0 or skip > 0:
                skip -= masks[0, action]
                action += 1
            then = codec.advance(s, mover, chosen, action)
            if then < 0:
                chosen = ~then
                continue
            chosen = np.int64(0)
            if not game.is_legal(s, then):
                counts[DEAD_ENDS] += 1
                break
            game.apply(s, then)


def tried(game: Any, situations: int, seed: int = 0) -> tuple[int, int, int]:
    """Situations tried, leaks, and courses of legal actions that lead to no legal play."""
    codec, record = codec_of(game), game.kernels.STATE
    views = np.zeros(2, record)
    views[:] = game.blank()
    counts = np.array([situations, 0, 0, game.players])
    bind(try_codec, game=game.kernels, codec=codec.kernels)(
        game.blank(), views, views.view("i8").reshape(2, -1), game.blank(),
        np.zeros((2, codec.size), np.float32), np.zeros((2, len(codec.actions)), np.int8),
        stream(seed, TRIALS), counts,
    )  # fmt: skip
    return int(counts[SITUATIONS]), int(counts[LEAKS]), int(counts[DEAD_ENDS])


def check_codec(game: Game[Any, Any] | str, situations: int = 1000) -> None:
    """Check the codec of a game, or of its text, on so many situations of random play.

    Raises
    ------
    BrokenRule
        In one sentence: the rule, and how often it was broken.

    Examples
    --------
    >>> check_codec("kuhn-poker", situations=50)
    """
    made = game_of(game)
    done, leaks, dead_ends = tried(made, situations)
    rule = "a codec must show the same whatever is hidden"
    require(leaks == 0, made, rule, f"{leaks} of {2 * done} times it does not")
    rule = "legal actions must make legal plays"
    require(dead_ends == 0, made, rule, f"{dead_ends} times in {done} situations they do not")
