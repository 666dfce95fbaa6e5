"""Less luck, measured: does the mean stay what it is, and how much variance goes?

`python -m tests.arena.less_luck` prints the table of docs/comparing.md: for each pairing the score
plain and less luck, the mean of the luck in standard errors, the variance of a pair as a share of
the plain one, and the processor time as a multiple of the plain one. Then the coverage of the
interval, and the false alarms of --until-clear, in samples of such pairs.

    python -m tests.arena.less_luck love-letter ismcts flat-mc 20000     # one pairing
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

import numpy as np

from kibitz.arena.luck import luck_module
from kibitz.arena.pairs import CompiledPairs
from kibitz.arena.statistics.scores import mean_from
from kibitz.arena.statistics.sequential import judge, looks
from kibitz.core.registry import make_game, make_strategy
from kibitz.games.compiled_game import CompiledGame

SEED = 17
PAIRINGS: tuple[tuple[str, str, str, int], ...] = (
    ("love-letter", "greedy", "probabilistic", 100_000),
    ("love-letter", "greedy", "flat-mc:worlds=10", 100_000),
    ("tablic", "greedy", "human", 100_000),
    ("love-letter", "ismcts", "flat-mc", 20_000),
    ("tablic", "pimc:worlds=10", "flat-mc:worlds=20", 1_500),
)
SAMPLES = (20, 50, 100, 500)
"""Pairs of a sample whose interval is looked at."""
TIMED = 20
"""A part of the pairs, one in so many, is played without luck too, to compare the times."""


@dataclass(frozen=True)
class LuckFigures:
    """What the pairs of a pairing give."""

    plain: np.ndarray
    """The first player's score of each pair."""
    luck: np.ndarray
    times: float
    """Processor time, as a multiple of that without luck."""

    @property
    def less(self) -> np.ndarray:
        """The scores with luck taken off."""
        return self.plain - self.luck

    @property
    def deviation(self) -> float:
        """The mean of the luck in standard errors."""
        return float(self.luck.mean() / (self.luck.std(ddof=1) / len(self.luck) ** 0.5))

    @property
    def share(self) -> float:
        """The variance less luck as a share of the plain one."""
        return float(self.less.var() / self.plain.var())


def measure(game: str, a: str, b: str, pairs: int, seed: int = SEED) -> LuckFigures:
    """Play a pairing."""
    made = make_game(game)
    assert isinstance(made, CompiledGame)
    players = [make_strategy(a), make_strategy(b)]
    runner = CompiledPairs(made, players, seed, 0, luck_module(made))
    plain = CompiledPairs(made, players, seed, 0)
    few = max(1, pairs // TIMED)
    for first in (runner, plain):
        first.play_untimed(0, 1)  # what is compiled first is not timed
    started = time.process_time()
    without = plain.play_untimed(0, few)
    taken = time.process_time() - started
    started = time.process_time()
    played = runner.play_untimed(0, few)
    times = (time.process_time() - started) / taken
    assert (without.results == played.results).all()
    rest = runner.play_untimed(few, pairs - few) if pairs > few else played
    parts = [played, rest] if pairs > few else [played]
    won = np.vstack([part.results for part in parts])[:, ::2]
    luck = np.vstack([part.luck for part in parts if part.luck is not None])
    scores = ((np.sign(won) + 1) / 2).mean(axis=1)
    return LuckFigures(scores, luck.mean(axis=1), times)


def coverage(scores: np.ndarray, size: int, samples: int = 10_000, seed: int = 1) -> float:
    """How often the interval of so many pairs, drawn from these, holds their mean."""
    lots = np.random.default_rng(seed)
    drawn = scores[lots.integers(len(scores), size=(samples, size))]
    sums, squares = drawn.sum(axis=1), (drawn**2).sum(axis=1)
    truth, hits = float(scores.mean()), 0
    for total, square in zip(sums.tolist(), squares.tolist(), strict=True):
        interval = mean_from(size, total, square)
        hits += interval.low <= truth <= interval.high
    return hits / samples


def false_alarms(scores: np.ndarray, limit: int, runs: int = 2_000, seed: int = 1) -> float:
    """How often --until-clear calls equal players different: each score or its opposite."""
    lots = np.random.default_rng(seed)
    both = np.concatenate([scores, 1 - scores])
    ends = np.array(looks(limit)) - 1
    alarms = 0
    for _ in range(runs):
        drawn = both[lots.integers(len(both), size=limit)]
        totals, squares = drawn.cumsum()[ends], (drawn**2).cumsum()[ends]
        prefix = list(zip((ends + 1).tolist(), totals.tolist(), squares.tolist(), strict=True))
        verdict = judge(prefix, limit, 0.05)
        alarms += verdict is not None and verdict.clear
    return alarms / runs


def main() -> None:
    asked = PAIRINGS
    if len(sys.argv) > 4:
        game, a, b, number = sys.argv[1:5]
        asked = ((game, a, b, int(number)),)
    for game, a, b, pairs in asked:
        found = measure(game, a, b, pairs)
        error = found.less.std(ddof=1) / pairs**0.5
        print(
            f"{game} {a} – {b}: {pairs} pairs, seed {SEED}; plain {found.plain.mean():.4f}, less"
            f" luck {found.less.mean():.4f} ± {error:.4f}; luck {found.luck.mean():+.5f},"
            f" {found.deviation:+.2f} standard errors; variance × {found.share:.3f};"
            f" processor time × {found.times:.3f}"
        )
        held = ", ".join(f"{n}: {coverage(found.less, n):.3f}" for n in SAMPLES)
        print(f"  coverage, by pairs: {held}; false alarms {false_alarms(found.less, 600):.3f}")


if __name__ == "__main__":
    main()
