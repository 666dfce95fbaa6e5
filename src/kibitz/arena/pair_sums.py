"""What the pairs of a line-up scored, block by block: matches on the same shuffles are compared
pair by pair, so that it is known how far they are independent (see `statistics.rating`).

A block is one pair. Long runs have blocks of several, so that they need no more memory than short
ones: for the covariance of means, sums of blocks will do as well.
"""

from __future__ import annotations

import numpy as np

from kibitz.arena.statistics.rating import Contest

MOST = 1 << 12
"""Blocks."""
FINE = 1 << 16
"""Luck is counted in so many parts of the unit of a pair's score: rounded to a millionth or so."""


class PairSums:
    """Sums over blocks of pair numbers, in whole numbers."""

    def __init__(self, players: int, pairs: int, whole: int) -> None:
        """For so many pairs, in which a point counts so much."""
        self.size = -(-pairs // MOST)
        """Pairs of a block."""
        self._whole = whole
        self._scores = np.zeros((0, players), np.int64)
        self._corrected = np.zeros(0, np.int64)
        self._counts = np.zeros(0, np.int64)

    def add(self, start: int, scores: np.ndarray, corrected: np.ndarray | None) -> None:
        """The pairs from number start on: int64[n, players], and the first player's less luck."""
        blocks = (start + np.arange(len(scores))) // self.size
        # A store may have pairs with larger numbers than anybody plans: they are left out here.
        n = int(np.searchsorted(blocks, 2 * MOST))
        if not n:
            return
        self._grow(int(blocks[n - 1]) + 1)
        np.add.at(self._counts, blocks[:n], 1)
        np.add.at(self._scores, blocks[:n], scores[:n])
        if corrected is not None:
            np.add.at(self._corrected, blocks[:n], corrected[:n])

    def _grow(self, blocks: int) -> None:
        more = max(blocks, 2 * len(self._counts)) - len(self._counts)
        if blocks > len(self._counts):
            self._counts = np.pad(self._counts, (0, more))
            self._corrected = np.pad(self._corrected, (0, more))
            self._scores = np.pad(self._scores, ((0, more), (0, 0)))

    def contest(self, players: tuple[int, ...], pairs: int, means: np.ndarray, end: int) -> Contest:
        """The players who met, with what they scored on the mean and the deviations from it, of
        blocks that were played as a whole and end before a pair."""
        return self._contest(players, pairs, means, end, self._scores / self._whole)

    def corrected_contest(
        self, players: tuple[int, ...], pairs: int, mean: float, end: int
    ) -> Contest:
        """The same of two players less luck."""
        own = self._corrected / (self._whole * FINE)
        return self._contest(
            players, pairs, np.array([mean, 1 - mean]), end, np.stack([own, -own], axis=1)
        )

    def _contest(
        self, players: tuple[int, ...], pairs: int, means: np.ndarray, end: int, sums: np.ndarray
    ) -> Contest:
        whole = self._counts == self.size
        whole &= (np.arange(len(whole)) + 1) * self.size <= end
        # Cut off behind the last of them, so that nothing depends on what else was played.
        whole = whole[: int(whole.nonzero()[0].max(initial=-1)) + 1]
        deviations = np.zeros((len(whole), sums.shape[1]))
        if whole.any():
            own = sums[: len(whole)][whole]
            deviations[whole] = own - own.mean(axis=0)
        return Contest(players, pairs, means, deviations, self.size, int(whole.sum()))
