"""Writes `strategies/love_letter/luck_values.npz`: what positions of Love Letter are worth.

`python -m tests.strategies.write_luck_values [PAIRS]` plays pairs between two settings of flat
Monte Carlo, 300 000 unless told otherwise, which takes about two minutes of a processor, and counts
how often who was to move won. A cell of the table that came up seldom is drawn towards its mean
over the number of cards left, and that towards the mean of its three cards.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from kibitz.arena.pairs import CompiledPairs
from kibitz.core.registry import make_game, make_strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.jit.kernels import kernel
from kibitz.strategies.love_letter import luck
from kibitz.strategies.love_letter.luck import SHAPE, STEPS, cell

PLAYERS = ("flat-mc:worlds=10", "flat-mc:worlds=11")
SEED, PAIRS, PART = 11, 300_000, 20_000
SHRINK = 5.0
"""Rounds that the mean of like cells counts for."""
CELLS = int(np.prod(SHAPE))
TURNS = 32
"""Places before the counts: how many turns the round has had, and the cell of each."""


@kernel
def luck_of_play(
    before: Any, earlier: int, play: int, after: Any, numbers: Any, scratch: Any, rng: Any
) -> float:
    """No luck: it counts what came of the positions of a round when the round is over.

    numbers: float64[TURNS + 2 · CELLS]: the turns, then how often who was to move won, and how
    often a cell came up.
    """
    x, y = before[0], after[0]
    if earlier < 0:
        numbers[0] = 0.0
    turns = int(numbers[0])
    place = cell(x, x.drawn)
    numbers[1 + turns] = place if x.turn == 0 else -1.0 - place
    numbers[0] = turns + 1.0
    if y.over:
        won = 0.5 if y.best == 3 else float(y.best & 1)
        for turn in range(turns + 1):
            entry = int(numbers[1 + turn])
            at = entry if entry >= 0 else -1 - entry
            numbers[TURNS + at] += won if entry >= 0 else 1.0 - won
            numbers[TURNS + CELLS + at] += 1.0
    return 0.0


def count(pairs: int) -> tuple[np.ndarray, np.ndarray]:
    """How often who was to move won, and how often each cell came up."""
    game = make_game("love-letter")
    assert isinstance(game, CompiledGame)
    numbers = np.zeros(TURNS + 2 * CELLS)
    counting = SimpleNamespace(luck_of_play=luck_of_play, numbers=lambda: numbers)
    players = [make_strategy(text) for text in PLAYERS]
    runner = CompiledPairs(game, players, SEED, target=0, luck=counting)
    for start in range(0, pairs, PART):
        runner.play_untimed(start, min(PART, pairs - start))
    won, came = numbers[TURNS:].reshape(2, *SHAPE)
    return won, came


def values(won: np.ndarray, came: np.ndarray) -> np.ndarray:
    """The chance to win of who is to move, for each cell."""

    def shrunk(axes: tuple[int, ...], like: Any) -> np.ndarray:
        return (won.sum(axes) + SHRINK * like) / (came.sum(axes) + SHRINK)

    by_cards = shrunk((3, 4, 5, 6), won.sum() / came.sum())
    by_rest = shrunk((3,), by_cards[..., None, None, None])
    return shrunk((), by_rest[:, :, :, None])


def main() -> None:
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS
    table = values(*count(pairs))
    path = Path(luck.__file__).with_name("luck_values.npz")
    np.savez_compressed(path, steps=np.rint(STEPS * table).astype(np.uint8))
    print(path.name, path.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
